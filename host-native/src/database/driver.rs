//! The store's one verb over a SQLite connection: a batch of statements as one atomic unit.
//!
//! The writer's batches are parts of one request, which is undone as a whole where one of them fails. A reader's
//! batch is a transaction that sees one state of the file. Statements are prepared once per connection. A set of
//! rows is a loop over the statement's row form, which is three times faster here than one JSON parameter.

use matterbook_core::store::StoreError;
use matterbook_store_sql::driver::{Driver, DriverError, ENDS, Isolation, Rows, Statement, Value, ValueRef};
use rusqlite::{
    Connection, ErrorCode, Row,
    ffi::{SQLITE_CONSTRAINT_FOREIGNKEY, SQLITE_FULL, SQLITE_IOERR_WRITE},
    types::{ToSqlOutput, ValueRef as SqlValue},
};

/// Batches within an open transaction: the writer's, which undoes the request of a failed batch, or a reader's,
/// in which all batches see one state of the file.
pub(super) struct TransactionDriver<'a>(pub &'a Connection);

impl Driver for TransactionDriver<'_> {
    fn isolation(&self) -> Isolation {
        Isolation::Transaction
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        // A savepoint for each would copy every page that a batch touches.
        run_statements(self.0, batch)
    }

    async fn read(
        &self,
        batch: &[Statement],
        show: impl FnMut(usize, &[ValueRef<'_>]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        show_statements(self.0, batch, show)
    }

    async fn back_off(&self, _attempt: u32) -> bool {
        false
    }
}

/// Batches that only read, each a read transaction of its own.
pub(super) struct ReaderDriver<'a>(pub &'a Connection);

impl Driver for ReaderDriver<'_> {
    fn isolation(&self) -> Isolation {
        Isolation::Batch
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        in_read_transaction(self.0, || run_statements(self.0, batch))
    }

    async fn read(
        &self,
        batch: &[Statement],
        show: impl FnMut(usize, &[ValueRef<'_>]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        in_read_transaction(self.0, || show_statements(self.0, batch, show))
    }

    async fn back_off(&self, _attempt: u32) -> bool {
        false
    }
}

/// Does `work`, which only reads, on one state of the file. Within an open transaction, that is its state.
pub(super) fn in_read_transaction<T, E: From<DriverError>>(
    connection: &Connection,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    if !connection.is_autocommit() {
        return work();
    }
    execute(connection, "begin")?;
    let outcome = work();
    let ended = execute(connection, "rollback");
    let found = outcome?;
    ended?;
    Ok(found)
}

/// Commits the open transaction.
///
/// An error says that nothing was saved only where SQLite surely rolled back (docs/decisions/0054). Any other one
/// may come after the commit was synced: no reader sees it then, but a process that dies before the next commit
/// recovers it.
pub(super) fn commit(connection: &Connection) -> Result<(), StoreError> {
    if connection.is_autocommit() {
        return Err(StoreError::Failed { cause: "an earlier error rolled the transaction back".to_owned() });
    }
    let committed = connection.prepare_cached("commit").and_then(|mut statement| statement.execute([]));
    committed.map(drop).map_err(|error| {
        let cause = error.to_string();
        match error.sqlite_error().map(|error| error.extended_code) {
            Some(SQLITE_FULL | SQLITE_IOERR_WRITE | SQLITE_CONSTRAINT_FOREIGNKEY) => StoreError::Failed { cause },
            _ => StoreError::Unknown { cause },
        }
    })
}

/// Runs one statement that takes and returns nothing.
pub(super) fn execute(connection: &Connection, sql: &str) -> Result<(), DriverError> {
    connection.prepare_cached(sql).and_then(|mut statement| statement.execute([])).map(drop).map_err(driver_error)
}

fn show_statements(
    connection: &Connection,
    batch: &[Statement],
    mut show: impl FnMut(usize, &[ValueRef<'_>]) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut statements = batch.iter().enumerate();
    statements.try_for_each(|(number, statement)| show_rows(connection, statement, |row| show(number, row)))
}

fn run_statements(connection: &Connection, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
    let run = |statement| {
        let mut found = Rows::new();
        show_rows(connection, statement, |row| {
            found.push(row.iter().copied().map(ValueRef::to_value).collect());
            Ok::<_, DriverError>(())
        })?;
        Ok(found)
    };
    batch.iter().map(run).collect()
}

/// Runs a statement with each of its rows of parameters, and shows each row that it finds, as SQLite has it.
fn show_rows<E: From<DriverError>>(
    connection: &Connection,
    statement: &Statement,
    mut show: impl FnMut(&[ValueRef<'_>]) -> Result<(), E>,
) -> Result<(), E> {
    for (sql, bindings) in statement.runs() {
        let mut prepared = connection.prepare_cached(sql).map_err(driver_error)?;
        let columns = prepared.column_count();
        let ends = prepared.column_names().position(|name| name == ENDS);
        for parameters in bindings {
            for (index, value) in parameters.iter().enumerate() {
                prepared.raw_bind_parameter(index + 1, Bound(value)).map_err(driver_error)?;
            }
            let mut rows = prepared.raw_query();
            while let Some(row) = rows.next().map_err(driver_error)? {
                show(&values_of(row, columns, ends)?)?;
            }
        }
    }
    Ok(())
}

/// The values of a row of so many columns; up to the column that may say that they end there, where it does.
fn values_of<'r>(row: &'r Row<'_>, columns: usize, ends: Option<usize>) -> Result<Vec<ValueRef<'r>>, DriverError> {
    // Not collected: of a chain that may fail no length is known, so the row would grow step by step.
    let mut values = Vec::with_capacity(columns);
    for column in 0..columns {
        let value = row.get_ref(column).map_err(driver_error).and_then(read_value)?;
        values.push(value);
        if ends == Some(column) && value == ValueRef::Integer(1) {
            break;
        }
    }
    Ok(values)
}

struct Bound<'a>(&'a Value);

impl rusqlite::ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Value::Null => SqlValue::Null,
            Value::Integer(number) => SqlValue::Integer(*number),
            Value::Text(text) => SqlValue::Text(text.as_bytes()),
            Value::Id(id) => SqlValue::Blob(id),
            Value::Bytes(bytes) => SqlValue::Blob(bytes),
        }))
    }
}

fn read_value(value: SqlValue<'_>) -> Result<ValueRef<'_>, DriverError> {
    match value {
        SqlValue::Null => Ok(ValueRef::Null),
        SqlValue::Integer(number) => Ok(ValueRef::Integer(number)),
        SqlValue::Text(text) => match std::str::from_utf8(text) {
            Ok(text) => Ok(ValueRef::Text(text)),
            Err(_) => Err(DriverError::Failed("a text of the database is not UTF-8".to_owned())),
        },
        SqlValue::Blob(bytes) => Ok(ValueRef::from(bytes)),
        SqlValue::Real(_) => {
            Err(DriverError::Failed("a value of the database is neither integer, text nor bytes".to_owned()))
        }
    }
}

/// SQLite's messages name tables and columns, never values, so they may go to the log.
pub(super) fn driver_error(error: rusqlite::Error) -> DriverError {
    match error.sqlite_error_code() {
        Some(ErrorCode::ConstraintViolation) => DriverError::Constraint(error.to_string()),
        Some(ErrorCode::DatabaseBusy) => DriverError::Overloaded(error.to_string()),
        _ => DriverError::Failed(error.to_string()),
    }
}
