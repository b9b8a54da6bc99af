//! The key secret of a database: made once, kept private, and never lost without a word (rules K9 to K11).

use std::{
    fs,
    os::unix::fs::{MetadataExt as _, symlink},
    path::{Path, PathBuf},
    process::Output,
};

use crate::support::{Place, Serving, account, matterbook, run, run_json, text};
use matterbook::key_secret_file::key_secret_file;
use matterbook_core::key::{KEY_SECRET, new_secret};
use serde_json::Value;

/// What `matterbook account list` on the file says.
fn use_with(database: &Path, secrets: Option<&str>) -> Output {
    let mut command = matterbook(&["account", "list", "--db"]);
    command.arg(database);
    if let Some(secrets) = secrets {
        command.env(KEY_SECRET, secrets);
    }
    command.output().expect("the program starts")
}

fn words(output: &[u8]) -> String {
    String::from_utf8_lossy(output).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn refusal(database: &Path, secrets: Option<&str>) -> String {
    let output = use_with(database, secrets);
    assert_eq!(output.status.code(), Some(1), "{}", words(&output.stdout));
    words(&output.stderr)
}

fn name(path: &Path) -> &str {
    path.to_str().expect("a plain name")
}

/// The finding of `doctor` about the secret.
fn finding(database: &Path) -> Value {
    let output = matterbook(&["doctor", "--json", "--db", name(database)]).output().expect("the program starts");
    let shown: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let findings = shown["doctor"]["findings"].as_array().expect("findings");
    findings.iter().find(|finding| finding["check"] == "key secret").expect("a finding").clone()
}

/// A database with an account and a key, and the file of its secret.
fn database(place: &Place) -> (PathBuf, String, PathBuf) {
    let (_, key) = account(&place.database());
    (place.database(), key, key_secret_file(&place.database()))
}

#[test]
fn the_first_use_makes_a_private_secret_that_later_ones_keep() {
    let place = Place::new();
    let (database, key, file) = database(&place);
    let secret = fs::read_to_string(&file).expect("the secret");
    assert_eq!(file.metadata().expect("a file").mode() & 0o7777, 0o600);
    for _ in 0..2 {
        let serving = Serving::start(&database);
        assert_eq!(serving.get(&key, "/api/v1/me").0, 200);
        let mut forged = key.clone();
        forged.replace_range(20..21, if &key[20..21] == "A" { "B" } else { "A" });
        assert_eq!(serving.get(&forged, "/api/v1/me").0, 401);
    }
    assert_eq!(fs::read_to_string(&file).expect("the secret"), secret);
    assert_eq!(finding(&database)["verdict"], "ok");
    let left: Vec<_> = fs::read_dir(file.parent().expect("a directory"))
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name())
        .filter(|name| name.to_string_lossy().starts_with(".key-secret"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_database_without_its_secret_is_refused_and_no_new_one_is_made() {
    let place = Place::new();
    let (database, key, file) = database(&place);
    let elsewhere = place.file("elsewhere");
    fs::rename(&file, &elsewhere).expect("moved");
    let sentence = refusal(&database, None);
    assert!(sentence.contains("is missing") && sentence.contains(".key-secret"), "{sentence}");
    assert!(!file.exists(), "a new secret would hide that the old one is missing");
    assert_eq!(finding(&database)["verdict"], "wrong");
    fs::rename(&elsewhere, &file).expect("moved back");
    assert_eq!(Serving::start(&database).get(&key, "/api/v1/me").0, 200);
}

#[test]
fn the_secret_of_another_database_is_refused_at_the_start_and_by_doctor() {
    let place = Place::new();
    let (database, _, file) = database(&place);
    let (ours, other) = (fs::read_to_string(&file).expect("the secret"), new_secret([7; 32]));
    fs::write(&file, &other).expect("written");
    for sentence in [refusal(&database, None), words(&run(&["serve", "--db", name(&database)]).stderr)] {
        assert!(sentence.contains("every key would be refused"), "{sentence}");
        assert!(!sentence.contains(&other) && !sentence.contains(ours.trim()), "no secret is shown");
    }
    assert_eq!(finding(&database)["verdict"], "wrong");
    fs::write(&file, &ours).expect("written");
    assert!(refusal(&database, Some(&other)).contains(KEY_SECRET), "the variable wins");
    assert!(use_with(&database, None).status.success());
}

#[test]
fn a_file_that_holds_no_secret_or_is_a_link_is_refused() {
    let place = Place::new();
    let (database, _, file) = database(&place);
    let ours = place.file("ours");
    fs::rename(&file, &ours).expect("moved");
    symlink(&ours, &file).expect("a link");
    assert!(refusal(&database, None).contains("it is a link"), "a link is not followed");
    fs::remove_file(&file).expect("removed");
    for content in ["", "word", "word,word"] {
        fs::write(&file, content).expect("written");
        let sentence = refusal(&database, None);
        assert!(sentence.contains("cannot be used") && !sentence.contains("word"), "{sentence}");
    }
}

#[test]
fn a_change_of_secrets_keeps_every_key_until_the_old_one_goes() {
    let place = Place::new();
    let (database, old_key, file) = database(&place);
    let old = fs::read_to_string(&file).expect("the secret").trim().to_owned();
    let new = text(&run_json(&["secret"])["secret"]["secret"]);
    fs::write(&file, format!("{new},{old}\n")).expect("written");
    let accounts = run_json(&["account", "list", "--db", name(&database)]);
    let id = text(&accounts["accounts"][0]["id"]);
    let made = run_json(&["key", "create", "--account", &id, "--db", name(&database)]);
    let new_key = text(&made["key"]["key"]);
    assert_eq!(made["key"]["last_four"], new_key[43..]);
    let status = |serving: &Serving| [&old_key, &new_key].map(|key| serving.get(key, "/api/v1/me").0);
    assert_eq!(status(&Serving::start(&database)), [200, 200]);
    fs::write(&file, &new).expect("written");
    assert_eq!(status(&Serving::start(&database)), [401, 200]);
}

#[test]
fn a_backup_has_the_secret_and_works_at_once() {
    let place = Place::new();
    let (database, key, file) = database(&place);
    let copy = place.file("copy.db");
    let shown = run_json(&["backup", name(&copy), "--db", name(&database)]);
    let secret = key_secret_file(&copy);
    assert_eq!(shown["backup"]["key_secret_file"], name(&secret));
    assert_eq!(fs::read(&secret).expect("the secret"), fs::read(&file).expect("the secret"));
    assert_eq!(secret.metadata().expect("a file").mode() & 0o7777, 0o600);
    assert_eq!(Serving::start(&copy).get(&key, "/api/v1/me").0, 200);
}

#[test]
fn a_secret_is_made_for_people_and_for_programs_and_differs_each_time() {
    let [one, other] = [(); 2].map(|()| run(&["secret"]));
    assert!(one.status.success() && one.stdout != other.stdout);
    assert_eq!(String::from_utf8(one.stdout).expect("text").trim().len(), 43);
    let place = Place::new();
    let secret = text(&run_json(&["secret"])["secret"]["secret"]);
    let made = matterbook(&["account", "create", "--email", "a@example.com", "--db", name(&place.database())])
        .env(KEY_SECRET, secret)
        .output()
        .expect("the program starts");
    assert!(made.status.success());
    assert!(!key_secret_file(&place.database()).exists(), "a given secret is not written down");
}
