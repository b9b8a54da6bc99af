//! What tests do to a Worker built for them (feature `test-hooks`): set the clock and the random
//! bytes of a request, and break what it stands on, by headers. And what they find out without
//! asking: a batch over D1's limits fails here, as workerd on a developer's machine lets it pass.
//!
//! | header | value |
//! |---|---|
//! | `matterbook-test-now` | the time of the request, in microseconds since 1970 |
//! | `matterbook-test-draws` | how often random bytes were drawn before |
//! | `matterbook-test-fault` | what breaks |
//!
//! | fault | meaning |
//! |---|---|
//! | `trap` | the module traps a moment after the request came |
//! | `trap-in-gate` | the module traps in the rate limit's object |
//! | `trap-before-commit`, `trap-after-commit` | the module traps around the batch that writes |
//! | `slow-commit` | the batch that writes is sent two seconds after it was decided on |
//! | `gate` | the rate limit's state cannot be reached |
//! | `lost-batch`, `lost-answer` | the first batch that writes, or its answer, does not arrive |

use std::{cell::Cell, time::Duration};

use http::{HeaderMap, HeaderName};
use matterbook_core::{
    gate::{Admission, Gate, GateError},
    key::KeyDigest,
    memory::ManualPlatform,
    store::StoreError,
    time::Timestamp,
};
use matterbook_store_sql::driver::{Driver, DriverError, Isolation, Rows, Statement, Value, ValueRef};
use worker::Delay;

/// How long a request that traps waits, so that others come to be under way.
const BEFORE_TRAP: Duration = Duration::from_millis(200);

/// How long a commit waits that is to be overtaken.
const BEFORE_SLOW_COMMIT: Duration = Duration::from_secs(2);

/// A limit that no setting allows: asked for it, the rate limit's object traps.
const TRAPPING_LIMIT: u32 = u32::MAX;

/// The most statements in one batch. D1 counts up to 1,000 in an invocation, 50 on its free plan;
/// a request is to stay far below, for it may have to try again.
const STATEMENTS_MAX: usize = 19;

/// The longest text of a statement, in bytes (D1).
const SQL_BYTES_MAX: usize = 100_000;

/// The most parameters of a statement (D1).
const PARAMETERS_MAX: usize = 100;

/// The longest parameter, in bytes: half of what D1 takes.
const PARAMETER_BYTES_MAX: usize = 1_000_000;

static NOW: HeaderName = HeaderName::from_static("matterbook-test-now");
static DRAWS: HeaderName = HeaderName::from_static("matterbook-test-draws");
static FAULT: HeaderName = HeaderName::from_static("matterbook-test-fault");

/// The headers above.
pub(crate) static HEADERS_READ: [&HeaderName; 3] = [&NOW, &DRAWS, &FAULT];

/// The clock and the bytes that a test gives.
pub(crate) fn platform(headers: &HeaderMap) -> Option<ManualPlatform> {
    let now = number(headers, &NOW)?;
    let draws = number(headers, &DRAWS).and_then(|draws| u64::try_from(draws).ok())?;
    Some(ManualPlatform::after_draws(Timestamp::from_micros(now), draws))
}

fn number(headers: &HeaderMap, name: &HeaderName) -> Option<i64> {
    headers.get(name)?.to_str().ok()?.parse().ok()
}

/// What a test breaks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    Gate,
    TrapInGate,
    LostBatch,
    LostAnswer,
    SlowCommit,
    TrapBeforeCommit,
    TrapAfterCommit,
}

/// A driver and a gate that fail as a request's header says. For `trap` this never comes back.
pub(crate) async fn broken<D: Driver, G: Gate>(driver: D, gate: G, headers: &HeaderMap) -> (Broken<D>, Broken<G>) {
    let fault = match headers.get(&FAULT).and_then(|value| value.to_str().ok()) {
        Some("trap") => {
            Delay::from(BEFORE_TRAP).await;
            core::arch::wasm32::unreachable()
        }
        Some("trap-in-gate") => Fault::TrapInGate,
        Some("trap-before-commit") => Fault::TrapBeforeCommit,
        Some("trap-after-commit") => Fault::TrapAfterCommit,
        Some("slow-commit") => Fault::SlowCommit,
        Some("gate") => Fault::Gate,
        Some("lost-batch") => Fault::LostBatch,
        Some("lost-answer") => Fault::LostAnswer,
        _ => Fault::None,
    };
    (Broken { inner: driver, fault: Cell::new(fault) }, Broken { inner: gate, fault: Cell::new(fault) })
}

