//! What the page asks of a file, one after another.

use matterbook_import::records::{self, Content, Options, Original};
use matterbook_import_page::{Import, Source};
use serde_json::{Value, json};

const FILE: &str = "Matter list\n\nCase No,First Name,Last Name,Address,Zip,Phone,Name,Notes\n\
    1,Ana,Specimenez,12 Oak St,02134,(217) 555-0134,x,a\n\
    2,Bob,Sampleton,5 Demo Ave,501,217-555,y,b\n\
    3,Dee,Exampleton,7 Trial Rd,501,N/A,z,c\n\
    4,ANA,Specimenez,12 Oak Street,2134,,,\n";

fn import() -> Import {
    Import::new("clients.csv", Source::of_bytes(FILE.into()))
}

fn columns(import: &mut Import, settings: &Value) -> Value {
    serde_json::from_str(&import.columns(&settings.to_string()).unwrap()).unwrap()
}

fn check(import: &mut Import, settings: &Value) -> Value {
    let mut readings = Vec::new();
    let report = import.check(&settings.to_string(), &mut |rows, part| readings.push((rows, part))).unwrap();
    assert!(readings.iter().all(|(_, part)| (0.0..=1.0).contains(part)), "{readings:?}");
    serde_json::from_str(&report).unwrap()
}

/// The sentences of the problems, each with the number of its rows.
fn problems(report: &Value) -> Vec<(&str, u64)> {
    let problems = report["problems"].as_array().unwrap().iter();
    problems.map(|problem| (problem["sentence"].as_str().unwrap(), problem["rows"].as_u64().unwrap())).collect()
}

#[test]
fn each_column_has_its_use_a_note_and_examples() {
    let found = columns(&mut import(), &json!({}));
    assert_eq!(found["columns"][0]["field"], "external_id");
    assert_eq!(found["columns"][0]["label"], "Your system's number");
    assert_eq!(found["columns"][4]["examples"], json!(["02134", "501", "2134"]));
    assert_eq!(
        found["columns"][7],
        json!({"header": "Notes", "field": null, "label": null, "note": "Not recognized",
        "is_used": false, "examples": ["a", "b", "c"]})
    );
    assert_eq!((&found["titles"], &found["warnings"]), (&json!([1]), &json!([])));
}

#[test]
fn a_person_chooses_the_use_of_a_column() {
    let settings = json!({"maps": [{"header": "Notes", "field": "case_type"}, {"header": "Case No", "field": ""},
        {"header": "Gone", "field": "city"}]});
    let found = columns(&mut import(), &settings);
    assert_eq!((&found["columns"][7]["field"], &found["columns"][0]["field"]), (&json!("case_type"), &Value::Null));
}

#[test]
fn problems_are_told_by_kind_with_the_cells_to_correct() {
    let mut import = import();
    let report = check(&mut import, &json!({}));
    let zip = "ZIP must have 5 or 9 digits, but has 3; leading zeros may have been lost: send it as text.";
    let expected = [(zip, 2), ("Phone must have 10 to 15 digits, but has 6.", 2)];
    assert_eq!(&problems(&report)[..2], expected, "{report}");
    assert_eq!(report["problems"][0]["cells"], json!([[5, 4, "501"], [6, 4, "501"]]));
    assert!(problems(&report)[2].0.starts_with("The client of row 4 has this name, street and ZIP and another number"));
    assert_eq!((&report["rows"], &report["refused"]), (&json!(4), &json!(3)));
}

#[test]
fn a_value_or_a_whole_column_is_corrected_in_place() {
    let settings = json!({"fixes": [
        {"column": {"column": 4, "from": "501", "to": "00501"}},
        {"cell": {"row": 5, "column": 5, "to": "2175550142"}},
        {"column": {"column": 5, "from": "N/A", "to": ""}},
        {"cell": {"row": 7, "column": 0, "to": "1"}},
    ]});
    let mut import = import();
    let report = check(&mut import, &settings);
    assert_eq!((problems(&report), &report["refused"]), (Vec::new(), &json!(0)), "{report}");
    import.begin_preview().unwrap();
    let body: Value = serde_json::from_slice(&import.next_body().unwrap().unwrap()).unwrap();
    // The rows of one client are together.
    let zips: Vec<&Value> = body["clients"].as_array().unwrap().iter().map(|client| &client["zip"]).collect();
    assert_eq!(zips, ["02134", "2134", "00501", "00501"]);
    assert_eq!(body["clients"][2]["phone"], "2175550142");
}

