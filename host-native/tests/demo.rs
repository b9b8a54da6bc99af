//! `serve --demo`: the first steps of a new user.

use std::{collections::BTreeSet, io::BufRead as _};

use crate::support::{Place, Serving, run, text};
use serde_json::{Value, json};

const LAST_WORDS: &str = "The next start uses";

/// Everything that the demo prints, up to its last sentence.
fn introduction(serving: &mut Serving) -> String {
    let mut text = String::new();
    while !text.contains(LAST_WORDS) {
        assert!(serving.output.read_line(&mut text).expect("text") > 0, "{text}");
    }
    text
}

/// The part of a text between two others.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).expect("what comes before");
    rest.split_once(after).expect("what comes after").0
}

/// A demo without the minute's delay, and its key.
fn start(place: &Place) -> (Serving, String, String) {
    let mut serving = Serving::start_with(&place.database(), &["--demo", "--client-delay-seconds", "0"]);
    let introduction = introduction(&mut serving);
    let key = between(&introduction, "Authorization: Bearer ", "'").to_owned();
    (serving, introduction, key)
}

#[test]
fn the_printed_commands_do_the_main_job() {
    let place = Place::new();
    let (serving, introduction, key) = start(&place);
    let command = format!("curl -s {}/api/v1/clients -H 'Authorization: Bearer {key}'", serving.origin);
    assert!(introduction.contains(&command), "{introduction}");

    let messy: Value = serde_json::from_str(between(&introduction, "-d '", "'\n")).expect("JSON");
    let (status, answer) = serving.post(&key, "/api/v1/clients", &messy);
    let statuses: Vec<&str> =
        answer["results"].as_array().into_iter().flatten().filter_map(|result| result["status"].as_str()).collect();
    assert_eq!((status, statuses.as_slice()), (200, ["created", "updated", "created", "error"].as_slice()), "{answer}");

    let settled = between(&introduction, "cases/settled", "\n");
    let settled: Value = serde_json::from_str(between(&format!("{settled}\n"), "-d '", "'\n")).expect("JSON");
    let (status, answer) = serving.post(&key, "/api/v1/cases/settled", &settled);
    assert_eq!((status, &answer["result"]["status"]), (200, &json!("updated")), "{answer}");

    let clients = serving.clients(&key);
    assert_eq!(clients.len(), 2);
    assert!(clients.iter().any(|client| client["zip"] == "62704-1234" && client["settled_on"] == "2026-01-31"));
    assert_eq!(serving.get(&key, "/api/v1/me").1["account"]["email"], "owner@example.com");
}

#[test]
fn its_prospects_are_read_page_by_page_and_newest_first() {
    let place = Place::new();
    let (serving, _, key) = start(&place);
    let mut met = BTreeSet::new();
    let mut path = "/api/v1/prospects?limit=100".to_owned();
    let oldest = loop {
        let (status, page) = serving.get(&key, &path);
        assert_eq!(status, 200, "{page}");
        let prospects = page["prospects"].as_array().expect("prospects").clone();
        met.extend(prospects.iter().map(|prospect| text(&prospect["id"])));
        match page["next_cursor"].as_str() {
            Some(cursor) => path = format!("/api/v1/prospects?cursor={cursor}"),
            None => break prospects,
        }
    };
    assert_eq!(met.len(), 300);
    let (_, newest) = serving.get(&key, "/api/v1/prospects?order=newest");
    let newest = newest["prospects"].as_array().expect("prospects");
    assert_eq!(newest.len(), 300);
    assert_eq!(newest.first(), oldest.last());
    assert!(newest.iter().all(|prospect| prospect["email"].is_string()), "contact enrichment is on");
}

#[test]
fn a_second_start_keeps_what_is_there() {
    let place = Place::new();
    let (serving, _, key) = start(&place);
    serving.signal("TERM");
    let mut process = serving;
    assert!(process.process.wait().expect("an exit").success());

    let mut again = Serving::start_with(&place.database(), &["--demo"]);
    let mut said = String::new();
    while !said.contains("key create") {
        assert!(again.output.read_line(&mut said).expect("text") > 0, "{said}");
    }
    assert!(said.contains("has accounts already"), "{said}");
    assert!(said.contains(&format!("{}/docs\n", again.origin)), "{said}");
    assert_eq!(again.get(&key, "/api/v1/me").0, 200);
}

/// The key is shown when it serves, and never again.
#[test]
fn a_taken_port_stops_the_demo_before_it_creates_anything() {
    let place = Place::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let database = place.database();
    let database_name = database.to_str().expect("UTF-8");
    let refused = run(&["serve", "--demo", "--db", database_name, "--listen", &address]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("cannot be listened on"));
    assert!(!database.exists(), "nothing is made");
    let (serving, _, key) = start(&place);
    assert_eq!(serving.get(&key, "/api/v1/me").0, 200);
}
