//! The file of `--out`: the original rows, each with its result.

use std::{
    fs::File,
    io::{BufWriter, Write as _},
    path::Path,
};

use matterbook_import::{
    check::Judged,
    records::{FileKind, Original, Record, Records},
};
use serde_json::json;

use crate::{cli::outcome::Failure, private_file::owners_only};

/// The names of the added columns or members.
const ADDED: [&str; 3] = ["matterbook_row", "matterbook_status", "matterbook_reason"];
/// Without it spreadsheets do not recognize UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A new file that only its owner can read, because it contains clients.
pub(super) struct OutFile {
    name: String,
    writer: Writer,
}

enum Writer {
    Table { writer: Box<csv::Writer<BufWriter<File>>>, width: usize },
    Objects(BufWriter<File>),
}

impl OutFile {
    /// Creates the file and writes its header.
    ///
    /// # Errors
    /// When its extension does not fit its content, when it exists already, or when it cannot be created.
    pub(super) fn create(path: &Path, input: &Path, records: &Records) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let (endings, kind): (&[&str], _) = match records.kind() {
            FileKind::JsonLines => (&["ndjson", "jsonl"], "objects"),
            FileKind::Delimited | FileKind::Workbook => (&["csv"], "a table"),
        };
        if !endings.iter().any(|ending| extension.eq_ignore_ascii_case(ending)) {
            let ending = endings.first().copied().unwrap_or_default();
            let sentence = format!("--out must end in .{ending}: {} is a file of {kind}.", input.display());
            return Err(Failure::usage(sentence));
        }
        let file = owners_only().write(true).create_new(true).open(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => Failure::refused(format!(
                "{name} is there already, and may hold somebody's work: name another, or remove it."
            )),
            _ => Failure::refused(format!("{name} cannot be written: {error}.")),
        })?;
        let mut output = BufWriter::new(file);
        let failed = |error: &dyn std::fmt::Display| Failure::refused(format!("{name} cannot be written: {error}."));
        let writer = if records.kind() == FileKind::JsonLines {
            Writer::Objects(output)
        } else {
            output.write_all(BYTE_ORDER_MARK).map_err(|error| failed(&error))?;
            let mut writer =
                csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).flexible(true).from_writer(output);
            let headers = records.mapping().columns().iter().map(|column| column.header.as_str());
            writer.write_record(headers.chain(ADDED)).map_err(|error| failed(&error))?;
            Writer::Table { writer: Box::new(writer), width: records.mapping().columns().len() }
        };
        Ok(Self { name, writer })
    }

    /// Writes a row.
    ///
    /// # Errors
    /// When the row cannot be written, for example because the disk is full.
    pub(super) fn write(&mut self, record: &Record, judged: &Judged) -> Result<(), Failure> {
        let row = record.number.to_string();
        let (status, reason) = (judged.status.name(), judged.reason());
        let added = [row.as_str(), status, reason.as_str()];
        let written = match (&mut self.writer, &record.original) {
            (Writer::Table { writer, width }, Original::Cells(cells)) => {
                // A row that is too long keeps its extra cells, after the added ones.
                let (cells, rest) = cells.split_at(cells.len().min(*width));
                let blanks = std::iter::repeat_n("", *width - cells.len());
                let cells = cells.iter().map(String::as_str).chain(blanks).chain(added);
                writer.write_record(cells.chain(rest.iter().map(String::as_str))).map_err(|error| error.to_string())
            }
            (Writer::Objects(writer), Original::Object(text)) => {
                writeln!(writer, "{}", object(text, record.client.is_some(), record.number, status, &reason))
                    .map_err(|error| error.to_string())
            }
            (Writer::Table { .. }, Original::Object(_)) | (Writer::Objects(_), Original::Cells(_)) => Ok(()),
        };
        written.map_err(|error| Failure::refused(format!("{} cannot be written: {error}.", self.name)))
    }

    /// Flushes the buffered rows.
    ///
    /// # Errors
    /// As for [`OutFile::write`].
    pub(super) fn finish(self) -> Result<(), Failure> {
        let finished = match self.writer {
            Writer::Table { mut writer, .. } => writer.flush(),
            Writer::Objects(mut writer) => writer.flush(),
        };
        finished.map_err(|error| Failure::refused(format!("{} cannot be written: {error}.", self.name)))
    }
}

/// The object with the added members after its own. A line that is not an object becomes a string member.
fn object(text: &str, is_object: bool, row: u64, status: &str, reason: &str) -> String {
    let added = json!({ADDED[0]: row, ADDED[1]: status, ADDED[2]: reason}).to_string();
    let added = added.strip_prefix('{').unwrap_or_default();
    let line;
    let members = if is_object {
        text.trim().strip_suffix('}').unwrap_or_default().trim_end()
    } else {
        line = json!({"matterbook_line": text}).to_string();
        line.strip_suffix('}').unwrap_or_default()
    };
    let comma = if members.ends_with('{') { "" } else { "," };
    format!("{members}{comma}{added}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_added_to_an_object_and_a_broken_line_is_kept() {
        let check = |text: &str, is_object: bool, begins: &str| {
            let line = object(text, is_object, 7, "error", "Why.");
            let expected = format!(
                "{begins}\"matterbook_reason\":\"Why.\",\"matterbook_row\":7,\"matterbook_status\":\"error\"}}"
            );
            assert_eq!(
                serde_json::from_str::<serde_json::Value>(&line).unwrap(),
                serde_json::from_str::<serde_json::Value>(&expected).unwrap()
            );
        };
        check("{}", true, "{");
        check(" {\"zip\": 2134 } ", true, "{\"zip\":2134,");
        check("{\"zip\": \"}\"}", true, "{\"zip\":\"}\",");
        check("not \"JSON\"", false, "{\"matterbook_line\":\"not \\\"JSON\\\"\",");
    }
}
