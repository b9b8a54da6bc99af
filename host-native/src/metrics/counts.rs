//! Counts that many threads add to without waiting for one another.
//!
//! One count for all would go to and fro between the processors with every request. So there are a few
//! of each, as many as processors, and each thread adds to those of one shard. Who reads takes their sum.

use std::{
    cell::Cell,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering},
};

/// The most shards; more processors share them.
const SHARDS_MAX: usize = 8;

/// Counts by number, from 0 on, in shards.
pub(super) struct Counts {
    shards: Box<[Shard]>,
}

/// Far enough from the next one that no two share a line of a processor's cache.
#[repr(align(128))]
struct Shard(Box<[AtomicU64]>);

/// The next thread's shard.
static NEXT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static SHARD: Cell<usize> = Cell::new(NEXT.fetch_add(1, Ordering::Relaxed));
}

impl Counts {
    /// So many counts, at zero.
    pub(super) fn new(length: usize) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let shard = |_| Shard((0..length).map(|_| AtomicU64::new(0)).collect());
        Self { shards: (0..processors.min(SHARDS_MAX)).map(shard).collect() }
    }

    /// Adds to one of the counts. What is out of range is not counted.
    pub(super) fn add(&self, index: usize, count: u64) {
        // A thread that is ending has no number of its own any more.
        let shard = SHARD.try_with(Cell::get).unwrap_or(0) % self.shards.len();
        if let Some(counter) = self.shards.get(shard).and_then(|shard| shard.0.get(index)) {
            counter.fetch_add(count, Ordering::Relaxed);
        }
    }

    /// One of the counts, as it is about now.
    pub(super) fn get(&self, index: usize) -> u64 {
        let counters = self.shards.iter().filter_map(|shard| shard.0.get(index));
        counters.fold(0, |sum: u64, counter| sum.wrapping_add(counter.load(Ordering::Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_any_thread_adds_is_in_the_sum() {
        let counts = Counts::new(2);
        std::thread::scope(|scope| {
            for _ in 0..2 * SHARDS_MAX {
                scope.spawn(|| (0..1_000).for_each(|_| counts.add(1, 3)));
            }
        });
        assert_eq!((counts.get(0), counts.get(1), counts.get(2)), (0, 2 * SHARDS_MAX as u64 * 3_000, 0));
    }
}
