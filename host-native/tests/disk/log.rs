//! The write-ahead log: its length, what it still holds, and what happens when it goes.
//!
//! A reader that holds it for five minutes at full load, with figures:
//!
//! ```sh
//! READER_SECONDS=300 cargo test -p matterbook --test native reader_holds -- --nocapture
//! ```

use std::{
    fs,
    io::Read as _,
    path::PathBuf,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};

use super::{full::large_batch, sync::end_of};
use crate::support::{OPERATOR_TOKEN, Place, Serving, account, batch, post};

const FLAGS: [&str; 8] = [
    "--client-delay-seconds",
    "0",
    "--rate-limit-per-minute",
    "0",
    "--operator-token",
    OPERATOR_TOKEN,
    "--log",
    "json",
];
/// The smallest that the setting takes.
const LIMIT_BYTES: u64 = 32 << 20;
/// Far more than anything here takes.
const WAIT_MAX: Duration = Duration::from_secs(60);

fn log_file(place: &Place) -> PathBuf {
    place.file("matterbook.db-wal")
}

fn length(file: &PathBuf) -> u64 {
    fs::metadata(file).map_or(0, |metadata| metadata.len())
}

/// Waits until it holds, which it does sooner or later.
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < WAIT_MAX, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Whether any of the database's files holds these bytes.
fn is_readable_in_a_file(place: &Place, text: &str) -> bool {
    ["matterbook.db", "matterbook.db-wal"].iter().any(|name| {
        let bytes = fs::read(place.file(name)).unwrap_or_default();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    })
}

#[test]
fn an_idle_service_leaves_no_log() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let serving = Serving::start_with(&place.database(), &FLAGS);
    assert_eq!(serving.post(&key, "/api/v1/clients", &large_batch("a")).0, 200);
    wait_until("the log is cut when nothing is written", || length(&log_file(&place)) == 0);
    assert_eq!(serving.post(&key, "/api/v1/clients", &large_batch("b")).0, 200);
    assert_eq!(serving.clients(&key).len(), 1_000);
}

#[test]
fn an_erased_client_is_in_none_of_the_files_once_it_is_answered() {
    const NAME: &str = "Zyxwvutsrq";
    let place = Place::new();
    let (account, key) = account(&place.database());
    let serving = Serving::start_with(&place.database(), &FLAGS);
    let client = json!({"clients": [{"external_id": "e", "first_name": "Ana", "last_name": NAME}]});
    let (status, answer) = serving.post(&key, "/api/v1/clients", &client);
    assert_eq!(status, 200, "{answer}");
    assert!(is_readable_in_a_file(&place, NAME));
    let id = answer["results"][0]["id"].as_str().expect("an id");
    let erased = ureq::delete(format!("{}/operator/v1/accounts/{account}/clients/{id}", serving.origin))
        .header("authorization", format!("Bearer {OPERATOR_TOKEN}"))
        .call()
        .expect("an answer");
    assert_eq!(erased.status(), 200);
    assert!(!is_readable_in_a_file(&place, NAME), "the text is neither in the file nor in its log");
}

/// Commits go to the open file, which has no name any more. The service saves what it answered, and ends.
#[test]
fn a_service_whose_log_was_removed_saves_what_it_answered_and_ends() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let mut serving = Serving::start_logged(&place.database(), &FLAGS);
    let clients = |name: &'static str| batch((0..20).map(move |row| format!("{name}-{row}")));
    assert_eq!(serving.post(&key, "/api/v1/clients", &clients("before")).0, 200);
    fs::remove_file(log_file(&place)).expect("removed");
    // It may have ended before.
    if let Some((status, answer)) = post(&serving.origin, &key, "/api/v1/clients", &clients("after")) {
        assert_eq!(status, 500, "{answer}");
    }
    assert_eq!(end_of(&mut serving).code(), Some(1));
    let mut log = String::new();
    serving.process.stderr.take().expect("a pipe").read_to_string(&mut log).expect("the log");
    assert!(log.contains("matterbook.db-wal is no longer the file that the service writes"), "{log}");

    let serving = Serving::start(&place.database());
    let (status, page) = serving.get(&key, "/api/v1/clients?external_id=before-19");
    assert_eq!((status, page["clients"].as_array().map_or(0, Vec::len)), (200, 1), "it was answered 200");
}

