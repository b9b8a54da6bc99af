//! The system's clock and random bytes.

use std::{cell::RefCell, time::SystemTime};

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
        STOCK.with_borrow_mut(Stock::take)
    }
}

/// How many draws are fetched at once: one call of the system for 32 requests costs each a tenth of a
/// call of its own.
const DRAWS: usize = 32;

thread_local! {
    static STOCK: RefCell<Stock> = const { RefCell::new(Stock { draws: [[0; 32]; DRAWS], left: 0 }) };
}

/// Random bytes of the system that one thread has in stock. Each is handed out once and not kept.
struct Stock {
    draws: [[u8; 32]; DRAWS],
    left: usize,
}

impl Stock {
    fn take(&mut self) -> [u8; 32] {
        if self.left == 0 {
            // A system without random bytes cannot make keys; no answer would be right.
            getrandom::fill(self.draws.as_flattened_mut()).expect("the system gives random bytes");
            self.left = DRAWS;
        }
        self.left -= 1;
        std::mem::take(&mut self.draws[self.left])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_random_bytes_are_handed_out_twice() {
        let threads = [(); 4].map(|()| {
            std::thread::spawn(|| (0..10 * DRAWS).map(|_| SystemPlatform::default().random()).collect::<Vec<_>>())
        });
        let drawn: Vec<_> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        assert_eq!(drawn.iter().collect::<BTreeSet<_>>().len(), 40 * DRAWS);
        assert!(!drawn.contains(&[0; 32]));
    }
}
