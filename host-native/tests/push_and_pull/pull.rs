//! What a pull copies, and how it goes on.

use std::{
    collections::BTreeSet,
    process::{Command, Stdio},
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};

use super::{
    between::{Between, Reply, pass_on},
    run::{Firm, command, files, read, run, write},
};
use crate::support::{Place, batch};

/// Clients of these external ids.
fn post(firm: &Firm, ids: std::ops::Range<usize>) {
    let ids: Vec<String> = ids.map(|number| number.to_string()).collect();
    for ids in ids.chunks(500) {
        assert_eq!(firm.serving.post(&firm.key, "/api/v1/clients", &batch(ids.iter().cloned())).0, 200);
    }
}

fn lines(path: &str) -> Vec<Value> {
    read(path).lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect()
}

fn name(firm: &Firm, file: &str) -> String {
    firm.place.file(file).to_str().expect("a plain name").to_owned()
}

#[test]
fn all_clients_are_copied_and_from_then_on_what_changed() {
    let firm = Firm::new();
    post(&firm, 0..250);
    let out = name(&firm, "clients.ndjson");
    let pull = |expected: &str| {
        let ran = run(&["pull", "--out", &out], &firm.serving.origin, &firm.key);
        assert_eq!((ran.status, ran.shown, ran.said), (Some(0), format!("{expected} to {out}.\n"), String::new()));
    };
    pull("250 clients");
    assert_eq!(lines(&out), firm.serving.clients(&firm.key), "every record as the service gives it");
    pull("0 new or changed clients");
    post(&firm, 250..360);
    let changed = json!({"clients": [{"external_id": "7", "city": "Springfield"}]});
    assert_eq!(firm.serving.post(&firm.key, "/api/v1/clients", &changed).0, 200);
    pull("111 new or changed clients");
    let copied = lines(&out);
    assert_eq!(copied.len(), 361);
    let last = copied.last().expect("a row");
    assert_eq!((&last["external_id"], &last["city"]), (&json!("7"), &json!("Springfield")), "the later row counts");

    // If the user moves the file away, the next pull writes only newer changes.
    std::fs::remove_file(&out).expect("it is there");
    post(&firm, 360..363);
    pull("3 new or changed clients");
    assert_eq!(lines(&out).len(), 3);
    let ran = run(&["pull", "--out", &out, "--json"], &firm.serving.origin, &firm.key);
    let expected = json!({"pull": {"listing": "clients", "rows": 0, "went_on": true, "stale_cursors": 0,
        "file": out, "state_file": format!("{out}.pull-state")}});
    assert_eq!(ran.json(), expected);
}

#[test]
fn a_table_has_the_names_of_the_list_in_its_order() {
    let firm = Firm::new();
    post(&firm, 0..3);
    let ran = run(&["pull"], &firm.serving.origin, &firm.key);
    assert_eq!((ran.status, ran.said.as_str()), (Some(0), "3 clients to stdout.\n"), "{ran:?}");
    let header = ran.shown.lines().next().expect("a header");
    let ran = run(&["pull", "--format", "ndjson"], &firm.serving.origin, &firm.key);
    let record = ran.shown.lines().next().expect("a record");
    let names: Vec<&str> = header.split(',').collect();
    let places: Vec<usize> = names.iter().map(|name| record.find(&format!("\"{name}\":")).expect(name)).collect();
    assert!(places.is_sorted(), "{header} {record}");
    let members: Value = serde_json::from_str(record).expect("JSON");
    assert_eq!(members.as_object().expect("an object").len(), names.len(), "{header} {record}");
    assert_eq!(files(&firm.place, "").len(), files(&firm.place, "matterbook").len(), "stdout leaves no state");
}

#[test]
fn an_empty_list_is_a_table_with_names_only() {
    let firm = Firm::new();
    let ran = run(&["pull"], &firm.serving.origin, &firm.key);
    assert_eq!((ran.status, ran.shown.lines().count()), (Some(0), 1), "{ran:?}");
}

/// A kill while the third page is asked for, with something written that the state does not know of.
#[test]
fn killed_in_the_middle_no_row_is_lost_and_none_comes_twice() {
    let firm = Firm::new();
    post(&firm, 0..450);
    let out = name(&firm, "clients.ndjson");
    let (origin, file, victim) = (firm.serving.origin.clone(), out.clone(), Arc::new(Mutex::new(None::<u32>)));
    let process = Arc::clone(&victim);
    let mut pages = 0;
    let between = Between::start(move |asked| {
        pages += usize::from(asked.path.contains("/clients"));
        if pages == 3 {
            let pid = loop {
                if let Some(pid) = *process.lock().expect("no panic") {
                    break pid;
                }
                std::thread::yield_now();
            };
            assert!(Command::new("kill").args(["-s", "KILL", &pid.to_string()]).status().expect("kill runs").success());
            let written = read(&file) + "{\"id\":\"half a ro";
            std::fs::write(&file, written).expect("written");
            pages += 1;
            return Reply::Nothing;
        }
        pass_on(&origin, asked)
    });
    let mut command = command(&["pull", "--out", &out], &between.origin, &firm.key);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    *victim.lock().expect("no panic") = Some(child.id());
    assert_eq!(child.wait().expect("it ends").code(), None);
    let ran = run(&["pull", "--out", &out], &between.origin, &firm.key);
    assert_eq!((ran.status, ran.shown), (Some(0), format!("250 new or changed clients to {out}.\n")));
    assert_eq!(lines(&out), firm.serving.clients(&firm.key));
}

