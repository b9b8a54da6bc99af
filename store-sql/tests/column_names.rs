//! Every column that a query returns has a name of its own that is a plain word.
//!
//! D1 hands a row over as a JavaScript object by column name, and its driver takes the object's
//! values in order. An object holds one value a name, so two columns of one name would become one;
//! and it puts names that look like integers first, as in `select 1, 0`. The name that SQLite gives
//! an expression without one is not promised to stay, so each has an `as`. A union has the names of
//! its first select.

use std::collections::BTreeSet;

use matterbook_store_sql::queries;

fn is_plain_word(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

#[test]
fn every_returned_column_has_a_unique_name() {
    let connection = crate::support::database();
    let mut returning = 0;
    for query in queries::all() {
        let statement = connection.prepare(query.d1_sql()).unwrap();
        let names: Vec<_> = statement.column_names().collect();
        for name in &names {
            assert!(is_plain_word(name), "{} returns a column named {name:?}", query.name);
        }
        let distinct: BTreeSet<_> = names.iter().collect();
        assert_eq!(distinct.len(), names.len(), "{} returns a name twice: {names:?}", query.name);
        returning += usize::from(!names.is_empty());
    }
    assert!(returning > 20, "the queries that return rows were looked at");
}
