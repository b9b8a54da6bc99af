//! A deployment with an object for each account (the profile `objects`): it resets every object while requests are under way
//! (rule W25), and a newer program meets objects of an older one.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use matterbook_conformance::wire::{Answer, Firm, OverHttp, Request, Service as _, send};
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{self, OPERATOR_TOKEN, Served};

/// An object lives no longer than this, and half as long on average.
const RESET_MS: &str = "300";
const POSTERS: usize = 4;
const POSTS: usize = 40;
/// Each poster goes on until there were so many resets, up to so many posts.
const RESETS: usize = 5;
const POSTS_MAX: usize = 1_000;

/// What a newer program adds: a column of a table that the directory has too, and one of a table that it has not.
const NEWER: &str = "alter table logins add column added text; alter table clients add column added text;
    create table added (x integer) strict;";

fn serve(state: &TempDir, more: &[(&'static str, &str)]) -> Served {
    let settings = [
        ("MATTERBOOK_PROFILE", "objects"),
        ("MATTERBOOK_CLIENT_DELAY_SECONDS", "0"),
        ("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "0"),
    ];
    Served::start(state.path(), &[&settings, more].concat())
}

/// Sends a request until it is answered 200, as rule E7 allows: the answer, and how often it was sent.
fn until_answered(http: &OverHttp, request: &Request) -> (Answer, usize) {
    for attempt in 1..=50 {
        let answer = http.exchange(request).expect("an answer");
        match answer.status {
            200 => return (answer, attempt),
            500 => {}
            _ => panic!("{}", answer.failure("a 200, or a failure of ours")),
        }
    }
    panic!("50 attempts were not enough")
}

#[test]
fn posts_in_the_midst_of_deployments_are_saved_once_each() {
    let state = support::state();
    // The account is made while nothing is reset.
    let served = serve(&state, &[]);
    let firm = Firm::open(&served.http).expect("a firm");
    let (account, key) = (firm.account.clone(), firm.key.clone());
    served.stop();
    let served = serve(&state, &[("MATTERBOOK_TEST_RESET_MS", RESET_MS)]);
    let sent_again = AtomicUsize::new(0);
    let post = |poster: usize, number: usize| {
        // Only a name and a place to find it by, so that a batch that is saved twice shows.
        let name = format!("Deployed{poster}x{number}");
        let clients: Vec<Value> =
            (0..20).map(|row| json!({"first_name": format!("Ana{row}"), "last_name": name, "zip": "62704"})).collect();
        let request = Request::new("POST", "/api/v1/clients").bearer(&key).json(&json!({ "clients": clients }));
        // Every other post can be told from a repetition.
        let has_key = number.is_multiple_of(2);
        let request = if has_key { request.header("Idempotency-Key", &name) } else { request };
        let (answer, attempts) = until_answered(&served.http, &request);
        sent_again.fetch_add(attempts - 1, Ordering::Relaxed);
        let results = answer.json["results"].as_array().expect("results").clone();
        assert_eq!(results.len(), 20);
        for result in &results {
            let status = result["status"].as_str().expect("a status");
            assert!(status == "created" || (!has_key && status == "updated"), "{status}");
        }
        (name, results.into_iter().map(|result| result["id"].clone()).collect::<Vec<_>>())
    };
    let resets = || served.worker.log().iter().filter(|line| line.contains("reset by a test")).count();
    // How many posts a reset interrupts depends on the machine.
    let goes_on = |number: &usize| *number < POSTS || (*number < POSTS_MAX && resets() < RESETS);
    let saved: BTreeMap<String, Vec<Value>> = thread::scope(|scope| {
        let (post, goes_on) = (&post, &goes_on);
        let posts = move |poster| (0..).take_while(goes_on).map(move |number| post(poster, number));
        let poster = |poster| scope.spawn(move || posts(poster).collect::<Vec<_>>());
        let posters: Vec<_> = (0..POSTERS).map(poster).collect();
        posters.into_iter().flat_map(|poster| poster.join().expect("a poster")).collect()
    });
    let resets = resets();
    assert!(resets >= RESETS, "{resets} resets");
    println!("{} posts, {} sent again by the caller, {resets} resets in the log", saved.len(), sent_again.into_inner());
    served.stop();
    let served = serve(&state, &[]);
    let count = |sql: &str| served.count_of_accounts(sql);
    assert_eq!(count("select count(*) from clients"), i64::try_from(20 * saved.len()).expect("small"));
    for (name, ids) in &saved {
        assert_eq!(count(&format!("select count(*) from clients where last_name = '{name}'")), 20, "{name}");
        let shown = Request::new("GET", format!("/api/v1/clients/{}", ids[7].as_str().expect("an id"))).bearer(&key);
        assert_eq!(until_answered(&served.http, &shown).0.json["client"]["last_name"], json!(name));
    }
    let listed =
        send(&served.http, &Request::new("GET", format!("/operator/v1/accounts/{account}")).bearer(OPERATOR_TOKEN));
    listed.and_then(Answer::ok).expect("the account is there");
    served.stop();
}

/// Changes the database of the directory while nothing serves.
fn migrate_directory(state: &TempDir) {
    let directory = Connection::open(support::database_file(state.path())).expect("the directory opens");
    directory.execute_batch(NEWER).expect("it is migrated");
}

#[test]
fn objects_of_an_older_program_are_served_by_a_newer_one_and_by_the_older_one_again() {
    let state = support::state();
    let served = serve(&state, &[]);
    let before = Firm::open(&served.http).expect("a firm");
    before.create(&json!({"external_id": "1", "last_name": "Ray"})).expect("a client");
    let mut keys = vec![before.key.clone()];
    served.stop();
    // wrangler migrates the directory before the newer program is there.
    migrate_directory(&state);
    let served = serve(&state, &[]);
    let between = Firm::open(&served.http).expect("a firm of the older program and the newer directory");
    between.create(&json!({"external_id": "1", "last_name": "Ray"})).expect("a client");
    keys.push(between.key.clone());
    served.stop();
    let migrations = || served_migrations(&state);
    assert_eq!(migrations(), [1, 1]);
    let newer = [("MATTERBOOK_TEST_MIGRATION", NEWER)];
    let served = serve(&state, &newer);
    let after = Firm::open(&served.http).expect("a firm of the newer program");
    keys.push(after.key.clone());
    change_all(&served, &keys, "Newer");
    served.stop();
    assert_eq!(migrations(), [2, 2, 2], "each object was migrated when it woke");
    // Rolled back: the objects are a migration ahead.
    let served = serve(&state, &[]);
    change_all(&served, &keys, "Older");
    Firm::open(&served.http).expect("a firm after the roll-back");
    served.stop();
}

/// Each account takes a change of its clients and of its logins, and shows both.
fn change_all(served: &Served, keys: &[String], name: &str) {
    for key in keys {
        let request = |method: &str, path: &str| Request::new(method, format!("/api/v1{path}")).bearer(key);
        let client = json!({"clients": [{"external_id": "1", "last_name": name}]});
        served.ok(&request("POST", "/clients").json(&client));
        let page = served.ok(&request("GET", "/clients"));
        assert_eq!(page.json["clients"][0]["last_name"], json!(name));
        let me = served.ok(&request("GET", "/me"));
        let account = me.json["account"]["id"].as_str().expect("an id").to_owned();
        let logins = Request::new("POST", format!("/operator/v1/accounts/{account}/logins")).bearer(OPERATOR_TOKEN);
        let login = json!({"email": format!("{name}@firm.example"), "role": "teammate"});
        let added = served.ok(&logins.json(&login));
        let id = added.json["login"]["id"].as_str().expect("an id").to_owned();
        let found = Request::new("PATCH", format!("/operator/v1/logins/{id}")).bearer(OPERATOR_TOKEN);
        // The directory has it, too.
        served.ok(&found.json(&json!({"role": "view_only"})));
    }
}

/// How many migrations each account's object has.
fn served_migrations(state: &TempDir) -> Vec<i64> {
    let count = |file| {
        let object = Connection::open(file).expect("the object opens");
        object.query_row("select count from migrations", [], |row| row.get(0)).ok()
    };
    support::object_files(state.path()).into_iter().filter_map(count).collect()
}
