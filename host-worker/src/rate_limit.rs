//! The Durable Object that keeps the admitted requests of one key: the rule is
//! [`SlidingLog`]; here is only where its times are kept.
//!
//! There is one object a key, and an object handles one event at a time, so the limit is exact
//! however many requests come at once, wherever they come from. It goes by its own clock: those of
//! the machines that ask may differ.
#![expect(missing_docs, reason = "the methods that the macro writes have no documentation")]

use std::cell::RefCell;

use matterbook_core::{
    gate::{Admission, SlidingLog},
    time::Timestamp,
};
use wasm_bindgen::JsCast as _;
use worker::{
    DurableObject, Env, Request, Response, State, durable_object,
    js_sys::{Float64Array, futures::JsFuture},
};

use crate::platform;

/// The name under which the times are stored.
const TIMES: &str = "admitted";

/// One key's state. In memory it is what is stored.
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
        let limit = parse_limit(&request.path()).ok_or("not a question that the gate asks")?;
        #[cfg(feature = "test-hooks")]
        crate::hooks::trap_if_asked(limit);
        if self.log.borrow().is_none() {
            // While storage is being read no other event is delivered.
            let stored = self.stored().await?;
            self.log.borrow_mut().get_or_insert(stored);
        }
        // Nothing is awaited between the look and the change.
        let (admission, times) = {
            let mut log = self.log.borrow_mut();
            let log = log.get_or_insert_default();
            let admission = log.admit(limit, platform::now());
            (admission, admission.admitted.then(|| packed(log)))
        };
        if let Some(times) = times {
            // The answer is held back until this is on the disk.
            self.state.storage().put_raw(TIMES, times).await?;
        }
        Response::ok(to_text(admission))
    }
}

impl RateLimit {
    async fn stored(&self) -> worker::Result<SlidingLog> {
        let stored = JsFuture::from(self.state.as_raw().storage()?.get(TIMES)?).await?;
        // An object that never admitted a request has stored nothing.
        let times = if stored.is_undefined() { Vec::new() } else { stored.dyn_into::<Float64Array>()?.to_vec() };
        #[expect(clippy::cast_possible_truncation, reason = "whole microseconds below 2^53")]
        let times = times.into_iter().map(|micros| Timestamp::from_micros(micros as i64));
        Ok(SlidingLog::from_times(times))
    }
}

/// The times as one value, so that an admitted request writes one row.
fn packed(log: &SlidingLog) -> Float64Array {
    #[expect(clippy::cast_precision_loss, reason = "microseconds are below 2^53 until the year 2255")]
    let times: Vec<f64> = log.times().map(|time| time.micros() as f64).collect();
    Float64Array::from(times.as_slice())
}

/// What the gate asks an object: whether a request passes under this limit.
pub(crate) fn question(limit: u32) -> String {
    format!("https://rate-limit/{limit}")
}

fn parse_limit(path: &str) -> Option<u32> {
    path.strip_prefix('/')?.parse().ok()
}

/// An object's answer, as [`parse_admission`] reads it.
fn to_text(admission: Admission) -> String {
    let Admission { admitted, remaining, reset_seconds, retry_after_seconds } = admission;
    format!("{} {remaining} {reset_seconds} {retry_after_seconds}", u8::from(admitted))
}

/// Reads an object's answer.
pub(crate) fn parse_admission(text: &str) -> Option<Admission> {
    let mut numbers = text.split(' ').map(|number| number.parse::<u32>().ok());
    let mut next = || numbers.next().flatten();
    Some(Admission { admitted: next()? == 1, remaining: next()?, reset_seconds: next()?, retry_after_seconds: next()? })
}
