//! The rows of a file of prospects: CSV with a header line, or one JSON object per line.
//!
//! The names are those of `GET /prospects`, so its output can be imported elsewhere. The operator API
//! interprets the values; this module only names them.

use std::{
    ffi::OsStr,
    fs::File,
    io::{BufRead, BufReader, Read, Seek as _},
    path::Path,
};

use serde_json::{Map, Value};

use super::outcome::Failure;

/// The longest accepted line.
const LINE_BYTES: u64 = 1_024 * 1_024;
const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];
/// A line added at the end of the file. If it is not parsed as its own row, a quote is still open.
const END: &[u8] = b"\x1d";

/// One row of a file.
#[derive(Debug, PartialEq)]
pub(super) struct Row {
    /// The number of its first line, from 1.
    pub(super) line: u64,
    /// Its approximate size in bytes.
    pub(super) bytes: usize,
    /// Its fields, or why it cannot be read.
    pub(super) prospect: Result<Map<String, Value>, String>,
}

/// The rows of the file, read lazily.
///
/// # Errors
/// When the file cannot be opened, has another extension, or its first line does not name `source_id`.
pub(super) fn rows(path: &Path) -> Result<Box<dyn Iterator<Item = Row>>, Failure> {
    let unreadable = |error: std::io::Error| Failure::refused(format!("{} cannot be read: {error}.", path.display()));
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    let mut file = File::open(path).map_err(unreadable)?;
    let mut start = Vec::new();
    (&mut file).take(3).read_to_end(&mut start).map_err(unreadable)?;
    if start != BYTE_ORDER_MARK {
        file.rewind().map_err(unreadable)?;
    }
    match extension.as_str() {
        "csv" => Ok(Box::new(csv_rows(file)?)),
        "ndjson" | "jsonl" => Ok(Box::new(json_rows(file))),
        _ => Err(Failure::usage("The file's name must end in .csv or .ndjson, so that it is clear how to read it.")),
    }
}

fn csv_rows(file: impl Read) -> Result<impl Iterator<Item = Row>, Failure> {
    // The added line feeds end every record, so the line of its end is known.
    let file = file.chain(b"\n".as_slice()).chain(END).chain(b"\n".as_slice());
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .has_headers(false)
        .terminator(csv::Terminator::Any(b'\n'))
        .from_reader(file);
    let mut header = csv::StringRecord::new();
    reader.read_record(&mut header).map_err(|error| Failure::refused(format!("The line of names: {error}.")))?;
    let names: Vec<String> = header.iter().map(|name| name.trim().to_owned()).collect();
    if !names.iter().any(|name| name == "source_id") {
        return Err(Failure::refused("The file's first line must name its columns, source_id among them."));
    }
    let mut record = csv::ByteRecord::new();
    let mut is_broken = false;
    Ok(std::iter::from_fn(move || {
        // After a row that cannot be read, no further line numbers are known.
        while !is_broken {
            match reader.read_byte_record(&mut record) {
                Ok(false) => return None,
                Ok(true) if record.as_slice() == END => return None,
                Ok(true) if ends_within_quotes(&record) => {
                    return Some(unclosed_row(&record, reader.position().line()));
                }
                Ok(true) if record.as_slice().iter().all(u8::is_ascii_whitespace) => {}
                Ok(true) => return Some(csv_row(&names, &record, reader.position().line() - 1)),
                Err(error) => {
                    is_broken = true;
                    return Some(Row { line: reader.position().line(), bytes: 0, prospect: Err(error.to_string()) });
                }
            }
        }
        None
    }))
}

/// Whether a record ran past the end of the file, because its quote was never closed.
fn ends_within_quotes(record: &csv::ByteRecord) -> bool {
    record.as_slice().strip_suffix(b"\n").is_some_and(|text| text.ends_with(END))
}

fn unclosed_row(record: &csv::ByteRecord, end_line: u64) -> Row {
    let line = end_line.saturating_sub(line_breaks(record));
    let problem = "a quote is opened here and never closed, so nothing from here on could be read.";
    Row { line, bytes: 0, prospect: Err(problem.to_owned()) }
}

fn line_breaks(record: &csv::ByteRecord) -> u64 {
    u64::try_from(record.as_slice().iter().filter(|byte| **byte == b'\n').count()).unwrap_or(0)
}

