//! The schema: it applies to an empty database, and a newer one is recognised.

use matterbook_core::store::Retention;
use matterbook_store_sql::{
    migrations::{CREATE_RECORD, CURRENT_NUMBER, MIGRATIONS, NewerSchema, RECORD, pending},
    queries,
};
use rusqlite::{Connection, params};

#[test]
fn migrations_apply_in_order_and_are_recorded() {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(CREATE_RECORD).unwrap();
    let current = |connection: &Connection| -> Option<u32> {
        connection.query_row(CURRENT_NUMBER, [], |row| row.get(0)).unwrap()
    };
    assert_eq!(pending(current(&connection)), Ok(MIGRATIONS));
    for migration in MIGRATIONS {
        connection.execute_batch(migration.sql).unwrap();
        connection.execute(RECORD, params![migration.number, migration.name, 1]).unwrap();
    }
    assert_eq!(pending(current(&connection)), Ok(&[][..]));
}

#[test]
fn numbers_are_those_of_the_files() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
    let mut files: Vec<_> =
        std::fs::read_dir(directory).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    let named: Vec<_> =
        MIGRATIONS.iter().map(|migration| format!("{:04}_{}.sql", migration.number, migration.name)).collect();
    assert_eq!(files, named);
    assert!(MIGRATIONS.iter().map(|migration| migration.number).eq(1..=u32::try_from(MIGRATIONS.len()).unwrap()));
}

#[test]
fn a_newer_schema_is_refused() {
    let known = MIGRATIONS.last().unwrap().number;
    let newer = pending(Some(known + 1));
    assert_eq!(newer, Err(NewerSchema { found: known + 1, known }));
    assert_eq!(
        newer.unwrap_err().to_string(),
        format!(
            "The database has schema {}, and this program knows schemas up to {known}. \
             Run the newer program that made it.",
            known + 1
        )
    );
}

#[test]
fn the_operators_log_only_grows() {
    let connection = crate::support::database();
    connection.execute("insert into operator_log values (1, x'01', 'a', 'b', 'c', x'02', null)", []).unwrap();
    for sql in ["delete from operator_log", "update operator_log set actor = 'x'"] {
        assert!(connection.execute(sql, []).unwrap_err().to_string().contains("append-only"), "{sql}");
    }
    // An entry goes once a newer one shows that it is older than the shortest retention.
    let days = i64::from(Retention::OPERATOR_LOG_DAYS_MIN) * 24 * 60 * 60 * 1_000_000;
    for (at, is_deleted) in [(1 + days, 0), (2 + days, 1)] {
        connection.execute("insert into operator_log values (?1, x'01', 'a', 'b', 'c', x'02', null)", [at]).unwrap();
        let deleted = connection.execute("delete from operator_log where at = 1", []);
        assert_eq!(deleted.unwrap_or_default(), is_deleted, "{at}");
    }
}

#[test]
fn every_query_has_its_file_and_says_what_it_is_for() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/sql");
    let mut files: Vec<_> =
        std::fs::read_dir(directory).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    let mut names: Vec<_> = queries::all().iter().map(|query| format!("{}.sql", query.name)).collect();
    names.sort();
    assert_eq!(files, names);
    for query in queries::all() {
        let text = std::fs::read_to_string(format!("{directory}/{}.sql", query.name)).unwrap();
        assert!(text.starts_with(&format!("-- {}: ", query.name)), "{}", query.name);
        assert!(!query.row_sql.contains('{'), "{} has a marker that nobody knows", query.name);
        assert!(query.parameters.len() <= 100 && query.row_sql.len() < 100_000, "{}", query.name);
        let terms = 1 + query.row_sql.matches("union all").count();
        assert!(terms <= 5, "{} has {terms} terms", query.name);
    }
}
