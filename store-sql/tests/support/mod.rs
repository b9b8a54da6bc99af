//! A driver over one SQLite connection that runs either form of every query, counts the work, and
//! fails when told to.

pub mod firm;
pub mod post;

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, VecDeque},
    future::{Future, poll_fn},
    ops::Deref,
    pin::pin,
    rc::Rc,
    task::{Context, Poll, Waker},
};

use matterbook_core::{
    key::{AccountNumber, KeyDigest, StoredKey},
    memory::test_key_secrets,
    store::StoreError,
    time::Timestamp,
};
use matterbook_store_sql::{
    driver::{Driver, DriverError, Isolation, PACKED, Rows, Statement, Value, unpack},
    migrations::MIGRATIONS,
};
use rusqlite::{Connection, ErrorCode, StatementStatus, config::DbConfig, limits::Limit, types::ValueRef};
use uuid::Uuid;

/// Which form of a query a driver runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A row of bound parameters at a time, in one transaction: the native host.
    Rows,
    /// One JSON parameter, and every number bound as a real: D1, others writing in between.
    Set,
}

pub const FORMS: [Form; 2] = [Form::Rows, Form::Set];

/// What happens to a batch instead of what should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing unusual.
    None,
    /// It is lost before it is applied.
    LostBatch,
    /// It is applied and its answer is lost.
    LostAnswer,
}

/// Called before a batch that writes is run.
pub type Interruption = Box<dyn FnOnce()>;

pub struct TestDriver {
    pub connection: Rc<Connection>,
    pub form: Form,
    /// What happens to the next batches, in order.
    pub faults: RefCell<VecDeque<Fault>>,
    /// What others do just before the batches that write, in order.
    pub interruptions: RefCell<VecDeque<Interruption>>,
    /// Steps of SQLite's virtual machine so far.
    pub steps: Cell<i64>,
    /// Statements run so far.
    pub statements: Cell<usize>,
    /// Batches run so far.
    pub batches: Cell<usize>,
    /// Rows changed in tables so far.
    pub changes: Cell<u64>,
    /// The most attempts that the driver has patience for.
    pub patience: u32,
    /// How many statements of each query were run.
    pub used: RefCell<BTreeMap<&'static str, usize>>,
}

/// What D1 sets SQLite's own limits to: a statement past one of them fails in every test.
const D1_LIMITS: [(Limit, i32); 10] = [
    (Limit::SQLITE_LIMIT_LENGTH, 2_000_000),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 100_000),
    (Limit::SQLITE_LIMIT_COLUMN, 100),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 5),
    (Limit::SQLITE_LIMIT_VDBE_OP, 25_000),
    (Limit::SQLITE_LIMIT_FUNCTION_ARG, 32),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50),
    (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 100),
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 10),
];

/// As many parameters as SQLite has without being told otherwise.
pub const NATIVE_VARIABLES_MAX: i32 = 32_766;

/// A parameter stays below this many bytes, half of what D1 takes.
pub const PARAMETER_BYTES_MAX: usize = 1_000_000;

/// An empty database with the schema.
pub fn database() -> Rc<Connection> {
    let connection = Connection::open_in_memory().unwrap();
    for migration in MIGRATIONS {
        connection.execute_batch(migration.sql).unwrap();
    }
    for (limit, value) in D1_LIMITS {
        connection.set_limit(limit, value).unwrap();
    }
    connection.set_prepared_statement_cache_capacity(200);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).unwrap();
    Rc::new(connection)
}

impl TestDriver {
    pub fn new(connection: &Rc<Connection>, form: Form) -> Self {
        Self {
            connection: Rc::clone(connection),
            form,
            faults: RefCell::default(),
            interruptions: RefCell::default(),
            steps: Cell::new(0),
            statements: Cell::new(0),
            batches: Cell::new(0),
            changes: Cell::new(0),
            patience: 8,
            used: RefCell::default(),
        }
    }

