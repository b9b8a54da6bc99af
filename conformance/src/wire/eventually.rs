//! Waiting for what a delay hides, with a deadline instead of a guess.

use std::time::Duration;

use super::{Failure, Service};

/// How long after its delay a change may stay hidden.
const GRACE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(500);

/// Asks again until `question` is answered, for at most a few seconds; then its last failure.
///
/// # Errors
/// The failure of the last try.
pub fn eventually<T>(service: &dyn Service, mut question: impl FnMut() -> Result<T, Failure>) -> Result<T, Failure> {
    let deadline = service.clock() + GRACE;
    loop {
        match question() {
            Err(_) if service.clock() < deadline => service.elapse(PAUSE),
            answered => return answered,
        }
    }
}

/// Lets a moment pass, so that what comes next has a later time on a clock that counts milliseconds.
pub fn a_moment_later(service: &dyn Service) {
    service.elapse(Duration::from_millis(2));
}

/// Lets the delay of `GET /clients` pass, then asks until `question` is answered.
///
/// # Errors
/// The failure of the last try.
pub fn wait_for_clients<T>(service: &dyn Service, question: impl FnMut() -> Result<T, Failure>) -> Result<T, Failure> {
    service.elapse(Duration::from_secs(service.facts().client_delay_seconds));
    eventually(service, question)
}

/// Lets the delay of `GET /prospects` pass, then asks until `question` is answered.
///
/// # Errors
/// The failure of the last try.
pub fn wait_for_prospects<T>(
    service: &dyn Service,
    question: impl FnMut() -> Result<T, Failure>,
) -> Result<T, Failure> {
    service.elapse(Duration::from_secs(service.facts().prospect_delay_seconds));
    eventually(service, question)
}
