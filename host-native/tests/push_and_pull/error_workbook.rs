//! The refused rows of a workbook come back as a workbook.

use std::io::Read as _;

use rust_xlsxwriter::Workbook;

use super::run::{Firm, files, read, run};

/// A workbook with three rows, of which two cannot be saved; its name.
fn workbook(firm: &Firm) -> String {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    let rows = [
        ["Client ID", "Last Name", "Zip", "Notes"],
        ["1", "Li", "60601", ""],
        ["007", "Reed", "123", "=1+1"],
        ["3", "Orr", "021", "-"],
    ];
    for (row, cells) in (0..).zip(rows) {
        for (column, cell) in (0..).zip(cells) {
            sheet.write_string(row, column, cell).expect("a cell");
        }
    }
    let path = firm.place.file("clients.xlsx");
    workbook.save(&path).expect("written");
    path.to_str().expect("a plain name").to_owned()
}

/// A file of the workbook's package.
fn part(workbook: &str, name: &str) -> String {
    let mut package = zip::ZipArchive::new(std::fs::File::open(workbook).expect("a file")).expect("a package");
    let mut text = String::new();
    package.by_name(name).expect("a part").read_to_string(&mut text).expect("text");
    text
}

/// The rows of a workbook, as `check --out` writes them.
fn rows(firm: &Firm, workbook: &str) -> String {
    let out = firm.place.file("out.csv");
    let _ = std::fs::remove_file(&out);
    run(&["check", workbook, "--out", out.to_str().expect("a plain name")], &firm.serving.origin, &firm.key);
    read(out)
}

#[test]
fn the_refused_rows_of_a_workbook_come_back_as_a_workbook_with_their_first_numbers() {
    let firm = Firm::new();
    let file = workbook(&firm);
    let mut pushed = file.clone();
    for round in ["errors.xlsx", "errors.2.xlsx", "errors.3.xlsx"] {
        let ran = run(&["push", &pushed], &firm.serving.origin, &firm.key);
        let errors = format!("{file}.{round}");
        assert!(ran.status == Some(1) && ran.sentence().contains(&errors), "{ran:?}");
        let table = rows(&firm, &errors);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(
            lines[0],
            "\u{feff}matterbook_reason,matterbook_status,matterbook_row,Client ID,Last Name,Zip,Notes"
        );
        assert!(
            lines[1].starts_with("\"zip must have 5 or 9 digits") && lines[1].ends_with(",error,3,007,Reed,123,=1+1")
        );
        assert!(lines[2].ends_with(",error,4,3,Orr,021,-"), "{table}");
        pushed = errors;
    }
    let names = ["errors.2.xlsx", "errors.3.xlsx", "errors.xlsx"].map(|round| format!("clients.xlsx.{round}"));
    assert_eq!(files(&firm.place, "clients.xlsx."), names, "nothing else is left");
}

#[test]
fn no_cell_of_the_workbook_is_a_formula_or_a_number() {
    let firm = Firm::new();
    let file = workbook(&firm);
    run(&["push", &file], &firm.serving.origin, &firm.key);
    let errors = format!("{file}.errors.xlsx");
    let sheet = part(&errors, "xl/worksheets/sheet1.xml");
    assert!(!sheet.contains("<f>"), "{sheet}");
    assert_eq!(
        sheet.matches("<c ").count(),
        sheet.matches(" t=\"inlineStr\"").count(),
        "every cell is a text: {sheet}"
    );
    assert!(part(&errors, "xl/styles.xml").contains("quotePrefix=\"1\""));
}

#[test]
fn the_name_of_the_error_file_decides_its_kind() {
    let firm = Firm::new();
    let file = workbook(&firm);
    let errors = firm.place.file("fix.csv");
    run(&["push", &file, "--errors", errors.to_str().expect("a plain name")], &firm.serving.origin, &firm.key);
    assert!(read(&errors).contains(",error,3,007,Reed,123,=1+1\r\n"));
    let csv = firm.write("clients.csv", "Last Name,Zip\nLi,123\n");
    let errors = firm.place.file("fix.xlsx");
    run(&["push", &csv, "--errors", errors.to_str().expect("a plain name")], &firm.serving.origin, &firm.key);
    assert!(rows(&firm, errors.to_str().expect("a plain name")).contains(",error,2,Li,123"));
}
