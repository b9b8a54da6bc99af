//! One statement, one text, two forms: a row at a time, or a set of rows in one JSON parameter.
//!
//! A query's file is written once. `:name` is a parameter. A *set* query has the marker `{each}`
//! or `{from_each}` where its rows come in:
//!
//! | in the file | a row at a time (native, prepared and looped) | a set (D1, one JSON array of arrays) |
//! |---|---|---|
//! | `:name`, the k-th parameter | `?k` | `(input.value->>(k-1))` |
//! | `{each}` | nothing | `json_each(?1) as input cross join` |
//! | `{from_each}` | nothing | `from json_each(?1) as input where true` |
//!
//! A query without a marker is *scalar*: it takes exactly one row, bound as `?1, ?2, …` on every
//! host.

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
