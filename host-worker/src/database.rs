//! The D1 driver: the one file that names D1's types.

use std::{cell::Cell, rc::Rc, time::Duration};

use matterbook_core::{store::StoreError, time::Timestamp};
use matterbook_store_sql::driver::{
    Driver, DriverError, Isolation, PACKED, Rows, Statement, Value, ValueRef, show_unpacked, unpack,
};
use wasm_bindgen::{JsCast as _, JsValue};
use worker::{
    D1Database, Delay,
    js_sys::{Array, Error as JsError, JSON, Math, Object, Reflect, futures::JsFuture},
    worker_sys::types,
};

use crate::{platform, text::long_text};

/// How long a contended commit is tried again, from the request's first statement on.
const PATIENCE_SECONDS: i64 = 10;

/// The longest wait between two attempts.
const BACK_OFF_MAX_MS: u32 = 500;

/// What one request cost so far.
#[derive(Default)]
pub(crate) struct Usage {
    /// Batches sent.
    pub(crate) round_trips: Cell<u32>,
    /// Statements in them.
    pub(crate) statements: Cell<u32>,
    /// Rows read, as D1 bills them.
    pub(crate) rows_read: Cell<u64>,
    /// Rows written, index entries included, as D1 bills them.
    pub(crate) rows_written: Cell<u64>,
}

/// The driver of one request.
pub(crate) struct D1Driver {
    database: types::D1Database,
    usage: Rc<Usage>,
    began_at: Timestamp,
}

impl D1Driver {
    pub(crate) fn new(database: D1Database, usage: Rc<Usage>) -> Self {
        Self { database: JsValue::from(database).unchecked_into(), usage, began_at: platform::now() }
    }

    /// The rows of each statement, as JSON.
    async fn send(&self, batch: &[Statement]) -> Result<Vec<Vec<String>>, DriverError> {
        self.try_send(batch).await.map_err(|error| kind_of(message(&error)))
    }

    async fn try_send(&self, batch: &[Statement]) -> Result<Vec<Vec<String>>, JsValue> {
        let statements = Array::new();
        for statement in batch {
            let query = statement.query;
            let (sql, parameters) = match (&query.set_sql, statement.rows().next()) {
                (Some(sql), _) => (sql.as_str(), Array::of1(&JsValue::from_str(&statement.to_json()))),
                (None, parameters) => (query.scalar_sql(), parameters.into_iter().flatten().map(bound).collect()),
            };
            statements.push(&self.database.prepare(sql)?.bind(parameters)?.into());
        }
        add(&self.usage.round_trips, 1);
        add(&self.usage.statements, u32::try_from(batch.len()).unwrap_or(u32::MAX));
        let results: Array = JsFuture::from(self.database.batch(statements)?).await?.dyn_into()?;
        let mut found = Vec::new();
        for result in results.iter() {
            let result: types::D1Result = result.unchecked_into();
            let meta = result.meta()?;
            add(&self.usage.rows_read, count(&meta, "rows_read")?);
            add(&self.usage.rows_written, count(&meta, "rows_written")?);
            found.push(result.results()?.map_or_else(|| Ok(Vec::new()), |rows| texts(&rows))?);
        }
        Ok(found)
    }
}

impl Driver for D1Driver {
    fn isolation(&self) -> Isolation {
        Isolation::Batch
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
        let longest_ms = 5_u32.saturating_mul(1 << attempt.min(10)).min(BACK_OFF_MAX_MS);
        // Full jitter: those who collided spread out.
        let wait = Duration::from_millis(longest_ms.into()).mul_f64(Math::random());
        Delay::from(wait).await;
        platform::now() < self.began_at.plus_seconds(PATIENCE_SECONDS)
    }
}

fn add<N: Copy + std::ops::Add<Output = N>>(counter: &Cell<N>, more: N) {
    counter.set(counter.get() + more);
}

/// A value as D1 binds it: every number is a double, which a STRICT table turns into an integer
/// again.
fn bound(value: &Value) -> JsValue {
    match value {
        Value::Null => JsValue::NULL,
        #[expect(clippy::cast_precision_loss, reason = "integers are below 2^53 in size")]
        Value::Integer(integer) => JsValue::from_f64(*integer as f64),
        Value::Text(text) => JsValue::from_str(text),
        Value::Id(_) | Value::Bytes(_) => JsValue::from_str(&value.digits()),
    }
}

/// What D1 says of a failure: a text is all there is.
fn message(error: &JsValue) -> String {
    let text = error.dyn_ref::<JsError>().map(|error| String::from(error.message()));
    text.or_else(|| error.as_string()).unwrap_or_else(|| "a failure without a message".to_owned())
}

/// D1 has no codes, so its words have to tell. A failure that is not recognised counts as one whose
/// outcome is unknown, which is always safe: the store looks before it tries again.
fn kind_of(message: String) -> DriverError {
    if message.contains("SQLITE_CONSTRAINT") {
        DriverError::Constraint(message)
    } else if message.contains("overloaded") {
        DriverError::Overloaded(message)
    } else {
        DriverError::Failed(message)
    }
}

/// A number of a statement's account.
fn count(meta: &Object, name: &str) -> Result<u64, JsValue> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number that counts rows")]
    Ok(Reflect::get(meta, &name.into())?.as_f64().unwrap_or_default() as u64)
}

/// The rows of one statement: the texts in which they came packed, or else one text of all.
fn texts(found: &Array) -> Result<Vec<String>, JsValue> {
    let text = |value: &JsValue| long_text(value).ok_or_else(|| JsError::new("a result is no text").into());
    let column = JsValue::from(PACKED);
    if found.length() == 0 {
        return Ok(Vec::new());
    }
    if !Reflect::has(&found.get(0), &column)? {
        // One crossing into JavaScript for all rows, instead of one for each value.
        let all = JSON::stringify(found)?;
        return Ok(vec![text(&all)?]);
    }
    found.iter().map(|row| text(&Reflect::get(&row, &column)?)).collect()
}
