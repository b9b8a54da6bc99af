//! The rows that were not saved, as a workbook with the reason first (rule G46).

use std::collections::BTreeMap;

use matterbook_import::{
    push::REPORT_NAMES,
    records::{Original, Record, Records},
};
use matterbook_workbook::TextWorkbook;
use serde::{Deserialize, Serialize};

use crate::words::plain;

/// The most rows of the workbook.
const ROWS: usize = 200_000;

/// The width of the reasons, in characters.
const REASON_WIDTH: u32 = 60;

/// The column of a row's number. All three names are those of rule F15, so that the workbook can be imported again.
const ROW_NAME: &str = REPORT_NAMES[2];

/// A row that was not saved: `[row, status, reason]`.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) struct RefusedRow(u64, String, String);

impl RefusedRow {
    pub(crate) fn new(row: u64, status: &str, reason: &str) -> Self {
        Self(row, status.to_owned(), plain(reason))
    }
}

/// The workbook of the refused rows, in the order of the file. All cells are texts, so that no spreadsheet computes or
/// changes one.
pub(crate) fn workbook(records: Records, refused: Vec<RefusedRow>) -> Vec<u8> {
    let refused: BTreeMap<u64, RefusedRow> =
        refused.into_iter().take(ROWS).map(|refused| (refused.0, refused)).collect();
    let headers: Vec<String> = records.mapping().columns().iter().map(|column| column.header.clone()).collect();
    let is_own = |name: &str| !REPORT_NAMES.contains(&name);
    let own: Vec<usize> = (0..).zip(&headers).filter(|(_, name)| is_own(name)).map(|(place, _)| place).collect();
    // A file of refused rows that is imported again keeps the numbers of the first file.
    let place_of_number = headers.iter().position(|name| name == ROW_NAME);
    let mut workbook = TextWorkbook::new("Refused rows", REASON_WIDTH);
    let names = own.iter().filter_map(|place| headers.get(*place)).map(String::as_str);
    workbook.row(REPORT_NAMES.into_iter().chain(names));
    for record in records.filter_map(Result::ok) {
        let Some(RefusedRow(number, status, reason)) = refused.get(&record.number) else { continue };
        let cells = cells(&record);
        let first_number = place_of_number.and_then(|place| cells.get(place)?.parse().ok());
        let number = first_number.unwrap_or(*number).to_string();
        let kept = own.iter().map(|place| cells.get(*place).map_or("", String::as_str));
        // A row that is too long keeps its extra cells.
        let rest = cells.iter().skip(headers.len()).map(String::as_str);
        workbook.row([reason.as_str(), status.as_str(), number.as_str()].into_iter().chain(kept).chain(rest));
    }
    workbook.finish()
}

fn cells(record: &Record) -> &[String] {
    match &record.original {
        Original::Cells(cells) => cells,
        Original::Object(text) => std::slice::from_ref(text),
    }
}
