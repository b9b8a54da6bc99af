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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_random_bytes_are_handed_out_twice() {
        const DRAWS: usize = 320;
        let threads = [(); 4].map(|()| {
            std::thread::spawn(|| (0..DRAWS).map(|_| SystemPlatform::default().random()).collect::<Vec<_>>())
        });
        let drawn: Vec<_> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        assert_eq!(drawn.iter().collect::<BTreeSet<_>>().len(), 4 * DRAWS);
        assert!(!drawn.contains(&[0; 32]));
    }
}
