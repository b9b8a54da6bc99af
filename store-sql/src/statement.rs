//! A query with its values: one statement of a batch.

use std::ops::Range;

use crate::query::SEVERAL_ROWS;
use crate::{query::Query, value::Value};

/// The most bytes of JSON that one parameter carries: D1 takes values of up to 2,000,000.
pub(crate) const SET_BYTES_MAX: usize = 990_000;

/// One statement of a batch.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Its text, in both forms.
    pub query: &'static Query,
    /// The values of its rows, one row behind the other: of one row for a scalar query, of any number
    /// for a set query.
    values: Vec<Value>,
}

impl Statement {
    /// The rows of parameters, in the order of the query's: exactly one for a scalar query.
    ///
    /// ```
    /// use matterbook_store_sql::{driver::{Statement, Value}, queries};
    /// let rows = [vec![Value::from(7_i64), Value::from("key"), Value::from("a")]];
    /// let statement = Statement::of_rows(&queries::TOMBSTONES, rows);
    /// assert_eq!(statement.rows().count(), 1);
    /// ```
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Value]> {
        let width = self.query.parameters.len();
        let count = self.values.len().checked_div(width).unwrap_or(1);
        (0..count).map(move |row| self.values.get(row * width..(row + 1) * width).unwrap_or_default())
    }

    /// What a host that binds rows runs: texts, each with the values to bind to it one time after another.
    ///
    /// ```
    /// use matterbook_store_sql::{driver::{Statement, Value}, queries};
    /// let rows = [vec![Value::from(7_i64), Value::from("key"), Value::from("a")]];
    /// let statement = Statement::of_rows(&queries::TOMBSTONES, rows);
    /// let (sql, mut bindings) = statement.runs().next().unwrap();
    /// assert_eq!((sql, bindings.next().unwrap().len()), (queries::TOMBSTONES.row_sql.as_str(), 3));
    /// ```
    pub fn runs(&self) -> impl Iterator<Item = (&'static str, impl Iterator<Item = &[Value]>)> {
        let (query, width, count) = (self.query, self.query.parameters.len(), self.rows().len());
        let together = query.several_sql.as_ref().map_or(0, |_| count - count % SEVERAL_ROWS);
        let run = move |sql, rows: Range<usize>, rows_each: usize| {
            let is_any = !rows.is_empty();
            let values = move |row: usize| self.values.get(row * width..(row + rows_each) * width).unwrap_or_default();
            is_any.then(|| (sql, rows.step_by(rows_each).map(values)))
        };
        let several = query.several_sql.as_deref().and_then(|sql| run(sql, 0..together, SEVERAL_ROWS));
        several.into_iter().chain(run(&query.row_sql, together..count, 1))
    }

    /// The statement of rows in the order of the query's parameters.
    #[must_use]
    pub fn of_rows(query: &'static Query, rows: impl IntoIterator<Item = Vec<Value>>) -> Self {
        Self { query, values: rows.into_iter().flatten().collect() }
    }

    /// The one parameter of the set form: the rows as a JSON array of arrays. Values that all rows
    /// share are in the first row only.
    ///
    /// ```
    /// use matterbook_store_sql::{driver::{Statement, Value}, queries};
    /// let row = |id: &str| vec![Value::from(7_i64), Value::from("key"), Value::from(id)];
    /// let statement = Statement::of_rows(&queries::TOMBSTONES, [row("\"a\"\n"), row("b")]);
    /// assert_eq!(statement.to_json(), r#"[[7,"key","\"a\"\n"],[null,null,"b"]]"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json = String::with_capacity(16 * self.values.len());
        json.push('[');
        for (number, row) in self.rows().enumerate() {
            json.push_str(if number == 0 { "[" } else { ",[" });
            for (index, (value, is_constant)) in row.iter().zip(&self.query.constants).enumerate() {
                if index > 0 {
                    json.push(',');
                }
                if *is_constant && number > 0 {
                    json.push_str("null");
                } else {
                    value.push_json(&mut json);
                }
            }
            json.push(']');
        }
        json.push(']');
        json
    }
}

