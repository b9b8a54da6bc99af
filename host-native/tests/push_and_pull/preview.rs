//! A preview that is written to a file, and what its confirmation saves (rules F50 and F51).

use serde_json::json;

use super::{
    between::{Between, Reply, pass_on},
    run::{Firm, clients, files, read, run, write},
};
use crate::support::account;

fn plan_and_confirm(firm: &Firm, file: &str, origin: &str) -> [String; 2] {
    let preview = firm.place.file("preview.json").display().to_string();
    let planned = run(&["push", file, "--batch-rows", "10", "--plan", &preview], origin, &firm.key);
    assert_eq!(planned.status, Some(1), "{planned:?}");
    assert!(planned.shown.contains("30 rows were tried out, nothing is saved"), "{planned:?}");
    assert!(planned.shown.lines().all(|line| !line.contains("Specimenez")), "{planned:?}");
    [preview, planned.shown]
}

#[test]
fn what_a_preview_shows_is_saved_when_it_is_confirmed() {
    let firm = Firm::new();
    let file = firm.write("clients.csv", &clients(30));
    let origin = &firm.serving.origin;
    let [preview, shown] = plan_and_confirm(&firm, &file, origin);
    assert!(shown.ends_with("in place of --plan saves it, if nothing has changed.\n"), "{shown}");
    assert!(firm.serving.clients(&firm.key).is_empty());
    let text = read(&preview);
    assert!(!text.contains("Specimenez") && !text.contains(&firm.key), "{text}");

    // The preview decides how many rows a request has.
    let confirmed = run(&["push", &file, "--confirm", &preview, "--json"], origin, &firm.key);
    let errors = format!("{file}.errors.csv");
    let expected = json!({"push": {"rows": 30, "created": 27, "updated": 0, "unchanged": 0, "conflict": 0, "error": 3,
        "incomplete": 0, "rows_done_before": 0, "is_dry_run": false, "errors_file": errors}});
    assert_eq!(confirmed.json(), expected, "{confirmed:?}");
    assert_eq!(firm.serving.clients(&firm.key).len(), 27);
}

#[test]
fn a_confirmation_stops_before_rows_that_would_become_something_else() {
    let firm = Firm::new();
    let file = firm.write("clients.csv", &clients(30));
    let origin = &firm.serving.origin;
    let [preview, _] = plan_and_confirm(&firm, &file, origin);
    let other = write(&firm.place, "other.csv", "Matter ID,First Name,Last Name\nM-15,Ana,Specimenez\n");
    assert_eq!(run(&["push", &other], origin, &firm.key).status, Some(0));

    let confirmed = run(&["push", &file, "--confirm", &preview], origin, &firm.key);
    assert_eq!(confirmed.status, Some(1), "{confirmed:?}");
    let sentence = "Rows 12 to 21: by the preview in ";
    assert!(confirmed.said.contains(sentence), "{confirmed:?}");
    assert!(confirmed.said.contains("None of these rows was saved."), "{confirmed:?}");
    assert!(confirmed.said.ends_with("10 of 30 rows are done.\n"), "{confirmed:?}");
    // Nine of the first request and the one of the other file.
    assert_eq!(firm.serving.clients(&firm.key).len(), 10);
}

#[test]
fn a_confirmation_that_was_interrupted_is_resumed_by_the_same_command() {
    let firm = Firm::new();
    let file = firm.write("clients.csv", &clients(30));
    let origin = firm.serving.origin.clone();
    let mut confirmed = 0;
    let between = Between::start(move |asked| {
        confirmed += usize::from(asked.path.contains("plan="));
        let reply = pass_on(&origin, asked);
        // The second request is saved, and its answer is lost.
        if asked.path.contains("plan=") && confirmed == 2 { Reply::json(400, "{}") } else { reply }
    });
    let [preview, _] = plan_and_confirm(&firm, &file, &between.origin);
    let arguments = ["push", &file, "--confirm", &preview, "--json"];
    let stopped = run(&arguments, &between.origin, &firm.key);
    assert_eq!(stopped.status, Some(1), "{stopped:?}");
    assert_eq!(files(&firm.place, "clients.csv.push"), ["clients.csv.push-state"]);
    let resumed = run(&arguments, &between.origin, &firm.key).json();
    assert_eq!((&resumed["push"]["created"], &resumed["push"]["rows_done_before"]), (&json!(27), &json!(10)));
    assert_eq!(firm.serving.clients(&firm.key).len(), 27);
}

#[test]
fn a_preview_of_another_push_is_refused() {
    let firm = Firm::new();
    let file = firm.write("clients.csv", &clients(30));
    let origin = &firm.serving.origin;
    let [preview, _] = plan_and_confirm(&firm, &file, origin);
    let (_, other_key) = account(&firm.place.database());
    let other = firm.write("other.csv", &clients(20));
    for (arguments, key, words) in [
        (["push", &other, "--confirm", &preview], &firm.key, "the file has changed since"),
        (["push", &file, "--confirm", &preview], &other_key, "the key was of another account"),
        (["push", &file, "--confirm", &other], &firm.key, "is not a preview of push"),
        (["push", &file, "--confirm", "no-such-file"], &firm.key, "There is no preview"),
    ] {
        let refused = run(&arguments, origin, key);
        assert!(refused.status != Some(0) && refused.said.contains(words), "{refused:?}");
    }
    assert!(firm.serving.clients(&firm.key).is_empty());
}
