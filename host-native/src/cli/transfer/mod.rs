//! An account as a file: `matterbook account export` and `account import` (rule L20).

mod export;
mod file;
mod import;

use std::{thread, time::Duration};

use serde_json::Value;

use super::{
    operator::{Call, Operator, Sent},
    outcome::Failure,
};

pub(super) use export::export;
pub(super) use import::import;

/// How often a request is repeated while the service fails, with a longer wait each time: 6 seconds together.
const ATTEMPTS_MAX: u32 = 6;

/// The answer to a call, or to `again` where the service failed, since it may have carried out the call.
fn repeated(operator: &Operator, call: &Call, again: &Call) -> Result<Value, Failure> {
    let mut sent = operator.try_send(call.clone());
    for attempt in 1..ATTEMPTS_MAX {
        if !matches!(sent, Sent::Failed(_)) {
            break;
        }
        thread::sleep(Duration::from_millis(100 << attempt));
        sent = operator.try_send(again.clone());
    }
    match sent {
        Sent::Answered(answer) => Ok(answer),
        Sent::Refused(failure) | Sent::Failed(failure) => Err(failure),
    }
}
