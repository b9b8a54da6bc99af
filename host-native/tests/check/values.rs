//! Columns and their values: what is repaired, and what a spreadsheet broke.

use super::file::TestFile;

/// One row under these headers; its findings.
fn check(headers: &str, row: &str, expected: &[&str]) {
    let file = TestFile::new("a.csv", format!("{headers}\n{row}\n"));
    assert_eq!(file.report(&[]).findings(2), expected, "{headers}\n{row}");
}

#[test]
fn each_repaired_value_is_shown_with_what_it_becomes() {
    check("Last Name,State,Zip", "Li,Mass.,2134.0", &["state: Mass. → MA", "zip: 2134.0 → 02134"]);
    check(
        "Last Name,Opened,DNM",
        "Li,\"Jan 5, 2026\",y",
        &["opened_on: Jan 5, 2026 → 2026-01-05", "do_not_mail: y → true"],
    );
    check(
        "Last Name,Email,Phone",
        "Li ,a@EXAMPLE.com,617.555.0142",
        &["last_name: Li  → Li", "email: a@EXAMPLE.com → a@example.com", "phone: 617.555.0142 → +16175550142"],
    );
}

#[test]
fn everything_that_is_wrong_with_a_row_is_said_at_once() {
    check(
        "ID,Last Name,State,Zip,Opened",
        "1.23457E+11,Li,Narnia,123,45306",
        &[
            "opened_on is a spreadsheet's number for a day: format the column as a date and export again; external_id was cut by \
           the spreadsheet to a form such as 1.23E+11: format the column as text and export again; state must be a US state: \
           a two-letter USPS code or the state's full name; zip must have 5 or 9 digits, but has 3; leading zeros may have \
           been lost: send it as text.",
        ],
    );
    check("Last Name,City", "Li,#REF!", &["city is an error of the spreadsheet: fix its formula, or empty the cell."]);
    check(
        "Last Name,Opened",
        "Li,########",
        &["opened_on was exported as ### since its column was too narrow: widen it and export again."],
    );
}

#[test]
fn a_row_that_is_not_taken_shows_what_else_would_be_repaired() {
    check(
        "Last Name,Zip,Phone",
        "Li,1,617.555.0142",
        &["phone: 617.555.0142 → +16175550142", "zip must have 5 or 9 digits, but has 1."],
    );
}

#[test]
fn of_several_phones_the_first_that_is_there_is_used() {
    let file = TestFile::new("a.csv", "Last,Home Phone,Mobile,Work Phone\nA,,+16175550142,+16175550143\nB,x,,1\n");
    let report = file.report(&["--out", "o.csv"]);
    assert_eq!(
        report.used_columns(),
        ["Last → last_name", "Home Phone → phone", "Mobile → phone", "Work Phone → phone"]
    );
    assert_eq!(report.all_findings(), [(3, "phone must have 10 to 15 digits, but has 0.".to_owned())]);
}

#[test]
fn a_whole_name_is_taken_apart_only_where_it_is_asked_for() {
    let file = TestFile::new(
        "a.csv",
        "Name,Client ID\n\"Li, Ana Maria\",1\n\"Reed Jr., Bob\",2\nCarl Orr,3\n\"Li, Jr., Dee\",4\n",
    );
    let report = file.report(&[]);
    assert_eq!(report.used_columns(), ["Client ID → external_id"]);
    assert_eq!(report.count("update_only"), 4);
    let report = file.report(&["--map", "Name=last_comma_first"]);
    let sentence = "last_comma_first must be written \"Last, First\", with one comma.";
    assert_eq!(report.all_findings(), [(4, sentence.to_owned()), (5, sentence.to_owned())]);
    assert_eq!(file.report(&["--map", "name=last_name"]).count("ready"), 4);
}

