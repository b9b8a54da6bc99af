//! The driver: D1, or the database of an account's object (decision 0131).

use std::{cell::Cell, rc::Rc, time::Duration};

use js_sys::{Array, Error as JsError, JSON, Math, Object, Promise, Reflect, futures::JsFuture};
use matterbook_core::{store::StoreError, time::Timestamp};
use matterbook_store_sql::driver::{
    Driver, DriverError, Isolation, PACKED, Rows, Statement, Value, ValueRef, show_unpacked, unpack,
};
use matterbook_store_sql::queries::{GRANTS_GIVEN, is_common};
use wasm_bindgen::{JsCast as _, JsValue, prelude::wasm_bindgen};
use worker::{Delay, worker_sys::types::D1Result};

use crate::{account_object::AccountDatabase, platform, text::long_text};

/// How long a contended commit is retried, counted from the start of the request (rule W8).
const RETRY_SECONDS_MAX: i64 = 10;

/// The longest wait between two attempts.
const BACK_OFF_MS_MAX: u32 = 500;

/// What the message of a refused statement contains.
const CONSTRAINT: &str = "SQLITE_CONSTRAINT";

#[wasm_bindgen(raw_module = "d1")]
extern "C" {
    /// Runs statements as one batch of D1: each is a list of its query's name, its text and its parameters. Promises a
    /// result of D1 for each.
    #[wasm_bindgen(catch, js_name = runBatch)]
    fn run_batch(database: &JsValue, statements: &Array) -> Result<Promise, JsValue>;
}

/// What one request has cost so far.
#[derive(Default)]
pub(crate) struct D1Cost {
    /// Batches sent.
    pub(crate) round_trips: Cell<u32>,
    /// Statements in them.
    pub(crate) statements: Cell<u32>,
    /// Rows read, as D1 bills them.
    pub(crate) rows_read: Cell<u64>,
    /// Rows written, index entries included, as D1 bills them.
    pub(crate) rows_written: Cell<u64>,
    /// The size of the database after the last statement; 0 if D1 was not asked.
    pub(crate) database_bytes: Cell<u64>,
}

/// The driver of one request.
pub(crate) struct WorkerDriver {
    /// Without the wrapper of `worker`, which deserializes every value of every row.
    database: JsValue,
    /// Within an account's object, its own database. Then only what all accounts have in common is in D1.
    account: Option<AccountDatabase>,
    cost: Rc<D1Cost>,
    began_at: Timestamp,
}

impl WorkerDriver {
    pub(crate) fn new(database: JsValue, account: Option<AccountDatabase>, cost: Rc<D1Cost>) -> Self {
        Self { database, account, cost, began_at: platform::now() }
    }

    /// Runs a batch. Returns the rows of each statement as JSON.
    async fn send(&self, batch: &[Statement]) -> Result<Vec<Vec<String>>, DriverError> {
        self.try_send(batch).await.map_err(|error| driver_error(error_message(&error)))
    }

    async fn try_send(&self, batch: &[Statement]) -> Result<Vec<Vec<String>>, JsValue> {
        let Some(account) = &self.account else { return self.send_to_d1(batch.iter()).await };
        let own = || self.send_to_object(account, batch.iter().filter(|statement| !is_common(statement.query)));
        let (common, names) = (Array::new(), Array::new());
        // What goes with prospects is read in one moment with the account's counties. Otherwise what is in common goes
        // first: where it fails, nothing is written.
        let mut is_own_first = false;
        for statement in batch.iter().filter(|statement| is_common(statement.query)) {
            let parameters = &statement.query.parameters;
            is_own_first |= parameters.iter().any(|name| name == GRANTS_GIVEN);
            common.push(&to_list(statement));
            names.push(&JsValue::from_str(&parameters.join(",")));
        }
        let mut of_own = if is_own_first { own()? } else { Vec::new() };
        let mut of_common = Vec::new();
        // The first row is that of the key or the session. Without it nothing is shown.
        let is_refused = of_own.first().is_some_and(Vec::is_empty);
        if common.length() > 0 && !is_refused {
            of_common = self.results_of_d1(account.read_common(&common, &names)).await?;
        }
        if !is_own_first {
            of_own = own()?;
        }
        let (mut of_common, mut of_own) = (of_common.into_iter(), of_own.into_iter());
        let rows = |statement: &Statement| if is_common(statement.query) { of_common.next() } else { of_own.next() };
        Ok(batch.iter().map(rows).map(Option::unwrap_or_default).collect())
    }

    async fn send_to_d1<'s>(&self, batch: impl Iterator<Item = &'s Statement>) -> Result<Vec<Vec<String>>, JsValue> {
        let statements: Array = batch.map(to_list).collect();
        self.results_of_d1(run_batch(&self.database, &statements)?).await
    }

    async fn results_of_d1(&self, results: Promise) -> Result<Vec<Vec<String>>, JsValue> {
        add(&self.cost.round_trips, 1);
        let results: Array = JsFuture::from(results).await?.dyn_into()?;
        add(&self.cost.statements, results.length());
        let mut found = Vec::new();
        for result in results.iter() {
            let result: D1Result = result.unchecked_into();
            let meta = result.meta()?;
            add(&self.cost.rows_read, count(&meta, "rows_read")?);
            add(&self.cost.rows_written, count(&meta, "rows_written")?);
            self.cost.database_bytes.set(count(&meta, "size_after")?);
            found.push(result.results()?.map_or_else(|| Ok(Vec::new()), |rows| row_texts(&rows))?);
        }
        Ok(found)
    }

    /// Runs a batch in one transaction. Nothing is awaited, so no other request comes between two batches.
    fn send_to_object<'s>(
        &self,
        account: &AccountDatabase,
        batch: impl Iterator<Item = &'s Statement>,
    ) -> Result<Vec<Vec<String>>, JsValue> {
        let statements: Array = batch.map(to_list).collect();
        if statements.length() == 0 {
            return Ok(Vec::new());
        }
        add(&self.cost.statements, statements.length());
        let results = account.run(&statements)?;
        self.cost.database_bytes.set(count(&results, "bytes")?);
        results
            .iter()
            .map(|result| {
                let result: Object = result.unchecked_into();
                add(&self.cost.rows_read, count(&result, "read")?);
                add(&self.cost.rows_written, count(&result, "written")?);
                row_texts(&Reflect::get(&result, &"rows".into())?.unchecked_into())
            })
            .collect()
    }
}

