//! Files with one row for each matter: several rows of one client.

use std::collections::BTreeMap;

use serde_json::Value;

use super::run::{Firm, Ran, run};
use crate::support::{run_json, text};

/// 2,000 clients with 2,600 matters: every fourth client has a second matter far below its first, and every
/// twentieth a third, which settled before the other two.
fn export() -> String {
    let row = |client: usize, case_type: &str, settled: String| {
        format!("C-{client},Ana,Specimenez,{client} Sample St,62704,{case_type},{settled}\n")
    };
    let first = (0..2_000).map(|client| row(client, "Auto", format!("2024-03-{:02}", client % 28 + 1)));
    let second = (0..500).map(|client| row(client * 4, "Slip and fall", format!("2025-06-{:02}", client % 28 + 1)));
    let third = (0..100).map(|client| row(client * 20, "Dog bite", format!("2023-01-{:02}", client % 28 + 1)));
    let rows: String = first.chain(second).chain(third).collect();
    format!("Client ID,First Name,Last Name,Street,Zip,Case Type,Settled\n{rows}")
}

fn settlements(firm: &Firm) -> Vec<Value> {
    let database = firm.place.database();
    let database = database.to_str().expect("a plain name");
    let answer = run_json(&["settlement", "list", "--account", &firm.account, "--db", database]);
    answer["settlements"].as_array().expect("settlements").clone()
}

fn push(firm: &Firm, file: &str, flags: &[&str]) -> Ran {
    run(&[&["push", file, "--restart"], flags].concat(), &firm.serving.origin, &firm.key)
}

#[test]
fn every_matter_of_a_client_becomes_a_settlement_once_however_often_the_file_is_pushed() {
    let firm = Firm::new();
    let file = firm.write("matters.csv", &export());
    let ran = push(&firm, &file, &["--settlements", "separate", "--json"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(
        (&ran.json()["push"]["rows"], &ran.json()["push"]["created"]),
        (&2_600.into(), &2_000.into()),
        "{ran:?}"
    );
    let (clients, feed) = (firm.serving.clients(&firm.key), settlements(&firm));
    assert_eq!((clients.len(), feed.len()), (2_000, 2_600));
    let mut dates: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for settlement in &feed {
        dates.entry(text(&settlement["external_id"])).or_default().push(text(&settlement["settled_on"]));
    }
    assert_eq!(dates["C-0"], ["2023-01-01", "2024-03-01", "2025-06-01"], "the oldest first");
    assert_eq!(dates["C-4"], ["2024-03-05", "2025-06-02"]);
    let first = clients.iter().find(|client| client["external_id"] == "C-0").expect("the client");
    assert_eq!(first["settled_on"], "2025-06-01", "the client's own date is the newest");

    for round in ["second", "third"] {
        let ran = push(&firm, &file, &["--settlements", "separate"]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(settlements(&firm), feed, "nothing moves at the {round} push");
        assert_eq!(firm.serving.clients(&firm.key), clients, "no client changes at the {round} push");
    }
}

#[test]
fn without_being_asked_each_client_gets_one_settlement_and_nothing_moves_at_the_second_push() {
    let firm = Firm::new();
    let file = firm.write("matters.csv", &export());
    let ran = push(&firm, &file, &[]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(
        ran.said.contains(
            "500 clients have several settled dates:\n  2024-03-01 in row 2; 2025-06-01 in row 2002; \
             2023-01-01 in row 2502\n"
        ),
        "{ran:?}"
    );
    assert!(ran.said.contains("Each of them gets one settlement, with the date of its last row."), "{ran:?}");
    assert!(ran.said.contains("--settlements separate"), "{ran:?}");
    let (clients, feed) = (firm.serving.clients(&firm.key), settlements(&firm));
    assert_eq!((clients.len(), feed.len()), (2_000, 2_000));
    let ran = push(&firm, &file, &[]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(firm.serving.clients(&firm.key), clients, "no client changes");
    assert_eq!(settlements(&firm), feed, "the feed does not move");
}

#[test]
fn rows_of_one_person_under_several_matter_numbers_get_the_map_that_avoids_the_conflicts() {
    let firm = Firm::new();
    let row = |matter: usize| format!("M-{matter},Ana,Specimenez,{} Sample St,62704\n", matter / 2);
    let rows: String = (0..10).map(row).collect();
    let file = firm.write("matters.csv", &format!("Matter No,First Name,Last Name,Street,Zip\n{rows}"));
    let hint = "5 rows have the name, street and ZIP of an earlier row and another \"Matter No\", which is a conflict. \
                If one person can have several, leave that column out: --map \"Matter No=\"";
    let ran = push(&firm, &file, &["--dry-run"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.said.contains(hint), "{ran:?}");
    let checked = run(&["check", &file], &firm.serving.origin, &firm.key);
    assert!(checked.shown.contains(hint), "{checked:?}");
    let ran = push(&firm, &file, &["--map", "Matter No=", "--json"]);
    assert_eq!((ran.status, &ran.json()["push"]["created"]), (Some(0), &5.into()), "{ran:?}");
}

#[test]
fn check_names_the_rows_of_a_client_with_several_settled_dates() {
    let firm = Firm::new();
    let rows = "Client ID,Last Name,Settled\n7,Li,3/1/2025\n8,Reed,2025-03-01\n7,,2024-05-01\n9,,2024-01-01\n9,,2024-01-02\n7,,3/1/2025\n";
    let file = firm.write("clients.csv", rows);
    let ran = run(&["check", &file], &firm.serving.origin, &firm.key);
    assert!(
        ran.shown.contains(
            "2 clients have several settled dates:\n  2025-03-01 in rows 2 and 7; 2024-05-01 in row 4\n  \
             2024-01-01 in row 5; 2024-01-02 in row 6\n"
        ),
        "{ran:?}"
    );
    let ran = run(&["check", &file, "--json"], &firm.serving.origin, &firm.key);
    let json = &ran.json()["check"]["several_settled_dates"];
    let expected = serde_json::json!([
        {"rows": [2, 4, 7], "settled_on": ["2025-03-01", "2024-05-01", "2025-03-01"]},
        {"rows": [5, 6], "settled_on": ["2024-01-01", "2024-01-02"]},
    ]);
    assert_eq!(json, &expected, "{ran:?}");
}

const PAGE: &str = include_str!("../../../docs/push-and-pull.md");

/// The block of the page's section in this language.
fn block(section: &str, language: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("\n## {section}\n")).expect("the section");
    let (_, rest) = rest.split_once(&format!("```{language}\n")).expect("the block");
    rest.split_once("```").expect("its end").0
}

#[test]
fn the_example_of_the_page_is_what_push_says() {
    let firm = Firm::new();
    let file = firm.write("matters.csv", block("One row for each matter", "csv"));
    let ran = push(&firm, &file, &[]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.said.contains(block("One row for each matter", "text")), "{ran:?}");
}