#[test]
fn the_day_of_an_incident_is_no_day_of_a_case() {
    let file = TestFile::new("a.csv", "Last Name,DOI\nLi,1/5/2026\n");
    let report = file.report(&[]);
    assert_eq!((report.used_columns(), report.count("ready")), (vec!["Last Name → last_name".to_owned()], 1));
    let note = "the day of the incident, which is neither the day the case opened nor the day it settled";
    assert_eq!(report.json["columns"][1]["note"], note);
    assert_eq!(file.report(&["--map", "DOI=opened_on"]).findings(2), ["opened_on: 1/5/2026 → 2026-01-05"]);
}

#[test]
fn a_column_can_be_left_out() {
    let file = TestFile::new("a.csv", "Last Name,Zip\nLi,x\n");
    assert_eq!(file.report(&[]).status, Some(1));
    let report = file.report(&["--map", "Zip="]);
    assert_eq!((report.status, report.json["columns"][1]["use"].as_str()), (Some(0), Some("left_out")));
}

#[test]
fn totals_footers_and_repeated_headers_are_errors_of_their_rows() {
    let rows = "Li,Ana,02134\nLast Name,First Name,Zip\nReed,Bob,89501\nGrand Totals,\"2,500 records\",\nTotal,4000,\n\
                Total,Ana,89501\n";
    let report = TestFile::new("a.csv", format!("Last Name,First Name,Zip\n{rows}")).report(&[]);
    let total = "The row is a total or a footer of the export, not a client: delete it.";
    assert_eq!(
        report.all_findings(),
        [(3, "The row repeats the headers: delete it.".to_owned()), (5, total.to_owned()), (6, total.to_owned()),]
    );
    assert_eq!(report.count("ready"), 3);
}

#[test]
fn words_in_place_of_a_name_or_an_id_are_errors_of_their_rows() {
    let rows = "1,N/A,Li\n2,Ana,-\n3,4000,Li\nN/A,Bob,Orr\nnone,Cy,Poe\n0,Dee,Ray\n0,Eve,Roe\n0,Flo,Sim\n,Na,Null\n";
    let report = TestFile::new("a.csv", format!("Client ID,First Name,Last Name\n{rows}")).report(&[]);
    let name = |name: &str| format!("{name}, which is no name: write the name, or empty the cell.");
    let id = |id: &str| format!("external_id is {id:?}, which is no id: write the client's id, or empty the cell.");
    let shared = "external_id is \"0\" as in row 7, which tells no client from another: write the client's id, or empty \
                  the cells.";
    assert_eq!(
        report.all_findings(),
        [
            (2, name("first_name is \"N/A\"")),
            (3, name("last_name is \"-\"")),
            (4, name("first_name is \"4000\"")),
            (5, id("N/A")),
            (6, id("none")),
            (8, shared.to_owned()),
            (9, shared.to_owned()),
        ]
    );
    assert_eq!(report.count("ready"), 2);
}

#[test]
fn a_condition_leaves_rows_with_another_value_out() {
    let file = TestFile::new("a.csv", "Last,Is Client,Kind\nLi,Yes,PI\nReed,no,PI\nOrr, YES ,WC\nRay,,PI\n");
    let report = file.report(&["--where", "is client=yes"]);
    assert_eq!((report.count("rows"), report.json["left_out_rows"].as_u64()), (2, Some(2)));
    assert_eq!(file.report(&["--where", "Is Client=Yes", "--where", "Kind=WC"]).count("rows"), 1);
    assert_eq!(file.report(&["--where", "Is Client="]).count("rows"), 1);
    let printed = String::from_utf8(file.check(&["--where", "Kind=PI"]).stdout).expect("UTF-8");
    assert!(printed.contains("1 row is left out by --where.\n3 rows\n"), "{printed}");
    let sentence = "The file has no column \"Client\" for --where; its columns are Last, Is Client and Kind.";
    assert_eq!(file.refused(&["--where", "Client=Yes"]), (Some(2), sentence.to_owned()));
    let lines = TestFile::new("a.ndjson", "{\"last_name\":\"Li\"}\n{\"last_name\":\"Orr\",\"vip\":true}\n");
    assert_eq!(lines.report(&["--where", "vip=true"]).count("rows"), 1);
}
