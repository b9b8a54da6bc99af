//! The query plan of each query in both forms: it uses an index, and never scans a whole table or sorts
//! rows that it does not return. `plans.txt` pins every plan. After a change, set `UPDATE_PLANS=1` to
//! rewrite it, and review the difference.

use std::fmt::Write as _;

use matterbook_store_sql::queries;
use rusqlite::{Connection, limits::Limit};

const PINNED: &str = include_str!("plans.txt");

/// The steps of a plan, indented by depth.
fn plan(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(&format!("explain query plan {sql}")).unwrap();
    let mut depths = std::collections::HashMap::from([(0, 0)]);
    let mut rows = statement.raw_query();
    let mut steps = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        let (id, parent): (i64, i64) = (row.get(0).unwrap(), row.get(1).unwrap());
        let depth = depths[&parent] + 1;
        depths.insert(id, depth);
        let text: String = row.get(3).unwrap();
        steps.push(format!("{}{text}", "  ".repeat(depth)));
    }
    steps
}

fn plans() -> String {
    let connection = crate::support::database();
    connection.set_limit(Limit::SQLITE_LIMIT_VARIABLE_NUMBER, crate::support::NATIVE_VARIABLES_MAX).unwrap();
    let mut text = String::new();
    for query in queries::all() {
        let forms = [
            ("row", Some(&query.row_sql)),
            ("several", query.several_sql.as_ref()),
            ("set", query.set_sql.as_ref()),
            ("packed", query.packed_sql.as_ref()),
        ];
        for (form, sql) in forms.into_iter().filter_map(|(form, sql)| Some((form, sql?))) {
            writeln!(text, "{} ({form})", query.name).unwrap();
            for step in plan(&connection, sql) {
                writeln!(text, "{step}").unwrap();
            }
        }
    }
    text
}

#[test]
fn every_plan_is_as_pinned() {
    let found = plans();
    if std::env::var_os("UPDATE_PLANS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plans.txt"), &found).unwrap();
    }
    let changed = found.lines().zip(PINNED.lines()).find(|(found, pinned)| found != pinned);
    assert_eq!(changed, None, "a plan changed; if that is meant, run this test with UPDATE_PLANS=1");
    assert_eq!(found.lines().count(), PINNED.lines().count(), "a plan came or went");
}

/// Groups the commits of a day, all of which it reads, by their source: no index has that order.
const DAY_COUNTS: &str = "day_counts";

/// Reads all accounts, once in ten minutes, those first that were compared the longest ago: an index would cost every
/// commit a row.
const DUE_ACCOUNTS: &str = "due_accounts";

/// Sorts the pairs of an account, which it finds in no order.
const FORMER_ADDRESS_PAIRS: &str = "former_address_pairs";

#[test]
fn no_plan_scans_a_table_or_sorts() {
    let connection = crate::support::database();
    let tables: Vec<String> = connection
        .prepare("select name from sqlite_schema where type = 'table'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    // A table goes by its name, or by the word after `as`.
    let mut names = tables.clone();
    for query in queries::all() {
        let words: Vec<_> = query.row_sql.split_whitespace().collect();
        for three in words.windows(3).filter(|three| three[1] == "as" && tables.iter().any(|table| table == three[0])) {
            names.push(three[2].to_owned());
        }
    }
    for query in queries::all() {
        for sql in [&query.row_sql, query.d1_sql()] {
            let mut steps = plan(&connection, sql);
            if query.name == DUE_ACCOUNTS {
                assert_eq!(steps.join(";"), "  SCAN accounts;  USE TEMP B-TREE FOR ORDER BY");
                steps.clear();
            }
            for step in steps {
                let step = step.trim();
                let scanned = step.strip_prefix("SCAN ").map(|rest| rest.split(' ').next().unwrap());
                let is_table = scanned.is_some_and(|name| names.iter().any(|known| known == name));
                assert!(!is_table, "{} scans a table: {step}", query.name);
                let groups = query.name == DAY_COUNTS && step == "USE TEMP B-TREE FOR GROUP BY";
                let groups = groups || query.name == FORMER_ADDRESS_PAIRS;
                assert!(groups || !step.contains("TEMP B-TREE"), "{} sorts: {step}", query.name);
                assert!(!step.contains("AUTOMATIC"), "{} builds an index: {step}", query.name);
            }
        }
    }
}

/// Deletes the states of one erased client.
const ERASE_STATES: &str = "erase_states";

/// For a list or a subquery that it does not read in place, SQLite makes a table of two pages. A query that is run for
/// each row of a batch would make one for each: such a list took a sixth of the instructions of a new client.
#[test]
fn no_query_of_many_rows_makes_a_table_for_each() {
    let connection = crate::support::database();
    let of_many = queries::all().into_iter().filter(|query| query.set_sql.is_some());
    for query in of_many.filter(|query| ![DAY_COUNTS, ERASE_STATES].contains(&query.name)) {
        for step in plan(&connection, &query.row_sql) {
            let makes_table = ["LIST SUBQUERY", "MATERIALIZE", "TEMP B-TREE"].iter().any(|table| step.contains(table));
            assert!(!makes_table, "{}: {step}", query.name);
        }
    }
}
