//! Bringing a file's schema up to date, whole or not at all.

use std::path::Path;

use matterbook_core::platform::Platform as _;
use matterbook_store_sql::migrations::{
    CREATE_RECORD, CURRENT_NUMBER, MIGRATIONS, Migration, NewerSchema, RECORD, pending_of,
};
use rusqlite::{Connection, TransactionBehavior};

use super::DatabaseError;
use crate::platform::SystemPlatform;

/// Applies what the file still lacks, in one transaction. A file that is up to date is only read.
pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), DatabaseError> {
    apply(connection, path, MIGRATIONS)
}

fn apply(connection: &mut Connection, path: &Path, migrations: &[Migration]) -> Result<(), DatabaseError> {
    if needed(connection, path, migrations)?.is_empty() {
        return Ok(());
    }
    let failed = |error: rusqlite::Error| DatabaseError::Open { path: path.to_owned(), cause: error.to_string() };
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    transaction.execute_batch(CREATE_RECORD).map_err(failed)?;
    // Another process may have done it while this one waited for its turn.
    for migration in needed(&transaction, path, migrations)? {
        let now = SystemPlatform::default().now().micros();
        transaction.execute_batch(migration.sql).map_err(failed)?;
        transaction.execute(RECORD, (migration.number, migration.name, now)).map_err(failed)?;
    }
    transaction.commit().map_err(failed)
}

fn needed<'m>(
    connection: &Connection,
    path: &Path,
    migrations: &'m [Migration],
) -> Result<&'m [Migration], DatabaseError> {
    let current = match connection.table_exists(None, "schema_migrations") {
        Ok(true) => connection.query_row(CURRENT_NUMBER, [], |row| row.get(0)),
        Ok(false) => Ok(None),
        Err(error) => Err(error),
    };
    let current = current.map_err(|error| DatabaseError::Open { path: path.to_owned(), cause: error.to_string() })?;
    pending_of(migrations, current).map_err(|NewerSchema { found, known }| DatabaseError::Newer {
        path: path.to_owned(),
        found,
        known,
    })
}

#[cfg(test)]
mod tests {
    use std::{
        io::{BufRead as _, BufReader},
        process::{Command, Stdio},
        time::{Duration, Instant},
    };

    use super::*;
    use crate::database::connection::open_writer;

    /// A database as the first migration made it, with made-up data.
    const FIRST: &str = include_str!("../../../store-sql/tests/data/first_migration.sql");

    /// Where the process that is to be killed finds the file.
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

    fn first(directory: &tempfile::TempDir) -> (std::path::PathBuf, Connection) {
        let path = directory.path().join("matterbook.db");
        let connection = open_writer(&path).unwrap();
        connection.execute_batch(FIRST).unwrap();
        (path, connection)
    }

    /// What was there with the first migration, row by row.
    fn data(connection: &Connection) -> Vec<String> {
        let query = |sql: &str| -> Vec<String> {
            let mut statement = connection.prepare(sql).unwrap();
            let rows = statement.query_map([], |row| row.get(0)).unwrap();
            rows.collect::<Result<_, _>>().unwrap()
        };
        let mut data = query("select quote(id) || quote(first_name) || quote(updated_at) from clients order by id");
        data.extend(query("select quote(id) || quote(former_dates) from settlements order by id"));
        data.extend(query("select quote(digest) || quote(revoked_at) from api_keys order by id"));
        data.extend(query("select quote(id) || quote(source_id) from prospects order by id"));
        data
    }

