//! Which accounts have erased a client, as far as lookups have shown. Only for those does the first lookup ask for
//! tombstones.

use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::HashSet;
use matterbook_core::key::KeyDigest;

/// The most keys that are remembered.
const KEYS_MAX: usize = 4_096;

/// Keys of accounts that have erased a client: a hint. A lookup that should have asked for tombstones and did not
/// is repeated.
///
/// A host that makes a store for each request shares one between them.
#[derive(Debug, Default)]
pub struct SeenErasures {
    keys: Mutex<HashSet<KeyDigest>>,
}

impl SeenErasures {
    /// Whether the account of this key was seen to have erased a client.
    pub(crate) fn contains(&self, key: &KeyDigest) -> bool {
        self.keys().contains(key)
    }

    /// Remembers that it has. Beyond 4,096 keys, all are found out again.
    pub(crate) fn insert(&self, key: &KeyDigest) {
        let mut keys = self.keys();
        if keys.len() >= KEYS_MAX {
            keys.clear();
        }
        keys.insert(*key);
    }

    /// Nothing panics while the lock is held, so what a poisoned one guards is whole.
    fn keys(&self) -> MutexGuard<'_, HashSet<KeyDigest>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
