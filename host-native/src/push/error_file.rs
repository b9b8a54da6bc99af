//! The rows that were not saved, for somebody to mend and push again: a table of a table's rows, a line
//! with an object of each object.

use std::{
    ffi::OsStr,
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

use serde_json::{json, value::RawValue};

use super::PushError;
use crate::{
    durable_file,
    private_file::with_suffix,
    records::{Original, Record, members},
};

/// What is said of each row, behind what the row says, as `check --out` has it. Where the input has
/// these, since it is an error file itself, they are made anew.
const REPORT_NAMES: [&str; 3] = ["matterbook_row", "matterbook_status", "matterbook_reason"];

/// Spreadsheets take a table without it for one of an older encoding, and damage its accents.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A row that was not saved, and why.
#[derive(Debug)]
pub(super) struct Refused<'a> {
    pub(super) row: &'a Record,
    pub(super) status: &'static str,
    pub(super) reason: &'a str,
}

/// A file with a known length, which only grows by whole rows.
pub(super) struct ErrorFile<'a> {
    path: &'a Path,
    /// The names of a table's columns.
    columns: Option<&'a [String]>,
    length: u64,
}

impl<'a> ErrorFile<'a> {
    /// The file of a push that begins. One that an earlier push left is kept under another name, since
    /// somebody may be mending it.
    pub(super) fn begin(path: &'a Path, columns: Option<&'a [String]>) -> Result<Self, PushError> {
        match fs::rename(path, previous(path)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(PushError::Errors(path.to_owned(), error)),
            _ => Ok(Self { path, columns, length: 0 }),
        }
    }

    /// The file of a push that goes on. What was written behind `length` is of a batch that comes again.
    pub(super) fn go_on(path: &'a Path, columns: Option<&'a [String]>, length: u64) -> Result<Self, PushError> {
        if length > 0 {
            durable_file::append_from(path, length).map_err(|error| PushError::Errors(path.to_owned(), error))?;
        }
        Ok(Self { path, columns, length })
    }

    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    /// The file, where there is one.
    pub(super) fn path(&self) -> Option<PathBuf> {
        (self.length > 0).then(|| self.path.to_owned())
    }

    /// Writes rows and puts them on the disk.
    pub(super) fn append(&mut self, refused: &[Refused<'_>]) -> Result<(), PushError> {
        if refused.is_empty() {
            return Ok(());
        }
        let text = match self.columns {
            Some(columns) => table(columns, refused, self.length == 0),
            None => lines(refused),
        };
        let added = text.and_then(|text| {
            let mut file = durable_file::append_from(self.path, self.length)?;
            file.write_all(&text)?;
            file.sync_all()?;
            Ok(text.len())
        });
        let bytes = added.map_err(|error| PushError::Errors(self.path.to_owned(), error))?;
        self.length = self.length.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
        Ok(())
    }
}

fn table(columns: &[String], refused: &[Refused<'_>], is_first: bool) -> io::Result<Vec<u8>> {
    let text = if is_first { BYTE_ORDER_MARK.as_bytes().to_vec() } else { Vec::new() };
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).flexible(true).from_writer(text);
    if is_first {
        let names = columns.iter().map(String::as_str).filter(|name| !is_report(name));
        writer.write_record(names.chain(REPORT_NAMES))?;
    }
    for Refused { row, status, reason } in refused {
        let number = row.number.to_string();
        let cells: &[String] = match &row.original {
            Original::Cells(cells) => cells,
            Original::Object(text) => std::slice::from_ref(text),
        };
        let kept = columns.iter().enumerate().filter(|(_, name)| !is_report(name));
        let kept = kept.map(|(place, _)| cells.get(place).map_or("", String::as_str));
        // A row that is too long keeps its cells, behind what is said of it.
        let rest = cells.iter().skip(columns.len()).map(String::as_str);
        writer.write_record(kept.chain([number.as_str(), status, reason]).chain(rest))?;
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
        let report = [json!(row.number), json!(status), json!(reason)];
        let report: Vec<String> =
            REPORT_NAMES.iter().zip(report).map(|(name, value)| format!("\"{name}\":{value}")).collect();
        // What is no object is kept as text.
        let rest = match members(original) {
            Ok(members) => members.iter().filter(|(name, _)| !is_report(name)).map(member).collect(),
            Err(_) => vec![format!("\"matterbook_line\":{}", json!(original))],
        };
        writeln!(text, "{{{}}}", [rest, report].concat().join(","))?;
    }
    Ok(text)
}

fn member((name, value): &(String, Box<RawValue>)) -> String {
    format!("{}:{}", json!(name), value.get())
}

fn is_report(name: &str) -> bool {
    REPORT_NAMES.contains(&name)
}

/// Where the error file is when nobody says: that of `clients.csv.errors.csv` is
/// `clients.csv.errors.2.csv`, that of which is `clients.csv.errors.3.csv`.
pub(super) fn default_path(file: &Path, is_table: bool, is_dry_run: bool) -> PathBuf {
    let run = if is_dry_run { ".dry-run" } else { "" };
    let kind = if is_table { "csv" } else { "ndjson" };
    let name = file.file_name().and_then(OsStr::to_str);
    match name.and_then(|name| round(name, kind)) {
        Some((first, round)) => file.with_file_name(format!("{first}{run}.errors.{}.{kind}", round.saturating_add(1))),
        None => with_suffix(file, &format!("{run}.errors.{kind}")),
    }
}

/// Of an error file's name: the name of what was pushed first, and how many times since.
fn round<'a>(name: &'a str, kind: &str) -> Option<(&'a str, u32)> {
    let (first, rest) = name.rsplit_once(".errors.")?;
    let round = if rest == kind { 1 } else { rest.strip_suffix(kind)?.strip_suffix('.')?.parse().ok()? };
    Some((first.strip_suffix(".dry-run").unwrap_or(first), round))
}

