//! A backup is a snapshot of the database at one moment, taken during writes. It gets its final name
//! only when it is complete (docs/operating.md, "Backup and restore").

use std::{
    collections::BTreeSet,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::support::{Place, Serving, account, matterbook, run};
use rusqlite::Connection;
use serde_json::json;

const BACKUPS: usize = 12;
const WRITERS: usize = 4;
const ROWS: u32 = 10;

/// A post: its number, and when it was sent and answered.
struct Post {
    number: usize,
    sent: Instant,
    answered: Instant,
}

/// A backup: its number, and when it was begun and done.
struct Backup {
    number: usize,
    begun: Instant,
    done: Instant,
}

fn mode(file: &Path) -> u32 {
    std::fs::metadata(file).expect("the file is there").permissions().mode() & 0o777
}

fn backup(place: &Place, name: &str) -> std::process::Output {
    let (database, copy) = (place.database(), place.file(name));
    run(&["backup", copy.to_str().expect("a plain name"), "--db", database.to_str().expect("a plain name")])
}

/// Every post makes ten clients of its own, and writes its number to one client that all have.
fn clients_of(number: usize) -> serde_json::Value {
    let own = (0..ROWS).map(|row| json!({"external_id": format!("p{number}-{row}"), "last_name": "Sampleton"}));
    let shared = json!({"external_id": "shared", "last_name": "Sampleton", "city": number.to_string()});
    json!({"clients": own.chain([shared]).collect::<Vec<_>>()})
}

/// The posts whose ten clients are all there; no post may be there by half.
fn posts_in(copy: &Connection) -> BTreeSet<usize> {
    let sql = "select cast(substr(external_id, 2, instr(external_id, '-') - 2) as integer) as post, count(*)
        from clients where external_id like 'p%' group by post";
    let mut statement = copy.prepare(sql).expect("a query");
    let rows = statement.query_map([], |row| Ok((row.get::<_, u32>(0)?, row.get::<_, u32>(1)?))).expect("rows");
    let whole = rows.map(|row| row.expect("a row")).map(|(post, rows)| {
        assert_eq!(rows, ROWS, "post {post} is there by half");
        post as usize
    });
    whole.collect()
}

#[test]
fn every_backup_under_load_is_a_consistent_snapshot() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let serving = Serving::start(&place.database());
    let (posts, next, is_over) = (Mutex::new(Vec::new()), AtomicUsize::new(0), AtomicBool::new(false));
    let backups: Vec<Backup> = thread::scope(|scope| {
        for _ in 0..WRITERS {
            scope.spawn(|| {
                while !is_over.load(Ordering::Acquire) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let sent = Instant::now();
                    let (status, answer) = serving.post(&key, "/api/v1/clients", &clients_of(number));
                    assert_eq!(status, 200, "{answer}");
                    posts.lock().expect("no panic").push(Post { number, sent, answered: Instant::now() });
                }
            });
        }
        let take = |number| {
            let begun = Instant::now();
            let output = backup(&place, &format!("copy-{number}.db"));
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Backup { number, begun, done: Instant::now() }
        };
        let backups = (0..BACKUPS).map(take).collect();
        is_over.store(true, Ordering::Release);
        backups
    });
    let posts = posts.into_inner().expect("no panic");
    let source = Connection::open(place.database()).expect("a connection");
    // The commits' own record says in which order the posts were saved: each is one commit, and the
    // shared client's city is that of the last.
    let order = "select at from commits order by at";
    let times = |connection: &Connection| -> Vec<i64> {
        let mut statement = connection.prepare(order).expect("a query");
        statement.query_map([], |row| row.get(0)).expect("rows").collect::<Result<_, _>>().expect("times")
    };
    let all = times(&source);
    let saved_at = |connection: &Connection, post: usize| -> i64 {
        let sql = "select updated_at from clients where external_id = ?1";
        connection.query_row(sql, [format!("p{post}-0")], |row| row.get(0)).expect("a time")
    };
    let mut sizes = BTreeSet::new();
    for Backup { number, begun, done } in backups {
        let path = place.file(&format!("copy-{number}.db"));
        assert_eq!(mode(&path), 0o600);
        let copy = Connection::open(&path).expect("a database");
        let check: String = copy.query_row("pragma integrity_check", [], |row| row.get(0)).expect("a check");
        assert_eq!(check, "ok");
        let found = posts_in(&copy);
        let commits = times(&copy);
        assert_eq!(commits, all[..commits.len()], "backup {number} has the first commits and no others");
        assert_eq!(commits.len(), found.len(), "backup {number}: a post a commit");
        let last = found.iter().max_by_key(|post| saved_at(&copy, **post)).map(usize::to_string);
        let city: Option<String> =
            copy.query_row("select city from clients where external_id = 'shared'", [], |row| row.get(0)).ok();
        assert_eq!(city, last, "backup {number}: the last post's word is the last");
        for post in &posts {
            let is_there = found.contains(&post.number);
            assert!(is_there || post.answered > begun, "backup {number} lacks what was answered before it");
            assert!(!is_there || post.sent < done, "backup {number} has what was sent after it");
        }
        drop(copy);
        let restored = Serving::start(&path);
        assert_eq!(restored.clients(&key).len(), found.len() * ROWS as usize + usize::from(!found.is_empty()));
        let (status, _) = restored.post(&key, "/api/v1/clients", &clients_of(1_000_000 + number));
        assert_eq!(status, 200, "a restored backup is served and written");
        sizes.insert(found.len());
    }
    assert!(sizes.len() > BACKUPS / 2, "the backups were taken while something was written: {sizes:?}");
}

#[test]
fn a_database_that_is_not_served_is_backed_up() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let output = backup(&place, "copy.db");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(Serving::start(&place.file("copy.db")).get(&key, "/api/v1/me").0, 200);
}

/// A copy that was cut short used to have the backup's name already, and nothing told it from one.
#[test]
fn an_interrupted_backup_never_gets_its_final_name() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let serving = Serving::start(&place.database());
    for number in 0..40 {
        serving.post(&key, "/api/v1/clients", &clients_of(number));
    }
    let (database, copy) = (place.database(), place.file("copy.db"));
    let arguments = ["backup", copy.to_str().expect("a plain name"), "--db", database.to_str().expect("a plain name")];
    let mut cut_short = 0;
    for round in 0..30 {
        let mut process = matterbook(&arguments).spawn().expect("the program starts");
        thread::sleep(Duration::from_millis(round * 2));
        let _ = process.kill();
        process.wait().expect("an end");
        if copy.exists() {
            let found = posts_in(&Connection::open(&copy).expect("a database")).len();
            assert_eq!(found, 40, "what has the name is whole");
            std::fs::remove_file(&copy).expect("removed");
        }
        let partial = place.file("copy.db.partial");
        if partial.exists() {
            assert_eq!(mode(&partial) & 0o077, 0);
            cut_short += 1;
            let refused = backup(&place, "copy.db");
            let sentence = String::from_utf8_lossy(&refused.stderr).into_owned();
            assert!(refused.status.code() == Some(1) && sentence.contains("it can be removed"), "{sentence}");
            std::fs::remove_file(&partial).expect("removed");
        }
    }
    assert!(backup(&place, "copy.db").status.success(), "after {cut_short} that were cut short");
    assert!(!place.file("copy.db.partial").exists());
}
