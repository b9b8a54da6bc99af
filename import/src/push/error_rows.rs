//! The rows that were not saved, to be fixed and pushed again: a table for a table, one object per line for
//! objects.

use std::{
    borrow::Cow,
    io::{self, Write as _},
};

use serde_json::{json, value::RawValue};

use crate::{
    records::{Original, Record, members},
    safe_cells::safe,
};

/// The columns added before those of each row, as in `check --out` (rule F15). An input that has them, because
/// it is an error file itself, gets a new status and reason, and keeps the number of the row in the first file.
pub const REPORT_NAMES: [&str; 3] = ["matterbook_reason", "matterbook_status", "matterbook_row"];
const ROW_NAME: &str = REPORT_NAMES[2];

/// Without it spreadsheets read the table in an older encoding and damage accents.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A row that was not saved, and why; for `check --out` any row with its status.
#[derive(Debug)]
pub struct Refused<'a> {
    /// The row.
    pub row: &'a Record,
    /// `conflict` or `error`; for `check --out` any status.
    pub status: &'static str,
    /// The reason.
    pub reason: String,
}

/// The refused rows as text: a table if `columns` is given, otherwise one object per line. The first rows of
/// a file begin with the header. With `has_safe_cells` no cell of a table is a formula.
///
/// # Errors
/// Never in practice: the text is written into memory.
pub fn error_rows(
    columns: Option<&[String]>,
    refused: &[Refused<'_>],
    is_first: bool,
    has_safe_cells: bool,
) -> io::Result<Vec<u8>> {
    match columns {
        Some(columns) => table(columns, refused, is_first, has_safe_cells),
        None => lines(refused),
    }
}

fn table(columns: &[String], refused: &[Refused<'_>], is_first: bool, has_safe_cells: bool) -> io::Result<Vec<u8>> {
    let text = if is_first { BYTE_ORDER_MARK.as_bytes().to_vec() } else { Vec::new() };
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).flexible(true).from_writer(text);
    let mut write = |cells: Vec<&str>| {
        let cells = cells.into_iter().map(|cell| if has_safe_cells { safe(cell) } else { Cow::Borrowed(cell) });
        writer.write_record(cells.map(Cow::into_owned))
    };
    if is_first {
        let names = columns.iter().map(String::as_str).filter(|name| !is_report(name));
        write(REPORT_NAMES.into_iter().chain(names).collect())?;
    }
    for Refused { row, status, reason } in refused {
        let cells: &[String] = match &row.original {
            Original::Cells(cells) => cells,
            Original::Object(text) => std::slice::from_ref(text),
        };
        let number = columns.iter().position(|name| name == ROW_NAME).and_then(|place| cells.get(place)?.parse().ok());
        let number = number.unwrap_or(row.number).to_string();
        let kept = columns.iter().enumerate().filter(|(_, name)| !is_report(name));
        let kept = kept.map(|(place, _)| cells.get(place).map_or("", String::as_str));
        // A row that is too long keeps its extra cells.
        let rest = cells.iter().skip(columns.len()).map(String::as_str);
        write([reason.as_str(), status, number.as_str()].into_iter().chain(kept).chain(rest).collect())?;
    }
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

fn lines(refused: &[Refused<'_>]) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    for Refused { row, status, reason } in refused {
        let original = match &row.original {
            Original::Object(original) => original.as_str(),
            Original::Cells(_) => "",
        };
        let members = members(original);
        let number = members.as_ref().ok().and_then(|members| {
            let (_, number) = members.iter().find(|(name, _)| name == ROW_NAME)?;
            number.get().parse().ok()
        });
        let report = [json!(reason), json!(status), json!(number.unwrap_or(row.number))];
        let report: Vec<String> =
            REPORT_NAMES.iter().zip(report).map(|(name, value)| format!("\"{name}\":{value}")).collect();
        // A line that is not an object is kept as text.
        let rest = match members {
            Ok(members) => members.iter().filter(|(name, _)| !is_report(name)).map(member).collect(),
            Err(_) => vec![format!("\"matterbook_line\":{}", json!(original))],
        };
        writeln!(text, "{{{}}}", [report, rest].concat().join(","))?;
    }
    Ok(text)
}

fn member((name, value): &(String, Box<RawValue>)) -> String {
    format!("{}:{}", json!(name), value.get())
}

fn is_report(name: &str) -> bool {
    REPORT_NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: u64, original: Original) -> Record {
        Record {
            number,
            original,
            client: None,
            problems: Vec::new(),
            left_out: Vec::new(),
            is_short: false,
            is_windows_1252: false,
        }
    }

    fn cells(cells: &[&str]) -> Original {
        Original::Cells(cells.iter().map(|cell| (*cell).to_owned()).collect())
    }

    #[test]
    fn a_row_stands_as_it_was_behind_what_is_said_of_it() {
        let columns = ["Name", "matterbook_row", "Note"].map(str::to_owned);
        let rows = [record(7, cells(&["=1+1", "3"])), record(8, cells(&["Ana", "", "a\nb", "too many"]))];
        let refused = rows.each_ref().map(|row| Refused { row, status: "error", reason: "why, \"so\"".to_owned() });
        let expected = "\u{feff}matterbook_reason,matterbook_status,matterbook_row,Name,Note\r\n\
                        \"why, \"\"so\"\"\",error,3,=1+1,\r\n\
                        \"why, \"\"so\"\"\",error,8,Ana,\"a\nb\",too many\r\n";
        let text =
            |is_first, is_safe| String::from_utf8(table(&columns, &refused, is_first, is_safe).unwrap()).unwrap();
        assert_eq!(text(true, false), expected);
        assert_eq!(text(true, true), expected.replace("=1+1", "'=1+1"));
        assert!(!text(false, false).starts_with(BYTE_ORDER_MARK));
    }

    #[test]
    fn an_object_keeps_every_digit_and_one_report() {
        let rows = [
            record(
                1,
                Original::Object("{\"matterbook_row\": 9, \"zip\": 1e400, \"id\": 18446744073709551616}".to_owned()),
            ),
            record(2, Original::Object("{broken".to_owned())),
        ];
        let refused = rows.each_ref().map(|row| Refused { row, status: "conflict", reason: "why".to_owned() });
        let report = "\"matterbook_reason\":\"why\",\"matterbook_status\":\"conflict\"";
        let expected = format!(
            "{{{report},\"matterbook_row\":9,\"zip\":1e400,\"id\":18446744073709551616}}\n\
             {{{report},\"matterbook_row\":2,\"matterbook_line\":\"{{broken\"}}\n"
        );
        assert_eq!(String::from_utf8(lines(&refused).unwrap()).unwrap(), expected);
    }
}
