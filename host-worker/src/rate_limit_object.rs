//! The Durable Object that stores the allowed requests of one key (rules R1 and R8). [`SlidingLog`]
//! decides; this module stores its times.
//!
//! Each key has one object, and an object handles one event at a time. So the limit is exact for
//! concurrent requests at any location. The object uses its own clock, since clocks of other machines
//! may differ.
#![expect(missing_docs, reason = "the macro generates methods without documentation")]

use std::cell::RefCell;

use js_sys::{Float64Array, futures::JsFuture};
use matterbook_core::{
    rate_limiter::{RateDecision, SlidingLog},
    time::Timestamp,
};
use wasm_bindgen::JsCast as _;
use worker::{DurableObject, Env, Request, Response, State, durable_object};

use crate::platform;

/// The storage key of the times. `entry.mjs` deletes them when they no longer count.
const TIMES: &str = "admitted";

/// The state of one key. `log` is a copy of what is stored.
#[durable_object(fetch)]
pub struct RateLimit {
    state: State,
    log: RefCell<Option<SlidingLog>>,
}

impl DurableObject for RateLimit {
    fn new(state: State, _: Env) -> Self {
        Self { state, log: RefCell::new(None) }
    }

    async fn fetch(&self, request: Request) -> worker::Result<Response> {
        let limit = parse_limit(&request.path()).ok_or("the path is not a limit")?;
        #[cfg(feature = "test-hooks")]
        crate::hooks::trap_on_limit(limit);
        if self.log.borrow().is_none() {
            // The runtime delivers no other event while storage is read.
            let stored = self.stored().await?;
            self.log.borrow_mut().get_or_insert(stored);
        }
        // Nothing is awaited between the check and the change.
        let (decision, times) = {
            let mut log = self.log.borrow_mut();
            let log = log.get_or_insert_default();
            let decision = log.check(limit, platform::now());
            (decision, decision.allowed.then(|| times_of(log)))
        };
        if let Some(times) = times {
            // The runtime holds the response back until the write is durable.
            self.state.storage().put_raw(TIMES, times).await?;
        }
        Response::ok(to_text(decision))
    }
}

impl RateLimit {
    async fn stored(&self) -> worker::Result<SlidingLog> {
        let stored = JsFuture::from(self.state.as_raw().storage()?.get(TIMES)?).await?;
        // Nothing is stored before the first allowed request.
        let times = if stored.is_undefined() { None } else { Some(stored.dyn_into::<Float64Array>()?) };
        Ok(log_of(times))
    }
}

/// The log of these times.
pub(crate) fn log_of(times: Option<Float64Array>) -> SlidingLog {
    #[expect(clippy::cast_possible_truncation, reason = "whole microseconds below 2^53")]
    let time = |micros| Timestamp::from_micros(micros as i64);
    SlidingLog::from_times(times.map(|times| times.to_vec()).unwrap_or_default().into_iter().map(time))
}

/// The times as one value, so that an allowed request writes one row.
pub(crate) fn times_of(log: &SlidingLog) -> Float64Array {
    #[expect(clippy::cast_precision_loss, reason = "microseconds are below 2^53 until the year 2255")]
    let times: Vec<f64> = log.times().map(|time| time.micros() as f64).collect();
    Float64Array::from(times.as_slice())
}

/// The URL of a request to an object: may a request pass under this limit?
pub(crate) fn url(limit: u32) -> String {
    format!("https://rate-limit/{limit}")
}

fn parse_limit(path: &str) -> Option<u32> {
    path.strip_prefix('/')?.parse().ok()
}

/// The body of an object's response, as [`parse_decision`] reads it.
fn to_text(decision: RateDecision) -> String {
    let RateDecision { allowed, remaining, reset_seconds, retry_after_seconds } = decision;
    format!("{} {remaining} {reset_seconds} {retry_after_seconds}", u8::from(allowed))
}

/// Parses the body of an object's response.
pub(crate) fn parse_decision(text: &str) -> Option<RateDecision> {
    let mut numbers = text.split(' ').map(|number| number.parse::<u32>().ok());
    let mut next = || numbers.next().flatten();
    Some(RateDecision {
        allowed: next()? == 1,
        remaining: next()?,
        reset_seconds: next()?,
        retry_after_seconds: next()?,
    })
}
