//! Time and chance, as a caller of the API needs them.

use std::time::{Duration, Instant};

/// A clock that can be waited by. Tests give one that is moved by its waits.
pub(crate) trait Clock {
    /// The time now.
    fn now(&self) -> Instant;
    /// Comes back after so long.
    fn sleep(&self, duration: Duration);
    /// A number from 0 to 1 by chance, so that callers that failed together do not come back together.
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
        // Without random bytes every caller waits the longest, which harms nobody.
        getrandom::u32().map_or(1.0, |number| f64::from(number) / f64::from(u32::MAX))
    }
}
