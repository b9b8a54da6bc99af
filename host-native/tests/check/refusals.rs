//! What cannot be read is told in a sentence that says what to do.

use super::{file::TestFile, workbooks};

const FIELDS: &str = "first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, \
                      case_type, opened_on, settled_on, external_id, do_not_mail, new_settlement";

fn check(name: &str, bytes: impl AsRef<[u8]>, expected: &str) {
    assert_eq!(TestFile::new(name, bytes).refused(&[]), (Some(1), expected.to_owned()), "{name}");
}

#[test]
fn a_file_that_is_no_list_of_clients_is_refused() {
    assert_eq!(TestFile::absent("a.csv").refused(&[]), (Some(1), "There is no file a.csv.".to_owned()));
    check("a.csv", "", "a.csv is empty.");
    check("a.csv", "\u{feff}\r\n \r\n", "a.csv is empty.");
    check("a.csv", ",,,\r\n,,\r\n", "a.csv is empty.");
    check("a.ndjson", "\n\n", "a.ndjson is empty.");
    check("a.csv", "First Name,Zip\r\n", "a.csv has a row of headers and nothing under it.");
    check("a.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a.csv is not text: save it as CSV or XLSX.");
    check("a.csv", b"%PDF-1.7 x", "a.csv is not text: save it as CSV or XLSX.");
    check(
        "a.csv",
        "Ana,Li\r\n",
        &format!(
            "No column of a.csv is recognized. Its first row has: Ana, Li. Give it a row of headers, or say what they are \
             with --map \"Header=field\"; the fields are {FIELDS}, last_comma_first, first_last, \
             city_state_zip, whole_address."
        ),
    );
    check(
        "a.ndjson",
        "{\"x\":1}\n{\"y\":1}\n",
        &format!(
            "No column of a.ndjson is recognized. Its first lines have: x, y. Give them such names, or say what they are \
             with --map \"Header=field\"; the fields are {FIELDS}, last_comma_first, first_last, \
             city_state_zip, whole_address."
        ),
    );
    let directory = TestFile::absent("directory.csv");
    std::fs::create_dir(directory.path()).expect("a directory");
    assert_eq!(directory.refused(&[]), (Some(1), "directory.csv is a directory: name a file in it.".to_owned()));
}

#[test]
fn a_spreadsheet_that_cannot_be_read_is_named_as_what_it_is() {
    let workbook = workbooks::of(|sheet| {
        sheet.write(0, 0, "Zip").expect("written");
        sheet.write(1, 0, "02134").expect("written");
    });
    check(
        "a.csv",
        &workbook,
        "a.csv is no text but a packed file: if it is an Excel workbook, give it a name that ends in .xlsx.",
    );
    check(
        "a.xlsx",
        &workbook[..workbook.len() / 2],
        "a.xlsx is damaged, or not an Excel workbook: open it in a spreadsheet and save it again.",
    );
    check(
        "a.xlsx",
        "Zip\n02134\n",
        "a.xlsx is not a workbook, whatever its name says: if it is text, give it a name that ends in .csv.",
    );
    let container = workbooks::container("Workbook");
    check("a.xls", &container, "a.xls is a workbook of Excel 97-2003 (.xls): open it and save it as XLSX or CSV.");
    let locked = workbooks::container("EncryptedPackage");
    check("a.xlsx", &locked, "a.xlsx is locked by a password: open it and save it without one.");
    check(
        "a.xls",
        "<html><body><table>",
        "a.xls is a web page, as some systems export: open it in a spreadsheet and save it as XLSX or CSV.",
    );
}

#[test]
fn usage_errors_end_with_status_2_and_list_the_choices() {
    let file = TestFile::new("a.csv", "Zip,City,Last\n02134,Boston,Li\n");
    let check = |arguments: &[&str], expected: &str| {
        let (status, sentence) = file.refused(arguments);
        assert_eq!(status, Some(2), "{sentence}");
        assert!(sentence.contains(expected), "{sentence}");
    };
    check(&["--map", "Postal=zip"], "The file has no column \"Postal\"; its columns are Zip, City and Last.");
    check(
        &["--map", "Zip=zipcode"],
        &format!(
            "\"zipcode\" is no field; the fields are {FIELDS}, last_comma_first, first_last, city_state_zip \
                                        and whole_address"
        ),
    );
    check(&["--map", "Zip"], "\"Zip\" must be written \"Header=field\", or \"Header=\" to leave the column out");
    check(&["--sheet", "One"], "a.csv is not a workbook: --sheet names a sheet of one.");
    check(&["--out", "b.ndjson"], "--out must end in .csv or .xlsx: a.csv is a file of a table.");
}

#[test]
fn a_file_that_breaks_off_is_reported_as_far_as_it_goes() {
    let file = TestFile::new("a.csv", "Last,City\nLi,Reno\nReed,\"Elko\nOrr,Ely\n");
    let sentence = "In row 3 of a.csv a quote is opened and never closed, so nothing from there on was read: close \
                    it, or write it twice if it is part of the text.";
    let report = file.report(&[]);
    assert_eq!((report.status, report.sentence.as_str()), (Some(1), sentence));
    assert_eq!((report.count("rows"), report.json["broken_off"].as_str()), (1, Some(sentence)));
    let printed = String::from_utf8(file.check(&[]).stdout).expect("UTF-8");
    assert!(printed.contains("1 row until the file breaks off"), "{printed}");
}
