//! `account export` and `account import` from one database to another (rule L20).

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use matterbook_conformance::wire::{ServedWorker, WorkerOptions};
use serde_json::{Value, json};

use crate::support::{OPERATOR_TOKEN, Place, Serving, account, batch, get, matterbook, run, text};

const BATCHES: usize = 6;

fn plain(path: &Path) -> &str {
    path.to_str().expect("a plain name")
}

/// A command on a database with the key secret of the place's own.
fn on(place: &Place, database: &str, arguments: &[&str]) -> Command {
    let database = place.file(database);
    let mut command = matterbook(&[arguments, &["--db", plain(&database)]].concat());
    let secret = fs::read_to_string(place.file("matterbook.db.key-secret")).expect("the key secret");
    command.env("MATTERBOOK_KEY_SECRET", secret.trim());
    command
}

/// What a command prints, and whether it succeeds.
fn said(mut command: Command) -> (bool, String) {
    let output = command.output().expect("a program that runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).expect("text"))
}

/// An account with a few thousand clients: its id and its key.
fn filled(place: &Place) -> (String, String) {
    let (id, key) = account(&place.database());
    let serving = Serving::start_with(&place.database(), &["--rate-limit-per-minute", "0"]);
    for number in 0..BATCHES {
        let clients = batch((0..500).map(|row| format!("M-{number}-{row}")));
        assert_eq!(serving.post(&key, "/api/v1/clients", &clients).0, 200);
    }
    (id, key)
}

/// The rows of a file but for the log, which has the import besides.
fn rows(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a file");
    let rows = text.lines().filter(|line| line.starts_with('[') && !line.starts_with("[\"operator_log\""));
    rows.map(str::to_owned).collect()
}

#[test]
fn an_import_that_is_killed_goes_on_and_ends_with_the_whole_account() {
    let place = Place::new();
    let (id, key) = filled(&place);
    let [first, second] = ["first.ndjson", "second.ndjson"].map(|name| place.file(name));
    let (is_done, text) = said(on(&place, "matterbook.db", &["account", "export", &id, "--out", plain(&first)]));
    assert!(is_done && text.contains("rows"), "{text}");
    assert_eq!(fs::metadata(&first).expect("a file").permissions().mode() & 0o777, 0o600);
    let mut kills = 0;
    for wait in (5..).step_by(15) {
        let mut import = on(&place, "other.db", &["account", "import", plain(&first)]);
        let mut import = import.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a program that runs");
        thread::sleep(Duration::from_millis(wait));
        if import.try_wait().expect("its state").is_some_and(|status| status.success()) {
            break;
        }
        import.kill().expect("it is running");
        import.wait().expect("it ended");
        kills += 1;
        if place.file("other.db").exists() {
            let (_, shown) = said(on(&place, "other.db", &["account", "show", &id, "--json"]));
            let shown: Value = serde_json::from_str(&shown).unwrap_or_default();
            if shown["account"].is_object() {
                // Whatever came so far, nothing of it serves before the end.
                let (is_open, refused) = said(on(&place, "other.db", &["account", "set", &id, "--suspended", "false"]));
                assert!(!is_open || shown["account"]["suspended"] == false, "{refused}");
            }
        }
    }
    assert!(kills > 0, "it was killed in between");
    let (is_done, text) = said(on(&place, "other.db", &["account", "import", plain(&first)]));
    assert!(is_done, "once more does nothing: {text}");
    let (is_done, text) = said(on(&place, "other.db", &["account", "export", &id, "--out", plain(&second)]));
    assert!(is_done, "{text}");
    assert_eq!(rows(&first), rows(&second));
    fs::copy(place.file("matterbook.db.key-secret"), place.file("other.db.key-secret")).expect("the key secret");
    let serving = Serving::start_with(&place.file("other.db"), &["--client-delay-seconds", "0"]);
    let (status, page) = serving.get(&key, "/api/v1/clients?limit=1");
    assert_eq!((status, page["clients"].as_array().map(Vec::len)), (200, Some(1)), "the same key works");
}

#[test]
fn the_commands_move_an_account_to_the_worker_and_back() {
    let place = Place::new();
    let (id, key) = filled(&place);
    let secret = fs::read_to_string(place.file("matterbook.db.key-secret")).expect("the key secret");
    let settings = [
        ("MATTERBOOK_OPERATOR_TOKEN", OPERATOR_TOKEN),
        ("MATTERBOOK_KEY_SECRET", secret.trim()),
        ("MATTERBOOK_CLIENT_DELAY_SECONDS", "0"),
    ];
    let options = WorkerOptions {
        state: place.file("worker"),
        settings: settings.map(|(name, value)| (name, value.to_owned())).to_vec(),
    };
    let worker = ServedWorker::start(&options).unwrap_or_else(|problem| panic!("{problem}"));
    let remote = ["--url", &worker.url, "--operator-token", OPERATOR_TOKEN];
    let at_worker = |arguments: &[&str]| said(matterbook(&[arguments, &remote].concat()));
    let [first, second] = ["first.ndjson", "second.ndjson"].map(|name| place.file(name));

    let (is_done, text) =
        said(on(&place, "matterbook.db", &["account", "export", &id, "--out", plain(&first), "--move"]));
    assert!(is_done, "{text}");
    let (is_done, text) = at_worker(&["account", "import", plain(&first)]);
    assert!(is_done, "{text}");
    let (status, page) = get(&worker.url, &key, "/api/v1/clients?limit=1");
    assert_eq!((status, page["clients"].as_array().map(Vec::len)), (200, Some(1)), "the same key works: {page}");

    let (is_done, text) = at_worker(&["account", "export", &id, "--out", plain(&second), "--move"]);
    assert!(is_done, "{text}");
    assert_eq!(get(&worker.url, &key, "/api/v1/me").0, 403, "it is suspended where it was");
    assert_eq!(rows(&first), rows(&second));
    let (is_done, text) = said(on(&place, "other.db", &["account", "import", plain(&second)]));
    assert!(is_done, "{text}");
    fs::copy(place.file("matterbook.db.key-secret"), place.file("other.db.key-secret")).expect("the key secret");
    let serving = Serving::start_with(&place.file("other.db"), &["--client-delay-seconds", "0"]);
    assert_eq!(serving.get(&key, "/api/v1/clients?limit=1").0, 200, "the same key works");
}

#[test]
fn a_file_that_was_cut_off_or_changed_imports_nothing() {
    let place = Place::new();
    let (id, _) = account(&place.database());
    let file = place.file("firm.ndjson");
    assert!(said(on(&place, "matterbook.db", &["account", "export", &id, "--out", plain(&file)])).0);
    let whole = fs::read_to_string(&file).expect("a file");
    let lines: Vec<_> = whole.lines().collect();
    let without_one = [&lines[..1], &lines[2..]].concat().join("\n") + "\n";
    let again = whole.clone() + lines[1] + "\n";
    for (content, reason) in [
        (String::new(), "is no account"),
        ("{}\n".to_owned(), "is no account"),
        (lines[0].to_owned() + "\n", "is cut off"),
        (lines[..lines.len() - 1].join("\n") + "\n", "is cut off"),
        (whole[..whole.len() - 9].to_owned(), "is cut off"),
        (whole.trim_end().to_owned(), "is cut off"),
        (without_one, "was changed"),
        (again, "was changed"),
        (whole.replacen("owner", "0wner", 1), "was changed"),
        (whole.replacen("\"is_suspended\":false", "\"is_suspended\":true", 1), "was changed"),
    ] {
        fs::write(&file, &content).expect("the file is written");
        let (is_done, text) = said(on(&place, "other.db", &["account", "import", plain(&file)]));
        assert!(!is_done && text.contains(reason), "{reason}: {text}");
        assert!(!place.file("other.db").exists(), "{reason}: nothing is made");
    }
}

#[test]
fn a_move_suspends_the_account_at_its_source_alone() {
    let place = Place::new();
    let (id, key) = account(&place.database());
    let file = place.file("firm.ndjson");
    let export = || on(&place, "matterbook.db", &["account", "export", &id, "--out", plain(&file), "--move"]);
    let (is_done, text) = said(export());
    assert!(is_done && text.contains("It is suspended here."), "{text}");
    assert!(!said(export()).0, "no file is overwritten");
    let serving = Serving::start(&place.database());
    assert_eq!(serving.get(&key, "/api/v1/me").0, 403);
    drop(serving);
    let (is_done, text) = said(on(&place, "other.db", &["account", "import", plain(&file), "--json"]));
    assert!(is_done, "{text}");
    let (_, shown) = said(on(&place, "other.db", &["account", "show", &id, "--json"]));
    let shown: Value = serde_json::from_str(&shown).expect("JSON");
    assert_eq!(shown["account"]["suspended"], json!(false));
    let (is_done, text) = said(on(&place, "matterbook.db", &["account", "import", plain(&file)]));
    assert!(!is_done && text.contains("exists here"), "{text}");
}

#[test]
fn keys_need_their_secret_unless_they_are_revoked() {
    let place = Place::new();
    let (id, _) = account(&place.database());
    let file = place.file("firm.ndjson");
    assert!(said(on(&place, "matterbook.db", &["account", "export", &id, "--out", plain(&file)])).0);
    let other = place.file("other.db");
    let output = run(&["account", "import", plain(&file), "--db", plain(&other)]);
    let text_of = String::from_utf8(output.stderr).expect("text");
    assert!(!output.status.success() && text_of.contains("key secret"), "{text_of}");
    assert!(text_of.contains("--revoke-keys"), "what the command takes: {text_of}");
    assert!(!other.exists(), "nothing is made");
    let output = run(&["account", "import", plain(&file), "--db", plain(&other), "--revoke-keys"]);
    assert!(output.status.success());
    let keys = run(&["key", "list", "--account", &id, "--db", plain(&other), "--json"]);
    let keys: Value = serde_json::from_slice(&keys.stdout).expect("JSON");
    assert!(!text(&keys["keys"][0]["revoked_at"]).is_empty(), "{keys}");
}
