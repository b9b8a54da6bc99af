//! The file of rows that were not saved.

use std::{
    ffi::OsStr,
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

use matterbook_import::{
    push::{Refused, error_rows},
    records::FileKind,
};
use rust_xlsxwriter::{Format, Workbook, XlsxError};

use super::PushError;
use crate::{durable_file, private_file::with_suffix};

/// The width of the column of reasons, in characters.
const REASON_WIDTH: f64 = 60.0;
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The refused rows, in a file of known length that grows by whole rows. A workbook cannot grow, so its rows are
/// collected as a table next to it until the push is done.
pub(crate) struct ErrorFile<'a> {
    path: &'a Path,
    /// The file that grows.
    rows_path: PathBuf,
    form: Form<'a>,
    length: u64,
}

/// The form of the rows.
#[derive(Clone, Copy)]
pub(crate) struct Form<'a> {
    /// The column names of a table.
    pub(crate) columns: Option<&'a [String]>,
    /// Whether no cell of a CSV may be a formula.
    pub(crate) has_safe_cells: bool,
}

impl<'a> ErrorFile<'a> {
    fn new(path: &'a Path, form: Form<'a>, length: u64) -> Self {
        let rows_path = if is_workbook(path) { with_suffix(path, ".rows") } else { path.to_owned() };
        Self { path, rows_path, form, length }
    }

    /// The file of a new push. The error file of an earlier push is renamed, because somebody may be fixing
    /// it.
    pub(crate) fn begin(path: &'a Path, form: Form<'a>) -> Result<Self, PushError> {
        let errors = Self::new(path, form, 0);
        let renamed = fs::rename(path, previous(path));
        let removed = if errors.is_workbook() { fs::remove_file(&errors.rows_path) } else { Ok(()) };
        for done in [renamed, removed] {
            match done {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(errors.failed(error)),
                _ => {}
            }
        }
        Ok(errors)
    }

    /// The file of a resumed push. Rows after `length` belong to a batch that is sent again, so they are cut
    /// off.
    pub(crate) fn go_on(path: &'a Path, form: Form<'a>, length: u64) -> Result<Self, PushError> {
        let errors = Self::new(path, form, length);
        if length > 0 {
            durable_file::append_from(&errors.rows_path, length).map_err(|error| errors.failed(error))?;
        }
        Ok(errors)
    }

    pub(crate) const fn length(&self) -> u64 {
        self.length
    }

    fn is_workbook(&self) -> bool {
        self.rows_path != self.path
    }

    fn failed(&self, error: io::Error) -> PushError {
        PushError::Errors(self.path.to_owned(), error)
    }