/// A log is copied only up to what its oldest reader sees. So one that never ends makes it grow with every commit.
#[test]
fn while_a_reader_holds_the_log_it_stays_under_its_bound_and_writes_are_refused() {
    let seconds: u64 = std::env::var("READER_SECONDS").map_or(0, |text| text.parse().expect("a number"));
    let place = Place::new();
    let (_, key) = account(&place.database());
    let limit = LIMIT_BYTES.to_string();
    let flags = [FLAGS.as_slice(), &["--wal-limit-bytes", &limit]].concat();
    let mut serving = Serving::start_logged(&place.database(), &flags);
    let mut errors = serving.process.stderr.take().expect("a pipe");
    let log = thread::spawn(move || {
        let mut text = String::new();
        errors.read_to_string(&mut text).map(|_| text)
    });
    let reader = Connection::open_with_flags(place.database(), OpenFlags::SQLITE_OPEN_READ_ONLY).expect("a reader");
    reader.execute_batch("begin; select count(*) from clients").expect("a reading transaction");

    let (is_over, longest) = (AtomicBool::new(false), AtomicU64::new(0));
    let (saved, refused) = (AtomicU64::new(0), AtomicU64::new(0));
    let began = Instant::now();
    thread::scope(|scope| {
        for poster in 0..4 {
            let (serving, key, place) = (&serving, &key, &place);
            let (is_over, longest, saved, refused) = (&is_over, &longest, &saved, &refused);
            scope.spawn(move || {
                for number in 0.. {
                    if is_over.load(Ordering::Relaxed) {
                        return;
                    }
                    let clients = large_batch(&format!("p{poster}n{number}"));
                    match serving.post(key, "/api/v1/clients", &clients) {
                        (200, _) => saved.fetch_add(1, Ordering::Relaxed),
                        (500, answer) => {
                            let message = answer["error"]["message"].as_str().unwrap_or_default();
                            assert!(message.starts_with("The service is busy and nothing was saved."), "{answer}");
                            refused.fetch_add(1, Ordering::Relaxed)
                        }
                        (status, answer) => panic!("{status} {answer}"),
                    };
                    longest.fetch_max(length(&log_file(place)), Ordering::Relaxed);
                }
            });
        }
        wait_until("writes are refused", || refused.load(Ordering::Relaxed) > 0);
        let (status, health) = serving.get("no-key", "/healthz");
        assert_eq!((status, &health["status"]), (200, &Value::from("warning")), "{health}");
        assert_eq!(serving.get(&key, "/api/v1/clients").0, 200, "what reads is served");
        thread::sleep(Duration::from_secs(seconds).saturating_sub(began.elapsed()));
        is_over.store(true, Ordering::Relaxed);
    });
    let held = began.elapsed();
    drop(reader);
    wait_until("writes are taken again", || serving.post(&key, "/api/v1/clients", &large_batch("again")).0 == 200);
    wait_until("the log is cut", || length(&log_file(&place)) == 0);
    assert_eq!(serving.get("no-key", "/healthz").1["status"], "ok");
    let rows = serving.clients(&key).len() as u64;
    let (saved, refused, longest) = (saved.into_inner(), refused.into_inner(), longest.into_inner());
    assert_eq!(rows, 500 * (saved + 1), "what was refused is not there");
    assert!(longest <= LIMIT_BYTES, "the log had {longest} bytes");

    serving.signal("TERM");
    assert!(serving.process.wait().expect("its end").success());
    let log = log.join().expect("no panic").expect("the log");
    let named = format!("process {}", std::process::id());
    assert!(log.contains(&named), "the log names the reader: {log}");
    println!(
        "a reader held the log for {} s: {saved} batches of 500 were saved, {refused} posts refused, the log had at \
         most {longest} of {LIMIT_BYTES} bytes; afterwards it was cut to 0",
        held.as_secs()
    );
}
