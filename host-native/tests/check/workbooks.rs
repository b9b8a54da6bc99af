//! Excel workbooks: what a person sees in a cell is what is read.

use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet};

use super::{
    file::TestFile,
    package::{self, Part},
};

/// A workbook of one sheet.
pub fn of(fill: impl FnOnce(&mut Worksheet)) -> Vec<u8> {
    let mut workbook = Workbook::new();
    fill(workbook.add_worksheet());
    workbook.save_to_buffer().expect("a workbook")
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
    // The format of the cell writes the zero.
    assert_eq!(report.findings(3), [""; 0]);
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

/// A workbook with styles 0 as they are, 1 `00000`, 2 ZIP+4, 3 a date with its time, and these rows.
fn raw(rows: &str) -> Vec<u8> {
    let styles = r#"<styleSheet><numFmts count="3"><numFmt numFmtId="164" formatCode="00000"/>
        <numFmt numFmtId="165" formatCode="[&lt;=99999]00000;00000\-0000"/>
        <numFmt numFmtId="166" formatCode="m/d/yyyy\ h:mm"/></numFmts>
        <cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs>
        </styleSheet>"#;
    package::workbook(vec![Part::new("xl/styles.xml", styles), package::sheet(rows)])
}

fn text(cell: &str, text: &str) -> String {
    format!("<c r=\"{cell}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
}

#[test]
fn the_format_of_a_cell_tells_its_zeros_and_that_it_is_a_day() {
    let headers = ["Last Name", "Zip", "Opened", "Settled"];
    let headers: String =
        ["A1", "B1", "C1", "D1"].iter().zip(headers).map(|(cell, header)| text(cell, header)).collect();
    let rows = format!(
        "<row r=\"1\">{headers}</row>\
         <row r=\"2\">{}<c r=\"B2\" s=\"1\"><v>901</v></c><c r=\"C2\" s=\"3\"><v>43948</v></c>{}</row>\
         <row r=\"3\">{}<c r=\"B3\" s=\"2\"><v>9011234</v></c>{}{}</row>",
        text("A2", "Li"),
        text("D2", "4/27/2020 0:00"),
        text("A3", "Reed"),
        text("C3", "2020-04-27T00:00:00"),
        text("D3", "4/27/2020 12:00:00 AM"),
    );
    let file = TestFile::new("a.xlsx", raw(&rows));
    let report = file.report(&["--out", "o.csv"]);
    assert_eq!(
        report.all_findings(),
        [(2, "settled_on: 4/27/2020 → 2020-04-27".to_owned()), (3, "settled_on: 4/27/2020 → 2020-04-27".to_owned())]
    );
    let written = std::fs::read_to_string(file.beside("o.csv")).expect("text");
    assert!(written.contains(",2,Li,00901,2020-04-27,4/27/2020 0:00\r\n"), "{written}");
    assert!(written.contains(",3,Reed,00901-1234,"), "{written}");
}

#[test]
fn a_formula_without_a_saved_result_is_an_error_of_its_row_and_never_a_blank() {
    let row = |number: u32, formula: &str| {
        format!(
            "<row r=\"{number}\">{}<c r=\"B{number}\"{formula}</c></row>",
            text(&format!("A{number}"), &format!("Li{number}"))
        )
    };
    let rows = [
        format!("<row r=\"1\">{}{}</row>", text("A1", "Last Name"), text("B1", "Zip")),
        row(2, "><f>A9&amp;\"1\"</f>"),
        row(3, "><f>A9</f><v></v>"),
        row(4, "><f>A9</f><v/>"),
        row(5, " t=\"str\"><f>A9</f><v></v>"),
        row(6, " t=\"str\"><f>A9</f><v>02134</v>"),
        "<row r=\"7\"><c r=\"B7\"><f t=\"shared\" si=\"0\"/></c></row>".to_owned(),
    ];
    let sentence = "zip is a formula without a saved result: open the file in a spreadsheet and save it again.";
    let report = TestFile::new("a.xlsx", raw(&rows.concat())).report(&[]);
    let errors: Vec<(u64, String)> = [2, 3, 4, 7].map(|row| (row, sentence.to_owned())).into();
    assert_eq!(report.all_findings(), errors);
    assert_eq!(report.count("ready"), 2);
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
    assert_eq!(file.report(&["--sheet", "oLD "]).json["sheet"], "Old");
    let sentence = "a.xlsx has no sheet \"New\"; its sheets are Hidden, Clients, Old.";
    assert_eq!(file.refused(&["--sheet", "New"]), (Some(2), sentence.to_owned()));
}

#[test]
fn a_first_sheet_without_a_table_names_the_others() {
    let mut workbook = Workbook::new();
    workbook.add_worksheet().set_name("Cover").expect("a name");
    for name in ["Clients", "Old"] {
        headers(workbook.add_worksheet().set_name(name).expect("a name"), &["Last Name", "Zip"]);
    }
    let empty = workbook.save_to_buffer().expect("a workbook");
    workbook.worksheet_from_name("Cover").expect("a sheet").write(0, 0, "Report of 2026").expect("written");
    let titled = workbook.save_to_buffer().expect("a workbook");
    for (bytes, begins) in [(empty, "a.xlsx is empty."), (titled, "No column of a.xlsx is recognized.")] {
        let (status, sentence) = TestFile::new("a.xlsx", bytes).refused(&[]);
        let ends = " This is its sheet \"Cover\"; --sheet reads another of its sheets: \"Clients\", \"Old\".";
        assert!(sentence.starts_with(begins) && sentence.ends_with(ends), "{sentence}");
        assert_eq!(status, Some(1));
    }
}

#[test]
fn hidden_rows_are_named_and_left_out_on_request() {
    let row = |number: u32, hidden: &str| {
        format!("<row r=\"{number}\"{hidden}>{}</row>", text(&format!("A{number}"), &format!("Li{number}")))
    };
    let mut rows = format!("<row r=\"1\">{}</row>", text("A1", "Last Name"));
    for number in 2..=9 {
        rows += &row(number, if [3, 5, 6, 7].contains(&number) { " hidden=\"1\"" } else { "" });
    }
    let file = TestFile::new("a.xlsx", raw(&rows));
    let printed = |arguments: &[&str]| String::from_utf8(file.check(arguments).stdout).expect("UTF-8");
    let hidden = "4 rows are hidden in the spreadsheet, by hand or by a filter (rows 3 and 5 to 7), and ";
    assert!(printed(&[]).contains(&format!("{hidden}read like the others: --skip-hidden leaves them out.\n8 rows\n")));
    let skipped = printed(&["--skip-hidden"]);
    assert!(skipped.contains("(rows 3 and 5 to 7), and left out.\n4 rows\n"), "{skipped}");
    let report = file.report(&["--skip-hidden"]);
    assert_eq!((&report.json["hidden_rows"], &report.json["left_out_rows"]), (&4.into(), &4.into()));
    assert_eq!(report.count("rows"), 4);
    assert_eq!(file.report(&[]).json["left_out_rows"], 0);
}
