//! A standby: a copy that something else keeps is read and never written, until its operator makes it the main database
//! (rules W23 and W24). `packaging/replicate.py` does the same with a real Litestream.

use std::{
    fs::{self, File},
    io::{Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    process::Stdio,
    thread,
    time::{Duration, SystemTime},
};

use crate::support::{OPERATOR_TOKEN, Place, Serving, account, batch, matterbook, run_json};
use serde_json::json;

/// SQLite's page, and the bytes of the first one by which connections notice a change.
const PAGE_BYTES: usize = 4_096;
const CHANGE_COUNTER: std::ops::Range<usize> = 24..28;
const VERSION_VALID_FOR: std::ops::Range<usize> = 92..100;

const FLAGS: [&str; 6] =
    ["--client-delay-seconds", "0", "--rate-limit-per-minute", "0", "--operator-token", OPERATOR_TOKEN];

fn standby(copy: &Path) -> Serving {
    Serving::start_with(copy, &[&["--standby"], FLAGS.as_slice()].concat())
}

/// A database with a client, as it is on the disk when its service has ended, and its key.
fn ended(place: &Place) -> (String, String) {
    let (account, key) = account(&place.database());
    let serving = Serving::start(&place.database());
    assert_eq!(serving.post(&key, "/api/v1/clients", &batch(["1".to_owned()])).0, 200);
    stop(serving);
    (account, key)
}

fn stop(mut serving: Serving) {
    serving.signal("TERM");
    assert!(serving.process.wait().expect("an end").success());
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain name")
}

/// Copies a database that is not served, with its key secret.
fn copied(place: &Place, name: &str) -> PathBuf {
    let copy = place.file(name);
    fs::copy(place.database(), &copy).expect("a copy");
    fs::copy(place.file("matterbook.db.key-secret"), place.file(&format!("{name}.key-secret"))).expect("its secret");
    copy
}

/// Notes what a follower has come to, as Litestream does.
fn note(copy: &Path, seconds_ago: u64) {
    let note = PathBuf::from(format!("{}-txid", text(copy)));
    fs::write(&note, "0000000000000007\n").expect("a note");
    set_modified(&note, seconds_ago);
}

fn set_modified(file: &Path, seconds_ago: u64) {
    let at = SystemTime::now() - Duration::from_secs(seconds_ago);
    File::options().write(true).open(file).expect("a file").set_modified(at).expect("its time");
}

/// Writes the pages that differ into a copy in place. What tells connections of the change is as it was, since a log's
/// commits do not touch it.
fn follow(copy: &Path, from: &Path) {
    let new = fs::read(from).expect("the main database");
    let old = fs::read(copy).expect("the copy");
    assert_eq!(new.len(), old.len(), "no page is new");
    let mut file = File::options().write(true).open(copy).expect("the copy");
    for (number, (new, old)) in new.chunks(PAGE_BYTES).zip(old.chunks(PAGE_BYTES)).enumerate() {
        if new == old {
            continue;
        }
        let mut page = new.to_vec();
        if number == 0 {
            for told in [CHANGE_COUNTER, VERSION_VALID_FOR] {
                page[told.clone()].copy_from_slice(&old[told]);
            }
        }
        file.seek(SeekFrom::Start((number * PAGE_BYTES) as u64)).expect("its place");
        file.write_all(&page).expect("written");
    }
}

#[test]
fn a_standby_answers_reads_and_refuses_changes_without_touching_the_copy() {
    let place = Place::new();
    let (account, key) = ended(&place);
    let copy = copied(&place, "copy.db");
    note(&copy, 0);
    let before = (fs::read(&copy).expect("the copy"), fs::metadata(&copy).and_then(|file| file.modified()).ok());
    let serving = standby(&copy);
    assert_eq!(serving.get(&key, "/api/v1/me").0, 200);
    let clients = serving.clients(&key);
    assert_eq!(clients.len(), 1);
    let id = clients[0]["id"].as_str().expect("an id");
    for path in [format!("/api/v1/clients/{id}"), format!("/api/v1/clients/{id}/history")] {
        assert_eq!(serving.get(&key, &path).0, 200, "{path}");
    }
    let operator = format!("/operator/v1/accounts/{account}");
    for path in [operator.as_str(), "/operator/v1/accounts", "/operator/v1/log", "/operator/v1/settings"] {
        assert_eq!(serving.get(OPERATOR_TOKEN, path).0, 200, "{path}");
    }
    assert_eq!(serving.get("mtb_unknown", "/api/v1/me").0, 401);
    for (key, path, body) in [
        (key.as_str(), "/api/v1/clients", batch(["2".to_owned()])),
        (key.as_str(), "/api/v1/clients", batch((0..200).map(|number| number.to_string()))),
        (OPERATOR_TOKEN, "/operator/v1/accounts", json!({"email": "second@firm.example"})),
    ] {
        let (status, answer) = serving.post(key, path, &body);
        assert_eq!((status, &answer["error"]["code"]), (503, &json!("internal")), "{path}: {answer}");
        let message = answer["error"]["message"].as_str().expect("a message");
        assert!(message.contains("nothing was saved") && message.contains("main service"), "{message}");
    }
    let refused = ureq::post(format!("{}/api/v1/clients", serving.origin)).config().http_status_as_error(false).build();
    let refused = refused.header("Authorization", format!("Bearer {key}")).send(batch(["3".to_owned()]).to_string());
    assert_eq!(refused.expect("an answer").headers()["retry-after"], "60");
    let (status, health) = serving.get("", "/healthz");
    assert_eq!((status, &health["status"]), (200, &json!("standby")), "{health}");
    let newest = clients[0]["updated_at"].as_str().expect("a time");
    assert!(health["copied_until"].as_str().expect("a time") >= newest, "{health}");
    stop(serving);
    let after = (fs::read(&copy).expect("the copy"), fs::metadata(&copy).and_then(|file| file.modified()).ok());
    assert!(before == after, "the copy is as it was");
    assert!(!place.file("copy.db.lock").exists(), "it takes no lock");
}

#[test]
fn a_standby_shows_each_change_that_its_follower_writes_in_place() {
    let place = Place::new();
    let (_, key) = ended(&place);
    let copy = copied(&place, "copy.db");
    let standby = standby(&copy);
    let name = || standby.clients(&key)[0]["last_name"].clone();
    let first = name();
    let change = json!({"clients": [{"external_id": "1", "first_name": "Ana", "last_name": "Changed"}]});
    let main = Serving::start(&place.database());
    assert_eq!(main.post(&key, "/api/v1/clients", &change).0, 200);
    stop(main);
    assert_eq!(name(), first);
    follow(&copy, &place.database());
    assert_eq!(name(), json!("Changed"), "no page is remembered");
    // A copy may also be replaced as a whole.
    let change = json!({"clients": [{"external_id": "1", "first_name": "Ana", "last_name": "Replaced"}]});
    let main = Serving::start(&place.database());
    assert_eq!(main.post(&key, "/api/v1/clients", &change).0, 200);
    stop(main);
    let next = place.file("next.db");
    fs::copy(place.database(), &next).expect("a copy");
    fs::rename(&next, &copy).expect("it is replaced");
    assert_eq!(name(), json!("Replaced"));
}

#[test]
fn a_copy_whose_follower_was_cut_short_answers_nothing_and_does_not_take_over() {
    let place = Place::new();
    let (_, key) = ended(&place);
    let copy = copied(&place, "copy.db");
    note(&copy, 60);
    let serving = standby(&copy);
    set_modified(&copy, 1);
    assert_eq!(serving.get(&key, "/api/v1/me").0, 200, "its follower may be at work");
    set_modified(&copy, 30);
    assert_eq!(serving.get(&key, "/api/v1/me").0, 500);
    assert_eq!(serving.get("", "/healthz").0, 500);
    refused(&["takeover", "--db", text(&copy)], "not whole");
    // The follower starts again, and comes to the end.
    note(&copy, 0);
    assert_eq!(serving.get(&key, "/api/v1/me").0, 200);
}

#[test]
fn an_operator_makes_a_copy_the_main_database_once_its_follower_has_ended() {
    let place = Place::new();
    let (_, key) = ended(&place);
    let copy = copied(&place, "copy.db");
    note(&copy, 0);
    // What would write into it is refused until then.
    let created = ["account", "create", "--email", "second@firm.example", "--db", text(&copy)];
    refused(&created, "matterbook takeover");
    refused(&["serve", "--db", text(&copy), "--listen", "127.0.0.1:0"], "matterbook takeover");
    let follower = File::options().write(true).open(&copy).expect("a follower has it open");
    refused(&["takeover", "--db", text(&copy)], &format!("process {}", std::process::id()));
    drop(follower);
    let taken = run_json(&["takeover", "--db", text(&copy)]);
    assert!(taken["takeover"]["copied_until"].is_string(), "{taken}");
    refused(&["takeover", "--db", text(&copy)], "is no copy");
    let serving = Serving::start(&copy);
    assert_eq!(serving.post(&key, "/api/v1/clients", &batch(["2".to_owned()])).0, 200);
    assert_eq!(serving.clients(&key).len(), 2);
    assert_eq!(serving.get("", "/healthz").1["status"], json!("ok"));
}

#[test]
fn a_standby_needs_the_key_secret_of_the_main_service_and_makes_none() {
    let place = Place::new();
    ended(&place);
    let copy = copied(&place, "copy.db");
    note(&copy, 0);
    let secret = place.file("copy.db.key-secret");
    fs::remove_file(&secret).expect("it is gone");
    refused(&["serve", "--standby", "--db", text(&copy), "--listen", "127.0.0.1:0"], "key secret");
    refused(&["takeover", "--db", text(&copy)], "key secret");
    assert!(!secret.exists());
}

#[test]
fn a_standby_of_nothing_does_not_start_and_makes_no_file() {
    let place = Place::new();
    refused(&["serve", "--standby", "--db", text(&place.database()), "--listen", "127.0.0.1:0"], "cannot be opened");
    assert!(!place.database().exists());
}

#[test]
fn metrics_tell_a_standby_and_its_newest_change() {
    let place = Place::new();
    ended(&place);
    let copy = copied(&place, "copy.db");
    let mut serving = Serving::start_with(&copy, &["--standby", "--metrics-listen", "127.0.0.1:0"]);
    let page = ureq::get(serving.metrics()).call().expect("an answer").body_mut().read_to_string().expect("text");
    assert!(page.contains("\nmatterbook_standby 1\n"), "{page}");
    let newest = page.lines().find_map(|line| line.strip_prefix("matterbook_newest_change_timestamp_seconds "));
    let newest: u64 = newest.expect("a sample").parse().expect("seconds");
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a time").as_secs();
    assert!(newest <= now && now - newest < 600, "{newest}");
}

/// A command that must be refused with these words. One that serves instead is ended.
fn refused(arguments: &[&str], words: &str) {
    let mut process =
        matterbook(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut said = String::new();
    for _ in 0..1_000 {
        if process.try_wait().expect("a state").is_some() {
            break;
        }
        thread::sleep(Duration::from_millis(20));
    }
    let _ = process.kill();
    process.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    assert_eq!(process.wait().expect("an end").code(), Some(1), "{arguments:?}: {said}");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(words), "{arguments:?}: {said}");
}
