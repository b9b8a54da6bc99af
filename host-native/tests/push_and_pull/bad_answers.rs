//! A service that refuses, answers badly, or is not one: each time one sentence that says what to do.

use std::{net::TcpListener, process::Command};

use super::{
    between::{Asked, Between, Reply, pass_on},
    run::{Firm, clients, read, run, write},
};
use crate::support::{Place, run_json};

/// A push of three rows to a service that answers batches so: the last line that it says.
fn sentence_of(answer: impl FnMut(&Asked) -> Reply + Send + 'static) -> String {
    sentence_with(&["--retry-seconds", "0"], answer)
}

fn sentence_with(flags: &[&str], mut answer: impl FnMut(&Asked) -> Reply + Send + 'static) -> String {
    let place = Place::new();
    let between = Between::start(move |asked| if asked.is_batch() { answer(asked) } else { Reply::account() });
    let file = write(&place, "clients.csv", &clients(3));
    let ran = run(&[&["push", &file], flags].concat(), &between.origin, "key");
    assert_eq!((ran.status, ran.shown.as_str()), (Some(1), ""), "{ran:?}");
    ran.sentence().replace(&between.origin, "ORIGIN")
}

#[test]
fn a_key_that_may_not_be_used_is_told_from_one_that_is_wrong() {
    let firm = Firm::new();
    let database = firm.place.database();
    let database = database.to_str().expect("a plain name");
    let file = firm.write("clients.csv", &clients(1));
    let check = |key: &str, sentence: &str| {
        for arguments in [vec!["push", &file], vec!["pull"]] {
            let ran = run(&arguments, &firm.serving.origin, key);
            assert_eq!((ran.status, ran.shown.as_str()), (Some(1), ""), "{ran:?}");
            assert!(ran.sentence().starts_with(sentence), "{ran:?}");
            assert!(ran.sentence().contains("(request 0"), "{ran:?}");
        }
    };
    let unknown = format!("mtb_{}", "A".repeat(43));
    check(
        &unknown,
        "The service answers 401: This API key is not valid, was revoked, or has ended. Check --key or MATTERBOOK_KEY. ",
    );
    let set = |flag: &str, value: &str| {
        run_json(&["account", "set", &firm.account, flag, value, "--db", database]);
    };
    set("--suspended", "true");
    check(&firm.key, "The service answers 403: The account's access is suspended. Ask the operator of the service. ");
    set("--suspended", "false");
    set("--api-enabled", "false");
    check(
        &firm.key,
        "The service answers 403: The API is not turned on for this account. Ask the operator of the service. ",
    );
}

#[test]
fn an_address_where_no_matterbook_is_is_told_at_once() {
    let place = Place::new();
    let file = write(&place, "clients.csv", &clients(1));
    let nobody = TcpListener::bind("127.0.0.1:0").expect("a port");
    let closed = format!("http://{}", nobody.local_addr().expect("an address"));
    drop(nobody);
    let website = Between::start(|_| Reply::new(404, "text/html", "<html>"));
    let check = |origin: &str, sentence: &str| {
        let ran = run(&["push", &file], origin, "key");
        assert_eq!((ran.status, ran.shown.as_str()), (Some(1), ""), "{ran:?}");
        assert_eq!(ran.sentence(), sentence, "{ran:?}");
    };
    check(&closed, &format!("{closed}/api/v1 cannot be reached: the connection was refused."));
    check(
        &website.origin,
        &format!(
            "{}/api/v1 answers 404 with text/html, which is not an answer of Matterbook. Check --url.",
            website.origin
        ),
    );
    let firm = Firm::new();
    let plain = firm.serving.origin.replace("http://", "https://");
    let ran = run(&["push", &file], &plain, "key");
    let sentence =
        format!("{plain}/api/v1 answers in plain HTTP. Name it by http://, or by the port where it has TLS.");
    assert_eq!(ran.sentence(), sentence, "{ran:?}");
    let moved = Between::start(|asked| Reply::Answer {
        status: 301,
        fields: vec![("location", format!("https://matterbook.example.com{}", asked.path))],
        body: String::new(),
    });
    let ran = run(&["push", &file], &moved.origin, "key");
    assert!(
        ran.sentence().contains("redirects to https://matterbook.example.com/api/v1/me: use that address"),
        "{ran:?}"
    );
    assert_eq!(moved.asked().len(), 1, "the key went nowhere else");
}

