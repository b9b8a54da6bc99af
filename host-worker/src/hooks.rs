//! Hooks for tests (feature `test-hooks`). Headers set the clock and the random bytes of a request, and
//! inject faults. A batch that exceeds D1's limits fails here, because workerd on a developer's machine
//! accepts it.
//!
//! | header | value |
//! |---|---|
//! | `matterbook-test-now` | the time of the request, in microseconds since 1970 |
//! | `matterbook-test-draws` | the number of earlier draws of random bytes |
//! | `matterbook-test-fault` | the fault |
//!
//! | fault | meaning |
//! |---|---|
//! | `trap` | the module traps shortly after the request arrives |
//! | `trap-in-rate-limiter` | the module traps in the rate limit's object |
//! | `trap-before-commit`, `trap-after-commit` | the module traps around the batch that writes |
//! | `slow-commit` | the batch that writes is sent two seconds late |
//! | `rate-limiter` | the rate limit's object cannot be reached |
//! | `lost-rate-limit` | the first answer of the rate limit's object is lost |
//! | `lost-read` | the response to the first batch that only reads is lost |
//! | `lost-batch`, `lost-answer` | the first batch that writes is lost, or its response |

use std::{cell::Cell, time::Duration};

use http::{HeaderMap, HeaderName};
use matterbook_core::{
    key::KeyDigest,
    memory::ManualPlatform,
    rate_limiter::{RateDecision, RateLimiter, RateLimiterError},
    store::StoreError,
    time::Timestamp,
};
use matterbook_store_sql::driver::{Driver, DriverError, Isolation, Rows, Statement, Value, ValueRef};
use worker::Delay;

/// The delay before `trap`, so that other requests are in progress.
const BEFORE_TRAP: Duration = Duration::from_millis(200);

/// The delay of `slow-commit`.
const BEFORE_SLOW_COMMIT: Duration = Duration::from_secs(2);

/// A limit that no setting allows. The rate limit's object traps on it.
const TRAPPING_LIMIT: u32 = u32::MAX;

/// The most statements in one batch. D1 allows 1,000 in an invocation, and 50 on its free plan. A
/// request stays far below, because it may be retried.
const STATEMENTS_MAX: usize = 19;

/// The longest statement, in bytes (D1).
const SQL_BYTES_MAX: usize = 100_000;

/// The most parameters of a statement (D1).
const PARAMETERS_MAX: usize = 100;

/// The longest parameter, in bytes: half of D1's limit.
const PARAMETER_BYTES_MAX: usize = 1_000_000;

static NOW: HeaderName = HeaderName::from_static("matterbook-test-now");
static DRAWS: HeaderName = HeaderName::from_static("matterbook-test-draws");
static FAULT: HeaderName = HeaderName::from_static("matterbook-test-fault");

/// The clock and the random bytes that a test sets.
pub(crate) fn platform(headers: &HeaderMap) -> Option<ManualPlatform> {
    let now = number(headers, &NOW)?;
    let draws = number(headers, &DRAWS).and_then(|draws| u64::try_from(draws).ok())?;
    Some(ManualPlatform::after_draws(Timestamp::from_micros(now), draws))
}

fn number(headers: &HeaderMap, name: &HeaderName) -> Option<i64> {
    headers.get(name)?.to_str().ok()?.parse().ok()
}

/// A fault that a test injects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    RateLimiter,
    LostRateLimit,
    LostRead,
    TrapInRateLimiter,
    LostBatch,
    LostAnswer,
    SlowCommit,
    TrapBeforeCommit,
    TrapAfterCommit,
}

