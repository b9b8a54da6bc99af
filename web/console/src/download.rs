//! Lists as files for spreadsheets.

use matterbook_workbook::TextWorkbook;

/// What a list is saved as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// Text that Excel opens as it is.
    Csv,
    /// A workbook, whose cells are texts.
    Xlsx,
}

/// The width of the first column of a workbook, in characters.
const FIRST_WIDTH: u32 = 20;

impl FileKind {
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }

    pub(crate) const fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }

    /// The file: a first row of names, then rows.
    pub(crate) fn content<'r>(
        self,
        title: &str,
        head: impl IntoIterator<Item = &'r str>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Vec<u8> {
        match self {
            Self::Csv => csv(head, rows),
            Self::Xlsx => {
                let mut workbook = TextWorkbook::new(title, FIRST_WIDTH);
                workbook.row(head.into_iter());
                rows.into_iter().for_each(|row| workbook.row(row.iter().map(String::as_str)));
                workbook.finish()
            }
        }
    }
}

/// A byte order mark, without which Excel does not read UTF-8.
const MARK: &str = "\u{feff}";

/// Lines of CSV (RFC 4180), as a library would write them. The library's writer has the reading of numbers with it, 16 kB
/// of the Worker's module (decision 0037).
///
/// A cell that a spreadsheet would compute gets an apostrophe.
fn csv<'r>(head: impl IntoIterator<Item = &'r str>, rows: impl IntoIterator<Item = Vec<String>>) -> Vec<u8> {
    let mut text = MARK.to_owned();
    push_line(&mut text, head.into_iter().map(str::to_owned).collect());
    for row in rows {
        push_line(&mut text, row.into_iter().map(safe).collect());
    }
    text.into_bytes()
}

fn push_line(text: &mut String, cells: Vec<String>) {
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        if cell.contains([',', '"', '\r', '\n']) {
            text.push('"');
            text.push_str(&cell.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(cell);
        }
    }
    text.push('\n');
}

fn safe(cell: String) -> String {
    // A phone number in E.164 begins with a plus and holds nothing to compute.
    let is_phone = cell.strip_prefix('+').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    let is_computed =
        cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']);
    if is_computed && !is_phone { format!("'{cell}") } else { cell }
}

#[cfg(test)]
mod tests {
    use matterbook_import::records::{self, Content, Options, Original};

    use super::*;

    #[test]
    fn a_list_has_the_same_rows_as_text_and_as_a_workbook() {
        let row = ["Specimenez", "00501", "12 Oak St, Unit \"B\" & <C>"].map(str::to_owned).to_vec();
        for kind in [FileKind::Csv, FileKind::Xlsx] {
            let content = kind.content("Clients", ["Last Name", "ZIP", "Street"], [row.clone(), row.clone()]);
            let name = format!("clients.{}", kind.extension());
            let rows = records::read(name.as_ref(), Content::of_bytes(content), &Options::default()).unwrap();
            let rows: Vec<_> = rows.map(|row| row.unwrap().original).collect();
            assert_eq!(rows, [Original::Cells(row.clone()), Original::Cells(row.clone())], "{kind:?}");
        }
    }

    #[test]
    fn a_line_is_written_as_the_library_writes_it() {
        let row = ["a,b", "say \"no\"", "two\nlines", "cr\rlf\r\n", "", " spaced ", "José"].map(str::to_owned);
        let mut library = csv::Writer::from_writer(MARK.as_bytes().to_vec());
        library.write_record(&row).unwrap();
        library.write_record(&row).unwrap();
        assert_eq!(csv(row.each_ref().map(String::as_str), [row.to_vec()]), library.into_inner().unwrap());
    }

    #[test]
    fn a_cell_is_never_a_formula() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let rows = [row(["=1+1", "a,b"]), row(["-x", "+12175550134"]), row(["plain", "\u{ff1d}A1"])];
        let text = String::from_utf8(csv(["A", "B"], rows)).unwrap();
        assert_eq!(text, "\u{feff}A,B\n'=1+1,\"a,b\"\n'-x,+12175550134\nplain,'\u{ff1d}A1\n");
    }
}
