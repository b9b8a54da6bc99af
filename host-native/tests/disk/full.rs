//! A disk that fills or fails under a running service.

use std::{
    io::{BufRead as _, BufReader},
    process::Command,
    sync::mpsc::{self, Receiver},
    thread,
};

use serde_json::{Value, json};

use super::library::{Disk, EIO, ENOSPC, Faults, Which};
use crate::support::{Place, Serving, account, batch};

const BATCH_ROWS: usize = 20;
const NOTHING_SAVED: &str = "Something went wrong on our side and nothing was saved. Please try again shortly.";
pub const NOT_KNOWN: &str = "Something went wrong on our side, and it is not known whether this was saved.";

fn ids(name: &str) -> impl Iterator<Item = String> {
    (0..BATCH_ROWS).map(move |row| format!("{name}-{row}"))
}

/// How many clients of a batch there are.
fn saved(serving: &Serving, key: &str, name: &str) -> usize {
    ids(name)
        .filter(|id| {
            let (status, page) = serving.get(key, &format!("/api/v1/clients?external_id={id}"));
            assert_eq!(status, 200, "{page}");
            page["clients"].as_array().is_some_and(|clients| !clients.is_empty())
        })
        .count()
}

fn post(serving: &Serving, key: &str, name: &str) -> (u16, Value) {
    serving.post(key, "/api/v1/clients", &batch(ids(name)))
}

/// Clients whose commit takes several writes.
pub fn large_batch(name: &str) -> Value {
    rows_with_long_texts(name, 500)
}

pub fn rows_with_long_texts(name: &str, rows: usize) -> Value {
    let clients = (0..rows).map(|row| {
        let long = |what: &str| format!("{what} {row} {}", "x".repeat(180));
        json!({"external_id": format!("{name}-{row}"), "last_name": "Made", "address_line1": long("street"),
            "address_line2": long("house"), "city": long("city")})
    });
    json!({"clients": clients.collect::<Vec<_>>()})
}

/// The lines of a service's log, as they come.
pub fn log_of(serving: &mut Serving) -> Receiver<Value> {
    let log = BufReader::new(serving.process.stderr.take().expect("a pipe"));
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in log.lines().map_while(Result::ok) {
            let _ = sender.send(serde_json::from_str(&line).unwrap_or(Value::String(line)));
        }
    });
    lines
}

fn is_healthy(serving: &Serving) -> bool {
    serving.get("no-key", "/healthz").0 == 200
}

/// After a death, a fresh service on the same files has either all or nothing of a batch.
fn saved_after_a_death(disk: &Disk, mut serving: Serving, key: &str, name: &str) -> usize {
    serving.process.kill().expect("SIGKILL");
    serving.process.wait().expect("its end");
    let serving = Serving::start(&disk.place.database());
    let saved = saved(&serving, key, name);
    assert!(saved == 0 || saved == BATCH_ROWS, "{saved} of a batch");
    saved
}

#[test]
fn a_full_disk_is_a_500_that_saves_nothing_and_service_goes_on_once_there_is_room() {
    let disk = Disk::new();
    let (_, key) = account(&disk.place.database());
    let mut serving = disk.serve_logged();
    let log = log_of(&mut serving);
    assert_eq!(post(&serving, &key, "before").0, 200);

    disk.fail(Faults { write_error: Some(ENOSPC), ..Faults::default() });
    let (status, answer) = post(&serving, &key, "meanwhile");
    assert_eq!((status, &answer["error"]["code"]), (500, &Value::from("internal")), "{answer}");
    assert_eq!(answer["error"]["message"], NOTHING_SAVED);
    // What only reads is served.
    assert_eq!(saved(&serving, &key, "before"), BATCH_ROWS);
    assert_eq!(saved(&serving, &key, "meanwhile"), 0);
    assert_eq!(serving.get(&key, "/api/v1/me").0, 200);
    assert!(is_healthy(&serving), "the database answers");

    assert!(disk.mend() > 0, "the disk was full");
    assert_eq!(post(&serving, &key, "after").0, 200);
    assert_eq!(post(&serving, &key, "meanwhile").0, 200, "the same batch again");
    assert_eq!(serving.clients(&key).len(), 3 * BATCH_ROWS);

    let failed: Vec<Value> = log.try_iter().filter(|line| line["message"] == "request failed").collect();
    let [line] = failed.as_slice() else { panic!("one cause: {failed:?}") };
    assert!(line["cause"].as_str().is_some_and(|cause| cause.contains("full")), "{line}");
    assert_eq!(saved_after_a_death(&disk, serving, &key, "meanwhile"), BATCH_ROWS);
}

