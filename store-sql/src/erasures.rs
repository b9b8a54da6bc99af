//! Which accounts have erased a client, as far as looks have shown: what is left of erased clients is
//! looked for with the first look only where there is any.

use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::HashSet;
use matterbook_core::key::KeyDigest;

/// The most keys that are remembered.
const KEYS_MAX: usize = 4_096;

/// Keys of accounts that have erased a client. What is remembered only tells what a look asks for:
/// one that turns out to have asked for too little is made again.
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
