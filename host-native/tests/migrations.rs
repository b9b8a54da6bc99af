//! A start brings the schema of an older file up to date in one transaction (docs/operating.md, "Upgrade"). A
//! migration that fails, or whose process is killed, leaves the file as it was.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::support::Place;
use matterbook::database::{Database, DatabaseError, QueueLimits};
use matterbook_store_sql::migrations::{CURRENT_NUMBER, MIGRATIONS, Migration};
use rusqlite::Connection;

/// A database as the first migration made it, with made-up data.
const FIRST: &str = include_str!("../../store-sql/tests/data/first_migration.sql");

/// The variable that names the file to the process that is killed.
const PATH: &str = "MATTERBOOK_TEST_MIGRATES";

/// Today's migrations and one more, which takes a while and touches what is there.
fn and_one_more() -> Vec<Migration> {
    let sql = "\
        alter table clients add column nickname text;
        create table filled (number integer primary key, bytes blob not null) strict;
        insert into filled with recursive counted (number) as (
          select 1 union all select number + 1 from counted where number < 40000)
          select number, zeroblob(300) from counted;
        update clients set nickname = lower(first_name);
        delete from filled where number > 100;";
    let number = MIGRATIONS.last().map_or(1, |last| last.number + 1);
    MIGRATIONS.iter().copied().chain([Migration { number, name: "one_more", sql }]).collect()
}

fn connect(place: &Place) -> Connection {
    Connection::open(place.database()).expect("a connection")
}

/// A place with the database of the first migration.
fn first() -> Place {
    let place = Place::new();
    let connection = connect(&place);
    connection.pragma_update(None, "journal_mode", "wal").expect("a write-ahead log");
    connection.execute_batch(FIRST).expect("the first database");
    place
}

/// Starts and stops the store of a program with these migrations.
fn migrate(path: &Path, migrations: &[Migration]) -> Result<(), DatabaseError> {
    Database::open_with_migrations(path, QueueLimits::default(), migrations).map(drop)
}

/// What was there with the first migration, row by row.
fn data(connection: &Connection) -> Vec<String> {
    let query = |sql: &str| -> Vec<String> {
        let mut statement = connection.prepare(sql).expect("a result");
        let rows = statement.query_map([], |row| row.get(0)).expect("a result");
        rows.collect::<Result<_, _>>().expect("a result")
    };
    let mut data = query("select quote(id) || quote(first_name) || quote(updated_at) from clients order by id");
    data.extend(query("select quote(id) || quote(former_dates) from settlements order by id"));
    data.extend(query("select quote(digest) || quote(revoked_at) from api_keys order by id"));
    data.extend(query("select quote(id) || quote(source_id) from prospects order by id"));
    data
}

/// The schema's number, and whether all of the last migration is there; nothing in between.
fn state(connection: &Connection) -> (u32, bool) {
    let number = connection.query_row(CURRENT_NUMBER, [], |row| row.get(0)).expect("a result");
    let has_table = connection.table_exists(None, "filled").expect("a result");
    let has_column = connection.column_exists(None, "clients", "nickname").expect("a result");
    assert_eq!(has_table, has_column);
    if has_table {
        let rows: i64 = connection.query_row("select count(*) from filled", [], |row| row.get(0)).expect("a result");
        assert_eq!(rows, 100);
    }
    let check: String = connection.query_row("pragma integrity_check", [], |row| row.get(0)).expect("a result");
    assert_eq!(check, "ok");
    (number, has_table)
}

#[test]
fn one_more_migration_is_applied_to_a_database_of_the_first_and_keeps_what_is_there() {
    let place = first();
    let (path, connection) = (place.database(), connect(&place));
    let before = data(&connection);
    let migrations = and_one_more();
    let last = migrations.last().expect("migrations").number;
    migrate(&path, &migrations).expect("migrated");
    assert_eq!((data(&connection), state(&connection)), (before, (last, true)));
    assert_eq!(migrate(&path, &migrations), Ok(()), "again");
    // Today's program refuses the newer schema and leaves it as it is.
    let refused = Database::open(&path, QueueLimits::default()).map(drop).expect_err("a newer schema");
    let sentence = refused.to_string();
    assert!(sentence.contains("was written by a newer Matterbook") && sentence.ends_with("or a backup."));
    assert_eq!(state(&connection), (last, true));
}

#[test]
fn a_migration_that_fails_leaves_the_state_before_it() {
    let place = first();
    let (path, connection) = (place.database(), connect(&place));
    migrate(&path, MIGRATIONS).expect("migrated");
    let (before, state_before) = (data(&connection), state(&connection));
    let mut migrations = and_one_more();
    let broken =
        "alter table clients add column nickname text; create table filled (x); insert into nowhere values (1);";
    let last = migrations.last_mut().expect("migrations");
    *last = Migration { sql: broken, ..*last };
    assert!(matches!(migrate(&path, &migrations), Err(DatabaseError::Open { .. })));
    assert_eq!((data(&connection), state(&connection)), (before, state_before));
}

/// The process that the next test kills. Without the variable it tests nothing.
#[test]
fn a_process_that_migrates() {
    let Some(path) = std::env::var_os(PATH) else { return };
    println!("begins");
    migrate(Path::new(&path), &and_one_more()).expect("migrated");
}

fn start(path: &Path) -> Child {
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "migrations::a_process_that_migrates", "--nocapture"])
        .env(PATH, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a process");
    let mut lines = BufReader::new(child.stdout.as_mut().expect("a pipe")).lines();
    assert!(lines.by_ref().map_while(Result::ok).any(|line| line.contains("begins")));
    child
}

#[test]
fn a_migration_whose_process_is_killed_leaves_the_old_state_or_the_new_one() {
    const ROUNDS: u32 = 12;
    let place = first();
    let before = data(&connect(&place));
    let last = and_one_more().last().expect("migrations").number;
    let began = Instant::now();
    assert!(start(&place.database()).wait().expect("an end").success());
    let whole = began.elapsed();
    let mut were_old = 0;
    for round in 0..ROUNDS {
        let place = first();
        let mut child = start(&place.database());
        std::thread::sleep(whole.mul_f64(f64::from(round) / f64::from(ROUNDS)) + Duration::from_micros(1));
        let _ = child.kill();
        child.wait().expect("an end");
        let connection = connect(&place);
        let (number, is_new) = state(&connection);
        assert_eq!(number == last, is_new, "round {round}: what is recorded is there");
        assert!(is_new || number == 1, "round {round}: all of a start's migrations, or none");
        assert_eq!(data(&connection), before, "round {round}");
        were_old += u32::from(!is_new);
        migrate(&place.database(), &and_one_more()).expect("migrated");
        assert_eq!((data(&connection), state(&connection)), (before.clone(), (last, true)), "round {round}, again");
    }
    assert!(were_old > 0, "no kill came before the end");
}
