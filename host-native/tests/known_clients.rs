//! The service remembers clients that it wrote or looked at, and answers for those who come again just as they
//! are without a search. What was changed since, by whomever, it never takes for known.

use std::thread;

use crate::support::{Place, Serving, account, run_json, text};
use serde_json::{Value, json};

const CLIENTS: &str = "/api/v1/clients";

/// More than the writer decides by itself while others wait.
const BATCH: usize = 60;

/// Runs a command of a process of its own on the service's file.
fn command(place: &Place, arguments: &[&str]) -> Value {
    let database = place.database();
    run_json(&[arguments, &["--db", database.to_str().expect("a plain name")]].concat())
}

/// The status and the id of each client of an answer.
fn results((status, answer): (u16, Value)) -> Vec<(String, String)> {
    assert_eq!(status, 200, "{answer}");
    let results = answer["results"].as_array().expect("results");
    results.iter().map(|result| (text(&result["status"]), text(&result["id"]))).collect()
}

#[test]
fn what_another_process_does_to_a_client_holds_with_the_next_post() {
    let place = Place::new();
    let (account, key) = account(&place.database());
    let serving = Serving::start(&place.database());
    let client =
        |number: usize| json!({"external_id": number, "last_name": format!("Nr {number}"), "do_not_mail": true});
    let batch = json!({"clients": (0..BATCH).map(client).collect::<Vec<_>>()});
    let post = || results(serving.post(&key, CLIENTS, &batch));
    let created = post();
    for erased in 0..3 {
        let known = post();
        assert_eq!(post(), known, "just as they are");

        command(&place, &["client", "mail-on", &known[BATCH - 1].1, "--account", &account]);
        post();
        let shown = command(&place, &["client", "show", &known[BATCH - 1].1, "--account", &account]);
        assert_eq!(shown["client"]["do_not_mail"], true, "it was posted again: {shown}");
        assert_eq!(post(), known);

        command(&place, &["client", "erase", &known[erased].1, "--account", &account, "--yes"]);
        let after = post();
        for (place, ((status, id), (_, known_id))) in after.iter().zip(&known).enumerate() {
            let is_new = place == erased;
            assert_eq!((status.as_str(), id != known_id), (if is_new { "created" } else { "updated" }, is_new));
        }
    }
    assert_ne!(post(), created);
}

#[test]
fn concurrent_callers_each_find_their_last_post() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let serving = Serving::start(&place.database());
    let phone = |poster: usize, round: usize, number: usize| {
        // Most are as they were in the round before, and some are each time what they were before that.
        let changes = if number.is_multiple_of(10) { round } else { (round + number) / 8 + poster };
        format!("+1217555010{}", changes % 2)
    };
    let post = |poster: usize, round: usize| {
        let client = |number: usize| {
            let external_id = format!("{poster}-{number:02}");
            json!({"external_id": external_id, "last_name": external_id, "phone": phone(poster, round, number)})
        };
        let batch = json!({"clients": (0..BATCH).map(client).collect::<Vec<_>>()});
        results(serving.post(&key, CLIENTS, &batch))
    };
    for rounds in [0..1, 1..12, 12..40] {
        let last = rounds.end - 1;
        thread::scope(|scope| {
            for poster in 0..4 {
                let (post, rounds) = (&post, rounds.clone());
                scope.spawn(move || {
                    for round in rounds {
                        // The second time nothing is to be written.
                        for _ in 0..1 + round % 2 {
                            assert_eq!(post(poster, round).len(), BATCH);
                        }
                    }
                });
            }
        });
        let kept = serving.clients(&key);
        assert_eq!(kept.len(), 4 * BATCH);
        for client in kept {
            let external_id = text(&client["external_id"]);
            let (poster, number) = external_id.split_once('-').expect("both numbers");
            let expected = phone(poster.parse().expect("a number"), last, number.parse().expect("a number"));
            assert_eq!(client["phone"], expected, "{external_id} after round {last}");
        }
    }
}
