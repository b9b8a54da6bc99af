//! Excel workbooks: what a person sees in a cell is what is read.

use std::io::{Cursor, Read as _, Write as _};

use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet};

use crate::file::TestFile;

/// A workbook of one sheet.
pub fn of(fill: impl FnOnce(&mut Worksheet)) -> Vec<u8> {
    let mut workbook = Workbook::new();
    fill(workbook.add_worksheet());
    workbook.save_to_buffer().expect("a workbook")
}

/// The same workbook, whose table of texts says that it has so many.
pub fn with_said_count(workbook: &[u8], count: u64) -> Vec<u8> {
    let mut from = zip::ZipArchive::new(Cursor::new(workbook)).expect("a workbook");
    let mut to = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for place in 0..from.len() {
        let mut part = from.by_index(place).expect("a part");
        let mut text = String::new();
        part.read_to_string(&mut text).expect("text");
        let said = text.replace("uniqueCount=\"2\"", &format!("uniqueCount=\"{count}\""));
        let name = part.name().expect("a name").into_owned();
        to.start_file(name, zip::write::SimpleFileOptions::default()).expect("begun");
        to.write_all(said.as_bytes()).expect("written");
    }
    to.finish().expect("a workbook").into_inner()
}

/// A container as Excel 97-2003 and locked workbooks are, with one stream of this name.
pub fn container(stream: &str) -> Vec<u8> {
    const SECTOR: usize = 512;
    let mut bytes = vec![0_u8; 3 * SECTOR];
    bytes[..8].copy_from_slice(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1");
    // Version 3, little endian, sectors of 512 and 64 bytes; one sector of the table of sectors.
    for (at, value) in [(24, 0x3E_u16), (26, 3), (28, 0xFFFE), (30, 9), (32, 6), (44, 1)] {
        bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
    }
    // The directory is sector 1; no small streams and no further tables.
    for (at, value) in [(48, 1_u32), (56, 4096), (60, 0xFFFF_FFFE), (68, 0xFFFF_FFFE)] {
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    bytes[76..80].copy_from_slice(&0_u32.to_le_bytes());
    bytes[80..SECTOR].fill(0xFF);
    // The table of sectors: itself, and the end of the directory.
    bytes[SECTOR..2 * SECTOR].fill(0xFF);
    bytes[SECTOR..SECTOR + 4].copy_from_slice(&0xFFFF_FFFD_u32.to_le_bytes());
    bytes[SECTOR + 4..SECTOR + 8].copy_from_slice(&0xFFFF_FFFE_u32.to_le_bytes());
    for (place, (name, kind)) in [("Root Entry", 5_u8), (stream, 2)].into_iter().enumerate() {
        let entry = &mut bytes[2 * SECTOR + 128 * place..2 * SECTOR + 128 * (place + 1)];
        let units: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        entry[..units.len()].copy_from_slice(&units);
        entry[64..66].copy_from_slice(&u16::try_from(units.len() + 2).expect("short").to_le_bytes());
        entry[66] = kind;
        for at in [68, 72, 76] {
            entry[at..at + 4].fill(0xFF);
        }
        entry[116..120].copy_from_slice(&0xFFFF_FFFE_u32.to_le_bytes());
    }
    bytes
}

fn headers(sheet: &mut Worksheet, headers: &[&str]) {
    for (column, header) in (0..).zip(headers) {
        sheet.write(0, column, *header).expect("written");
    }
}

#[test]
fn numbers_keep_their_digits_and_days_are_days() {
    let bytes = of(|sheet| {
        headers(sheet, &["Client ID", "Last Name", "Zip", "Phone", "Opened", "Settled", "DNM"]);
        let day = ExcelDateTime::from_ymd(2026, 1, 5).expect("a day");
        sheet.write(1, 0, 1001.0).expect("written");
        sheet.write(1, 1, "Li").expect("written");
        sheet.write(1, 2, 62704.0).expect("written");
        sheet.write(1, 3, 2_175_550_134.0).expect("written");
        sheet.write_with_format(1, 4, &day, &Format::new().set_num_format("mm/dd/yyyy")).expect("written");
        // A date in an unformatted column is a number; the workbook defines its epoch.
        sheet.write(1, 5, 46027.0).expect("written");
        sheet.write(1, 6, true).expect("written");
        sheet.write_with_format(2, 2, 2134.0, &Format::new().set_num_format("00000")).expect("written");
        sheet.write(2, 0, 1.5e10).expect("written");
        sheet.write(2, 1, "Reed").expect("written");
    });
    let report = TestFile::new("a.xlsx", bytes).report(&[]);
    assert_eq!(report.status, Some(0), "{}", report.sentence);
    assert_eq!(report.findings(2), ["phone: 2175550134 → +12175550134"]);
    assert_eq!(report.findings(3), ["zip: 2134 → 02134"]);
    let out = TestFile::new(
        "a.xlsx",
        of(|sheet| {
            headers(sheet, &["Client ID", "Last Name", "Settled"]);
            sheet.write(1, 0, 1.5e10).expect("written");
            sheet.write(1, 1, "Li").expect("written");
            sheet
                .write_with_format(
                    1,
                    2,
                    ExcelDateTime::from_ymd(2026, 1, 5).expect("a day"),
                    &Format::new().set_num_format("d-mmm"),
                )
                .expect("written");
        }),
    );
    assert_eq!(out.report(&["--out", "o.csv"]).status, Some(0));
    let written = std::fs::read_to_string(out.beside("o.csv")).expect("text");
    assert_eq!(written.lines().nth(1), Some(",ready,2,15000000000,Li,2026-01-05"));
}

#[test]
fn what_the_spreadsheet_did_to_a_cell_is_an_error_of_its_row() {
    let bytes = of(|sheet| {
        headers(sheet, &["Client ID", "Last Name", "Apt", "City"]);
        sheet.write(1, 0, 12_345_678_901_234_567.0).expect("written");
        sheet.write(1, 1, "Li").expect("written");
        let day = ExcelDateTime::from_ymd(2026, 3, 4).expect("a day");
        sheet.write_with_format(2, 2, &day, &Format::new().set_num_format("d-mmm")).expect("written");
        sheet.write(2, 1, "Reed").expect("written");
        sheet.write_formula(3, 3, rust_xlsxwriter::Formula::new("=NA()").set_result("#N/A")).expect("written");
        sheet.write(3, 1, "Orr").expect("written");
    });
    let report = TestFile::new("a.xlsx", bytes).report(&[]);
    assert_eq!(
        report.all_findings(),
        [
            (
                2,
                "external_id is a number of more than 15 digits, of which a spreadsheet keeps 15: format the column as text \
                 and write it again."
                    .to_owned()
            ),
            (
                3,
                "address_line2 was taken for a date by the spreadsheet: format the column as text and write it again."
                    .to_owned()
            ),
            (4, "city is an error of the spreadsheet: fix its formula, or empty the cell.".to_owned()),
        ]
    );
}

#[test]
fn the_first_sheet_that_is_seen_is_read_unless_one_is_named() {
    let mut workbook = Workbook::new();
    for (name, last_name) in [("Hidden", "A"), ("Clients", "B"), ("Old", "C")] {
        let sheet = workbook.add_worksheet();
        sheet.set_name(name).expect("a name");
        headers(sheet, &["Last Name", "Zip"]);
        sheet.write(4, 0, last_name).expect("written");
        sheet.write(4, 1, 2134).expect("written");
        if name == "Hidden" {
            sheet.set_hidden(true);
        } else if name == "Clients" {
            sheet.set_active(true);
        }
    }
    let file = TestFile::new("a.xlsx", workbook.save_to_buffer().expect("a workbook"));
    let report = file.report(&[]);
    assert_eq!(report.json["sheet"], "Clients");
    // Empty rows count, as in a spreadsheet.
    assert_eq!(report.findings(5), ["zip: 2134 → 02134"]);
    assert_eq!(file.report(&["--sheet", "Old"]).json["sheet"], "Old");
    let printed = String::from_utf8(file.check(&[]).stdout).expect("UTF-8");
    assert!(printed.contains("Sheets that are not read: Hidden, Old. --sheet reads another.\n"), "{printed}");
    let sentence = "a.xlsx has no sheet \"New\"; its sheets are Hidden, Clients, Old.";
    assert_eq!(file.refused(&["--sheet", "New"]), (Some(2), sentence.to_owned()));
}
