//! Waiting for what a delay hides, with a deadline instead of a guess.

use std::time::Duration;

use super::{Failure, Service};

/// How often to ask again: for five seconds. Not by the service's clock, which may stand still.
const PAUSES_MAX: u32 = 10;
const PAUSE: Duration = Duration::from_millis(500);

/// Asks again until `question` is answered, for at most a few seconds; then its last failure.
///
/// # Errors
/// The failure of the last try.
pub fn eventually<T>(service: &dyn Service, mut question: impl FnMut() -> Result<T, Failure>) -> Result<T, Failure> {
    for _ in 0..PAUSES_MAX {
        match question() {
            Err(_) => service.elapse(PAUSE),
            answered => return answered,
        }
    }
    question()
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::wire::{Answer, Facts, Request};

    /// A service with a stopped clock.
    struct Standing(Facts);

    impl Service for Standing {
        fn exchange(&self, _: &Request) -> Result<Answer, String> {
            Err("nothing is asked of it".to_owned())
        }

        fn elapse(&self, _: Duration) {}

        fn clock(&self) -> Duration {
            Duration::ZERO
        }

        fn facts(&self) -> &Facts {
            &self.0
        }
    }

    #[test]
    fn what_never_comes_is_a_failure_also_on_a_clock_that_stands_still() {
        let service = Standing(Facts {
            operator_token: String::new(),
            service_name: String::new(),
            key_prefix: String::new(),
            client_delay_seconds: 0,
            prospect_delay_seconds: 0,
            rate_limit_per_minute: 0,
            body_limit_bytes: 0,
            has_viewer: false,
        });
        let asked = Cell::new(0);
        let failure = eventually(&service, || {
            asked.set(asked.get() + 1);
            assert!(asked.get() < 1_000, "it asks for ever");
            Err::<(), _>(Failure::new("a question", "an answer", "none"))
        });
        assert!(failure.is_err());
        assert_eq!(asked.get(), PAUSES_MAX + 1);
    }
}