    /// Runs one statement in the driver's form.
    fn run_one(&self, statement: &Statement) -> Result<Rows, rusqlite::Error> {
        let query = statement.query;
        let mut rows = Rows::new();
        match (&query.set_sql, self.form) {
            (Some(sql), Form::Set) => {
                self.step(query.name, sql, &[rusqlite::types::Value::Text(statement.to_json())], &mut rows)?;
            }
            (None, Form::Set) => {
                assert_eq!(statement.rows().len(), 1, "{} is scalar", query.name);
                let parameters = statement.rows().flatten();
                let bound: Vec<_> = parameters.map(|value| bound(value, Form::Set)).collect();
                assert_eq!(bound.len(), query.parameters.len());
                self.step(query.name, query.scalar_sql(), &bound, &mut rows)?;
            }
            (_, Form::Rows) => {
                let variables = Limit::SQLITE_LIMIT_VARIABLE_NUMBER;
                let limit = self.connection.set_limit(variables, NATIVE_VARIABLES_MAX)?;
                let ran = statement.runs().try_for_each(|(sql, mut bindings)| {
                    bindings.try_for_each(|parameters| {
                        assert_eq!(parameters.len() % query.parameters.len().max(1), 0);
                        let bound: Vec<_> = parameters.iter().map(|value| bound(value, Form::Rows)).collect();
                        self.step(query.name, sql, &bound, &mut rows)
                    })
                });
                self.connection.set_limit(variables, limit)?;
                ran?;
            }
        }
        Ok(rows)
    }

    fn step(
        &self,
        name: &str,
        sql: &str,
        parameters: &[rusqlite::types::Value],
        rows: &mut Rows,
    ) -> Result<(), rusqlite::Error> {
        if self.form == Form::Set {
            for parameter in parameters {
                let rusqlite::types::Value::Text(text) = parameter else { continue };
                assert!(text.len() < PARAMETER_BYTES_MAX, "{name} carries {} bytes", text.len());
            }
        }
        let mut prepared = self.connection.prepare_cached(sql)?;
        let columns = prepared.column_count();
        let is_packed = prepared.column_names().eq([PACKED]);
        prepared.reset_status(StatementStatus::VmStep);
        {
            let mut found = prepared.query(rusqlite::params_from_iter(parameters))?;
            while let Some(row) = found.next()? {
                if is_packed {
                    rows.extend(unpack(&row.get_unwrap::<_, String>(0)).unwrap());
                } else {
                    rows.push((0..columns).map(|index| read(row.get_ref_unwrap(index), self.form)).collect());
                }
            }
        }
        assert_eq!(prepared.reset_status(StatementStatus::RePrepare), 0, "prepared again: {sql}");
        self.steps.set(self.steps.get() + i64::from(prepared.get_status(StatementStatus::VmStep)));
        Ok(())
    }

    fn run_batch(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        assert!(!batch.is_empty(), "D1 takes no empty batch");
        self.batches.set(self.batches.get() + 1);
        self.statements.set(self.statements.get() + batch.len());
        for statement in batch {
            *self.used.borrow_mut().entry(statement.query.name).or_default() += 1;
        }
        let before = self.connection.total_changes();
        self.connection.execute_batch("savepoint batch").unwrap();
        let results: Result<Vec<_>, _> = batch.iter().map(|statement| self.run_one(statement)).collect();
        let end = if results.is_ok() { "release batch" } else { "rollback to batch; release batch" };
        self.connection.execute_batch(end).unwrap();
        self.changes.set(self.changes.get() + self.connection.total_changes() - before);
        results.map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::ConstraintViolation) => DriverError::Constraint(error.to_string()),
            _ => panic!("{error}"),
        })
    }
}

fn bound(value: &Value, form: Form) -> rusqlite::types::Value {
    match (value, form) {
        (Value::Null, _) => rusqlite::types::Value::Null,
        (Value::Integer(integer), Form::Rows) => rusqlite::types::Value::Integer(*integer),
        #[expect(clippy::cast_precision_loss, reason = "as a JavaScript number is bound")]
        (Value::Integer(integer), Form::Set) => rusqlite::types::Value::Real(*integer as f64),
        (Value::Text(text), _) => rusqlite::types::Value::Text(text.to_string()),
        (Value::Id(id), Form::Rows) => rusqlite::types::Value::Blob(id.to_vec()),
        (Value::Bytes(bytes), Form::Rows) => rusqlite::types::Value::Blob(bytes.to_vec()),
        (Value::Id(_) | Value::Bytes(_), Form::Set) => rusqlite::types::Value::Text(value.digits().into()),
    }
}

