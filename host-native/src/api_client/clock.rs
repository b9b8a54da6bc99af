//! Time and randomness for a caller of the API.

use std::time::{Duration, Instant};

/// A clock with `sleep`. The clock of the tests advances by each sleep instead of waiting.
pub(crate) trait Clock {
    /// The current time.
    fn now(&self) -> Instant;
    /// Returns after this duration.
    fn sleep(&self, duration: Duration);
    /// A random number from 0 to 1, so that callers that failed together do not retry together.
    fn chance(&self) -> f64;
}

/// The system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, duration: Duration) {
        std::thread::sleep(duration);
    }

    fn chance(&self) -> f64 {
        // Without random bytes every caller waits the longest time, which is safe.
        getrandom::u32().map_or(1.0, |number| f64::from(number) / f64::from(u32::MAX))
    }
}