/// `clients.csv.errors.csv` → `clients.csv.errors.previous.csv`
fn previous(path: &Path) -> PathBuf {
    let extension = path.extension().map(|extension| extension.to_string_lossy()).unwrap_or_default();
    path.with_extension(format!("previous.{extension}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: u64, original: Original) -> Record {
        Record { number, original, client: None, problems: Vec::new(), is_short: false, is_windows_1252: false }
    }

    fn cells(cells: &[&str]) -> Original {
        Original::Cells(cells.iter().map(|cell| (*cell).to_owned()).collect())
    }

    #[test]
    fn a_row_stands_as_it_was_behind_what_is_said_of_it() {
        let columns = ["Name", "matterbook_row", "Note"].map(str::to_owned);
        let rows = [record(7, cells(&["=1+1", "3"])), record(8, cells(&["Ana", "4", "a\nb", "too many"]))];
        let refused = rows.each_ref().map(|row| Refused { row, status: "error", reason: "why, \"so\"" });
        let expected = "\u{feff}Name,Note,matterbook_row,matterbook_status,matterbook_reason\r\n\
                        =1+1,,7,error,\"why, \"\"so\"\"\"\r\n\
                        Ana,\"a\nb\",8,error,\"why, \"\"so\"\"\",too many\r\n";
        assert_eq!(String::from_utf8(table(&columns, &refused, true).unwrap()).unwrap(), expected);
        assert!(!table(&columns, &refused, false).unwrap().starts_with(BYTE_ORDER_MARK.as_bytes()));
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
        let refused = rows.each_ref().map(|row| Refused { row, status: "conflict", reason: "why" });
        let report = "\"matterbook_status\":\"conflict\",\"matterbook_reason\":\"why\"";
        let expected = format!(
            "{{\"zip\":1e400,\"id\":18446744073709551616,\"matterbook_row\":1,{report}}}\n\
             {{\"matterbook_line\":\"{{broken\",\"matterbook_row\":2,{report}}}\n"
        );
        assert_eq!(String::from_utf8(lines(&refused).unwrap()).unwrap(), expected);
    }

    #[test]
    fn the_file_is_named_after_the_input() {
        let path = Path::new("data/clients.csv");
        assert_eq!(default_path(path, true, false), Path::new("data/clients.csv.errors.csv"));
        assert_eq!(default_path(Path::new("c.jsonl"), false, true), Path::new("c.jsonl.dry-run.errors.ndjson"));
        for (pushed, errors) in [
            ("clients.csv.errors.csv", "clients.csv.errors.2.csv"),
            ("clients.csv.errors.2.csv", "clients.csv.errors.3.csv"),
            ("clients.csv.dry-run.errors.csv", "clients.csv.errors.2.csv"),
            ("clients.csv.errors.previous.csv", "clients.csv.errors.previous.csv.errors.csv"),
            ("clients.csv.errors.xlsx", "clients.csv.errors.xlsx.errors.csv"),
            ("the.errors.of.csv", "the.errors.of.csv.errors.csv"),
        ] {
            assert_eq!(default_path(&Path::new("data").join(pushed), true, false), Path::new("data").join(errors));
        }
        let again = Path::new("clients.csv.errors.csv");
        assert_eq!(default_path(again, true, true), Path::new("clients.csv.dry-run.errors.2.csv"));
        assert_eq!(
            default_path(Path::new("c.errors.4294967295.csv"), true, true),
            Path::new("c.dry-run.errors.4294967295.csv")
        );
        assert_eq!(default_path(Path::new("c.errors.ndjson"), false, false), Path::new("c.errors.2.ndjson"));
        assert_eq!(previous(Path::new("clients.csv.errors.csv")), Path::new("clients.csv.errors.previous.csv"));
    }
}
