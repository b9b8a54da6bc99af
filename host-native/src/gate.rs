//! The rate limit's state in memory (reference section 8): one sliding log per key that is in use.

use std::{
    collections::HashMap,
    hash::BuildHasher as _,
    sync::{Mutex, PoisonError},
};

use foldhash::fast::RandomState;
use matterbook_core::{
    gate::{Admission, Gate, GateError, SlidingLog},
    key::KeyDigest,
    time::Timestamp,
};

/// Keys are spread over this many locks, so that two seldom meet at one.
const SHARDS: usize = 64;
/// How often each shard drops the logs in which nothing counts any more.
const SWEEP_SECONDS: i64 = 60;

/// One [`SlidingLog`] for each key used within the last minutes.
pub struct MemoryGate {
    hasher: RandomState,
    shards: [Mutex<Shard>; SHARDS],
}

#[derive(Default)]
struct Shard {
    logs: HashMap<KeyDigest, SlidingLog, RandomState>,
    swept_at: Timestamp,
}

impl Default for MemoryGate {
    fn default() -> Self {
        Self { hasher: RandomState::default(), shards: std::array::from_fn(|_| Mutex::default()) }
    }
}

impl Gate for MemoryGate {
    async fn admit(&self, key: &KeyDigest, limit: u32, now: Timestamp) -> Result<Admission, GateError> {
        let index = usize::try_from(self.hasher.hash_one(key)).unwrap_or(0) % SHARDS;
        let mut shard = self.shards[index].lock().unwrap_or_else(PoisonError::into_inner);
        if shard.swept_at.plus_seconds(SWEEP_SECONDS) <= now {
            shard.logs.retain(|_, log| !log.is_idle(now));
            shard.swept_at = now;
        }
        Ok(shard.logs.entry(*key).or_default().admit(limit, now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    /// How many keys are kept in mind.
    fn kept(gate: &MemoryGate) -> usize {
        gate.shards.iter().map(|shard| shard.lock().unwrap().logs.len()).sum()
    }

    async fn use_keys(gate: &MemoryGate, keys: u32, now: Timestamp) {
        for key in 0..keys {
            let admission = gate.admit(&KeyDigest::of(&key.to_string()), 1, now).await;
            assert!(admission.is_ok_and(|admission| admission.admitted));
        }
    }

    #[tokio::test]
    async fn each_key_has_its_own_limit() {
        let gate = MemoryGate::default();
        use_keys(&gate, 1_000, START).await;
        let again = gate.admit(&KeyDigest::of("7"), 1, START.plus_seconds(1)).await;
        assert_eq!(again.map(|admission| (admission.admitted, admission.retry_after_seconds)), Ok((false, 59)));
    }

    #[tokio::test]
    async fn keys_that_are_no_longer_used_are_forgotten() {
        let gate = MemoryGate::default();
        use_keys(&gate, 10_000, START).await;
        assert_eq!(kept(&gate), 10_000);
        use_keys(&gate, 1_000, START.plus_seconds(61)).await;
        assert_eq!(kept(&gate), 1_000);
    }
}