/// A driver and a rate limiter that fail as the request's header says. For `trap` this never returns.
pub(crate) async fn with_fault<D: Driver, L: RateLimiter>(
    driver: D,
    rate_limiter: L,
    headers: &HeaderMap,
) -> (Faulty<D>, Faulty<L>) {
    let fault = match headers.get(&FAULT).and_then(|value| value.to_str().ok()) {
        Some("trap") => {
            Delay::from(BEFORE_TRAP).await;
            core::arch::wasm32::unreachable()
        }
        Some("trap-in-rate-limiter") => Fault::TrapInRateLimiter,
        Some("trap-before-commit") => Fault::TrapBeforeCommit,
        Some("trap-after-commit") => Fault::TrapAfterCommit,
        Some("slow-commit") => Fault::SlowCommit,
        Some("rate-limiter") => Fault::RateLimiter,
        Some("lost-rate-limit") => Fault::LostRateLimit,
        Some("lost-read") => Fault::LostRead,
        Some("lost-batch") => Fault::LostBatch,
        Some("lost-answer") => Fault::LostAnswer,
        _ => Fault::None,
    };
    (Faulty { inner: driver, fault: Cell::new(fault) }, Faulty { inner: rate_limiter, fault: Cell::new(fault) })
}

/// Traps in the rate limit's object, where a test wants it.
pub(crate) fn trap_on_limit(limit: u32) {
    if limit == TRAPPING_LIMIT {
        core::arch::wasm32::unreachable()
    }
}

/// A driver or rate limiter that fails once.
pub(crate) struct Faulty<T> {
    inner: T,
    fault: Cell<Fault>,
}

impl<T> Faulty<T> {
    /// Fails once, where a test wants a read to be lost.
    fn lose_read(&self) -> Result<(), DriverError> {
        if self.fault.get() != Fault::LostRead {
            return Ok(());
        }
        self.fault.set(Fault::None);
        Err(DriverError::Failed("the read was lost".to_owned()))
    }
}

impl<D: Driver> Driver for Faulty<D> {
    fn isolation(&self) -> Isolation {
        self.inner.isolation()
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        if let Some(excess) = exceeded_limit(batch) {
            return Err(DriverError::Failed(format!("over a limit of D1: {excess}")));
        }
        let writes = batch.iter().any(|statement| statement.query.name == "begin_commit");
        if !writes {
            self.lose_read()?;
            return self.inner.run(batch).await;
        }
        match self.fault.replace(Fault::None) {
            Fault::LostBatch => Err(DriverError::Failed("the batch was lost".to_owned())),
            Fault::LostAnswer => {
                self.inner.run(batch).await?;
                Err(DriverError::Failed("the response was lost".to_owned()))
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
            Fault::None | Fault::RateLimiter | Fault::LostRateLimit | Fault::LostRead | Fault::TrapInRateLimiter => {
                self.inner.run(batch).await
            }
        }
    }

    async fn read(
        &self,
        batch: &[Statement],
        show: impl FnMut(usize, &[ValueRef<'_>]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        match exceeded_limit(batch) {
            Some(excess) => Err(DriverError::Failed(format!("over a limit of D1: {excess}")).into()),
            None => {
                self.lose_read()?;
                self.inner.read(batch, show).await
            }
        }
    }

    async fn back_off(&self, attempt: u32) -> bool {
        self.inner.back_off(attempt).await
    }

    fn database_bytes(&self) -> Option<u64> {
        self.inner.database_bytes()
    }

    async fn prepare_restore(&self, at: Timestamp) -> Result<bool, DriverError> {
        self.inner.prepare_restore(at).await
    }
}

/// What in a batch exceeds a limit.
fn exceeded_limit(batch: &[Statement]) -> Option<String> {
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

impl<L: RateLimiter> RateLimiter for Faulty<L> {
    async fn check(&self, key: &KeyDigest, limit: u32, now: Timestamp) -> Result<RateDecision, RateLimiterError> {
        match self.fault.get() {
            Fault::LostRateLimit => {
                self.fault.set(Fault::None);
                self.inner.check(key, limit, now).await?;
                Err(RateLimiterError("the answer was lost".to_owned()))
            }
            Fault::RateLimiter => Err(RateLimiterError("broken by a test".to_owned())),
            Fault::TrapInRateLimiter => self.inner.check(key, TRAPPING_LIMIT, now).await,
            _ => self.inner.check(key, limit, now).await,
        }
    }
}