/// A statement as JavaScript takes it: its query's name, its text, and its parameters, one of JSON for a set of rows.
fn to_list(statement: &Statement) -> Array {
    let query = statement.query;
    let list = Array::of2(&JsValue::from_str(query.name), &JsValue::from_str(query.d1_sql()));
    if query.set_sql.is_some() {
        list.push(&JsValue::from_str(&statement.to_json()));
    } else {
        statement.rows().flatten().for_each(|value| {
            list.push(&bound(value));
        });
    }
    list
}

impl Driver for WorkerDriver {
    fn isolation(&self) -> Isolation {
        if self.account.is_some() { Isolation::Transaction } else { Isolation::Batch }
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        let statements = self.send(batch).await?.into_iter();
        let rows = |texts: Vec<String>| {
            let mut rows = Rows::new();
            for text in texts {
                rows.extend(unpack(&text)?);
            }
            Ok(rows)
        };
        statements.map(rows).collect()
    }

    async fn read(
        &self,
        batch: &[Statement],
        mut show: impl FnMut(usize, &[ValueRef<'_>]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        for (statement, texts) in self.send(batch).await?.iter().enumerate() {
            texts.iter().try_for_each(|text| show_unpacked(text, &mut |row| show(statement, row)))?;
        }
        Ok(())
    }

    async fn back_off(&self, attempt: u32) -> bool {
        let longest_ms = 5_u32.saturating_mul(1 << attempt.min(10)).min(BACK_OFF_MS_MAX);
        // Full jitter, so that colliding requests spread out.
        let wait = Duration::from_millis(longest_ms.into()).mul_f64(Math::random());
        Delay::from(wait).await;
        platform::now() < self.began_at.plus_seconds(RETRY_SECONDS_MAX)
    }

    async fn prepare_restore(&self, at: Timestamp) -> Result<bool, DriverError> {
        let Some(account) = &self.account else { return Ok(false) };
        #[expect(clippy::cast_precision_loss, reason = "milliseconds are below 2^53")]
        let prepared = JsFuture::from(account.prepare_restore(at.millis() as f64));
        Ok(prepared.await.map_err(|error| driver_error(error_message(&error)))?.is_truthy())
    }

    fn database_bytes(&self) -> Option<u64> {
        Some(self.cost.database_bytes.get()).filter(|bytes| *bytes > 0)
    }
}

fn add<N: Copy + std::ops::Add<Output = N>>(counter: &Cell<N>, more: N) {
    counter.set(counter.get() + more);
}

/// A value as D1 binds it. Every number is a double. A STRICT table converts it back to an integer.
fn bound(value: &Value) -> JsValue {
    match value {
        Value::Null => JsValue::NULL,
        #[expect(clippy::cast_precision_loss, reason = "integers are below 2^53 in size")]
        Value::Integer(integer) => JsValue::from_f64(*integer as f64),
        Value::Text(text) => JsValue::from_str(text),
        Value::Id(_) | Value::Bytes(_) => JsValue::from_str(&value.digits()),
    }
}

/// The message of an error. D1 gives nothing else.
fn error_message(error: &JsValue) -> String {
    let text = error.dyn_ref::<JsError>().map(|error| String::from(error.message()));
    text.or_else(|| error.as_string()).unwrap_or_else(|| "a failure without a message".to_owned())
}

/// The kind of an error, by its message, since D1 has no error codes. An unrecognised error counts as one
/// of unknown outcome. That is always safe: the store reads before it retries.
fn driver_error(message: String) -> DriverError {
    if message.contains(CONSTRAINT) {
        DriverError::Constraint(message)
    } else if message.contains("overloaded") {
        DriverError::Overloaded(message)
    } else {
        DriverError::Failed(message)
    }
}

/// A number of a statement's metadata.
fn count(meta: &Object, name: &str) -> Result<u64, JsValue> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number of rows or bytes")]
    Ok(Reflect::get(meta, &name.into())?.as_f64().unwrap_or_default() as u64)
}

/// The rows of one statement as JSON: a text for each packed row, or else one text of all rows.
fn row_texts(found: &Array) -> Result<Vec<String>, JsValue> {
    let text = |value: &JsValue| long_text(value).ok_or_else(|| JsError::new("a result is not a text").into());
    let column = JsValue::from(PACKED);
    if found.length() == 0 {
        return Ok(Vec::new());
    }
    if !Reflect::has(&found.get(0), &column)? {
        // One call into JavaScript for all rows, instead of one for each value.
        let all = JSON::stringify(found)?;
        return Ok(vec![text(&all)?]);
    }
    found.iter().map(|row| text(&Reflect::get(&row, &column)?)).collect()
}
