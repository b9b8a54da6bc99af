//! One statement, one text, two forms: a row at a time, or a set of rows in one JSON parameter.
//!
//! A query's file is written once. `:name` and `@name` are parameters, numbered by first
//! appearance. A *set* query has a marker where its rows come in:
//!
//! | in the file | a row at a time (native, prepared and looped) | a set (D1, one JSON array of arrays) |
//! |---|---|---|
//! | `:name`, the k-th parameter | `?k` | `(input.value->>(k-1))` |
//! | `@name`, the k-th parameter, the same in every row | `?k` | `(?1->>'$[0][k-1]')`, evaluated once |
//! | `{each}` | nothing | `json_each(?1) as input cross join` |
//! | `{from_each}` | `where true` | `from json_each(?1) as input where true` |
//! | `{values_each}` … `{end_each}` | `values (` … `)` | `select` … `from json_each(?1) as input where true` |
//!
//! `insert … select` of one row would do as well as `insert … values`, but SQLite cannot tell that
//! it is one: it keeps a copy of each page that the row touches, to undo the row alone.
//!
//! A query without a marker is *scalar*: it takes exactly one row, bound as `?1, ?2, …` on every
//! host. Texts that several files share, such as lists of columns, are written `{name}` too; see
//! [`crate::columns`].

use crate::{
    columns,
    driver::{Statement, Value, json_length},
};

/// The most bytes of JSON that one statement carries: D1 takes values of up to 2,000,000.
pub const SET_BYTES_MAX: usize = 990_000;

/// A query in both forms.
#[derive(Debug)]
pub struct Query {
    /// The name of its file, for logs and tests.
    pub name: &'static str,
    /// The text for one row of bound parameters.
    pub row_sql: String,
    /// The text for a set of rows in one JSON parameter; `None` for a scalar query.
    pub set_sql: Option<String>,
    /// The parameters' names in the order of their numbers.
    pub parameters: Vec<String>,
}

impl Query {
    /// Reads a query's file.
    #[must_use]
    pub fn parse(name: &'static str, text: &str) -> Self {
        let text = columns::expand(text);
        let mut query = Self { name, row_sql: String::new(), set_sql: None, parameters: Vec::new() };
        let mut set_sql = String::new();
        let mut is_set = false;
        let mut rest = text.as_str();
        while let Some(first) = rest.chars().next() {
            let length = token_length(rest, first);
            let (token, after) = rest.split_at(length);
            rest = after;
            match (first, token) {
                (_, "{each}") => {
                    is_set = true;
                    set_sql.push_str("json_each(?1) as input cross join");
                }
                (_, "{from_each}") => {
                    is_set = true;
                    query.row_sql.push_str("where true");
                    set_sql.push_str("from json_each(?1) as input where true");
                }
                (_, "{values_each}") => {
                    is_set = true;
                    query.row_sql.push_str("values (");
                    set_sql.push_str("select");
                }
                (_, "{end_each}") => {
                    query.row_sql.push(')');
                    set_sql.push_str("from json_each(?1) as input where true");
                }
                (':' | '@', _) if length > 1 => {
                    let index = query.number(token.trim_start_matches([':', '@']));
                    query.row_sql.push_str(&format!("?{}", index + 1));
                    let set = if first == ':' {
                        format!("(input.value->>{index})")
                    } else {
                        format!("(?1->>'$[0][{index}]')")
                    };
                    set_sql.push_str(&set);
                }
                _ => {
                    query.row_sql.push_str(token);
                    set_sql.push_str(token);
                }
            }
        }
        query.set_sql = is_set.then_some(set_sql);
        query
    }

    /// The place of a parameter among the parameters, added at its first appearance.
    fn number(&mut self, name: &str) -> usize {
        self.parameters.iter().position(|known| known == name).unwrap_or_else(|| {
            self.parameters.push(name.to_owned());
            self.parameters.len() - 1
        })
    }

    /// The statement of a scalar query with these values; a parameter that is not among them is
    /// `NULL`.
    pub(crate) fn bind<const N: usize>(&'static self, mut values: [(&str, Value); N]) -> Statement {
        let value = |name: &String| {
            let given = values.iter_mut().find(|(given, _)| given == name);
            given.map_or(Value::Null, |(_, value)| std::mem::replace(value, Value::Null))
        };
        Statement { query: self, parameters: vec![self.parameters.iter().map(value).collect()] }
    }

