//! SQLite as a driver of the SQL store: a batch of statements is one transaction.

use std::{sync::Arc, time::Duration};

use matterbook_store_sql::{
    driver::{Driver, DriverError, Isolation, PACKED, Rows, Statement, Value, unpack},
    migrations::MIGRATIONS,
};
use rusqlite::{Connection, ErrorCode, Row, params_from_iter, types};
use tokio::sync::Mutex;

/// One connection, shared by all requests.
#[derive(Clone)]
pub struct Database(Arc<Mutex<Connection>>);

impl Database {
    /// A database in a connection that has no tables yet.
    ///
    /// # Errors
    /// When the schema cannot be created.
    pub fn create(connection: Connection) -> rusqlite::Result<Self> {
        for migration in MIGRATIONS {
            connection.execute_batch(migration.sql)?;
        }
        Ok(Self(Arc::new(Mutex::new(connection))))
    }
}

impl Driver for Database {
    /// Other requests may write between two batches of one request. The store guards its writes.
    fn isolation(&self) -> Isolation {
        Isolation::Batch
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        let mut connection = self.0.lock().await;
        let mut run = || {
            let transaction = connection.transaction()?;
            let rows: rusqlite::Result<_> = batch.iter().map(|statement| rows(&transaction, statement)).collect();
            // Without a commit, dropping the transaction rolls it back.
            rows.and_then(|rows| transaction.commit().map(|()| rows))
        };
        run().map_err(|error: rusqlite::Error| match error.sqlite_error_code() {
            Some(ErrorCode::ConstraintViolation) => DriverError::Constraint(error.to_string()),
            _ => DriverError::Failed(error.to_string()),
        })
    }

    async fn back_off(&self, attempt: u32) -> bool {
        tokio::time::sleep(Duration::from_millis(u64::from(attempt.min(10)))).await;
        attempt < 100
    }
}

/// Runs one statement in its set form, which has one JSON parameter, or in its scalar form.
fn rows(connection: &Connection, statement: &Statement) -> rusqlite::Result<Rows> {
    match &statement.query.set_sql {
        Some(sql) => query(connection, sql, vec![types::Value::Text(statement.to_json())]),
        None => {
            let parameters = statement.rows().flatten().map(|value| match value {
                Value::Null => types::Value::Null,
                Value::Integer(integer) => types::Value::Integer(*integer),
                Value::Text(text) => types::Value::Text(text.to_string()),
                // This form takes bytes as hexadecimal digits.
                Value::Id(_) | Value::Bytes(_) => types::Value::Text(value.digits().into()),
            });
            query(connection, statement.query.scalar_sql(), parameters.collect())
        }
    }
}

fn query(connection: &Connection, sql: &str, parameters: Vec<types::Value>) -> rusqlite::Result<Rows> {
    let mut prepared = connection.prepare_cached(sql)?;
    let columns = prepared.column_count();
    let is_packed = prepared.column_names().eq([PACKED]);
    let mut found = prepared.query(params_from_iter(parameters))?;
    let mut rows = Rows::new();
    while let Some(row) = found.next()? {
        if is_packed {
            // Several rows in one column of JSON.
            rows.extend(unpack(&row.get::<_, String>(0)?).unwrap_or_default());
        } else {
            rows.push((0..columns).map(|column| value(row, column)).collect::<rusqlite::Result<_>>()?);
        }
    }
    Ok(rows)
}

fn value(row: &Row<'_>, column: usize) -> rusqlite::Result<Value> {
    Ok(match row.get(column)? {
        types::Value::Null => Value::Null,
        types::Value::Integer(integer) => Value::Integer(integer),
        types::Value::Real(_) => {
            return Err(rusqlite::Error::InvalidColumnType(column, String::new(), types::Type::Real));
        }
        types::Value::Text(text) => Value::Text(text.into()),
        types::Value::Blob(bytes) => Value::from(bytes.as_slice()),
    })
}

#[cfg(test)]
mod tests {
    use matterbook_core::store::{OperatorStore, Store};
    use matterbook_store_sql::SqlStore;
    use matterbook_store_suite::{StoreUnderTest, cases};

    use super::*;

    struct Fresh;

    impl StoreUnderTest for Fresh {
        async fn fresh(&self) -> impl Store + OperatorStore {
            let connection = Connection::open_in_memory().expect("a database in memory");
            SqlStore::new(Database::create(connection).expect("the schema"))
        }
    }

    #[tokio::test]
    async fn a_store_over_the_driver_keeps_every_rule() {
        let cases = cases();
        assert!(cases.len() > 50);
        for case in cases {
            if let Err(failure) = case.run(&Fresh).await {
                panic!("{} ({}): {failure}", case.name, case.rule);
            }
        }
    }
}
