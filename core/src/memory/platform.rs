//! A platform for tests: the clock is set by hand, and the bytes are the same in each run.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use sha2::{Digest as _, Sha256};

use crate::{platform::Platform, time::Timestamp};

/// A clock that is set by hand, and predictable bytes: for tests only. Clones share one clock.
///
/// ```
/// use std::time::Duration;
/// use matterbook_core::{memory::ManualPlatform, platform::Platform, time::Timestamp};
/// let platform = ManualPlatform::new(Timestamp::from_micros(0));
/// platform.advance(Duration::from_secs(61));
/// assert_eq!(platform.now(), Timestamp::from_micros(61_000_000));
/// assert_ne!(platform.random(), platform.random());
/// ```
#[derive(Clone, Debug)]
pub struct ManualPlatform {
    now_micros: Arc<AtomicI64>,
    draws: Arc<AtomicU64>,
}

impl ManualPlatform {
    /// A platform whose clock shows `now`. The bytes of the first draw are the same for each.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self { now_micros: Arc::new(AtomicI64::new(now.micros())), draws: Arc::default() }
    }

    /// A platform that continues after that many draws of another one.
    #[must_use]
    pub fn after_draws(now: Timestamp, draws: u64) -> Self {
        Self { draws: Arc::new(AtomicU64::new(draws)), ..Self::new(now) }
    }

    /// The number of draws.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.draws.load(Ordering::SeqCst)
    }

    /// Sets the clock, forward or back.
    pub fn set(&self, now: Timestamp) {
        self.now_micros.store(now.micros(), Ordering::SeqCst);
    }

    /// Moves the clock forward, by at least a microsecond unless the duration is zero. [`ManualPlatform::set`] sets
    /// it back.
    pub fn advance(&self, duration: Duration) {
        let micros = i64::try_from(duration.as_nanos().div_ceil(1_000)).unwrap_or(i64::MAX);
        self.set(Timestamp::from_micros(self.now().micros().saturating_add(micros)));
    }
}

impl Platform for ManualPlatform {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.now_micros.load(Ordering::SeqCst))
    }

    fn random(&self) -> [u8; 32] {
        let draw = self.draws.fetch_add(1, Ordering::SeqCst);
        Sha256::digest(draw.to_be_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_advanced_shows_a_later_time() {
        let platform = ManualPlatform::new(Timestamp::from_micros(0));
        for (duration, micros) in [
            (Duration::ZERO, 0),
            (Duration::from_nanos(1), 1),
            (Duration::from_millis(500), 500_001),
            (Duration::MAX, i64::MAX),
        ] {
            platform.advance(duration);
            assert_eq!(platform.now().micros(), micros, "{duration:?}");
        }
    }
}
