//! What tests do to a Worker built for them (feature `test-hooks`): set the clock and the random
//! bytes of a request, and break what it stands on, by headers.
//!
//! | header | value |
//! |---|---|
//! | `matterbook-test-now` | the time of the request, in microseconds since 1970 |
//! | `matterbook-test-draws` | how often random bytes were drawn before |
//! | `matterbook-test-fault` | `trap`, `gate`, `lost-batch` or `lost-answer` |

use std::{cell::Cell, time::Duration};

use http::HeaderMap;
use matterbook_core::{
    gate::{Admission, Gate, GateError},
    key::KeyDigest,
    memory::ManualPlatform,
    time::Timestamp,
};
use matterbook_store_sql::driver::{Driver, DriverError, Isolation, Rows, Statement};
use worker::Delay;

/// How long a request that traps waits, so that others come to be under way.
const BEFORE_TRAP: Duration = Duration::from_millis(200);

/// The clock and the bytes that a test gives.
pub(crate) fn platform(headers: &HeaderMap) -> Option<ManualPlatform> {
    let now = number(headers, "matterbook-test-now")?;
    let draws = number(headers, "matterbook-test-draws").and_then(|draws| u64::try_from(draws).ok())?;
    Some(ManualPlatform::after_draws(Timestamp::from_micros(now), draws))
}

fn number(headers: &HeaderMap, name: &str) -> Option<i64> {
    headers.get(name)?.to_str().ok()?.parse().ok()
}

/// What a test breaks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    Gate,
    LostBatch,
    LostAnswer,
}

/// A driver and a gate that fail as a request's header says. For `trap` this never comes back.
pub(crate) async fn broken<D: Driver, G: Gate>(driver: D, gate: G, headers: &HeaderMap) -> (Broken<D>, Broken<G>) {
    let fault = match headers.get("matterbook-test-fault").and_then(|value| value.to_str().ok()) {
        Some("trap") => {
            Delay::from(BEFORE_TRAP).await;
            core::arch::wasm32::unreachable()
        }
        Some("gate") => Fault::Gate,
        Some("lost-batch") => Fault::LostBatch,
        Some("lost-answer") => Fault::LostAnswer,
        _ => Fault::None,
    };
    (Broken { inner: driver, fault: Cell::new(fault) }, Broken { inner: gate, fault: Cell::new(fault) })
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
            Fault::None | Fault::Gate => self.inner.run(batch).await,
        }
    }

    async fn back_off(&self, attempt: u32) -> bool {
        self.inner.back_off(attempt).await
    }
}

impl<G: Gate> Gate for Broken<G> {
    async fn admit(&self, key: &KeyDigest, limit: u32, now: Timestamp) -> Result<Admission, GateError> {
        if self.fault.get() == Fault::Gate {
            return Err(GateError("broken by a test".to_owned()));
        }
        self.inner.admit(key, limit, now).await
    }
}