/// Traps where a test asked for it, in the rate limit's object.
pub(crate) fn trap_if_asked(limit: u32) {
    if limit == TRAPPING_LIMIT {
        core::arch::wasm32::unreachable()
    }
}

/// A part that fails once.
pub(crate) struct Broken<T> {
    inner: T,
    fault: Cell<Fault>,
}

impl<D: Driver> Driver for Broken<D> {
    fn isolation(&self) -> Isolation {
        self.inner.isolation()
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        if let Some(excess) = excess(batch) {
            return Err(DriverError::Failed(format!("over a limit of D1: {excess}")));
        }
        let writes = batch.iter().any(|statement| statement.query.name == "begin_commit");
        if !writes {
            return self.inner.run(batch).await;
        }
        match self.fault.replace(Fault::None) {
            Fault::LostBatch => Err(DriverError::Failed("lost on the way there".to_owned())),
            Fault::LostAnswer => {
                self.inner.run(batch).await?;
                Err(DriverError::Failed("lost on the way back".to_owned()))
            }
            Fault::SlowCommit => {
                Delay::from(BEFORE_SLOW_COMMIT).await;
                self.inner.run(batch).await
            }
            Fault::TrapBeforeCommit => core::arch::wasm32::unreachable(),
            Fault::TrapAfterCommit => {
                self.inner.run(batch).await?;
                core::arch::wasm32::unreachable()
            }
            Fault::None | Fault::Gate | Fault::TrapInGate => self.inner.run(batch).await,
        }
    }

    async fn read(
        &self,
        batch: &[Statement],
        show: impl FnMut(usize, &[ValueRef<'_>]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        match excess(batch) {
            Some(excess) => Err(DriverError::Failed(format!("over a limit of D1: {excess}")).into()),
            None => self.inner.read(batch, show).await,
        }
    }

    async fn back_off(&self, attempt: u32) -> bool {
        self.inner.back_off(attempt).await
    }
}

/// What of a batch is over a limit.
fn excess(batch: &[Statement]) -> Option<String> {
    if batch.is_empty() || batch.len() > STATEMENTS_MAX {
        return Some(format!("{} statements in a batch", batch.len()));
    }
    batch.iter().find_map(|statement| {
        let query = statement.query;
        let (sql, lengths): (_, Vec<usize>) = match &query.set_sql {
            Some(sql) => (sql.as_str(), vec![statement.to_json().len()]),
            None => (query.scalar_sql(), statement.rows().flatten().map(length).collect()),
        };
        let longest = lengths.iter().copied().max().unwrap_or_default();
        let excess = match () {
            () if sql.len() > SQL_BYTES_MAX => format!("{} bytes of SQL", sql.len()),
            () if lengths.len() > PARAMETERS_MAX => format!("{} parameters", lengths.len()),
            () if longest > PARAMETER_BYTES_MAX => format!("a parameter of {longest} bytes"),
            () => return None,
        };
        Some(format!("{excess} in {}", query.name))
    })
}

fn length(value: &Value) -> usize {
    match value {
        Value::Null | Value::Integer(_) => 8,
        Value::Text(text) => text.len(),
        Value::Id(_) | Value::Bytes(_) => value.digits().len(),
    }
}

impl<G: Gate> Gate for Broken<G> {
    async fn admit(&self, key: &KeyDigest, limit: u32, now: Timestamp) -> Result<Admission, GateError> {
        match self.fault.get() {
            Fault::Gate => Err(GateError("broken by a test".to_owned())),
            Fault::TrapInGate => self.inner.admit(key, TRAPPING_LIMIT, now).await,
            _ => self.inner.admit(key, limit, now).await,
        }
    }
}