    /// Writes rows and syncs them to disk.
    pub(crate) fn append(&mut self, refused: &[Refused<'_>]) -> Result<(), PushError> {
        if refused.is_empty() {
            return Ok(());
        }
        // The cells of a workbook are texts, whatever they begin with.
        let has_safe_cells = self.form.has_safe_cells && !self.is_workbook();
        let text = error_rows(self.form.columns, refused, self.length == 0, has_safe_cells);
        let added = text.and_then(|text| {
            let mut file = durable_file::append_from(&self.rows_path, self.length)?;
            file.write_all(&text)?;
            file.sync_all()?;
            Ok(text.len())
        });
        let bytes = added.map_err(|error| self.failed(error))?;
        self.length = self.length.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
        Ok(())
    }

    /// Completes the file after the last row; its path, if it exists.
    pub(crate) fn finish(&self) -> Result<Option<PathBuf>, PushError> {
        if self.length == 0 {
            return Ok(None);
        }
        if self.is_workbook() {
            let workbook = fs::File::open(&self.rows_path).and_then(|rows| workbook(&rows));
            let written = workbook.and_then(|workbook| durable_file::replace(self.path, &workbook));
            written.map_err(|error| self.failed(error))?;
        }
        Ok(Some(self.path.to_owned()))
    }

    /// Removes the collected rows of a workbook, after the state that counts them.
    pub(crate) fn tidy(&self) {
        if self.is_workbook() {
            // A file that stays is removed by the next push.
            let _ = fs::remove_file(&self.rows_path);
        }
    }
}

/// A table as a workbook of texts, so that no program reads a cell as a formula, a number or a date.
pub(crate) fn workbook(rows: &fs::File) -> io::Result<Vec<u8>> {
    let text = Format::new().set_num_format("@").set_quote_prefix();
    let made = || {
        let mut workbook = Workbook::new();
        // It holds one row in memory, not all.
        let sheet = workbook.add_worksheet_with_constant_memory()?;
        sheet.set_freeze_panes(1, 0)?.set_column_width(0, REASON_WIDTH)?;
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(rows);
        for (row, record) in (0..).zip(reader.records()) {
            let record = record.map_err(|error| XlsxError::ParameterError(error.to_string()))?;
            for (column, cell) in (0..).zip(&record) {
                let cell = cell.strip_prefix(BYTE_ORDER_MARK).filter(|_| (row, column) == (0, 0)).unwrap_or(cell);
                if !cell.is_empty() {
                    sheet.write_string_with_format(row, column, cell, &text)?;
                }
            }
        }
        workbook.save_to_buffer()
    };
    made().map_err(io::Error::other)
}

fn is_workbook(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xlsx"))
}

/// The default path: for `clients.csv.errors.csv` it is `clients.csv.errors.2.csv`, and for that file
/// `clients.csv.errors.3.csv`.
pub(crate) fn default_path(file: &Path, kind: FileKind, is_dry_run: bool) -> PathBuf {
    let run = if is_dry_run { ".dry-run" } else { "" };
    let kind = match kind {
        FileKind::Delimited => "csv",
        FileKind::Workbook => "xlsx",
        FileKind::JsonLines => "ndjson",
    };
    let name = file.file_name().and_then(OsStr::to_str);
    match name.and_then(|name| round(name, kind)) {
        Some((first, round)) => file.with_file_name(format!("{first}{run}.errors.{}.{kind}", round.saturating_add(1))),
        None => with_suffix(file, &format!("{run}.errors.{kind}")),
    }
}

/// The file that was pushed first: for `clients.csv.errors.2.csv` it is `clients.csv`.
pub(crate) fn first_file(file: &Path) -> PathBuf {
    let name = file.file_name().and_then(OsStr::to_str);
    let kinds = ["csv", "xlsx", "ndjson"].into_iter();
    let first = name.and_then(|name| kinds.filter_map(|kind| round(name, kind)).map(|(first, _)| first).next());
    first.map_or_else(|| file.to_owned(), |first| file.with_file_name(first))
}

/// The original file's name in an error file's name, and the number of pushes since.
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

    #[test]
    fn the_file_is_named_after_the_input() {
        use FileKind::{Delimited, JsonLines, Workbook};
        let path = Path::new("data/clients.csv");
        assert_eq!(default_path(path, Delimited, false), Path::new("data/clients.csv.errors.csv"));
        assert_eq!(default_path(Path::new("c.jsonl"), JsonLines, true), Path::new("c.jsonl.dry-run.errors.ndjson"));
        for (pushed, kind, errors) in [
            ("clients.csv.errors.csv", Delimited, "clients.csv.errors.2.csv"),
            ("clients.csv.errors.2.csv", Delimited, "clients.csv.errors.3.csv"),
            ("clients.csv.dry-run.errors.csv", Delimited, "clients.csv.errors.2.csv"),
            ("clients.csv.errors.previous.csv", Delimited, "clients.csv.errors.previous.csv.errors.csv"),
            ("clients.xlsx", Workbook, "clients.xlsx.errors.xlsx"),
            ("clients.csv.errors.xlsx", Workbook, "clients.csv.errors.2.xlsx"),
            ("the.errors.of.csv", Delimited, "the.errors.of.csv.errors.csv"),
        ] {
            assert_eq!(default_path(&Path::new("data").join(pushed), kind, false), Path::new("data").join(errors));
        }
        let again = Path::new("clients.csv.errors.csv");
        assert_eq!(default_path(again, Delimited, true), Path::new("clients.csv.dry-run.errors.2.csv"));
        assert_eq!(
            default_path(Path::new("c.errors.4294967295.csv"), Delimited, true),
            Path::new("c.dry-run.errors.4294967295.csv")
        );
        assert_eq!(default_path(Path::new("c.errors.ndjson"), JsonLines, false), Path::new("c.errors.2.ndjson"));
        assert_eq!(previous(Path::new("clients.csv.errors.csv")), Path::new("clients.csv.errors.previous.csv"));
    }
}