#[test]
fn an_import_goes_on_after_the_rows_that_were_sent() {
    let mut import = import();
    check(&mut import, &json!({}));
    let counts = json!({"created": 1, "updated": 0, "unchanged": 0, "conflict": 0, "error": 1, "incomplete": 0});
    import.begin_sending("base", &counts.to_string(), &[]).unwrap();
    let body = String::from_utf8(import.next_body().unwrap().unwrap()).unwrap();
    assert!(!body.contains("\"Bob\"") && body.contains("\"Dee\"") && body.contains("\"ANA\""), "{body}");
    let batch: Value = serde_json::from_str(&import.batch().unwrap()).unwrap();
    assert_eq!((&batch["from"], &batch["rows"]), (&json!(2), &json!(2)));
    assert!(batch["key"].as_str().unwrap().starts_with("base-6-"), "{batch}");
}

#[test]
fn a_batch_goes_again_until_its_answer_is_whole() {
    let mut import = import();
    check(&mut import, &json!({}));
    import.begin_preview().unwrap();
    let body = import.next_body().unwrap();
    assert!(import.answered(b"<html>").is_err());
    assert_eq!(import.next_body().unwrap(), body);
    assert!(import.answered(br#"{"results":[]}"#).is_err());
    assert_eq!(import.next_body().unwrap(), body);
    // A body that is too large is halved.
    import.too_large().unwrap();
    let half = import.next_body().unwrap().unwrap();
    assert!(half.len() <= body.unwrap().len() / 2 + 1);
}

#[test]
fn the_refused_rows_are_a_workbook_with_the_reason_first_that_can_be_imported_again() {
    let mut import = import();
    check(&mut import, &json!({}));
    let refused = json!([[6, "error", "ZIP must have 5 or 9 digits."], [7, "conflict", "Another number."]]).to_string();
    let workbook = import.refused_workbook(&refused).unwrap();
    let records = records::read("r.xlsx".as_ref(), Content::of_bytes(workbook.clone()), &Options::default()).unwrap();
    let headers: Vec<&str> = records.mapping().columns().iter().map(|column| column.header.as_str()).collect();
    assert_eq!(headers[..4], ["matterbook_reason", "matterbook_status", "matterbook_row", "Case No"]);
    let rows: Vec<Original> = records.map(|record| record.unwrap().original).collect();
    let Original::Cells(cells) = &rows[0] else { panic!("no cells") };
    assert_eq!(cells[..5], ["ZIP must have 5 or 9 digits.", "error", "6", "3", "Dee"]);

    // The next round keeps the numbers of the first file.
    let again = Import::new("r.xlsx", Source::of_bytes(workbook));
    let workbook = again.refused_workbook(&json!([[3, "error", "Still."]]).to_string()).unwrap();
    let mut rows = records::read("r.xlsx".as_ref(), Content::of_bytes(workbook), &Options::default()).unwrap();
    let Original::Cells(cells) = rows.next().unwrap().unwrap().original else { panic!("no cells") };
    assert_eq!(cells[..4], ["Still.", "error", "7", "4"]);
}

#[test]
fn a_file_that_is_no_table_is_refused_in_a_sentence() {
    for (name, bytes, part) in [
        ("a.ndjson", "{\"zip\":1}\n", "is no table"),
        ("a.csv", "a,b\n1,2\n", "No column of a.csv is recognized. Its first row has: a, b. Give"),
        ("a.xls", "<html>", "web page"),
    ] {
        let mut import = Import::new(name, Source::of_bytes(bytes.into()));
        let problem = import.columns("{}").unwrap_err().to_string();
        assert!(problem.contains(part) && !problem.contains("--"), "{problem}");
    }
    assert!(import().begin_preview().unwrap_err().to_string().contains("not checked"));
}
