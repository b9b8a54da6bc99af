//! The rate limit's state in memory: one sliding log for each key in use (rules R1 and R8).

use std::collections::HashMap;

use foldhash::fast::RandomState;
use matterbook_core::{
    key::KeyDigest,
    rate_limiter::{RateDecision, RateLimiter, RateLimiterError, SlidingLog},
    time::Timestamp,
};
use parking_lot::Mutex;

/// How often empty logs are removed.
const SWEEP_SECONDS: i64 = 60;

/// One [`SlidingLog`] for each key used within the last minutes.
#[derive(Default)]
pub struct MemoryRateLimiter(Mutex<Logs>);

#[derive(Default)]
struct Logs {
    by_key: HashMap<KeyDigest, SlidingLog, RandomState>,
    swept_at: Timestamp,
}

impl RateLimiter for MemoryRateLimiter {
    async fn check(&self, key: &KeyDigest, limit: u32, now: Timestamp) -> Result<RateDecision, RateLimiterError> {
        let mut logs = self.0.lock();
        if logs.swept_at.plus_seconds(SWEEP_SECONDS) <= now {
            logs.by_key.retain(|_, log| !log.is_idle(now));
            logs.swept_at = now;
        }
        Ok(logs.by_key.entry(*key).or_default().check(limit, now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn kept(rate_limiter: &MemoryRateLimiter) -> usize {
        rate_limiter.0.lock().by_key.len()
    }

    async fn use_keys(rate_limiter: &MemoryRateLimiter, keys: u32, now: Timestamp) {
        for key in 0..keys {
            let decision = rate_limiter.check(&KeyDigest::of(&key.to_string()), 1, now).await;
            assert!(decision.is_ok_and(|decision| decision.allowed));
        }
    }

    #[tokio::test]
    async fn each_key_has_its_own_limit() {
        let rate_limiter = MemoryRateLimiter::default();
        use_keys(&rate_limiter, 1_000, START).await;
        let again = rate_limiter.check(&KeyDigest::of("7"), 1, START.plus_seconds(1)).await;
        assert_eq!(again.map(|decision| (decision.allowed, decision.retry_after_seconds)), Ok((false, 59)));
    }

    #[tokio::test]
    async fn keys_that_are_no_longer_used_are_forgotten() {
        let rate_limiter = MemoryRateLimiter::default();
        use_keys(&rate_limiter, 10_000, START).await;
        assert_eq!(kept(&rate_limiter), 10_000);
        use_keys(&rate_limiter, 1_000, START.plus_seconds(61)).await;
        assert_eq!(kept(&rate_limiter), 1_000);
    }
}
