//! `matterbook prospect import` of the files that states and police departments export.

use crate::support::{OPERATOR_TOKEN, Place, Serving, account, matterbook, run_json};
use rust_xlsxwriter::{Format, Workbook};
use serde_json::{Value, json};

/// Imports a file into a new database; the answer, and the prospects that an account with these counties reads.
fn imported(file: &str, content: &[u8], arguments: &[&str]) -> (Value, Vec<Value>) {
    let place = Place::new();
    let path = place.database();
    let database = path.to_str().expect("a plain name");
    let (account, key) = account(&path);
    for fips in ["17031", "24510"] {
        run_json(&["county", "grant", "--account", &account, "--fips", fips, "--from", "2020-01-01", "--db", database]);
    }
    run_json(&["account", "set", &account, "--digital-bundle", "true", "--db", database]);
    let file = place.file(file);
    std::fs::write(&file, content).expect("written");
    let command = ["prospect", "import", file.to_str().expect("a plain name"), "--db", database, "--json"];
    let output = matterbook(&[&command[..], arguments].concat()).output().expect("the program starts");
    let answer = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    let flags = ["--prospect-delay-seconds", "0", "--operator-token", OPERATOR_TOKEN];
    let serving = Serving::start_with(&path, &flags);
    let (_, page) = serving.get(&key, "/api/v1/prospects");
    (answer, page["prospects"].as_array().cloned().unwrap_or_default())
}

/// A workbook with a title, usual headers, real dates and times, and a sum below.
fn workbook() -> Vec<u8> {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    let (day, time) = (Format::new().set_num_format("m/d/yyyy"), Format::new().set_num_format("h:mm AM/PM"));
    let headers = [
        "Report Number",
        "Record ID",
        "Collision Date",
        "Collision Time",
        "County",
        "Crash State",
        "Injury Severity",
        "Person Type",
        "First Name",
        "Last Name",
        "Transported",
        "Veh Year",
        "Towed",
    ];
    let rows = [
        [
            "R-7",
            "7-1",
            "",
            "",
            "Cook",
            "Illinois",
            "Suspected Minor Injury",
            "Driver",
            "Ana",
            "Specimenez",
            "X",
            "2019",
            "No",
        ],
        ["R-7", "7-2", "", "", "Baltimore city", "MD", "O", "Occupant", "Bob", "Sampleton", "", "", "Unknown"],
        ["R-8", "8-1", "", "", "Cooke", "IL", "K", "Driver", "Carla", "Demowitz", "", "", ""],
    ];
    sheet.write_string(0, 0, "Crashes of February").expect("a cell");
    for (column, header) in (0..).zip(headers) {
        sheet.write_string(1, column, header).expect("a cell");
    }
    for (row, cells) in (2..).zip(rows) {
        for (column, cell) in (0..).zip(cells) {
            sheet.write_string(row, column, cell).expect("a cell");
        }
        sheet.write_with_format(row, 2, 46_077.0, &day).expect("a cell");
        sheet.write_with_format(row, 3, 0.729_166_666_7, &time).expect("a cell");
    }
    sheet.write_string(5, 0, "Total records: 3").expect("a cell");
    workbook.save_to_buffer().expect("a workbook")
}

#[test]
fn a_workbook_with_the_usual_headers_is_imported() {
    let (answer, prospects) = imported("crashes.xlsx", &workbook(), &[]);
    let refused = &answer["prospects"]["refused"];
    assert_eq!((&answer["prospects"]["created"], refused[0]["row"].as_u64()), (&json!(2), Some(5)), "{answer}");
    let reasons: Vec<&str> =
        refused.as_array().into_iter().flatten().filter_map(|row| row["message"].as_str()).collect();
    assert!(reasons[0].contains("no county of IL in the Census list"), "{reasons:?}");
    assert!(reasons[1].contains("total or a footer"), "{reasons:?}");
    let errors = answer["prospects"]["errors_file"].as_str().expect("a file");
    assert!(errors.ends_with("crashes.xlsx.errors.xlsx"), "{errors}");
    let [ana, bob] = prospects.as_slice() else { panic!("{prospects:?}") };
    for (name, value) in [
        ("crash_date", json!("2026-02-24")),
        ("crash_time", json!("17:30")),
        ("crash_county_fips", json!("17031")),
        ("crash_county", json!("Cook")),
        ("crash_state", json!("IL")),
        ("crash_report_number", json!("R-7")),
        ("injury_severity", json!("suspected_minor")),
        ("person_type", json!("driver")),
        ("transported", json!(true)),
        ("vehicle_towed", json!(false)),
        ("vehicle", json!({"year": 2019, "make": null, "model": null})),
    ] {
        assert_eq!(ana[name], value, "{name}");
    }
    let of_bob = ["crash_county_fips", "injury_severity", "person_type", "vehicle_towed"].map(|name| bob[name].clone());
    assert_eq!(of_bob, [json!("24510"), json!("none"), json!("passenger"), Value::Null]);
}

