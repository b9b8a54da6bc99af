//! The rows that were not saved, as a table for somebody to mend and push again.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

use super::{PushError, row::Row};
use crate::durable_file;

/// The columns behind those of the input. Where the input has them, since it is an error file itself,
/// they are made anew.
pub const REPORT_COLUMNS: [&str; 3] = ["matterbook_row", "matterbook_status", "matterbook_message"];

/// Spreadsheets take a table without it for one of an older encoding, and damage its accents.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A row that was not saved, and why.
#[derive(Debug)]
pub(super) struct Refused<'a> {
    pub(super) row: &'a Row,
    pub(super) status: &'static str,
    pub(super) message: &'a str,
}

/// A table with a known length, which only grows by whole rows.
pub(super) struct ErrorFile<'a> {
    path: &'a Path,
    columns: &'a [String],
    length: u64,
}

impl<'a> ErrorFile<'a> {
    /// The file of a push that begins. One that an earlier push left is kept under another name, since
    /// somebody may be mending it.
    pub(super) fn begin(path: &'a Path, columns: &'a [String]) -> Result<Self, PushError> {
        match fs::rename(path, previous(path)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(PushError::Errors(path.to_owned(), error)),
            _ => Ok(Self { path, columns, length: 0 }),
        }
    }

    /// The file of a push that goes on. What was written behind `length` is of a batch that comes again.
    pub(super) fn go_on(path: &'a Path, columns: &'a [String], length: u64) -> Result<Self, PushError> {
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
        let added = self.table(refused).and_then(|table| {
            let mut file = durable_file::append_from(self.path, self.length)?;
            file.write_all(&table)?;
            file.sync_all()?;
            Ok(table.len())
        });
        let bytes = added.map_err(|error| PushError::Errors(self.path.to_owned(), error))?;
        self.length = self.length.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
        Ok(())
    }

    fn table(&self, refused: &[Refused<'_>]) -> io::Result<Vec<u8>> {
        let mut table = Vec::new();
        if self.length == 0 {
            table.extend_from_slice(BYTE_ORDER_MARK.as_bytes());
        }
        let mut writer = csv::Writer::from_writer(table);
        if self.length == 0 {
            let names = self.columns.iter().map(String::as_str).filter(|name| !is_report(name));
            writer.write_record(names.chain(REPORT_COLUMNS))?;
        }
        for Refused { row, status, message } in refused {
            // A row may have fewer cells than there are columns. It gets them all, so that it can be read.
            let cells = self.columns.iter().enumerate().filter(|(_, name)| !is_report(name));
            let cells = cells.map(|(index, _)| row.cells.get(index).map_or("", String::as_str));
            let number = row.number.to_string();
            writer.write_record(cells.chain([number.as_str(), status, message]))?;
        }
        writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
    }
}

fn is_report(name: &str) -> bool {
    REPORT_COLUMNS.contains(&name)
}

/// Where the error file is when nobody says.
pub(super) fn default_path(file: &Path, is_dry_run: bool) -> PathBuf {
    durable_file::with_suffix(file, if is_dry_run { ".dry-run.errors.csv" } else { ".errors.csv" })
}

/// `clients.csv.errors.csv` → `clients.csv.errors.previous.csv`
fn previous(path: &Path) -> PathBuf {
    path.with_extension("previous.csv")
}
