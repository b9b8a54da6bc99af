//! What the store asks of a database: run some statements as one atomic batch.

use crate::query::Query;

/// A database connection, as D1 can honour it: batches, no interactive transactions.
#[expect(async_fn_in_trait, reason = "Send is inferred at the concrete call; the Worker has none")]
pub trait Driver {
    /// What holds between one batch and the next.
    fn isolation(&self) -> Isolation;

    /// Runs the statements in order as one atomic unit and hands back the rows of each. If any
    /// fails, none has an effect.
    ///
    /// # Errors
    /// [`DriverError::Constraint`] when a constraint refused the batch; otherwise
    /// [`DriverError::Failed`], after which it is not known whether the batch took effect.
    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError>;

    /// Waits before attempt `attempt` (1, 2, …) of a contended commit, longer for later ones, with
    /// jitter. `false` when it is not worth trying again.
    async fn back_off(&self, attempt: u32) -> bool;
}

/// What holds between two batches of one driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// Others may write between two batches (D1): a commit has to guard what it read.
    Batch,
    /// All batches of this driver value are one transaction that excludes other writers (the
    /// native writer): nothing read can go stale.
    Transaction,
}

/// A value bound or read. No blobs and no reals: ids travel as 32 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// SQL `NULL`.
    Null,
    /// An integer below 2^53 in size.
    Integer(i64),
    /// Text.
    Text(String),
}

impl From<i64> for Value {
    fn from(integer: i64) -> Self {
        Self::Integer(integer)
    }
}

impl From<u32> for Value {
    fn from(integer: u32) -> Self {
        Self::Integer(i64::from(integer))
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Integer(i64::from(flag))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// The rows that one statement returned.
pub type Rows = Vec<Vec<Value>>;

/// One statement of a batch.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Its text, in both forms.
    pub query: &'static Query,
    /// The rows of parameters: exactly one for a scalar query, any number for a set query.
    pub parameters: Vec<Vec<Value>>,
}

impl Statement {
    /// The one parameter of the set form: the rows as a JSON array of arrays.
    ///
    /// ```
    /// use matterbook_store_sql::{driver::{Statement, Value}, queries};
    /// let rows = vec![vec![Value::from("\"a\"\n"), Value::from(7_i64), Value::Null]];
    /// let statement = Statement { query: &queries::CREATE_CLIENTS, parameters: rows };
    /// assert_eq!(statement.to_json(), r#"[["\"a\"\n",7,null]]"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json = String::from("[");
        for (index, row) in self.parameters.iter().enumerate() {
            json.push_str(if index == 0 { "[" } else { ",[" });
            for (index, value) in row.iter().enumerate() {
                if index > 0 {
                    json.push(',');
                }
                match value {
                    Value::Null => json.push_str("null"),
                    Value::Integer(integer) => json.push_str(&integer.to_string()),
                    Value::Text(text) => push_json_text(&mut json, text),
                }
            }
            json.push(']');
        }
        json.push(']');
        json
    }
}

/// Writes a text as a JSON string.
fn push_json_text(json: &mut String, text: &str) {
    json.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            '\n' => json.push_str("\\n"),
            '\t' => json.push_str("\\t"),
            '\r' => json.push_str("\\r"),
            control if control < ' ' => json.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => json.push(other),
        }
    }
    json.push('"');
}

/// The length in bytes of a value in JSON.
pub(crate) fn json_length(value: &Value) -> usize {
    match value {
        Value::Null => 4,
        Value::Integer(_) => 20,
        Value::Text(text) => {
            let escaped = |byte: u8| match byte {
                b'"' | b'\\' | b'\n' | b'\t' | b'\r' => 1,
                0..b' ' => 5,
                _ => 0,
            };
            2 + text.len() + text.bytes().map(escaped).sum::<usize>()
        }
    }
}

/// Why a batch had no effect, or may have had none. Private text, for the log only.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DriverError {
    /// A constraint refused it: nothing was written.
    #[error("a constraint refused the batch: {0}")]
    Constraint(String),
    /// Too much waits already: nothing was begun.
    #[error("the database is overloaded: {0}")]
    Overloaded(String),
    /// The database failed, or its answer was lost: the outcome is unknown.
    #[error("the database failed: {0}")]
    Failed(String),
}
