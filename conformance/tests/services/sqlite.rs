//! The SQL store on SQLite in memory, in both of its forms: as the native host runs it, and as D1
//! would, where others write between two batches.

use std::{sync::Arc, time::Duration};

use matterbook_core::{
    account::KeyOwner,
    key::KeyDigest,
    sign_in::SessionDigest,
    store::{
        ChangeRequest, ClientPageEnd, ClientPageQuery, ConsoleRequest, ConsoleResponse, ConsoleStore, HistoryPage,
        HistoryQuery, LogEntry, OperatorAnswer, OperatorCommand, OperatorStore, ProspectPage, ProspectPageQuery,
        ShowClient, SignIn, SignInAnswer, Store, StoreError, StoredResponse,
    },
    time::Timestamp,
};
use matterbook_store_sql::{
    SqlStore,
    driver::{Driver, DriverError, Isolation, PACKED, Rows, Statement, Value, unpack},
    migrations::MIGRATIONS,
};
use rusqlite::{Connection, ErrorCode, config::DbConfig, params_from_iter, types};
use tokio::sync::Mutex;

/// A database of its own with the schema.
#[derive(Clone)]
pub struct Database(Arc<Mutex<Connection>>);

impl Database {
    pub fn new() -> Self {
        let connection = Connection::open_in_memory().expect("a database in memory");
        for migration in MIGRATIONS {
            connection.execute_batch(migration.sql).expect("a migration that applies");
        }
        connection.set_prepared_statement_cache_capacity(200);
        // As on the native host. Otherwise SQLite prepares a statement again for other values of its parameters.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).expect("a setting");
        Self(Arc::new(Mutex::new(connection)))
    }
}

/// A row of bound parameters at a time, each verb in a transaction of its own.
#[derive(Clone)]
pub struct InRows(pub Database);

/// One JSON parameter a statement, and others may write between two batches.
#[derive(Clone)]
pub struct InSets(pub Database);

/// A driver within one transaction.
struct Transaction<'c>(&'c Connection);

impl Driver for Transaction<'_> {
    fn isolation(&self) -> Isolation {
        Isolation::Transaction
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        run_whole(self.0, batch, run_rows)
    }

    async fn back_off(&self, _attempt: u32) -> bool {
        false
    }
}

impl Driver for InSets {
    fn isolation(&self) -> Isolation {
        Isolation::Batch
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        run_whole(&*self.0.0.lock().await, batch, run_set)
    }

    async fn back_off(&self, attempt: u32) -> bool {
        // No jitter: the threads of a test differ enough.
        tokio::time::sleep(Duration::from_millis(u64::from(attempt.min(10)))).await;
        attempt < 100
    }
}

type RunStatement = fn(&Connection, &Statement) -> rusqlite::Result<Rows>;

fn run_whole(connection: &Connection, batch: &[Statement], run: RunStatement) -> Result<Vec<Rows>, DriverError> {
    let failed = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::ConstraintViolation) => DriverError::Constraint(error.to_string()),
        _ => DriverError::Failed(error.to_string()),
    };
    let execute = |sql| connection.prepare_cached(sql)?.execute([]);
    execute("savepoint batch").map_err(failed)?;
    let rows: rusqlite::Result<Vec<Rows>> = batch.iter().map(|statement| run(connection, statement)).collect();
    if rows.is_err() {
        execute("rollback to batch").map_err(failed)?;
    }
    execute("release batch").map_err(failed)?;
    rows.map_err(failed)
}

fn run_rows(connection: &Connection, statement: &Statement) -> rusqlite::Result<Rows> {
    let mut rows = Rows::new();
    for (sql, bindings) in statement.runs() {
        for parameters in bindings {
            rows.extend(query(connection, sql, parameters.iter().map(bound).collect())?);
        }
    }
    Ok(rows)
}

