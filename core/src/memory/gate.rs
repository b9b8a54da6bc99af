//! The rate limit's state in memory: one sliding log for each key.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    gate::{Admission, Gate, GateError, SlidingLog},
    key::KeyDigest,
    time::Timestamp,
};

/// A gate in memory. Clones share one state.
#[derive(Clone, Debug, Default)]
pub struct MemoryGate {
    logs: Arc<Mutex<BTreeMap<KeyDigest, SlidingLog>>>,
}

impl Gate for MemoryGate {
    async fn admit(&self, key: &KeyDigest, limit: u32, now: Timestamp) -> Result<Admission, GateError> {
        // No code panics while it holds the lock, so a poisoned lock guards valid data.
        let mut logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(logs.entry(*key).or_default().admit(limit, now))
    }
}