/// A commit is written in several pieces, each of many pages.
#[test]
fn wherever_in_a_batch_the_disk_fills_or_fails_nothing_of_it_is_saved() {
    let disk = Disk::new();
    let (_, key) = account(&disk.place.database());
    let serving = disk.serve();
    let (mut failures, mut count) = (0, 0);
    for error in [ENOSPC, EIO] {
        for successes in 0.. {
            let many = large_batch(&format!("e{error}n{successes}"));
            disk.fail(Faults { successes, write_error: Some(error), ..Faults::default() });
            let (status, answer) = serving.post(&key, "/api/v1/clients", &many);
            let failed = disk.mend();
            if failed == 0 {
                assert_eq!(status, 200, "{answer}");
                count += 500;
                break;
            }
            failures += 1;
            assert_eq!((status, &answer["error"]["message"]), (500, &Value::from(NOTHING_SAVED)), "{answer}");
            assert_eq!(serving.clients(&key).len(), count, "{error} after {successes}");
        }
    }
    assert!(failures > 6, "each write of a commit failed once: {failures}");
    assert_eq!(saved_after_a_death(&disk, serving, &key, "e28n0"), 0);
    let serving = Serving::start(&disk.place.database());
    assert_eq!(serving.clients(&key).len(), count, "a death brings nothing back that was refused");
}

/// If the last fsync of a commit fails, the log holds the whole commit. A service that dies before the next
/// commit finds it on restart. So the answer must not say that nothing was saved.
#[test]
fn a_failed_fsync_is_answered_as_unknown_and_not_as_unsaved() {
    let disk = Disk::new();
    let (_, key) = account(&disk.place.database());
    let mut serving = disk.serve_logged();
    let log = log_of(&mut serving);
    assert_eq!(post(&serving, &key, "before").0, 200);
    disk.fail(Faults { sync_error: Some(EIO), ..Faults::default() });
    let (status, answer) = post(&serving, &key, "meanwhile");
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    assert!(status == 500 && message.starts_with(NOT_KNOWN), "{answer}");
    assert!(disk.mend() > 0, "a sync failed");
    assert_eq!(saved(&serving, &key, "meanwhile"), 0, "nobody sees it");
    let failed: Vec<Value> = log.try_iter().filter(|line| line["message"] == "request failed").collect();
    assert!(failed.len() == 1 && failed[0]["cause"].is_string(), "{failed:?}");
    assert_eq!(saved_after_a_death(&disk, serving, &key, "meanwhile"), BATCH_ROWS, "it was in the log");
    // As the answer says, sending the batch again creates no duplicate.
    let serving = Serving::start(&disk.place.database());
    assert_eq!(post(&serving, &key, "meanwhile").0, 200);
    assert_eq!(serving.clients(&key).len(), 2 * BATCH_ROWS);
}

#[test]
fn after_a_failed_sync_service_goes_on_without_a_restart() {
    let disk = Disk::new();
    let (_, key) = account(&disk.place.database());
    let serving = disk.serve();
    disk.fail(Faults { sync_error: Some(EIO), ..Faults::default() });
    assert_eq!(post(&serving, &key, "meanwhile").0, 500);
    disk.mend();
    // It overwrites what the failed commit left in the log.
    assert_eq!(post(&serving, &key, "after").0, 200);
    assert_eq!(saved_after_a_death(&disk, serving, &key, "meanwhile"), 0);
    let serving = Serving::start(&disk.place.database());
    assert_eq!(saved(&serving, &key, "after"), BATCH_ROWS);
}

