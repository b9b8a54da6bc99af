//! The memory that bodies may take, all callers together (rule W4).
//!
//! A request reserves memory for its body before the body is read, and releases it with its answer, since
//! what was read out of a body lives on while the writer is waited for. Where nothing is left, the request
//! waits with its body unread. Small bodies have a budget of their own, so that large ones never delay them.
//! A key has two large bodies at once at most, so that one key never takes the whole budget.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
    time::Duration,
};

use http::HeaderValue;
use matterbook_core::api::BodyError;
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::limits::Limits;

/// Bodies up to here reserve nothing: each connection may hold so many bytes anyway.
const FREE_BYTES: usize = 16 * 1_024;
/// The largest small body. A batch of 500 clients as firms have them is smaller.
pub(super) const SMALL_BYTES: usize = 256 * 1_024;
/// How many bytes one permit is for.
const BYTES_PER_PERMIT: usize = 1_024;
/// The most large bodies of one key at once. With one, a caller that sends a body again after its connection
/// broke would wait for the broken one.
const LARGE_BODIES_PER_KEY: usize = 2;

/// The budgets of one server.
pub(super) struct BodyBudget {
    small: Arc<Semaphore>,
    large: Arc<Semaphore>,
    large_permits: usize,
    /// By the `Authorization` header, for keys with a large body.
    keys: Mutex<HashMap<Option<HeaderValue>, Weak<Semaphore>>>,
    timeout: Duration,
}

/// The permits for the memory of a body, until they are dropped.
pub(super) type Reservation = Vec<OwnedSemaphorePermit>;

impl BodyBudget {
    pub(super) fn new(limits: Limits) -> Self {
        let large_permits = limits.large_bodies_bytes / BYTES_PER_PERMIT;
        Self {
            small: Arc::new(Semaphore::new(limits.small_bodies_bytes / BYTES_PER_PERMIT)),
            large: Arc::new(Semaphore::new(large_permits)),
            large_permits,
            keys: Mutex::default(),
            timeout: limits.room_timeout,
        }
    }

    /// Reserves memory for a body; waits for it within the time that there is. A body larger than the whole
    /// budget takes all of it.
    pub(super) async fn reserve(&self, bytes: usize, key: Option<&HeaderValue>) -> Result<Reservation, BodyError> {
        let acquiring = async {
            let permits = bytes.div_ceil(BYTES_PER_PERMIT);
            if bytes <= FREE_BYTES {
                return Some(Vec::new());
            }
            if bytes <= SMALL_BYTES {
                return Some(vec![acquire(&self.small, permits).await?]);
            }
            let turn = acquire(&self.of_key(key), 1).await?;
            Some(vec![acquire(&self.large, permits.min(self.large_permits)).await?, turn])
        };
        match tokio::time::timeout(self.timeout, acquiring).await {
            Ok(Some(permits)) => Ok(permits),
            _ => Err(BodyError::NoRoom),
        }
    }

    fn of_key(&self, key: Option<&HeaderValue>) -> Arc<Semaphore> {
        let mut keys = self.keys.lock();
        keys.retain(|_, semaphore| semaphore.strong_count() > 0);
        let entry = keys.entry(key.cloned()).or_default();
        entry.upgrade().unwrap_or_else(|| {
            let semaphore = Arc::new(Semaphore::new(LARGE_BODIES_PER_KEY));
            *entry = Arc::downgrade(&semaphore);
            semaphore
        })
    }
}

/// `None` never comes: no semaphore of a budget is closed, and no body is too large to be counted.
async fn acquire(semaphore: &Arc<Semaphore>, permits: usize) -> Option<OwnedSemaphorePermit> {
    Arc::clone(semaphore).acquire_many_owned(u32::try_from(permits).ok()?).await.ok()
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn keys_without_a_large_body_are_forgotten() {
        let budget = BodyBudget::new(Limits::default());
        for number in 0..100 {
            assert!(budget.reserve(2 * SMALL_BYTES, Some(&HeaderValue::from(number))).await.is_ok());
        }
        assert!(budget.keys.lock().len() <= 1);
    }
    #[tokio::test]
    async fn a_body_larger_than_the_budget_takes_all_of_it_and_releases_it_to_the_next() {
        let budget = BodyBudget::new(Limits { large_bodies_bytes: 5 * SMALL_BYTES, ..Limits::default() });
        let keys = [HeaderValue::from(1), HeaderValue::from(2)];
        let all = budget.reserve(7 * SMALL_BYTES, Some(&keys[0])).await;
        let mut next = pin!(budget.reserve(2 * SMALL_BYTES, Some(&keys[1])));
        assert!(next.as_mut().now_or_never().is_none(), "there is no room for it");
        drop(all);
        assert!(next.await.is_ok());
    }
}
