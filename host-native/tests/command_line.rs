//! Every operator command gives the same answers on a file and on a service (rule L2).

use std::{collections::HashMap, path::Path};

use crate::support::{OPERATOR_TOKEN, Place, Serving, account, batch, matterbook, post, run, run_json, text};
use serde_json::{Value, json};

const PROSPECTS: &str = "\u{feff}source_id,last_name,crash_date,crash_county_fips,vehicle_year,address_line1\r\n\
    a-1,Sampleton,2026-01-02,06037,2019,\"1 Sample St\r\nRear\"\r\n\
    a-2,Demowitz,not a date,06037,,\r\n\
    a-3,Testerson,01/03/2026,6037,2020,2 Demo Ave\r\n";

/// Where the commands of a run go to.
struct Target<'a> {
    flags: Vec<&'a str>,
    place: &'a Place,
    /// Of a service on the same file, for what only the public API does.
    origin: &'a str,
}

impl Target<'_> {
    fn command(&self, arguments: &[&str]) -> Value {
        run_json(&[arguments, self.flags.as_slice()].concat())
    }

    /// The sentence and the status of a command that is refused.
    fn refused(&self, arguments: &[&str]) -> Value {
        let output = run(&[arguments, self.flags.as_slice()].concat());
        assert!(output.stdout.is_empty(), "{arguments:?}");
        json!({"status": output.status.code(), "sentence": String::from_utf8_lossy(&output.stderr)})
    }
}

/// Runs every command once; hands back what each printed.
fn every_command(target: &Target<'_>) -> Vec<Value> {
    let mut answers = Vec::new();
    let mut run = |arguments: &[&str]| {
        let answer = target.command(arguments);
        answers.push(answer.clone());
        answer
    };
    let created = run(&["account", "create", "--email", "owner@example.com", "--api-enabled", "--digital-bundle=true"]);
    let account = text(&created["account"]["id"]);
    run(&["account", "set", &account, "--contact-enrichment", "true", "--suspended", "false"]);
    let login = run(&["login", "add", "--account", &account, "--email", "two@example.com", "--role", "owner"]);
    let login = text(&login["login"]["id"]);
    run(&["login", "set-role", &login, "view_only"]);
    run(&["login", "set-role", &login, "owner"]);
    let left = run(&["login", "add", "--account", &account, "--email", "left@example.com", "--role", "teammate"]);
    run(&["login", "remove", &text(&left["login"]["id"])]);
    run(&["login", "list", "--account", &account]);
    let key = run(&["key", "create", "--account", &account, "--login", &login, "--label", "case system"]);
    let second = run(&["key", "create", "--account", &account]);
    run(&["key", "revoke", &text(&second["key"]["id"])]);
    run(&["key", "list", "--account", &account]);
    run(&["county", "grant", "--account", &account, "--fips", "06037", "--from", "2025-01-01"]);
    run(&["county", "grant", "--account", &account, "--fips", "17031", "--from", "Jan 2, 2025"]);
    run(&["county", "revoke", "--account", &account, "--fips", "17031"]);
    run(&["county", "list", "--account", &account]);
    let found = run(&["client", "find", "--account", &account, "--name", "nobody at all"]);
    assert_eq!(found["clients"], serde_json::json!([]));
    let log = target.command(&["operator", "log", "--limit", "3"]);
    let actions = log["log"].as_array().expect("entries").iter().map(|entry| text(&entry["action"]));
    assert_eq!(actions.collect::<Vec<_>>(), ["county.revoke", "county.grant", "county.grant"]);
    run(&["account", "show", &account]);
    run(&["account", "list"]);

    let file = target.place.file("prospects.ndjson");
    let line = json!({"source_id": "b-1", "crash_date": "2026-01-02", "crash_county_fips": "06037", "vehicle": {"year": 2019}});
    std::fs::write(&file, format!("{line}\n{line}\n")).expect("written");
    run(&["prospect", "import", file.to_str().expect("a plain name")]);

    let key = text(&key["key"]["key"]);
    let settled =
        json!({"external_id": "7", "last_name": "Sampleton", "settled_on": "2026-01-31", "do_not_mail": true});
    let (status, answer) = post(target.origin, &key, "/api/v1/cases/settled", &settled).expect("an answer");
    assert_eq!(status, 200, "{answer}");
    let client = text(&answer["result"]["id"]);
    run(&["client", "show", &client, "--account", &account]);
    run(&["client", "mail-on", &client, "--account", &account]);
    run(&["settlement", "list", "--account", &account]);
    run(&["settlement", "list", "--account", &account, "--limit", "1"]);
    run(&["client", "erase", &client, "--account", &account, "--yes"]);
    run(&["settlement", "list", "--account", &account]);
    answers.push(target.refused(&["client", "show", &client, "--account", &account]));
    answers.push(target.refused(&["account", "show", "no/such?account"]));
    answers.push(target.refused(&["county", "revoke", "--account", &account, "--fips", "99999"]));
    answers.push(target.refused(&["account", "set", &account, "--email", "nonsense"]));
    answers
}

