//! The system's clock and random bytes.

use std::time::SystemTime;

use matterbook_core::{platform::Platform, time::Timestamp};

/// The platform of a running service.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemPlatform {
    /// Moves the clock, negative for earlier: made-up data is imported as of days ago.
    pub clock_offset_seconds: i64,
}

impl Platform for SystemPlatform {
    fn now(&self) -> Timestamp {
        Timestamp::from(SystemTime::now()).plus_seconds(self.clock_offset_seconds)
    }

    fn random(&self) -> [u8; 32] {
        rand::random()
    }
}
