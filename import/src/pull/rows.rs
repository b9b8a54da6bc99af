//! Formats records for output.

use std::{borrow::Cow, io};

use serde_json::value::RawValue;

use super::{Format, Listing, columns};
use crate::safe_cells::safe;

/// The records as text. A table that `is_first` begins with its header; its cells can
/// be made safe for spreadsheets.
///
/// # Errors
/// When a record is not JSON.
pub fn rows_text(
    listing: Listing,
    format: Format,
    rows: &[&RawValue],
    is_first: bool,
    has_safe_cells: bool,
) -> Result<Vec<u8>, serde_json::Error> {
    match format {
        Format::Ndjson => lines(rows),
        Format::Csv => table(listing, rows, is_first, has_safe_cells),
    }
}

fn table(
    listing: Listing,
    rows: &[&RawValue],
    is_first: bool,
    has_safe_cells: bool,
) -> Result<Vec<u8>, serde_json::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let columns = columns::columns(listing);
    let names = is_first.then(|| Ok(columns.iter().map(|name| (*name).to_owned()).collect()));
    let records =
        rows.iter().map(|row| serde_json::from_str(row.get()).map(|record| columns::cells(&columns, &record)));
    for record in names.into_iter().chain(records) {
        let cells: Vec<String> = record?;
        let cells = cells.iter().map(|cell| if has_safe_cells { safe(cell) } else { Cow::Borrowed(cell.as_str()) });
        writer
            .write_record(cells.map(Cow::into_owned))
            .map_err(|error| serde_json::Error::io(io::Error::other(error)))?;
    }
    writer.into_inner().map_err(|error| serde_json::Error::io(io::Error::other(error.to_string())))
}

/// The records as sent, one per line, including members that this program does not know.
fn lines(rows: &[&RawValue]) -> Result<Vec<u8>, serde_json::Error> {
    let mut text = Vec::new();
    for row in rows {
        // A JSON response may contain line breaks; a line of NDJSON must not.
        let row: &str = row.get();
        if row.contains(['\n', '\r']) {
            serde_json::to_writer(&mut text, &serde_json::from_str::<serde_json::Value>(row)?)?;
        } else {
            text.extend_from_slice(row.as_bytes());
        }
        text.push(b'\n');
    }
    Ok(text)
}
