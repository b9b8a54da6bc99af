//! The system's clock and random bytes.

use std::time::{SystemTime, UNIX_EPOCH};

use matterbook_core::{platform::Platform, time::Timestamp};

/// The platform of a running service.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemPlatform {
    /// Moves the clock, negative for earlier: made-up data is imported as of days ago.
    pub clock_offset_seconds: i64,
}

impl Platform for SystemPlatform {
    fn now(&self) -> Timestamp {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let micros = i64::try_from(since_epoch.as_micros()).unwrap_or(i64::MAX);
        Timestamp::from_micros(micros).plus_seconds(self.clock_offset_seconds)
    }

    fn random(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        // A system without random bytes cannot make keys; no answer would be right.
        getrandom::fill(&mut bytes).expect("the system gives random bytes");
        bytes
    }
}