    /// The statements of a set query: as many as its rows need so that each stays under
    /// [`SET_BYTES_MAX`], none for no rows. `names` says what each column of the rows is.
    pub(crate) fn bind_rows(&'static self, names: &[&str], rows: Vec<Vec<Value>>) -> Vec<Statement> {
        let order: Vec<_> =
            self.parameters.iter().map(|parameter| names.iter().position(|name| name == parameter)).collect();
        let is_in_order = order.iter().enumerate().all(|(index, place)| *place == Some(index));
        let mut statements: Vec<Statement> = Vec::new();
        let mut room = 0;
        for mut row in rows {
            if !is_in_order {
                let mut take = |place: &Option<usize>| {
                    let value = place.and_then(|place| row.get_mut(place));
                    value.map_or(Value::Null, |value| std::mem::replace(value, Value::Null))
                };
                row = order.iter().map(&mut take).collect();
            }
            let length = 3 + row.iter().map(|value| 1 + json_length(value)).sum::<usize>();
            match statements.last_mut().filter(|_| length <= room) {
                Some(statement) => {
                    room -= length;
                    statement.parameters.push(row);
                }
                None => {
                    room = SET_BYTES_MAX.saturating_sub(length);
                    statements.push(Statement { query: self, parameters: vec![row] });
                }
            }
        }
        statements
    }
}

/// The length in bytes of the token that a text begins with: a comment, a string, a marker, a
/// parameter, or one character.
fn token_length(text: &str, first: char) -> usize {
    let up_to = |end: &str| text.get(1..).and_then(|rest| rest.find(end)).map_or(text.len(), |at| 1 + at + end.len());
    match first {
        '-' if text.starts_with("--") => up_to("\n"),
        '\'' => up_to("'"),
        '{' => up_to("}"),
        ':' | '@' => {
            let name = text.bytes().skip(1).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
            1 + name.count()
        }
        other => other.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queries;

    fn check(text: &str, row_sql: &str, set_sql: Option<&str>) {
        let query = Query::parse("example", text);
        assert_eq!(query.row_sql, row_sql);
        assert_eq!(query.set_sql.as_deref(), set_sql);
    }

    #[test]
    fn one_text_has_two_forms() {
        check("select :b, :a, ':a', :b -- :a", "select ?1, ?2, ':a', ?1 -- :a", None);
        check(
            "select x from {each} t where t.a = @a and t.b = :b",
            "select x from  t where t.a = ?1 and t.b = ?2",
            Some(
                "select x from json_each(?1) as input cross join t where t.a = (?1->>'$[0][0]') \
                 and t.b = (input.value->>1)",
            ),
        );
        check(
            "update t set a = :a {from_each} and b = 1",
            "update t set a = ?1 where true and b = 1",
            Some("update t set a = (input.value->>0) from json_each(?1) as input where true and b = 1"),
        );
        check(
            "insert into t {values_each} :a {end_each}",
            "insert into t values ( ?1 )",
            Some("insert into t select (input.value->>0) from json_each(?1) as input where true"),
        );
    }

    #[test]
    fn values_go_to_the_parameters_of_their_names() {
        let statement = queries::RECORD_USE.bind([("key", "k".into()), ("now", 5_i64.into())]);
        assert_eq!(queries::RECORD_USE.parameters, ["now", "key"]);
        assert_eq!(statement.parameters, [vec![Value::Integer(5), Value::from("k")]]);
        let rows = vec![vec![Value::from("id"), Value::Integer(1), Value::from("x")]];
        let statements = queries::UPDATE_EXTERNAL_IDS.bind_rows(&["id", "account_id", "external_id"], rows);
        assert_eq!(queries::UPDATE_EXTERNAL_IDS.parameters, ["external_id", "account_id", "id"]);
        assert_eq!(statements[0].parameters, [vec![Value::from("x"), Value::Integer(1), Value::from("id")]]);
    }

    #[test]
    fn a_large_set_becomes_several_statements() {
        let row = |text: &str| vec![Value::from(text.repeat(100_000)), Value::Integer(1), Value::from("id")];
        let rows = (0..25).map(|_| row("\"")).collect();
        let statements = queries::UPDATE_EXTERNAL_IDS.bind_rows(&["external_id", "account_id", "id"], rows);
        assert_eq!(statements.len(), 7);
        assert!(statements.iter().all(|statement| statement.to_json().len() < 1_000_000));
        assert_eq!(statements.iter().map(|statement| statement.parameters.len()).sum::<usize>(), 25);
    }
}
