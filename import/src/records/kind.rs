//! The kind of a file, by its first bytes; its extension must agree.

use std::path::Path;

use super::{ReadError, error::name_of};

/// A supported kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Text with a separator: CSV, TSV and the like.
    Delimited,
    /// An Excel workbook, `.xlsx` or `.xlsm`.
    Workbook,
    /// One JSON object per line.
    JsonLines,
}

/// How many bytes [`file_kind`] needs.
pub(super) const START_BYTES: usize = 4_096;

/// The kind of a file that begins with these bytes.
///
/// # Errors
/// When the kind is not supported, the file is empty, or its extension is that of another kind.
pub(super) fn file_kind(path: &Path, start: &[u8]) -> Result<FileKind, ReadError> {
    let name = name_of(path);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_ascii_lowercase();
    let refused = |sentence: String| Err(ReadError::Refused(sentence));
    let is_named_workbook = matches!(extension.as_str(), "xlsx" | "xlsm");
    let text = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    if text.is_empty() {
        return refused(format!("{name} is empty."));
    }
    if start.starts_with(b"PK\x03\x04") {
        if super::is_standard_input(path) {
            return Err(streamed_workbook());
        }
        return match extension.as_str() {
            "xlsx" | "xlsm" => Ok(FileKind::Workbook),
            "xlsb" | "ods" | "numbers" => {
                refused(format!("{name} is a spreadsheet of a kind that is not read: save it as XLSX or CSV."))
            }
            _ => refused(format!(
                "{name} is no text but a packed file: if it is an Excel workbook, give it a name that ends in .xlsx."
            )),
        };
    }
    if start.starts_with(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1") {
        // A workbook with a password has this container too.
        return if is_named_workbook {
            Ok(FileKind::Workbook)
        } else {
            refused(format!("{name} is a workbook of Excel 97-2003 (.xls): open it and save it as XLSX or CSV."))
        };
    }
    if is_named_workbook {
        return refused(format!(
            "{name} is not a workbook, whatever its name says: if it is text, give it a name that ends in .csv."
        ));
    }
    if is_web_page(text) {
        return refused(format!(
            "{name} is a web page, as some systems export: open it in a spreadsheet and save it as XLSX or CSV."
        ));
    }
    let has_utf16_mark = start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF");
    if start.starts_with(b"%PDF") || (!has_utf16_mark && start.contains(&0)) {
        return refused(format!("{name} is not text: save it as CSV or XLSX."));
    }
    match (text.first(), extension.as_str()) {
        (Some(b'{'), _) => Ok(FileKind::JsonLines),
        (Some(b'['), "json" | "ndjson" | "jsonl") => {
            refused(format!("{name} is one JSON array: write one object a line, as `jq -c '.[]'` does."))
        }
        (_, "ndjson" | "jsonl") => Ok(FileKind::JsonLines),
        _ => Ok(FileKind::Delimited),
    }
}

/// A workbook needs random access.
pub(super) fn streamed_workbook() -> ReadError {
    ReadError::Refused("Standard input is a workbook, which can only be read from a file.".to_owned())
}

fn is_web_page(text: &[u8]) -> bool {
    let begins = |tag: &[u8]| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    begins(b"<html") || begins(b"<!doctype") || begins(b"<table") || begins(b"<?xml")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, start: &[u8], expected: Result<FileKind, &str>) {
        let found = file_kind(Path::new(name), start).map_err(|error| error.to_string());
        assert_eq!(found, expected.map_err(str::to_owned), "{name}");
    }

    #[test]
    fn the_content_decides_and_a_name_that_says_another_kind_is_told() {
        let (packed, container) = (b"PK\x03\x04\0\0", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0");
        check("a.csv", b"First Name,Zip\n", Ok(FileKind::Delimited));
        check("a.txt", b"\xFF\xFEZ\0i\0p\0", Ok(FileKind::Delimited));
        check("a", b"\xEF\xBB\xBF {\"zip\":1}", Ok(FileKind::JsonLines));
        check("a.ndjson", b"7\n{}", Ok(FileKind::JsonLines));
        check("a.xlsx", packed, Ok(FileKind::Workbook));
        check("a.XLSX", container, Ok(FileKind::Workbook));
        check("-", b"Zip\n1", Ok(FileKind::Delimited));
        check(
            "a.csv",
            packed,
            Err("a.csv is no text but a packed file: if it is an Excel workbook, give it a name that ends in .xlsx."),
        );
        check("a.ods", packed, Err("a.ods is a spreadsheet of a kind that is not read: save it as XLSX or CSV."));
        check("-", packed, Err("Standard input is a workbook, which can only be read from a file."));
        check(
            "a.xls",
            container,
            Err("a.xls is a workbook of Excel 97-2003 (.xls): open it and save it as XLSX or CSV."),
        );
        check(
            "a.xlsx",
            b"Zip\n1",
            Err("a.xlsx is not a workbook, whatever its name says: if it is text, give it a name that ends in .csv."),
        );
        check(
            "a.xls",
            b"<html><table>",
            Err("a.xls is a web page, as some systems export: open it in a spreadsheet and save it as XLSX or CSV."),
        );
        check("a.csv", b"\x7fELF\0\0", Err("a.csv is not text: save it as CSV or XLSX."));
        check("a.json", b"[{}]", Err("a.json is one JSON array: write one object a line, as `jq -c '.[]'` does."));
        check("a.csv", b"", Err("a.csv is empty."));
        check("a.csv", b"\xEF\xBB\xBF\r\n", Err("a.csv is empty."));
    }
}
