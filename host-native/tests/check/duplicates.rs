//! Rows that would be one client, or in conflict, as the same rows sent in order would be.

use serde_json::json;

use super::file::TestFile;
use crate::support::{Place, Serving, account};

const LIST: &str = "\
Client ID,First Name,Last Name,Address,Zip,City
A-1,Ana,Li,12 North Oak Street,02134,Boston
a-1,ANA,Li,12 N. Oak St.,02134-1001,
A-1,Ana,Li-Reed,5 Harbor Drive,33602,Tampa
,Ana,Li-Reed,5 Harbor Dr,33602,
,Ana,Li,12 North Oak Street,02134,
B-2,Bob,Orr,,,
,Bob,Orr,,,
,Bob,Orr,1 Elm St,,
C-3,,,,,Reno
,,,7 Elm St,89501,
D-4,Dee,Po,3 Ash St,89501,
E-5,Dee,Po,4 Ash St,89501,
E-5,,,3 Ash St,,
,Dee,Po,3 Ash Street,89501,
";

fn told_apart(row: u64, missing: &str) -> String {
    format!(
        "conflict with {row}: The client of row {row} has the same name and cannot be told apart from this one. Add {missing}."
    )
}

#[test]
fn rows_are_one_client_or_in_conflict_by_the_rules_of_matching() {
    let report = TestFile::new("a.csv", LIST).report(&[]);
    let other_id = "conflict with 2: The client of row 2 has this name, street and ZIP and another external_id; two people \
                    are never merged. Use that external_id if it is the same person, or check the name and address if it \
                    is another.";
    assert_eq!(
        report.all_findings(),
        [
            (3, other_id.to_owned()),
            (4, "duplicate of 2 by external_id".to_owned()),
            (5, "duplicate of 2 by name_address_zip".to_owned()),
            // Ana has moved by then, so no client has this address.
            (8, told_apart(7, "address_line1 and zip")),
            (9, told_apart(7, "zip")),
            (10, "update_only".to_owned()),
            (11, "A client needs first_name or last_name, or the external_id of a saved client.".to_owned()),
            (14, "duplicate of 13 by external_id".to_owned()),
            (
                15,
                "conflict with 12: Several clients have this name, street and ZIP, the first in row 12. Add the \
                 external_id of the one that is meant."
                    .to_owned()
            ),
        ]
    );
    assert_eq!(report.status, Some(1));
    assert_eq!(report.sentence, "5 of 14 rows would not be taken: 1 error, 4 conflicts.");
}

/// The same rows as a batch come to the same, and what is wrong with a row is said in the same words.
#[test]
fn the_service_says_the_same_of_the_same_rows() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let serving = Serving::start(&place.database());
    let bad = "F-6,Flo,Ray,1 Elm St,123,\nG-7,\u{7}Gus,Ray,1 Elm St,02134-1,\n";
    let list = format!("{LIST}{bad}");
    let clients: Vec<_> = list
        .lines()
        .skip(1)
        .map(|line| {
            let names = ["external_id", "first_name", "last_name", "address_line1", "zip", "city"];
            let cells = names.into_iter().zip(line.split(',')).map(|(name, cell)| (name.to_owned(), json!(cell)));
            serde_json::Value::Object(cells.collect())
        })
        .collect();
    let (status, answer) = serving.post(&key, "/api/v1/clients", &json!({"clients": clients}));
    assert_eq!(status, 200, "{answer}");
    let report = TestFile::new("a.csv", &list).report(&[]);
    for (row, result) in (2..).zip(answer["results"].as_array().expect("results")) {
        let findings = report.findings(row);
        let said = findings.last().map(String::as_str).unwrap_or_default();
        let (status, message) = (result["status"].as_str(), result["message"].as_str());
        match (status.expect("a status"), said) {
            ("created", said) => assert!(said.is_empty() || said.contains(" → "), "row {row}: {said}"),
            ("updated", said) => assert!(said.starts_with("duplicate of"), "row {row}: {said}"),
            ("conflict", said) => assert!(said.starts_with("conflict with"), "row {row}: {said}"),
            // The client may be saved already.
            ("error", "update_only") => {
                assert!(message.expect("why").starts_with("No client has this external_id"), "{row}")
            }
            (_, said) => assert_eq!(Some(said), message, "row {row}"),
        }
    }
}

/// The second line of an address is compared only with a unit in line 1. Where it differs otherwise, the row says so.
#[test]
fn a_row_of_another_household_says_that_line_2_differs() {
    let list = "First Name,Last Name,Address,Address 2,Zip\n\
                Ana,Li,12 Oak St,Apt 4,02134\n\
                Ana,Li,12 Oak St,Apt 5,02134\n\
                Ana,Li,12 Oak St,#5,02134\n\
                Ana,Li,12 Oak St Apt 5,,02134\n\
                Ana,Li,12 Oak St Apt 6,,02134\n";
    let file = TestFile::new("a.csv", list);
    let output = file.check(&[]);
    let text = String::from_utf8_lossy(&output.stdout);
    let rows_that_say_so: Vec<_> = text.lines().filter(|line| line.contains("line 2 differs")).collect();
    assert_eq!(rows_that_say_so.len(), 1, "{text}");
    assert!(rows_that_say_so[0].trim_start().starts_with('3'), "{text}");
    let duplicates: Vec<_> = file.report(&[]).all_findings();
    let rows: Vec<_> = duplicates.iter().map(|(row, _)| *row).collect();
    assert_eq!(rows, [3, 4, 5], "row 6 is another apartment");
}
