//! Small files that unpack to gigabytes. Each is refused, or read, within the documented memory.

use std::process::{Command, Output, Stdio};

use super::{
    file::TestFile,
    package::{self, HEADER, Part, workbook},
};

/// The documented bound, in KiB: `check` stays below it for any file of at most 100 MB.
const MOST_KIB: u64 = 512 * 1_024;
/// More than the bound, so that what is read into memory whole is seen.
const BOMB_BYTES: usize = 640 * 1_024 * 1_024;
const SHEET: &str = "xl/worksheets/sheet1.xml";

/// Runs `check` where no more memory can be had than the bound; what it says, or the last line of its report.
fn check(name: &str, bytes: impl AsRef<[u8]>) -> (Option<i32>, String) {
    let file = TestFile::new(name, bytes);
    let mut command = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_matterbook");
    command.args(["-c", &format!("ulimit -v {MOST_KIB}; exec \"$0\" check \"$1\""), program, file.path()]);
    let Output { status, stdout, stderr } = command.stdin(Stdio::null()).output().expect("the program starts");
    assert!(status.code().is_some(), "{name}: {status}: {}", String::from_utf8_lossy(&stderr));
    let said = String::from_utf8(stderr).expect("UTF-8").replace(file.path(), name);
    assert!(!said.contains("memory allocation"), "{said}");
    if said.is_empty() {
        let report = String::from_utf8(stdout).expect("UTF-8");
        return (status.code(), report.lines().last().unwrap_or_default().trim().to_owned());
    }
    (status.code(), said.trim_end().to_owned() + if stdout.is_empty() { "" } else { " (after a report)" })
}

fn refused(bomb: Vec<Part>, expected: &str) {
    assert_eq!(check("a.xlsx", workbook(bomb)), (Some(1), expected.to_owned()));
}

/// The header of the file was read before.
fn broken_off(bomb: Vec<Part>, expected: &str) {
    assert_eq!(check("a.xlsx", workbook(bomb)), (Some(1), format!("{expected} (after a report)")));
}

const TOO_LONG: &str = "a.xlsx has a cell or a name that is longer than any spreadsheet writes: open it in a spreadsheet and save it again.";
const TOO_MUCH_TEXT: &str = "a.xlsx has more text than is read of one workbook: save the sheet as CSV.";
const DAMAGED: &str = "a.xlsx is damaged, or not an Excel workbook: open it in a spreadsheet and save it again.";

#[test]
fn one_cell_of_a_gigabyte_is_refused() {
    let begin = format!("<worksheet><sheetData>{HEADER}<row r=\"2\"><c r=\"A2\" t=\"inlineStr\"><is><t>");
    let end = "</t></is></c></row></sheetData></worksheet>";
    broken_off(vec![Part::repeated(SHEET, &begin, "a", BOMB_BYTES, end)], TOO_LONG);
    let begin = format!("<worksheet><sheetData>{HEADER}<row r=\"2\" x=\"");
    broken_off(vec![Part::repeated(SHEET, &begin, "a", BOMB_BYTES, "\"/></sheetData></worksheet>")], TOO_LONG);
}

#[test]
fn a_cell_of_many_pieces_is_cut_and_an_error_of_its_row() {
    let begin = format!("<worksheet><sheetData>{HEADER}<row r=\"2\"><c r=\"A2\" t=\"inlineStr\"><is>");
    let end = "</is></c></row></sheetData></worksheet>";
    let bomb = Part::repeated(SHEET, &begin, "<r><t>aaaaaaaaaaaaaaaaaaaaaaaaaaaa</t></r>", 8 * 1_024 * 1_024, end);
    let (status, said) = check("a.xlsx", workbook(vec![bomb]));
    assert_eq!((status, said.as_str()), (Some(1), "1 row not taken: something is wrong with it"));
}

#[test]
fn shared_texts_of_a_gigabyte_are_refused() {
    let name = "xl/sharedStrings.xml";
    refused(vec![Part::repeated(name, "<sst><si><t>", "a", BOMB_BYTES, "</t></si></sst>")], TOO_LONG);
    let text = format!("<si><t>{}</t></si>", "a".repeat(30_000));
    refused(vec![Part::repeated(name, "<sst>", &text, BOMB_BYTES, "</sst>")], TOO_MUCH_TEXT);
}

