//! `review decide` and `change`: a decision about what waits, and how it is taken back (J5 to J8).

use crate::support::{Place, Serving, account, run, run_json, text};
use serde_json::json;

const CLIENTS: &str = "/api/v1/clients";

fn printed(arguments: &[&str]) -> String {
    let ran = run(arguments);
    assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).expect("text")
}

#[test]
fn what_was_left_is_taken_back_by_the_request_that_is_named() {
    let place = Place::new();
    let (account, key) = account(&place.database());
    let serving = Serving::start(&place.database());
    let ray = |external_id: &str| {
        json!({"external_id": external_id, "first_name": "Ada", "last_name": "Ray",
               "address_line1": "1 Elm St", "zip": "62704"})
    };
    assert_eq!(serving.post(&key, CLIENTS, &json!({"clients": [ray("a"), ray("b")]})).0, 200);
    let database = place.database();
    let database = database.to_str().expect("a plain name");
    let common = ["--account", &account, "--db", database];
    let waiting = || run_json(&[&["review", "list"], &common[..]].concat())["review"].as_array().expect("items").len();
    let item = text(&run_json(&[&["review", "list"], &common[..]].concat())["review"][0]["id"]);
    let left = printed(&[&["review", "decide", &item, "--leave"], &common[..]].concat());
    assert!(
        left.starts_with("It is left until other content comes.\nTo take this back: matterbook change undo "),
        "{left}"
    );
    assert_eq!(waiting(), 0);
    let request = left.split("change undo ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a request");
    let shown = printed(&[&["change", "show", request], &common[..]].concat());
    assert!(shown.contains(&format!("item {item} waits for review again")), "{shown}");
    assert_eq!(waiting(), 0, "after the change is only shown");
    printed(&[&["change", "undo", request], &common[..]].concat());
    assert_eq!(waiting(), 1);
}