#[test]
fn a_proxy_that_cannot_reach_the_service_is_told_from_it() {
    let sentence = sentence_of(|_| Reply::new(502, "text/html", "<html>Bad Gateway</html>"));
    assert_eq!(
        sentence,
        "ORIGIN/api/v1 answers 502 with text/html: something in front of the service cannot reach it."
    );
}

#[test]
fn an_answer_that_does_not_say_what_became_of_each_client_is_not_counted() {
    let safe = " Whether these rows were saved is not known; the same command sends them again, which is safe.";
    let check = |answer: &'static str, expected: &str| {
        let sentence = sentence_of(move |_| Reply::json(200, answer));
        assert_eq!(sentence, format!("The service's answer cannot be trusted: {expected}{safe}"));
    };
    let one = r#"{"results":[{"index":0,"status":"created"}]}"#;
    check(one, "it has 1 results for 3 clients.");
    let twice =
        r#"{"results":[{"index":0,"status":"created"},{"index":0,"status":"created"},{"index":2,"status":"created"}]}"#;
    check(twice, "its results are not in the order of the clients.");
    let sentence = sentence_of(|_| Reply::json(200, r#"{"results":[{"index":0,"status":"saved"}]}"#));
    assert_eq!(
        sentence,
        "ORIGIN/api/v1 answers 200 with application/json, which is not an answer of Matterbook. Check --url."
    );
}

#[test]
fn a_failure_names_the_request_for_the_operators_log() {
    let sentence = sentence_of(|_| Reply::Answer {
        status: 500,
        fields: vec![("x-request-id", "r-7".to_owned())],
        body: r#"{"error":{"code":"internal","message":"It failed."}}"#.to_owned(),
    });
    assert_eq!(sentence, "The service answers 500: It failed. (request r-7)");
}

#[test]
fn a_connection_that_breaks_is_tried_again_with_the_same_request() {
    let firm = Firm::new();
    let origin = firm.serving.origin.clone();
    let mut batches = 0;
    let between = Between::start(move |asked| {
        batches += u32::from(asked.is_batch());
        let reply = pass_on(&origin, asked);
        // The first answer is lost: what it said was saved.
        if asked.is_batch() && batches == 1 { Reply::Nothing } else { reply }
    });
    let file = firm.write("clients.csv", &clients(5));
    let ran = run(&["push", &file, "--json"], &between.origin, &firm.key);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(ran.json()["push"]["created"], 5, "the saved answer came back: {ran:?}");
    assert!(ran.said.contains("Trying again. Waiting 1 s.\n"), "{ran:?}");
    let batches = between.batches();
    assert_eq!((batches.len(), &batches[0]), (2, &batches[1]));
}

#[test]
fn a_body_that_is_too_large_is_sent_in_halves() {
    const LIMIT: usize = 2_500;
    let firm = Firm::new();
    let origin = firm.serving.origin.clone();
    let between = Between::start(move |asked| match asked.body.len() {
        0..LIMIT => pass_on(&origin, asked),
        _ => Reply::new(413, "text/html", "<html>"),
    });
    // As long as names and a street may be, in letters of four bytes each.
    let long = |letters| "𝒳".repeat(letters);
    let large = format!("M-x,{},{},{},62704\n", long(200), long(200), long(300));
    let file = firm.write("clients.csv", &(clients(600) + &large));
    let ran = run(&["push", &file, "--json"], &between.origin, &firm.key);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let answer = &ran.json()["push"];
    assert_eq!((&answer["created"], &answer["error"], &answer["rows"]), (&540.into(), &61.into(), &601.into()));
    assert_eq!(firm.serving.clients(&firm.key).len(), 540);
    let errors = read(format!("{file}.errors.csv"));
    let last = errors.lines().last().expect("a row");
    assert!(
        last.starts_with("A proxy in front of the service takes no body of this size (413).,error,602,M-x,"),
        "{last}"
    );
    let refused = between.batches().iter().filter(|batch| batch.body.len() >= LIMIT).count();
    assert!(refused < 10, "it learns what fits: {refused}");
}

#[test]
fn a_file_that_goes_or_changes_under_way_stops_the_push() {
    let check = |change: fn(&std::path::Path), sentence: &str| {
        let place = Place::new();
        let path = place.file("clients.csv");
        let between = Between::start(move |asked| {
            if asked.is_batch() {
                change(&path);
                Reply::created(asked)
            } else {
                Reply::account()
            }
        });
        let file = write(&place, "clients.csv", &clients(4));
        let ran = run(&["push", &file, "--batch-rows", "2"], &between.origin, "key");
        assert_eq!((ran.status, between.batches().len()), (Some(1), 1), "{ran:?}");
        assert!(ran.sentence().contains(sentence), "{ran:?}");
        assert!(ran.sentence().ends_with(" 2 of 4 rows are done."), "{ran:?}");
    };
    check(|path| std::fs::remove_file(path).expect("removed"), "clients.csv is gone");
    check(
        |path| std::fs::write(path, clients(5)).expect("written"),
        "clients.csv was changed while it was being sent. What was sent is saved.",
    );
    let place = Place::new();
    let ran = run(&["push", place.file("none.csv").to_str().expect("a plain name")], "http://127.0.0.1:1", "key");
    assert!(ran.status == Some(1) && ran.sentence().contains("none.csv cannot be read: No such file"), "{ran:?}");
}

#[test]
fn a_state_that_cannot_be_kept_stops_the_push_before_more_is_sent() {
    let place = Place::new();
    let partial = place.file("clients.csv.push-state.partial");
    let between = Between::start(move |asked| {
        if asked.is_batch() {
            // Where the next state would be written nothing can be.
            std::fs::create_dir_all(&partial).expect("a directory");
            Reply::created(asked)
        } else {
            Reply::account()
        }
    });
    let file = write(&place, "clients.csv", &clients(4));
    let ran = run(&["push", &file, "--batch-rows", "2"], &between.origin, "key");
    assert_eq!((ran.status, between.batches().len()), (Some(1), 1), "{ran:?}");
    assert!(ran.sentence().starts_with("The state of this push cannot be kept in "), "{ran:?}");
    // Nor is anything sent where it could not be kept from the start.
    let ran = run(&["push", &file, "--state", "/proc/none/state"], &between.origin, "key");
    assert!(ran.status == Some(1) && ran.sentence().contains("/proc/none/state"), "{ran:?}");
    assert_eq!(between.batches().len(), 1);
    std::fs::remove_dir(place.file("clients.csv.push-state.partial")).expect("removed");
    let between = Between::start(|asked| if asked.is_batch() { Reply::created(asked) } else { Reply::account() });
    let ran = run(&["push", &file, "--restart"], &between.origin, "key");
    assert_eq!(ran.status, Some(0), "{ran:?}");
}

#[test]
fn a_full_disk_stops_the_push_and_room_lets_it_go_on() {
    let place = Place::new();
    let between = Between::start(|asked| if asked.is_batch() { Reply::created(asked) } else { Reply::account() });
    let file = write(&place, "clients.csv", &clients(4));
    // The system lets the command write no file at all.
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$@\"";
    let output = Command::new("bash")
        .args(["-c", script, "bash", env!("CARGO_BIN_EXE_matterbook"), "push", &file, "--url", &between.origin])
        .env("MATTERBOOK_KEY", "key")
        .output()
        .expect("bash runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot be kept in") && said.contains("File too large"), "{said}");
    assert!(between.batches().is_empty());
    assert_eq!(run(&["push", &file], &between.origin, "key").status, Some(0));
}

#[test]
fn two_pushes_of_one_file_do_not_meet() {
    let place = Place::new();
    let file = write(&place, "clients.csv", &clients(2));
    let (inner, second) = (file.clone(), std::sync::Arc::new(std::sync::Mutex::new(String::new())));
    let heard = std::sync::Arc::clone(&second);
    let between = Between::start(move |asked| {
        if asked.is_batch() {
            let ran = run(&["push", &inner], "http://127.0.0.1:1", "key");
            *heard.lock().expect("no panic") = ran.sentence().to_owned();
            Reply::created(asked)
        } else {
            Reply::account()
        }
    });
    assert_eq!(run(&["push", &file], &between.origin, "key").status, Some(0));
    assert_eq!(*second.lock().expect("no panic"), format!("Another push of {file} is under way."));
}