/// Ids, times and keys differ from run to run: each is replaced by its kind and a number in the
/// order of its first appearance, so that one that appears again must be the same again.
fn without_chance(value: &Value, seen: &mut HashMap<String, usize>) -> Value {
    match value {
        Value::String(text) => {
            let kind = if uuid::Uuid::try_parse(text).is_ok() {
                "id"
            } else if text.starts_with("mtb_") {
                "key"
            } else if text.len() == 27 && text.ends_with('Z') {
                return Value::from("time");
            } else {
                return value.clone();
            };
            let next = seen.len();
            Value::from(format!("{kind} {}", seen.entry(text.clone()).or_insert(next)))
        }
        Value::Array(items) => items.iter().map(|item| without_chance(item, seen)).collect(),
        Value::Object(members) => {
            let replaced = |(name, item): (&String, &Value)| match name.as_str() {
                "last_four" => (name.clone(), Value::from("end of a key")),
                _ => (name.clone(), without_chance(item, seen)),
            };
            Value::Object(members.iter().map(replaced).collect())
        }
        other => other.clone(),
    }
}

fn answers_of(by_url: bool) -> Vec<Value> {
    let place = Place::new();
    let database = place.database();
    let serving = Serving::start(&database);
    let base = format!("{}/api/v1/", serving.origin);
    let flags = if by_url {
        vec!["--url", base.as_str(), "--operator-token", OPERATOR_TOKEN]
    } else {
        vec!["--db", database.to_str().expect("a plain name")]
    };
    let answers = every_command(&Target { flags, place: &place, origin: &serving.origin });
    let mut seen = HashMap::new();
    answers.iter().map(|answer| without_chance(answer, &mut seen)).collect()
}

#[test]
fn every_command_answers_the_same_on_a_file_and_on_a_service() {
    let (by_file, by_url) = std::thread::scope(|scope| {
        let by_url = scope.spawn(|| answers_of(true));
        (answers_of(false), by_url.join().expect("no panic"))
    });
    assert_eq!(by_file.len(), by_url.len());
    for (by_file, by_url) in by_file.iter().zip(&by_url) {
        assert_eq!(by_file, by_url);
    }
    let [.., first, erased, no_client, no_account, no_county, no_email] = by_file.as_slice() else {
        panic!("many answers")
    };
    assert_eq!(first["client"]["erased"], true);
    assert_eq!(erased["settlements"], json!([]));
    for refused in [no_client, no_account, no_county, no_email] {
        assert_eq!(refused["status"], 1);
        let sentence = refused["sentence"].as_str().expect("text");
        assert!(sentence.ends_with(".\n") && sentence.lines().count() == 1, "{sentence}");
    }
}

#[test]
fn an_import_says_of_each_refused_row_where_and_why() {
    let place = Place::new();
    let database = place.database();
    let file = place.file("prospects.csv");
    std::fs::write(&file, PROSPECTS).expect("written");
    let arguments =
        ["prospect", "import", file.to_str().expect("a plain name"), "--db", database.to_str().expect("a plain name")];
    let output = matterbook(&arguments).arg("--json").output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["prospects"]["created"], 2, "{answer}");
    assert_eq!(answer["prospects"]["updated"], 0);
    assert_eq!(answer["prospects"]["refused"][0]["row"], 3);
    assert!(
        answer["prospects"]["refused"][0]["message"].as_str().is_some_and(|message| message.contains("crash_date"))
    );

    let output = run(&arguments);
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    let problem = "created 0, updated 2, refused 1\n      3  crash_date \"not a date\": crash_date must be";
    assert!(shown.starts_with(problem), "{shown}");
    let errors = place.file("prospects.csv.errors.csv");
    let sentence = format!(
        "1 of 3 rows was refused. {} has them, each with its reason. Fix them there and import that file.\n",
        errors.display()
    );
    assert_eq!(String::from_utf8_lossy(&output.stderr), sentence);
    let errors = std::fs::read_to_string(errors).expect("a file");
    assert!(errors.contains(",error,3,a-2,Demowitz,not a date,06037,,"), "{errors}");
}

#[test]
fn an_import_of_many_rows_goes_in_batches() {
    let place = Place::new();
    let database = place.database();
    let file = place.file("many.ndjson");
    let lines = (0..1_201).map(|number| {
        json!({"source_id": number, "crash_date": "2026-01-02", "crash_county_fips": 6037}).to_string() + "\n"
    });
    std::fs::write(&file, lines.collect::<String>()).expect("written");
    let database = database.to_str().expect("a plain name");
    let answer = run_json(&["prospect", "import", file.to_str().expect("a plain name"), "--db", database]);
    assert_eq!(answer, json!({"prospects": {"created": 1_201, "updated": 0, "refused": [], "errors_file": null}}));
}

