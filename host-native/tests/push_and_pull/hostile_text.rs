//! Texts and files of others: they steer neither the terminal nor a spreadsheet, and redirect no write.

use std::os::unix::fs::symlink;

use serde_json::json;

use super::{
    between::{Between, Reply},
    run::{Firm, Ran, clients, read, run, write},
};
use crate::support::{Place, matterbook};

/// Sets a terminal's title, clears it, and reverses what follows.
const STEERING: &str =
    r#"{"error":{"code":"forbidden","message":"no\u001b]0;title\u0007\u001b[2J\u009b1m\u202e\nSaved."}}"#;

fn check_is_plain(ran: &Ran) {
    let is_plain = |c: char| c == '\n' || !c.is_control() && c != '\u{202e}';
    assert!(ran.said.chars().all(is_plain) && ran.shown.chars().all(is_plain), "{ran:?}");
    assert!(ran.said.contains(r"no\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}1m\u{202e}\nSaved."), "{ran:?}");
}

#[test]
fn a_message_of_the_service_shows_its_escapes_as_text() {
    let place = Place::new();
    let between = Between::start(|_| Reply::json(403, STEERING));
    let file = write(&place, "clients.csv", &clients(1));
    check_is_plain(&run(&["push", &file], &between.origin, "key"));
    check_is_plain(&run(&["pull"], &between.origin, "key"));
    let mut command = matterbook(&["account", "list", "--url", &between.origin]);
    command.env("MATTERBOOK_OPERATOR_TOKEN", "operator-token-of-the-tests-and-no-other");
    check_is_plain(&Ran::of(&command.output().expect("the program starts")));
}

#[test]
fn a_table_of_the_service_shows_its_escapes_as_text() {
    let accounts = r#"{"accounts":[{"id":"1","email":"a\u001b[2J\u202e@example.com"}],"next_cursor":null}"#;
    let between = Between::start(move |_| Reply::json(200, accounts));
    let mut command = matterbook(&["account", "list", "--url", &between.origin]);
    command.env("MATTERBOOK_OPERATOR_TOKEN", "operator-token-of-the-tests-and-no-other");
    let ran = Ran::of(&command.output().expect("the program starts"));
    assert!(ran.shown.contains(r"a\u{1b}[2J\u{202e}@example.com"), "{ran:?}");
}

#[test]
fn a_link_at_the_place_of_a_state_or_an_error_file_is_not_followed() {
    let firm = Firm::new();
    let file = firm.write("clients.csv", &clients(10));
    let other = firm.write("other.txt", "the file of somebody else");
    symlink(&other, format!("{file}.push-state.partial")).expect("a link");
    symlink(&other, format!("{file}.errors.csv")).expect("a link");
    let ran = run(&["push", &file], &firm.serving.origin, &firm.key);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.said.contains("has the rows that were not saved"), "{ran:?}");
    assert_eq!(read(&other), "the file of somebody else");
    assert!(read(format!("{file}.errors.csv")).contains("zip must have"));

    let state = format!("{file}.push-state");
    symlink(&other, &state).expect("a link");
    let ran = run(&["push", &file], &firm.serving.origin, &firm.key);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.sentence().contains("it is a symbolic link"), "{ran:?}");

    let out = firm.place.file("copy.csv");
    symlink(firm.place.file("not there"), &out).expect("a link");
    let ran = run(&["pull", "--out", out.to_str().expect("a plain name")], &firm.serving.origin, &firm.key);
    assert!(ran.status == Some(1) && ran.sentence().contains("it is a symbolic link"), "{ran:?}");
    assert!(!firm.place.file("not there").exists());
}

#[test]
fn safe_cells_are_no_formulas_and_come_back_as_they_were() {
    let firm = Firm::new();
    let file = firm.write("clients.csv", "First Name,Last Name,Phone,Zip\n=A1+1,@Li,+4712345678,123\n-a,'Ó,,2134\n");
    let ran = run(&["push", &file, "--safe-cells"], &firm.serving.origin, &firm.key);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let errors = format!("{file}.errors.csv");
    let table = read(&errors);
    assert!(table.contains("'=A1+1,'@Li,'+4712345678,123"), "{table}");
    std::fs::write(&errors, table.replace(",123", ",60601")).expect("written");
    let ran = run(&["push", &errors], &firm.serving.origin, &firm.key);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let clients = firm.serving.clients(&firm.key);
    let names = |row: usize| json!([clients[row]["first_name"], clients[row]["last_name"], clients[row]["phone"]]);
    assert_eq!((names(0), names(1)), (json!(["-a", "'Ó", null]), json!(["=A1+1", "@Li", "+4712345678"])));

    let ran = run(&["pull", "--safe-cells"], &firm.serving.origin, &firm.key);
    assert!(ran.shown.contains(",'=A1+1,'@Li,") && ran.shown.contains(",'-a,'Ó,"), "{ran:?}");
    let ran = run(&["pull"], &firm.serving.origin, &firm.key);
    assert!(ran.shown.contains(",=A1+1,@Li,"), "programs get the values as they are: {ran:?}");
    let ran = run(&["pull", "--safe-cells", "--format", "ndjson"], &firm.serving.origin, &firm.key);
    assert_eq!(ran.status, Some(2), "{ran:?}");
}