#[test]
#[ignore = "takes half a minute unless it is built for release"]
fn shared_texts_by_the_million_are_refused() {
    let name = "xl/sharedStrings.xml";
    refused(vec![Part::repeated(name, "<sst>", "<si><t>a</t></si>", BOMB_BYTES, "</sst>")], TOO_MUCH_TEXT);
}

#[test]
fn styles_of_a_gigabyte_are_refused() {
    let name = "xl/styles.xml";
    let begin = "<styleSheet><cellXfs>";
    refused(vec![Part::repeated(name, begin, "<xf numFmtId=\"0\"/>", BOMB_BYTES, "</cellXfs></styleSheet>")], DAMAGED);
    let begin = "<styleSheet><numFmts>";
    let format = "<numFmt numFmtId=\"170\" formatCode=\"00000\"/>";
    refused(vec![Part::repeated(name, begin, format, BOMB_BYTES, "</numFmts></styleSheet>")], DAMAGED);
}

#[test]
fn a_list_of_sheets_without_end_is_refused() {
    let sheet = "<sheet name=\"Clients\" sheetId=\"1\" r:id=\"rId1\"/>";
    let name = "xl/workbook.xml";
    refused(vec![Part::repeated(name, "<workbook><sheets>", sheet, BOMB_BYTES, "</sheets></workbook>")], DAMAGED);
    let relation = "<Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.xml\"/>";
    let name = "xl/_rels/workbook.xml.rels";
    refused(vec![Part::repeated(name, "<Relationships>", relation, BOMB_BYTES, "</Relationships>")], DAMAGED);
}

#[test]
fn elements_within_elements_without_end_are_refused() {
    refused(vec![Part::repeated(SHEET, "<worksheet>", "<a>", BOMB_BYTES / 4, "")], DAMAGED);
}

#[test]
fn one_long_text_in_every_cell_of_a_row_is_refused() {
    let text = format!("<sst><si><t>{}</t></si></sst>", "a".repeat(32_000));
    let cells = "<c t=\"s\"><v>0</v></c>".repeat(16_384);
    let bomb =
        vec![Part::new("xl/sharedStrings.xml", &text), package::sheet(&format!("{HEADER}<row r=\"2\">{cells}</row>"))];
    broken_off(bomb, "a.xlsx has more than 4 MiB in row 2, so nothing from there on was read.");
}

#[test]
fn rows_with_one_value_in_the_last_column_are_read() {
    let row = "<row><c r=\"XFD1\"><v>1</v></c><c r=\"A1\" t=\"inlineStr\"><is><t>Li</t></is></c></row>";
    let bomb = package::sheet(&format!("{HEADER}{}", row.repeat(3_000)));
    let (status, said) = check("a.xlsx", workbook(vec![bomb]));
    assert_eq!(status, Some(1));
    assert_eq!(said, "3,000 rows not taken: something is wrong with them");
}

#[test]
fn as_many_columns_of_one_field_as_there_can_be_are_read() {
    let cells = "<c t=\"inlineStr\"><is><t>Phone</t></is></c>".repeat(16_384);
    let bomb = package::sheet(&format!("<row>{cells}</row><row><c><v>6175550142</v></c></row>"));
    let (status, _) = check("a.xlsx", workbook(vec![bomb]));
    assert_eq!(status, Some(1));
}

#[test]
fn text_files_that_are_all_separators_or_members_are_bounded() {
    let commas = ",".repeat(15 * 1_024 * 1_024);
    let (status, said) = check("a.csv", format!("Last Name,Zip\nLi{commas}1\nLi{commas}2\n"));
    assert_eq!((status, said.as_str()), (Some(1), "2 rows not taken: something is wrong with them"));
    let headers = "Phone,".repeat(2 * 1_024 * 1_024);
    let (status, said) = check("a.csv", format!("{headers}\n1\n"));
    assert_eq!((status, said.as_str()), (Some(1), "a.csv has more than 16,384 columns, as no spreadsheet has."));
    let members = "\"\":1,".repeat(3 * 1_024 * 1_024);
    let line = format!("{{{members}\"last_name\":\"Li\"}}\n");
    let (status, said) = check("a.ndjson", format!("{{\"last_name\":\"Li\"}}\n{}", line.repeat(6)));
    assert_eq!((status, said.as_str()), (Some(1), "6 rows not taken: something is wrong with them"));
}