fn csv_row(names: &[String], record: &csv::ByteRecord, last_line: u64) -> Row {
    let prospect = if record.len() == names.len() {
        names
            .iter()
            .zip(record)
            .map(|(name, value)| match std::str::from_utf8(value) {
                Ok(value) => Ok((name.clone(), Value::from(value.trim()))),
                Err(_) => Err(format!("{name} is not UTF-8: save the file as UTF-8.")),
            })
            .collect()
    } else {
        Err(format!("the row has {} values for {} columns.", record.len(), names.len()))
    };
    Row { line: last_line.saturating_sub(line_breaks(record)), bytes: record.as_slice().len(), prospect }
}

fn json_rows(file: impl Read) -> impl Iterator<Item = Row> {
    let mut reader = BufReader::new(file);
    let mut line = 0;
    let mut is_broken = false;
    std::iter::from_fn(move || {
        while !is_broken {
            let mut text = Vec::new();
            line += 1;
            let prospect = match read_line(&mut reader, &mut text) {
                Ok(false) => return None,
                Ok(true) if text.iter().all(u8::is_ascii_whitespace) => continue,
                Ok(true) => json_prospect(&text),
                Err(error) => {
                    is_broken = true;
                    Err(error.to_string())
                }
            };
            return Some(Row { line, bytes: text.len(), prospect });
        }
        None
    })
}

/// Reads the next line, at most one byte more than the limit. `false` at the end.
fn read_line(reader: &mut impl BufRead, text: &mut Vec<u8>) -> std::io::Result<bool> {
    let bytes = reader.by_ref().take(LINE_BYTES).read_until(b'\n', text)?;
    if bytes > 0 && text.last() != Some(&b'\n') {
        reader.skip_until(b'\n')?;
    }
    Ok(bytes > 0)
}

fn json_prospect(text: &[u8]) -> Result<Map<String, Value>, String> {
    let mut prospect: Map<String, Value> =
        serde_json::from_slice(text).map_err(|_| "the line is not one JSON object.".to_owned())?;
    // `GET /prospects` returns the vehicle as a nested object.
    if let Some(Value::Object(vehicle)) = prospect.remove("vehicle") {
        prospect.extend(vehicle.into_iter().map(|(name, value)| (format!("vehicle_{name}"), value)));
    }
    Ok(prospect)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    type Expected<'a> = (u64, Result<Value, &'a str>);

    fn check(rows: impl Iterator<Item = Row>, expected: &[Expected<'_>]) {
        let rows: Vec<(u64, Result<Value, String>)> =
            rows.map(|row| (row.line, row.prospect.map(Value::Object))).collect();
        let expected: Vec<(u64, Result<Value, String>)> =
            expected.iter().map(|(line, row)| (*line, row.clone().map_err(str::to_owned))).collect();
        assert_eq!(rows, expected);
    }

    #[test]
    fn a_csv_row_has_the_line_where_it_begins() {
        let file = b"source_id, city \r\n1,\"New\nYork\"\r\n2\n\r\n\n3,\xff\n4,Reno\r\n5,\"Elko\"";
        check(
            csv_rows(file.as_slice()).expect("names"),
            &[
                (2, Ok(json!({"source_id": "1", "city": "New\nYork"}))),
                (4, Err("the row has 1 values for 2 columns.")),
                (7, Err("city is not UTF-8: save the file as UTF-8.")),
                (8, Ok(json!({"source_id": "4", "city": "Reno"}))),
                (9, Ok(json!({"source_id": "5", "city": "Elko"}))),
            ],
        );
    }

    /// An open quote must not swallow the rest of the file or report another row's line.
    #[test]
    fn a_quote_that_is_never_closed_is_named_with_its_line() {
        let rows = csv_rows(b"source_id,city\n1,Reno\n2,\"Elko\n3,Ely\n4,Fallon\n".as_slice());
        let problem = "a quote is opened here and never closed, so nothing from here on could be read.";
        check(rows.expect("names"), &[(2, Ok(json!({"source_id": "1", "city": "Reno"}))), (3, Err(problem))]);
    }

    #[test]
    fn a_csv_without_names_is_refused_before_anything_is_sent() {
        let refused = csv_rows(b"1,New York\n".as_slice()).err();
        let sentence = "The file's first line must name its columns, source_id among them.";
        assert_eq!(refused, Some(Failure::refused(sentence)));
    }

    #[test]
    fn a_json_line_may_hold_the_vehicle_as_it_is_read_back() {
        let file = b"{\"source_id\":1,\"vehicle\":{\"year\":2020,\"make\":null}}\n\n[1]\n{\"source_id\":\"2\"}";
        check(
            json_rows(file.as_slice()),
            &[
                (1, Ok(json!({"source_id": 1, "vehicle_year": 2020, "vehicle_make": null}))),
                (3, Err("the line is not one JSON object.")),
                (4, Ok(json!({"source_id": "2"}))),
            ],
        );
    }
}
