//! What a host may remember about keys between requests (rules A8 and A14, decisions 0010 and 0072): the account
//! of a key, which never changes; that the key was live a moment ago, which each request checks again, except a
//! refusal for too many; and that a key is not live, which no later request changes.

use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::HashMap;
use uuid::Uuid;

use crate::{key::KeyDigest, time::Timestamp};

/// How long a key counts as seen.
const SEEN_FOR_SECONDS: i64 = 60;

/// How long a key that was proved live is refused for too many requests without another look at storage.
const REFUSED_UNPROVED_SECONDS: i64 = 5;

/// The most keys that are remembered, some 100 bytes each.
const KEYS_MAX: usize = 4_096;

/// Keys that were found live within the last minute, with their accounts, and keys that were found not live.
///
/// A host whose storage has a high latency gives one to its [`Api`](super::Api) and keeps it for as long
/// as it runs. It holds at most 4,096 keys and evicts the one that was seen the longest ago.
///
/// ```
/// use matterbook_core::{
///     api::{Api, SeenKeys},
///     rate_limiter::RateLimiter,
///     platform::Platform,
///     key::KeySecrets,
///     settings::Settings,
///     store::Store,
/// };
/// use std::sync::Arc;
///
/// fn api<S: Store, L: RateLimiter, P: Platform>(store: S, rate_limiter: L, platform: P, secrets: KeySecrets, seen: &Arc<SeenKeys>) -> Api<S, L, P> {
///     Api::new(store, rate_limiter, platform, Settings::default(), secrets).with_seen_keys(Arc::clone(seen))
/// }
/// ```
#[derive(Debug, Default)]
pub struct SeenKeys {
    keys: Mutex<HashMap<KeyDigest, SeenKey>>,
}

/// What is remembered about one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeenKey {
    /// It was live.
    Live(LiveKey),
    /// It was unknown or revoked at this time, and no key becomes live again.
    Dead(Timestamp),
}

/// What is remembered about a key that was live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LiveKey {
    /// Its account, which never changes.
    pub(crate) account: Uuid,
    /// When its use was last recorded, if known.
    pub(crate) last_used_at: Option<Timestamp>,
    /// The time of the request that last proved it live.
    pub(crate) seen_at: Timestamp,
}

impl LiveKey {
    /// Whether a request over the key's limit is refused without another look at storage (rule A14).
    pub(crate) fn is_just_proved(&self, now: Timestamp) -> bool {
        is_within(REFUSED_UNPROVED_SECONDS, self.seen_at, now)
    }
}

impl SeenKey {
    const fn seen_at(&self) -> Timestamp {
        match self {
            Self::Live(LiveKey { seen_at, .. }) | Self::Dead(seen_at) => *seen_at,
        }
    }

    fn counts_at(&self, now: Timestamp) -> bool {
        is_within(SEEN_FOR_SECONDS, self.seen_at(), now)
    }
}

/// After a clock was set back, times may lie in the future. Their age is unknown, so they do not count.
fn is_within(seconds: i64, time: Timestamp, now: Timestamp) -> bool {
    time <= now && now <= time.plus_seconds(seconds)
}

impl SeenKeys {
    /// What is remembered about a key from the minute before `now`.
    pub(crate) fn recall(&self, key: &KeyDigest, now: Timestamp) -> Option<SeenKey> {
        self.keys().get(key).copied().filter(|seen| seen.counts_at(now))
    }

    /// Remembers what was just found of a key.
    pub(crate) fn remember(&self, key: &KeyDigest, seen: SeenKey) {
        let mut keys = self.keys();
        if keys.len() >= KEYS_MAX && !keys.contains_key(key) {
            keys.retain(|_, other| other.counts_at(seen.seen_at()));
            let oldest = keys.iter().min_by_key(|(_, other)| other.seen_at()).map(|(key, _)| *key);
            if let Some(oldest) = oldest.filter(|_| keys.len() >= KEYS_MAX) {
                keys.remove(&oldest);
            }
        }
        keys.insert(*key, seen);
    }

    /// Forgets all keys, because some are no longer live.
    pub(crate) fn forget_all(&self) {
        self.keys().clear();
    }

    /// No code panics while it holds the lock, so a poisoned lock guards valid data.
    fn keys(&self) -> MutexGuard<'_, HashMap<KeyDigest, SeenKey>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn key(number: usize) -> KeyDigest {
        KeyDigest::of(&number.to_string())
    }

    fn seen_at(seen_at: Timestamp) -> SeenKey {
        SeenKey::Live(LiveKey { account: Uuid::from_u128(7), last_used_at: None, seen_at })
    }

    fn micros_later(micros: i64) -> Timestamp {
        Timestamp::from_micros(START.micros() + micros)
    }

    #[test]
    fn a_key_counts_as_seen_for_a_minute() {
        let keys = SeenKeys::default();
        assert_eq!(keys.recall(&key(1), START), None, "never seen");
        keys.remember(&key(1), seen_at(START));
        for (now, counts) in [(START, true), (micros_later(60_000_000), true), (micros_later(60_000_001), false)] {
            assert_eq!(keys.recall(&key(1), now).is_some(), counts, "{now}");
        }
        keys.remember(&key(1), seen_at(micros_later(60_000_001)));
        assert!(keys.recall(&key(1), micros_later(100_000_000)).is_some(), "seen again");
        keys.forget_all();
        assert_eq!(keys.recall(&key(1), micros_later(60_000_001)), None, "forgotten");
    }

    #[test]
    fn a_key_seen_before_the_clock_was_set_back_does_not_count() {
        let keys = SeenKeys::default();
        keys.remember(&key(1), seen_at(START));
        assert_eq!(keys.recall(&key(1), micros_later(-1)), None);
        keys.remember(&key(1), seen_at(micros_later(-1)));
        assert!(keys.recall(&key(1), micros_later(-1)).is_some());
    }

    #[test]
    fn no_more_keys_are_remembered_than_the_bound() {
        let keys = SeenKeys::default();
        for number in 0..KEYS_MAX + 10 {
            let now = micros_later(i64::try_from(number).unwrap());
            keys.remember(&key(number), seen_at(now));
        }
        assert_eq!(keys.keys().len(), KEYS_MAX);
        let now = micros_later(1_000_000);
        assert_eq!(keys.recall(&key(9), now), None, "those seen the longest ago make room");
        assert!(keys.recall(&key(10), now).is_some());
        keys.remember(&key(10), seen_at(now));
        assert_eq!(keys.keys().len(), KEYS_MAX, "a key seen again needs no more room");
        keys.remember(&key(0), seen_at(now.plus_seconds(61)));
        assert_eq!(keys.keys().len(), 1, "keys that do not count any more make room first");
    }
}