impl Query {
    /// The statement of a scalar query with these values; a parameter that is not among them is
    /// `NULL`.
    pub(crate) fn bind<'n>(&'static self, mut values: impl AsMut<[(&'n str, Value)]>) -> Statement {
        let values = values.as_mut();
        let value = |name: &String| {
            let given = values.iter_mut().find(|(given, _)| given == name);
            given.map_or(Value::Null, |(_, value)| std::mem::replace(value, Value::Null))
        };
        Statement { query: self, values: self.parameters.iter().map(value).collect() }
    }

    /// The statements of a set query: as many as its rows need so that each stays under
    /// [`SET_BYTES_MAX`], none for no rows. `names` says what each value of a row is.
    pub(crate) fn bind_rows<R: IntoIterator<Item = Value>>(
        &'static self,
        names: &[&str],
        rows: impl IntoIterator<Item = R>,
    ) -> Vec<Statement> {
        let order: Vec<_> =
            self.parameters.iter().map(|parameter| names.iter().position(|name| name == parameter)).collect();
        let is_in_order = order.iter().enumerate().all(|(index, place)| *place == Some(index));
        let mut statements: Vec<Statement> = Vec::new();
        let mut remaining_bytes = 0;
        let mut given: Vec<Value> = Vec::with_capacity(names.len());
        let rows = rows.into_iter();
        let capacity = rows.size_hint().0 * order.len();
        for row in rows {
            given.extend(row);
            let length = 3 + given.iter().map(|value| 1 + value.json_length()).sum::<usize>();
            if statements.is_empty() || length > remaining_bytes {
                statements.push(Statement { query: self, values: Vec::with_capacity(capacity) });
                remaining_bytes = SET_BYTES_MAX;
            }
            remaining_bytes = remaining_bytes.saturating_sub(length);
            let Some(Statement { values, .. }) = statements.last_mut() else { break };
            if is_in_order {
                values.extend(given.drain(..).take(order.len()));
            } else {
                let mut take = |place: &Option<usize>| {
                    let value = place.and_then(|place| given.get_mut(place));
                    value.map_or(Value::Null, |value| std::mem::replace(value, Value::Null))
                };
                values.extend(order.iter().map(&mut take));
                given.clear();
            }
        }
        statements
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queries;

    #[test]
    fn values_go_to_the_parameters_of_their_names() {
        let statement = queries::RECORD_USE.bind([("key", "k".into()), ("now", 5_i64.into())]);
        assert_eq!(queries::RECORD_USE.parameters, ["now", "key"]);
        assert_eq!(statement.values, [Value::Integer(5), Value::from("k")]);
        let row = || ["id", "2025", "2025-01-31", "06037"].map(Value::from).to_vec();
        let names = ["id", "crash_year", "crash_date", "crash_county_fips"];
        let statements = queries::MOVE_PROSPECTS.bind_rows(&names, [row()]);
        assert_eq!(queries::MOVE_PROSPECTS.parameters, ["crash_county_fips", "crash_date", "crash_year", "id"]);
        assert_eq!(statements[0].values, row().into_iter().rev().collect::<Vec<_>>());
    }

    #[test]
    fn rows_are_bound_together_as_far_as_they_go() {
        let width = queries::CREATE_CLIENTS.parameters.len();
        for (rows, expected) in [(0, vec![]), (19, vec![1; 19]), (20, vec![20]), (42, vec![20, 20, 1, 1])] {
            let numbers = (0..rows * width).map(|number| Value::from(i64::try_from(number).unwrap()));
            let values: Vec<_> = numbers.collect();
            let rows = values.chunks(width).map(<[Value]>::to_vec);
            let statement = Statement::of_rows(&queries::CREATE_CLIENTS, rows);
            let bound: Vec<_> = statement.runs().flat_map(|(_, bindings)| bindings).collect();
            assert_eq!(bound.iter().map(|values| values.len() / width).collect::<Vec<_>>(), expected);
            assert_eq!(bound.concat(), values);
        }
    }

    #[test]
    fn a_large_set_becomes_several_statements() {
        let rows = (0..25).map(|_| [Value::from("\"".repeat(100_000))]);
        let statements = queries::ERASED_SOURCES.bind_rows(&["source_id"], rows);
        assert_eq!(statements.len(), 7);
        assert!(statements.iter().all(|statement| statement.to_json().len() < 1_000_000));
        assert_eq!(statements.iter().map(|statement| statement.rows().len()).sum::<usize>(), 25);
    }
}