#[test]
fn a_listing_walks_all_pages() {
    let place = Place::new();
    let database = place.database();
    let (account, key) = account(&database);
    let serving = Serving::start(&database);
    for number in 0..3 {
        let clients: Vec<Value> = (0..40)
            .map(|row| json!({"external_id": format!("{number}-{row}"), "last_name": "Sampleton", "settled_on": "2026-01-31"}))
            .collect();
        assert_eq!(serving.post(&key, "/api/v1/clients", &json!({"clients": clients})).0, 200);
    }
    let database = database.to_str().expect("a plain name");
    let all = run_json(&["settlement", "list", "--account", &account, "--db", database]);
    assert_eq!((all["settlements"].as_array().map(Vec::len), &all["next_cursor"]), (Some(120), &Value::Null));
    let page = run_json(&["settlement", "list", "--account", &account, "--limit", "100", "--db", database]);
    let cursor = text(&page["next_cursor"]);
    let rest = run_json(&["settlement", "list", "--account", &account, "--cursor", &cursor, "--db", database]);
    assert_eq!(rest["settlements"].as_array().map(Vec::len), Some(20));
}

#[test]
fn a_key_revoked_by_the_command_line_stops_at_once_on_a_running_service() {
    let place = Place::new();
    let database = place.database();
    let (account, key) = account(&database);
    let serving = Serving::start(&database);
    assert_eq!(serving.get(&key, "/api/v1/me").0, 200);
    let database = database.to_str().expect("a plain name");
    let keys = run_json(&["key", "list", "--account", &account, "--db", database]);
    run_json(&["key", "revoke", &text(&keys["keys"][0]["id"]), "--db", database]);
    assert_eq!(serving.get(&key, "/api/v1/me").0, 401);
    assert_eq!(serving.post(&key, "/api/v1/clients", &batch(["1".to_owned()])).0, 401);
}

/// A usage error ends with status 2 and is printed on stderr only.
fn check_usage(arguments: &[&str], database: &Path, in_sentence: &str) {
    let mut command = matterbook(arguments);
    let output = command.env("MATTERBOOK_DB", database).output().expect("the program starts");
    let sentence = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {sentence}");
    assert!(sentence.contains(in_sentence), "{arguments:?}: {sentence}");
    assert!(output.stdout.is_empty());
}

#[test]
fn usage_errors_end_with_status_2() {
    let place = Place::new();
    let database = place.database();
    check_usage(&["client", "erase", "1", "--account", "2"], &database, "--yes");
    check_usage(
        &["login", "add", "--account", "1", "--email", "a@example.com", "--role", "king"],
        &database,
        "view_only",
    );
    check_usage(
        &["key", "create", "--account", "1", "--login", "ana"],
        &database,
        "'--login <ID>': must be the id of a",
    );
    check_usage(&["account", "set", "1"], &database, "--suspended");
    check_usage(&["account", "set", "1", "--suspended", "maybe"], &database, "true");
    check_usage(&["account", "list", "--url", "http://127.0.0.1:1"], &database, "--operator-token");
    check_usage(&["account", "list", "--url", "127.0.0.1:1", "--operator-token", "t"], &database, "http://");
    check_usage(&["account", "list", "--url", "http://127.0.0.1:1", "--db", "x"], &database, "--db");
    check_usage(&["backup", "copy.db", "--url", "http://127.0.0.1:1"], &database, "--db");
    check_usage(&["prospect", "import", "a.csv", "--map", "Settled=settled_on"], &database, "crash_date");
    check_usage(&["no-such-command"], &database, "no-such-command");
}

#[test]
fn a_service_or_a_file_that_is_not_there_is_one_sentence() {
    let place = Place::new();
    let file = place.file("no.db");
    let name = file.to_str().expect("a plain name");
    for arguments in [
        vec!["account", "list", "--db", name],
        vec!["account", "list", "--url", "http://127.0.0.1:1", "--operator-token", "t"],
        vec!["prospect", "import", "no-such-file.csv", "--db", name],
    ] {
        let output = run(&arguments);
        let sentence = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {sentence}");
        assert_eq!(sentence.lines().count(), 1, "{arguments:?}: {sentence}");
    }
}

#[test]
fn a_service_without_the_operator_api_says_that_it_is_off() {
    let place = Place::new();
    let serving = Serving::start_with(&place.database(), &[]);
    let output = run(&["account", "list", "--url", &serving.origin, "--operator-token", OPERATOR_TOKEN]);
    let sentence = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(output.status.code(), Some(1));
    assert!(sentence.contains("The operator API is off"), "{sentence}");
}

#[test]
fn a_list_of_keys_shows_their_ends_and_how_exact_the_last_use_is() {
    let place = Place::new();
    let database = place.database();
    let (account, key) = account(&database);
    let output = run(&["key", "list", "--account", &account, "--db", database.to_str().expect("a plain name")]);
    let (listed, hint) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(listed.contains("last_four") && listed.contains(&key[43..]), "{listed}");
    assert!(hint.contains("about once a day"), "{hint}");
}