fn run_set(connection: &Connection, statement: &Statement) -> rusqlite::Result<Rows> {
    match &statement.query.set_sql {
        Some(sql) => query(connection, sql, vec![types::Value::Text(statement.to_json())]),
        None => {
            let parameters = statement.rows().flatten().map(bound_on_d1);
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
            rows.extend(unpack(&row.get::<_, String>(0)?).expect("packed rows"));
        } else {
            rows.push((0..columns).map(|column| row.get(column).map(read)).collect::<rusqlite::Result<_>>()?);
        }
    }
    Ok(rows)
}

fn bound(value: &Value) -> types::Value {
    match value {
        Value::Null => types::Value::Null,
        Value::Integer(integer) => types::Value::Integer(*integer),
        Value::Text(text) => types::Value::Text(text.to_string()),
        Value::Id(id) => types::Value::Blob(id.to_vec()),
        Value::Bytes(bytes) => types::Value::Blob(bytes.to_vec()),
    }
}

/// D1 is given bytes as hexadecimal digits.
fn bound_on_d1(value: &Value) -> types::Value {
    match value {
        Value::Id(_) | Value::Bytes(_) => types::Value::Text(value.digits().into()),
        other => bound(other),
    }
}

fn read(value: types::Value) -> Value {
    match value {
        types::Value::Null => Value::Null,
        types::Value::Integer(integer) => Value::Integer(integer),
        types::Value::Text(text) => Value::Text(text.into()),
        types::Value::Blob(bytes) => Value::from(bytes.as_slice()),
        other => panic!("a query hands out {:?}", other.data_type()),
    }
}

impl InRows {
    /// One verb in one transaction that excludes all others.
    async fn alone<T>(
        &self,
        verb: impl AsyncFnOnce(&SqlStore<Transaction<'_>>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let connection = self.0.0.lock().await;
        let failed = |error: rusqlite::Error| StoreError::Failed { cause: error.to_string() };
        connection.execute_batch("begin immediate").map_err(failed)?;
        let outcome = verb(&SqlStore::new(Transaction(&connection))).await;
        connection.execute_batch(if outcome.is_ok() { "commit" } else { "rollback" }).map_err(failed)?;
        outcome
    }
}

impl Store for InRows {
    type Operator = Self;

    async fn key_owner(&self, key: &KeyDigest, now: Timestamp) -> Result<Option<KeyOwner>, StoreError> {
        self.alone(async |store| store.key_owner(key, now).await).await
    }

    async fn record_use(&self, key: &KeyDigest, now: Timestamp) -> Result<(), StoreError> {
        self.alone(async |store| store.record_use(key, now).await).await
    }

    async fn change(&self, request: ChangeRequest) -> Result<Option<StoredResponse>, StoreError> {
        self.alone(async |store| store.change(request).await).await
    }

    async fn clients(
        &self,
        key: &KeyDigest,
        query: &ClientPageQuery,
        show: &mut ShowClient<'_>,
    ) -> Result<Option<ClientPageEnd>, StoreError> {
        self.alone(async |store| store.clients(key, query, show).await).await
    }

    async fn prospects(&self, key: &KeyDigest, query: &ProspectPageQuery) -> Result<Option<ProspectPage>, StoreError> {
        self.alone(async |store| store.prospects(key, query).await).await
    }

    async fn history(&self, key: &KeyDigest, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        self.alone(async |store| store.history(key, query).await).await
    }

    fn operator(&self) -> Option<&Self> {
        Some(self)
    }
}

impl OperatorStore for InRows {
    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError> {
        self.alone(async |store| store.operate(command, entry).await).await
    }
}

impl ConsoleStore for InRows {
    async fn sign_in(&self, sign_in: SignIn) -> Result<SignInAnswer, StoreError> {
        self.alone(async |store| store.sign_in(sign_in).await).await
    }

    async fn console(&self, request: ConsoleRequest) -> Result<Option<ConsoleResponse>, StoreError> {
        self.alone(async |store| store.console(request).await).await
    }

    async fn record_session_use(&self, session: &SessionDigest, now: Timestamp) -> Result<(), StoreError> {
        self.alone(async |store| store.record_session_use(session, now).await).await
    }
}
