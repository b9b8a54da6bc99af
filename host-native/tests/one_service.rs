//! A database is served by one service at a time, which counts a key's requests.

use std::{
    io::{BufRead as _, BufReader, Read as _},
    os::unix::fs::symlink,
    path::Path,
    process::Stdio,
};

use crate::support::{OPERATOR_TOKEN, Place, Serving, account, batch, matterbook, run};

/// A start that must be refused.
fn is_refused_with(database: &Path, flags: &[&str]) {
    let mut command = matterbook(&["serve", "--listen", "127.0.0.1:0", "--db"]);
    command.arg(database).args(flags).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("the program starts");
    // One that serves says so, and would not end by itself.
    let mut line = String::new();
    let _ = BufReader::new(process.stdout.take().expect("a pipe")).read_line(&mut line);
    if !line.is_empty() {
        process.kill().expect("killed");
    }
    let output = process.wait_with_output().expect("an end");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!((line.as_str(), output.status.code()), ("", Some(1)), "{said}");
    assert!(said.contains("is being served already") && said.contains("End the other one"), "{said}");
}

fn is_refused(database: &Path) {
    is_refused_with(database, &[]);
}

#[test]
fn a_second_service_on_the_same_database_is_refused_by_whatever_name() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let serving = Serving::start(&place.database());
    is_refused(&place.database());
    let other = place.file("other.db");
    symlink(place.database(), &other).expect("a link");
    is_refused(&other);
    is_refused_with(&other, &["--demo"]);
    // The refused ones have taken nothing from the one that serves.
    is_refused(&place.database());
    assert_eq!(serving.post(&key, "/api/v1/clients", &batch(["1".to_owned()])).0, 200);
    let apart = place.file("apart.db");
    let apart = Serving::start(&apart);
    assert_eq!(apart.get(&key, "/api/v1/me").0, 401, "another database is served beside it");
}

#[test]
fn commands_work_on_a_database_that_is_served() {
    let place = Place::new();
    let serving = Serving::start(&place.database());
    let (_, key) = account(&place.database());
    assert_eq!(serving.get(&key, "/api/v1/me").0, 200);
    let copy = place.file("copy.db");
    let (copy, database) = (copy.to_str().expect("a plain name"), place.database());
    let output = run(&["backup", copy, "--db", database.to_str().expect("a plain name")]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_service_starts_after_one_that_was_killed_or_stopped() {
    let place = Place::new();
    let lock = place.file("matterbook.db.lock");
    let mut serving = Serving::start(&place.database());
    is_refused(&place.database());
    serving.process.kill().expect("SIGKILL");
    serving.process.wait().expect("an end");
    assert!(lock.exists(), "a kill leaves the file behind, unlocked");

    let mut serving = Serving::start(&place.database());
    is_refused(&place.database());
    serving.signal("TERM");
    assert!(serving.process.wait().expect("an end").success());
    assert!(!lock.exists(), "a clean stop leaves nothing behind");
    drop(Serving::start(&place.database()));
}

#[test]
fn where_no_lock_can_be_had_it_serves_and_the_log_says_so() {
    let place = Place::new();
    std::fs::create_dir(place.file("matterbook.db.lock")).expect("a directory in its place");
    let (_, key) = account(&place.database());
    let mut serving = Serving::start_logged(&place.database(), &["--operator-token", OPERATOR_TOKEN]);
    assert_eq!(serving.get(&key, "/api/v1/me").0, 200);
    serving.signal("TERM");
    let mut log = String::new();
    serving.process.stderr.take().expect("a pipe").read_to_string(&mut log).expect("text");
    assert!(log.contains("another service on this database would not be noticed"), "{log}");
}