#[test]
fn a_header_that_is_not_recognized_can_be_mapped() {
    let file = b"Ref;When;FIPS;Who;KABCO\n1;2/24/2026;17031;Specimenez, Ana;B\n";
    let (answer, prospects) = imported(
        "crashes.csv",
        file,
        &["--map", "Ref=source_id", "--map", "When=crash_date", "--map", "Who=last_comma_first"],
    );
    assert_eq!(answer["prospects"]["created"], 1, "{answer}");
    assert_eq!((&prospects[0]["first_name"], &prospects[0]["last_name"]), (&json!("Ana"), &json!("Specimenez")));
    assert_eq!(prospects[0]["injury_severity"], "suspected_minor");
}

#[test]
fn the_numbers_of_a_report_and_its_people_are_joined_to_an_id() {
    let file = b"Crash ID,Person Number,Crash Date,FIPS\n26-7,1,2/24/2026,17031\n26-7,2,2/24/2026,17031\n26-8,,2/25/2026,17031\n";
    let (answer, prospects) = imported("crashes.csv", file, &["--map", "Crash ID + Person Number=source_id"]);
    assert_eq!((&answer["prospects"]["created"], prospects.len()), (&json!(2), 2), "{answer}");
    let refused = &answer["prospects"]["refused"][0];
    let reason = "source_id needs a value in each of the columns that are joined.";
    assert_eq!(*refused, json!({"row": 4, "message": reason}));
}

#[test]
fn a_list_of_one_state_gets_the_state_from_the_command() {
    let file = b"Record ID,Crash Date,County\n1,2/24/2026,Cook\n2,2/24/2026,\"Cook, IL\"\n3,2/24/2026,\"Baltimore city, MD\"\n";
    let (answer, _) = imported("crashes.csv", file, &[]);
    let message = answer["prospects"]["refused"][0]["message"].as_str().expect("a sentence");
    assert!(message.contains("--crash-state"), "{message}");
    let (answer, prospects) = imported("crashes.csv", file, &["--crash-state", "illinois"]);
    assert_eq!(answer["prospects"]["created"], 3, "{answer}");
    let of_rows: Vec<_> = prospects.iter().map(|row| (&row["crash_county_fips"], &row["crash_state"])).collect();
    assert_eq!(
        of_rows,
        [(&json!("17031"), &json!("IL")), (&json!("17031"), &Value::Null), (&json!("24510"), &Value::Null)]
    );
}

#[test]
fn what_was_pulled_can_be_imported_again() {
    let place = Place::new();
    let database = place.database();
    let file = place.file("pulled.ndjson");
    let line = json!({"id": "7", "lead_type": "cold", "crash_date": "2026-02-24", "crash_county_fips": "17031",
        "vehicle": {"year": 2019, "make": "Make", "model": null}, "added_at": "2026-02-25T00:00:00.000000Z"});
    std::fs::write(&file, format!("{line}\n")).expect("written");
    let import =
        ["prospect", "import", file.to_str().expect("a plain name"), "--db", database.to_str().expect("a plain name")];
    let count = |answer: &Value, name: &str| answer["prospects"][name].clone();
    let first = run_json(&import);
    assert_eq!((count(&first, "created"), count(&first, "updated")), (json!(1), json!(0)), "{first}");
    let second = run_json(&import);
    assert_eq!((count(&second, "created"), count(&second, "updated")), (json!(0), json!(1)), "{second}");
}

#[test]
fn a_file_without_a_column_that_every_prospect_needs_is_told_what_to_map() {
    let place = Place::new();
    let database = place.database();
    let file = place.file("crashes.csv");
    std::fs::write(&file, "Last Name,Crash Date\nSpecimenez,2/24/2026\n").expect("written");
    let import = ["prospect", "import", file.to_str().expect("a plain name")];
    let database_name = database.to_str().expect("a plain name");
    let output = matterbook(&[&import[..], &["--db", database_name]].concat()).output().expect("the program starts");
    let sentence = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{sentence}");
    assert!(sentence.contains("--map \"Header=source_id\" --map \"Header=crash_county_fips\""), "{sentence}");
    assert!(!database.exists(), "nothing was begun");

    let output = matterbook(&[&import[..], &["--dry-run"]].concat()).output().expect("the program starts");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("Crash Date  crash_date") && shown.contains("1 row would not be imported"), "{shown}");
}

/// The page on prospects shows what a dry run of the sample prints.
#[test]
fn the_page_shows_what_a_dry_run_of_the_sample_prints() {
    let page = include_str!("../../docs/prospects.md");
    let (_, after) = page.split_once("--dry-run\n```\n\n```text\n").expect("an example");
    let (expected, _) = after.split_once("```").expect("its end");
    let place = Place::new();
    let file = place.file("prospects.csv");
    std::fs::write(&file, include_str!("../../examples/prospects.csv")).expect("written");
    let mut command = matterbook(&["prospect", "import", "prospects.csv", "--dry-run"]);
    let output = command.current_dir(file.parent().expect("a directory")).env("NO_COLOR", "1").output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()), expected);
}