fn read(value: ValueRef<'_>, form: Form) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(integer) => Value::Integer(integer),
        #[expect(clippy::cast_possible_truncation, reason = "a JavaScript number that is whole")]
        ValueRef::Real(real) => Value::Integer(real as i64),
        ValueRef::Text(text) => Value::Text(str::from_utf8(text).unwrap().into()),
        ValueRef::Blob(bytes) => {
            assert_eq!(form, Form::Rows, "D1 would hand bytes out as a list of numbers");
            Value::from(bytes)
        }
    }
}

/// A driver that a test goes on looking at while a store has it.
#[derive(Clone)]
pub struct Shared(pub Rc<TestDriver>);

impl Shared {
    pub fn new(connection: &Rc<Connection>, form: Form) -> Self {
        Self(Rc::new(TestDriver::new(connection, form)))
    }
}

impl Deref for Shared {
    type Target = TestDriver;

    fn deref(&self) -> &TestDriver {
        &self.0
    }
}

impl Driver for Shared {
    fn isolation(&self) -> Isolation {
        match self.form {
            Form::Rows => Isolation::Transaction,
            Form::Set => Isolation::Batch,
        }
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        if self.form == Form::Set {
            give_way().await;
        }
        let writing = ["begin_commit", "begin_import", "log_entry", "advance_account_import"];
        let writes = batch.iter().any(|statement| writing.contains(&statement.query.name));
        if writes {
            let interruption = self.interruptions.borrow_mut().pop_front();
            if let Some(interruption) = interruption {
                interruption();
            }
        }
        match self.faults.borrow_mut().pop_front().unwrap_or(Fault::None) {
            Fault::None => self.run_batch(batch),
            Fault::LostBatch => Err(DriverError::Failed("lost on the way there".to_owned())),
            Fault::LostAnswer => {
                self.run_batch(batch)?;
                Err(DriverError::Failed("lost on the way back".to_owned()))
            }
        }
    }

    async fn back_off(&self, attempt: u32) -> bool {
        attempt < self.patience
    }
}

/// Lets the other futures of the test run once.
async fn give_way() {
    let mut has_waited = false;
    poll_fn(|_| {
        if has_waited {
            return Poll::Ready(());
        }
        has_waited = true;
        Poll::Pending
    })
    .await;
}

/// Everything in a database.
pub fn dump(connection: &Connection) -> Vec<(String, Vec<rusqlite::types::Value>)> {
    let tables: Vec<String> = connection
        .prepare("select name from sqlite_schema where type = 'table' order by name")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let mut rows = Vec::new();
    for table in tables {
        let mut statement = connection.prepare(&format!("select * from {table}")).unwrap();
        let width = statement.column_count();
        let mut found = statement.raw_query();
        while let Some(row) = found.next().unwrap() {
            rows.push((table.clone(), (0..width).map(|index| row.get(index).unwrap()).collect()));
        }
    }
    rows.sort_by_key(|row| format!("{row:?}"));
    rows
}

/// Runs a future that waits for nothing outside.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}

/// A moment: that many seconds after 2026-01-01T00:00:00Z.
pub fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(1_767_225_600_000_000).plus_seconds(seconds)
}

/// The id with that number.
pub fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// An account's number.
pub fn number(number: u128) -> AccountNumber {
    AccountNumber::from_value(i64::try_from(number).unwrap()).unwrap()
}

/// What is stored of the key with that name.
pub fn stored_key(name: &str) -> StoredKey {
    test_key_secrets().stored(name)
}

/// The digest of the key with that name.
pub fn key(name: &str) -> KeyDigest {
    KeyDigest::of(name)
}

/// The kind of a failure: data was saved, was not saved, or the result is unknown.
pub fn kind(error: StoreError) -> &'static str {
    match error {
        StoreError::Overloaded { .. } => "Overloaded",
        StoreError::Contended { .. } => "Contended",
        StoreError::Failed { .. } => "Failed",
        StoreError::ReadOnly => "ReadOnly",
        StoreError::Unknown { .. } => "Unknown",
    }
}