    /// The schema's number, and whether all of the last migration is there; nothing in between.
    fn state(connection: &Connection) -> (u32, bool) {
        let number = connection.query_row(CURRENT_NUMBER, [], |row| row.get(0)).unwrap();
        let has_table = connection.table_exists(None, "filled").unwrap();
        let has_column = connection.column_exists(None, "clients", "nickname").unwrap();
        assert_eq!(has_table, has_column);
        if has_table {
            let rows: i64 = connection.query_row("select count(*) from filled", [], |row| row.get(0)).unwrap();
            assert_eq!(rows, 100);
        }
        let check: String = connection.query_row("pragma integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(check, "ok");
        (number, has_table)
    }

    #[test]
    fn one_more_migration_is_applied_to_a_database_of_the_first_and_keeps_what_is_there() {
        let directory = tempfile::tempdir().unwrap();
        let (path, mut connection) = first(&directory);
        let before = data(&connection);
        let migrations = and_one_more();
        let last = migrations.last().unwrap().number;
        apply(&mut connection, &path, &migrations).unwrap();
        assert_eq!((data(&connection), state(&connection)), (before, (last, true)));
        assert_eq!(apply(&mut connection, &path, &migrations), Ok(()), "again");
        // The program of today does not touch it.
        let refused = migrate(&mut connection, &path).unwrap_err();
        let sentence = refused.to_string();
        assert!(sentence.contains("was written by a newer Matterbook") && sentence.ends_with("or a backup."));
        assert_eq!(state(&connection), (last, true));
    }

    #[test]
    fn a_migration_that_fails_leaves_the_state_before_it() {
        let directory = tempfile::tempdir().unwrap();
        let (path, mut connection) = first(&directory);
        migrate(&mut connection, &path).unwrap();
        let (before, state_before) = (data(&connection), state(&connection));
        let mut migrations = and_one_more();
        let broken =
            "alter table clients add column nickname text; create table filled (x); insert into nowhere values (1);";
        let last = migrations.last_mut().unwrap();
        *last = Migration { sql: broken, ..*last };
        assert!(matches!(apply(&mut connection, &path, &migrations), Err(DatabaseError::Open { .. })));
        assert_eq!((data(&connection), state(&connection)), (before, state_before));
    }

    /// Not a test by itself: what the next one kills.
    #[test]
    fn a_process_that_migrates() {
        let Some(path) = std::env::var_os(PATH) else { return };
        let mut connection = open_writer(Path::new(&path)).unwrap();
        println!("begins");
        apply(&mut connection, Path::new(&path), &and_one_more()).unwrap();
    }

    fn start(path: &Path) -> std::process::Child {
        let name = "database::migrate::tests::a_process_that_migrates";
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name, "--nocapture"])
            .env(PATH, path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
        assert!(lines.by_ref().map_while(Result::ok).any(|line| line.contains("begins")));
        child
    }

    #[test]
    fn a_migration_whose_process_is_killed_leaves_the_old_state_or_the_new_one() {
        const ROUNDS: u32 = 12;
        let directory = tempfile::tempdir().unwrap();
        let (path, connection) = first(&directory);
        let before = data(&connection);
        drop(connection);
        let began = Instant::now();
        assert!(start(&path).wait().unwrap().success());
        let whole = began.elapsed();
        let mut were_old = 0;
        for round in 0..ROUNDS {
            let directory = tempfile::tempdir().unwrap();
            let (path, connection) = first(&directory);
            drop(connection);
            let mut child = start(&path);
            std::thread::sleep(whole.mul_f64(f64::from(round) / f64::from(ROUNDS)) + Duration::from_micros(1));
            let _ = child.kill();
            child.wait().unwrap();
            let mut connection = open_writer(&path).unwrap();
            let (number, is_new) = state(&connection);
            let last = and_one_more().last().unwrap().number;
            assert_eq!(number == last, is_new, "round {round}: what is recorded is there");
            assert!(is_new || number == 1, "round {round}: all of a start's migrations, or none");
            assert_eq!(data(&connection), before, "round {round}");
            were_old += u32::from(!is_new);
            apply(&mut connection, &path, &and_one_more()).unwrap();
            assert_eq!((data(&connection), state(&connection)), (before.clone(), (last, true)), "round {round}, again");
        }
        assert!(were_old > 0, "no kill came before the end");
    }
}
