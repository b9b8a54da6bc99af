//! The rate limit's state in memory: one sliding log for each key.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    key::KeyDigest,
    rate_limiter::{RateDecision, RateLimiterError, SendRateLimiter, SlidingLog},
    time::Timestamp,
};

/// A rate limiter in memory. Clones share one state.
#[derive(Clone, Debug, Default)]
pub struct MemoryRateLimiter {
    logs: Arc<Mutex<BTreeMap<KeyDigest, SlidingLog>>>,
}

impl SendRateLimiter for MemoryRateLimiter {
    async fn check(&self, key: &KeyDigest, limit: u32, now: Timestamp) -> Result<RateDecision, RateLimiterError> {
        // No code panics while it holds the lock, so a poisoned lock guards valid data.
        let mut logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(logs.entry(*key).or_default().check(limit, now))
    }
}
