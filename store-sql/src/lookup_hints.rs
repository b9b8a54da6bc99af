//! What lookups have shown of accounts, so that the first lookup of a request on D1 reads neither tombstones nor what
//! waits for review where there are none.

use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::{HashMap, HashMapExt as _};
use matterbook_core::key::KeyDigest;

/// The most keys that are remembered.
const KEYS_MAX: usize = 4_096;

/// What the account of a key was seen to have: a hint. A lookup that should have asked for it and did not is repeated.
///
/// A host that makes a store for each request shares one between them.
#[derive(Debug)]
pub struct LookupHints {
    keys: Mutex<HashMap<KeyDigest, Hint>>,
}

/// What a lookup asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hint {
    /// The account has erased a client.
    pub(crate) tombstones: bool,
    /// Something waits for review.
    pub(crate) review: bool,
    /// A client has an alias.
    pub(crate) aliases: bool,
}

impl Hint {
    /// Both hints together.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self {
            tombstones: self.tombstones || other.tombstones,
            review: self.review || other.review,
            aliases: self.aliases || other.aliases,
        }
    }
}

impl Default for LookupHints {
    fn default() -> Self {
        Self { keys: Mutex::new(HashMap::new()) }
    }
}

impl LookupHints {
    /// What the account of this key was seen to have.
    pub(crate) fn of(&self, key: &KeyDigest) -> Hint {
        self.keys().get(key).copied().unwrap_or_default()
    }

    /// Remembers what it has. Beyond 4,096 keys, all are found out again.
    pub(crate) fn set(&self, key: &KeyDigest, hint: Hint) {
        let mut keys = self.keys();
        if keys.len() >= KEYS_MAX {
            keys.clear();
        }
        keys.insert(*key, hint);
    }

    /// Nothing panics while the lock is held, so what a poisoned one guards is whole.
    fn keys(&self) -> MutexGuard<'_, HashMap<KeyDigest, Hint>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