/// SQLite syncs a commit before it enters it into the index of the log. An index that cannot grow fails the commit
/// then, although a restart finds it whole.
#[test]
fn a_commit_whose_index_has_no_room_is_answered_as_unknown_and_not_as_unsaved() {
    let disk = Disk::new();
    let (_, key) = account(&disk.place.database());
    let serving = disk.serve();
    // The index grows with the 4,063rd page of the log, which is before the first checkpoint.
    disk.fail(Faults { write_error: Some(ENOSPC), only: Some(Which::Index), ..Faults::default() });
    let mut names = (0..).map(|number| format!("b{number}"));
    let (name, answer) = loop {
        let name = names.next().expect("endless");
        let (status, answer) = serving.post(&key, "/api/v1/clients", &large_batch(&name));
        if status != 200 {
            break (name, answer);
        }
    };
    assert!(disk.mend() > 0, "the index was to grow");
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    let found = saved_after_a_death(&disk, serving, &key, &name);
    assert_eq!(found, BATCH_ROWS, "the commit was in the log");
    assert!(message.starts_with(NOT_KNOWN), "{message}");
}

/// A failed checkpoint fails no request: the log keeps the commits, and a later checkpoint succeeds once the
/// disk has room.
#[test]
fn a_failed_checkpoint_fails_no_request() {
    const BATCHES: usize = 60;
    let disk = Disk::new();
    let (_, key) = account(&disk.place.database());
    let serving = disk.serve();
    disk.fail(Faults { write_error: Some(ENOSPC), only: Some(Which::Database), ..Faults::default() });
    let large = |number: usize| batch((0..500).map(move |row| format!("b{number}-{row}")));
    for number in 0..BATCHES {
        assert_eq!(serving.post(&key, "/api/v1/clients", &large(number)).0, 200);
    }
    assert!(disk.mend() > 0, "the log was to be copied");
    let length = || std::fs::metadata(disk.place.file("matterbook.db")).expect("the file").len();
    let before = length();
    for number in BATCHES..2 * BATCHES {
        assert_eq!(serving.post(&key, "/api/v1/clients", &large(number)).0, 200);
    }
    assert!(length() > before, "the log was copied once there was room");
    drop(serving);
    let serving = Serving::start(&disk.place.database());
    assert_eq!(serving.clients(&key).len(), 2 * BATCHES * 500);
}

/// A limit of the system on the size of files ends a program that does not say otherwise.
#[test]
fn a_limit_on_the_size_of_files_is_a_full_disk() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let mut serving = Serving::start(&place.database());
    assert_eq!(post(&serving, &key, "before").0, 200);
    let limit = |bytes: &str| {
        let pid = serving.process.id().to_string();
        let limit = format!("--fsize={bytes}:unlimited");
        assert!(Command::new("prlimit").args(["--pid", &pid, &limit]).status().expect("prlimit runs").success());
    };
    limit("4096");
    let (status, answer) = post(&serving, &key, "meanwhile");
    assert_eq!((status, &answer["error"]["message"]), (500, &Value::from(NOTHING_SAVED)));
    assert!(is_healthy(&serving));
    limit("unlimited");
    assert_eq!(post(&serving, &key, "after").0, 200);
    assert_eq!(saved(&serving, &key, "meanwhile"), 0);
    assert!(serving.process.try_wait().expect("its state").is_none(), "it was never ended");
}

/// Every waiting request gets its answer while the disk is full, whatever commit it shares.
#[test]
fn many_at_once_on_a_full_disk_are_each_answered_and_none_is_half_saved() {
    const POSTS: usize = 32;
    let disk = Disk::new();
    let (_, key) = account(&disk.place.database());
    let serving = disk.serve();
    let mut refused = 0;
    for successes in [0, 1, 5, 23, 60] {
        disk.fail(Faults { successes, write_error: Some(ENOSPC), ..Faults::default() });
        let statuses: Vec<(String, u16)> = thread::scope(|scope| {
            let posts: Vec<_> = (0..POSTS)
                .map(|number| {
                    let (serving, key) = (&serving, &key);
                    scope.spawn(move || {
                        let name = format!("s{successes}p{number}");
                        let status = post(serving, key, &name).0;
                        (name, status)
                    })
                })
                .collect();
            posts.into_iter().map(|post| post.join().expect("an answer")).collect()
        });
        disk.mend();
        for (name, status) in statuses {
            let expected = if status == 200 { BATCH_ROWS } else { 0 };
            assert_eq!(saved(&serving, &key, &name), expected, "{name} was answered {status}");
            refused += usize::from(status != 200);
        }
        assert_eq!(post(&serving, &key, &format!("after{successes}")).0, 200);
    }
    assert!(refused > 0, "the disk was full");
}