#[test]
fn a_stream_with_a_state_goes_on_too() {
    let firm = Firm::new();
    post(&firm, 0..101);
    let state = name(&firm, "state");
    let pull = || run(&["pull", "--format", "ndjson", "--state", &state], &firm.serving.origin, &firm.key);
    assert_eq!(pull().shown.lines().count(), 101);
    post(&firm, 101..103);
    let ran = pull();
    assert_eq!((ran.shown.lines().count(), ran.said.as_str()), (2, "2 new or changed clients to stdout.\n"));
    let ran = run(&["pull", "--state", &state], &firm.serving.origin, &firm.key);
    assert!(ran.status == Some(1) && ran.sentence().contains("it was written as ndjson."), "{ran:?}");
    let again = ["pull", "--format", "ndjson", "--state", &state, "--restart"];
    assert_eq!(run(&again, &firm.serving.origin, &firm.key).shown.lines().count(), 103);
    let kept = read(&state);
    assert!(!kept.contains(&firm.key) && !kept.contains("Ana"), "{kept}");
}

#[test]
fn a_file_that_pull_did_not_write_or_that_somebody_changed_is_left_alone() {
    let firm = Firm::new();
    post(&firm, 0..3);
    let out = firm.write("clients.csv", "mine");
    let ran = run(&["pull", "--out", &out], &firm.serving.origin, &firm.key);
    let sentence =
        format!("{out} is there already, and this pull does not go on with it. Move it away or name another file.");
    assert_eq!((ran.status, ran.sentence(), read(&out).as_str()), (Some(1), sentence.as_str(), "mine"));
    std::fs::remove_file(&out).expect("it is there");
    assert_eq!(run(&["pull", "--out", &out], &firm.serving.origin, &firm.key).status, Some(0));
    let changed = read(&out) + "a row of mine\n";
    std::fs::write(&out, &changed).expect("written");
    let ran = run(&["pull", "--out", &out], &firm.serving.origin, &firm.key);
    assert!(ran.status == Some(1) && ran.sentence().contains("was changed since the last pull."), "{ran:?}");
    assert_eq!(read(&out), changed);
}

#[test]
fn a_closed_output_pipe_is_not_a_failure() {
    let firm = Firm::new();
    post(&firm, 0..2_000);
    let mut child = command(&["pull"], &firm.serving.origin, &firm.key)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn a_listing_without_progress_ends_the_pull() {
    let place = Place::new();
    let between = Between::start(|asked| match asked.path.as_str() {
        "/api/v1/me" => Reply::account(),
        _ => Reply::json(200, r#"{"clients":[],"next_cursor":"x"}"#),
    });
    let ran = run(&["pull", "--out", &write(&place, "a", "").replace("/a", "/b.csv")], &between.origin, "key");
    assert!(ran.sentence().starts_with("The service's answer cannot be trusted: its next_cursor is"), "{ran:?}");
    assert_eq!(between.asked().len(), 3);
}

#[test]
fn a_cursor_that_the_service_does_not_know_is_told_with_the_way_out() {
    let firm = Firm::new();
    post(&firm, 0..150);
    let out = name(&firm, "clients.ndjson");
    assert_eq!(run(&["pull", "--out", &out], &firm.serving.origin, &firm.key).status, Some(0));
    let state = format!("{out}.pull-state");
    let mut kept: Value = serde_json::from_str(&read(&state)).expect("JSON");
    kept["cursor"] = json!("of-another-service");
    std::fs::write(&state, kept.to_string()).expect("written");
    let ran = run(&["pull", "--out", &out], &firm.serving.origin, &firm.key);
    assert!(ran.sentence().ends_with("--restart walks the whole list again."), "{ran:?}");
    // The old copy is moved away by a person, never by pull.
    std::fs::rename(&out, format!("{out}.old")).expect("moved");
    let ran = run(&["pull", "--out", &out, "--restart"], &firm.serving.origin, &firm.key);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let ids: BTreeSet<String> = lines(&out).iter().map(|row| row["id"].to_string()).collect();
    assert_eq!(ids.len(), 150);
}
