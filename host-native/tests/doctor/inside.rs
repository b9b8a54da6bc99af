//! What is in the file.

use std::{
    fs,
    io::{Read as _, Seek as _, SeekFrom, Write as _},
};

use rusqlite::Connection;

use super::examined::{Examined, bytes, database};
use crate::support::{Place, Serving, batch, run, run_json};

/// A database that was changed by this.
fn changed(sql: &str) -> Place {
    let place = Place::new();
    database(&place);
    let connection = Connection::open(place.database()).expect("a connection");
    connection.execute_batch(sql).expect("changed");
    place
}

#[test]
fn a_schema_of_another_version_or_program_is_told() {
    let place = changed("insert into schema_migrations values (99, 'of the future', 0)");
    Examined::of(&place.database()).check("schema", "wrong", "It is of a newer Matterbook (schema 99;");
    let place = changed("delete from schema_migrations");
    Examined::of(&place.database()).check("schema", "warn", "It is of an older Matterbook (schema 0;");
    let place = changed("drop table schema_migrations");
    Examined::of(&place.database()).check("schema", "wrong", "of another program");
}

#[test]
fn a_damaged_page_is_wrong() {
    let place = Place::new();
    database(&place);
    let mut file = fs::OpenOptions::new().write(true).open(place.database()).expect("the file");
    file.seek(SeekFrom::Start(5 * 4_096)).expect("a page");
    file.write_all(&[0xff; 4_096]).expect("written");
    for flags in [&[][..], &["--quick"]] {
        let examined = Examined::with(&place.database(), flags, &[]);
        assert_eq!(examined.status, Some(1));
        examined.check("integrity", "wrong", "");
    }
}

#[test]
fn doctor_finds_an_index_that_lacks_a_row_unless_quick() {
    let place = changed("create table t (x); create index i on t (x); insert into t values (1)");
    let reopen = || Connection::open(place.database()).expect("a connection");
    let connection = reopen();
    // Written while the schema does not list the index.
    connection
        .execute_batch(
            "create table aside as select * from sqlite_schema where name = 'i';
             pragma writable_schema = on; delete from sqlite_schema where name = 'i'",
        )
        .expect("taken away");
    drop(connection);
    reopen().execute_batch("insert into t values (2); delete from t where x = 1").expect("written");
    let put_back = "pragma writable_schema = on; insert into sqlite_schema select * from aside";
    reopen().execute_batch(put_back).expect("put back");
    Examined::of(&place.database()).check("integrity", "wrong", "index i");
    Examined::with(&place.database(), &["--quick"], &[]).check("integrity", "ok", "indexes were not compared");
}

#[test]
fn doctor_reports_a_broken_foreign_key() {
    let sql = "create table parent (id integer primary key); create table child (parent references parent (id));
               pragma foreign_keys = off; insert into child values (7), (8)";
    Examined::of(&changed(sql).database()).check("references", "wrong", "child (2)");
}

#[test]
fn a_clock_before_the_last_commit_is_wrong() {
    let place = changed("insert into operator_log values (4102444800000000, x'01', 'a', 'b', 'c', x'02', null)");
    Examined::of(&place.database()).check("clock", "wrong", "before the last commit of 2100-01-01T00:00:00.000000Z");
}

#[test]
fn what_a_crash_left_is_read_with_its_log_and_stays_as_it_is() {
    let place = Place::new();
    let key = database(&place);
    let mut serving = Serving::start(&place.database());
    assert_eq!(serving.post(&key, "/api/v1/clients", &batch(["after".to_owned()])).0, 200);
    // What is only in the log.
    let other = Connection::open(place.database()).expect("a connection");
    other.execute_batch("insert into schema_migrations values (99, 'of the future', 0)").expect("written");
    serving.process.kill().expect("killed");
    serving.process.wait().expect("an end");
    // Nor does this one close it.
    std::mem::forget(other);
    let before = bytes(&place);
    assert_eq!(before.len(), 5, "a log, its index, the key secret and the mark of a service are there");
    Examined::of(&place.database()).check("schema", "wrong", "schema 99").check("integrity", "ok", "whole");
    assert_eq!(bytes(&place), before, "nothing is changed");

    fs::remove_file(place.file("matterbook.db-shm")).expect("removed");
    let examined = Examined::of(&place.database());
    examined.check("log", "warn", "without its -shm file").check("schema", "ok", "");
    assert!(!place.file("matterbook.db-shm").exists());
}

#[test]
fn a_database_is_examined_while_it_is_served_and_written() {
    let place = Place::new();
    let key = database(&place);
    let serving = Serving::start(&place.database());
    assert_eq!(serving.post(&key, "/api/v1/clients", &batch(["before".to_owned()])).0, 200);
    let address = serving.origin.trim_start_matches("http://");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for id in 0..40 {
                assert_eq!(serving.post(&key, "/api/v1/clients", &batch([format!("during-{id}")])).0, 200);
            }
        });
        for _ in 0..3 {
            let examined = Examined::with(&place.database(), &["--listen", address], &[]);
            examined.check("integrity", "ok", "whole").check("service", "ok", "One answers at ");
            assert!(examined.complaints().iter().all(|check| *check == "file system"), "{}", examined.text);
        }
    });
    assert_eq!(serving.get(&key, "/api/v1/me").0, 200);
}

/// A clock that was once 40 years ahead leaves an account's times there.
#[test]
fn an_account_far_ahead_of_the_clock_is_named_by_doctor_and_the_log() {
    let place = changed("update accounts set last_commit_at = last_commit_at + 40 * 365 * 86400 * 1000000");
    let account = run_json(&["account", "list", "--db", place.database().to_str().expect("a plain name")]);
    let account = &account["accounts"][0];
    assert!(account["last_commit_at"].as_str().is_some_and(|at| at > "2060"), "{account}");
    let id = account["id"].as_str().expect("an id");
    Examined::of(&place.database()).check("accounts", "warn", id);
    let output = run(&["account", "show", id, "--db", place.database().to_str().expect("a plain name")]);
    let shown = String::from_utf8(output.stdout).expect("text");
    assert!(shown.contains("last_commit_at"), "{shown}");

    let mut serving = Serving::start_logged(&place.database(), &[]);
    serving.signal("TERM");
    let mut log = String::new();
    serving.process.stderr.take().expect("a pipe").read_to_string(&mut log).expect("the log");
    let line = log.lines().find(|line| line.contains("far ahead of the clock"));
    assert!(line.is_some_and(|line| line.contains(id)), "{log}");
}
