//! The file of `--out`: the original rows, each with its result.

use std::{
    fs::File,
    io::{self, BufWriter, Seek as _, Write as _},
    path::Path,
};

use matterbook_import::{
    check::Judged,
    push::{Refused, error_rows},
    records::{FileKind, Record, Records},
};

use crate::{cli::outcome::Failure, private_file::owners_only, push::workbook};

/// A new file that only its owner can read, because it contains clients.
pub(super) struct OutFile {
    name: String,
    /// The rows. Those of a workbook are collected as a table in a file without a name.
    output: BufWriter<File>,
    /// The workbook, which is written last.
    workbook: Option<File>,
    /// The column names of a table.
    columns: Option<Vec<String>>,
    has_safe_cells: bool,
    has_names: bool,
}

impl OutFile {
    /// Creates the file and writes its header.
    ///
    /// # Errors
    /// When its extension does not fit its content, when it exists already, or when it cannot be created.
    pub(super) fn create(path: &Path, input: &Path, records: &Records, has_safe_cells: bool) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let (endings, kind): (&[&str], _) = match records.kind() {
            FileKind::JsonLines => (&["ndjson", "jsonl"], "objects"),
            FileKind::Delimited => (&["csv", "xlsx"], "a table"),
            FileKind::Workbook => (&["xlsx", "csv"], "a table"),
        };
        if !endings.iter().any(|ending| extension.eq_ignore_ascii_case(ending)) {
            let endings: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
            let sentence =
                format!("--out must end in {}: {} is a file of {kind}.", endings.join(" or "), input.display());
            return Err(Failure::usage(sentence));
        }
        let file = owners_only().write(true).create_new(true).open(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Failure::refused(format!(
                "{name} is there already, and may hold somebody's work: name another, or remove it."
            )),
            _ => Failure::refused(format!("{name} cannot be written: {error}.")),
        })?;
        let headers = || records.mapping().columns().iter().map(|column| column.header.clone()).collect();
        let columns = (records.kind() != FileKind::JsonLines).then(headers);
        let is_workbook = extension.eq_ignore_ascii_case("xlsx");
        let (output, workbook) = if is_workbook {
            let rows = rows_beside(path);
            let rows = rows.map_err(|error| Failure::refused(format!("{name} cannot be written: {error}.")))?;
            (rows, Some(file))
        } else {
            (file, None)
        };
        // The cells of a workbook are texts, whatever they begin with.
        let has_safe_cells = has_safe_cells && !is_workbook;
        Ok(Self { name, output: BufWriter::new(output), workbook, columns, has_safe_cells, has_names: false })
    }

    /// Writes a row.
    ///
    /// # Errors
    /// When the row cannot be written, for example because the disk is full.
    pub(super) fn write(&mut self, record: &Record, judged: &Judged) -> Result<(), Failure> {
        let row = [Refused { row: record, status: judged.status.name(), reason: judged.reason() }];
        let text = error_rows(self.columns.as_deref(), &row, !self.has_names, self.has_safe_cells);
        self.has_names = true;
        let written = text.and_then(|text| self.output.write_all(&text));
        written.map_err(|error| self.failed(&error))
    }

    /// Flushes the buffered rows, and writes the workbook.
    ///
    /// # Errors
    /// As for [`OutFile::write`].
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        let written = self.output.flush().and_then(|()| match &mut self.workbook {
            Some(file) => {
                let rows = self.output.get_mut();
                rows.rewind()?;
                file.write_all(&workbook(rows)?)
            }
            None => Ok(()),
        });
        written.map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> Failure {
        Failure::refused(format!("{} cannot be written: {error}.", self.name))
    }
}

/// A file in the same directory that only this process can reach, for clients.
fn rows_beside(path: &Path) -> io::Result<File> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    tempfile::tempfile_in(directory)
}
