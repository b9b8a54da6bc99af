//! How much of the memory bodies may take, all callers together (design section 10).
//!
//! A request takes room for its body before the body is read, and gives it back with its answer, since
//! what was read out of a body lives on while the writer is waited for. Where there is none, it waits, its
//! body unread. Large bodies have a room of their own, so however many of them wait, the others go on; and
//! of large ones a caller may have two at once, so that one caller does not take all of it.

use std::{
    collections::HashMap,
    hash::BuildHasher as _,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use foldhash::fast::RandomState;
use http::HeaderValue;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::limits::Limits;

/// Up to here a body takes no room: so many bytes each connection may have anyway.
const FREE_BYTES: usize = 16 * 1_024;
/// Up to here a body is small. A batch of 500 clients as firms have them is.
pub(super) const SMALL_BYTES: usize = 256 * 1_024;
/// Room is counted in these, so that its count fits.
const UNIT_BYTES: usize = 1_024;
/// The most large bodies of one caller that are held at once. One would keep a caller waiting whose
/// connection broke off within a body and who sends it again.
const LARGE_BODIES_PER_CALLER: usize = 2;
/// Callers whose large bodies are counted; past them, those that have none any more are forgotten.
const CALLERS_MAX: usize = 1_024;

/// The room of one server.
pub(super) struct BodyRoom {
    small: Arc<Semaphore>,
    large: Arc<Semaphore>,
    large_units: usize,
    callers: Mutex<HashMap<u64, Weak<Semaphore>>>,
    hasher: RandomState,
    timeout: Duration,
}

/// The room as one connection holds it, counted by itself: a count that all connections shared would go to
/// and fro between the processors with every post.
#[expect(clippy::redundant_allocation, reason = "the outer one is there for its count")]
#[derive(Clone)]
pub(super) struct HeldRoom(Arc<Arc<BodyRoom>>);

impl HeldRoom {
    /// For one more connection.
    pub(super) fn new(room: &Arc<BodyRoom>) -> Self {
        Self(Arc::new(Arc::clone(room)))
    }

    /// As [`BodyRoom::take`].
    pub(super) async fn take(&self, bytes: usize, caller: Option<&HeaderValue>) -> Result<Held, NoRoom> {
        self.0.take(bytes, caller).await
    }
}

/// Room that a request has. Dropped, it is given back.
#[derive(Default)]
pub(super) struct Held {
    /// In the order in which they were taken; the body may have grown.
    _permits: Vec<OwnedSemaphorePermit>,
    bytes: usize,
}

impl Held {
    /// For how many bytes there is room.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }
}

/// There was no room in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoRoom;

impl BodyRoom {
    pub(super) fn new(limits: &Limits) -> Self {
        let large_units = limits.large_bodies_bytes / UNIT_BYTES;
        Self {
            small: Arc::new(Semaphore::new(limits.small_bodies_bytes / UNIT_BYTES)),
            large: Arc::new(Semaphore::new(large_units)),
            large_units,
            callers: Mutex::default(),
            hasher: RandomState::default(),
            timeout: limits.room_timeout,
        }
    }

    /// Takes room for a body of so many bytes; waits for it where there is none. `caller` tells callers
    /// apart. One body larger than all the room takes all of it.
    pub(super) async fn take(&self, bytes: usize, caller: Option<&HeaderValue>) -> Result<Held, NoRoom> {
        if bytes <= FREE_BYTES {
            return Ok(Held { _permits: Vec::new(), bytes: FREE_BYTES });
        }
        let taking = async {
            let units = bytes.div_ceil(UNIT_BYTES);
            if bytes <= SMALL_BYTES {
                return Some(vec![acquire(&self.small, units).await?]);
            }
            let turn = acquire(&self.turns(caller), 1).await?;
            Some(vec![acquire(&self.large, units.min(self.large_units)).await?, turn])
        };
        match tokio::time::timeout(self.timeout, taking).await {
            Ok(Some(permits)) => Ok(Held { _permits: permits, bytes }),
            _ => Err(NoRoom),
        }
    }

    fn turns(&self, caller: Option<&HeaderValue>) -> Arc<Semaphore> {
        let caller = self.hasher.hash_one(caller.map(HeaderValue::as_bytes));
        // Nothing panics while the lock is held, so what a poisoned one guards is whole.
        let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turns) = callers.get(&caller).and_then(Weak::upgrade) {
            return turns;
        }
        if callers.len() >= CALLERS_MAX {
            callers.retain(|_, turns| turns.strong_count() > 0);
        }
        let turns = Arc::new(Semaphore::new(LARGE_BODIES_PER_CALLER));
        callers.insert(caller, Arc::downgrade(&turns));
        turns
    }
}

/// None of them is ever closed.
async fn acquire(semaphore: &Arc<Semaphore>, units: usize) -> Option<OwnedSemaphorePermit> {
    Arc::clone(semaphore).acquire_many_owned(u32::try_from(units).ok()?).await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1_024 * 1_024;

    fn room() -> BodyRoom {
        BodyRoom::new(&Limits { small_bodies_bytes: MIB, large_bodies_bytes: 5 * MIB, ..Limits::default() })
    }

    fn caller(name: &'static str) -> HeaderValue {
        HeaderValue::from_static(name)
    }

    /// The clock is tokio's own, which goes on by itself where everybody waits.
    #[tokio::test(start_paused = true)]
    async fn however_large_bodies_wait_small_ones_have_room() {
        let room = room();
        let held = room.take(5 * MIB, Some(&caller("a"))).await;
        assert!(held.is_ok());
        assert_eq!(room.take(MIB, Some(&caller("b"))).await.err(), Some(NoRoom));
        for bytes in [0, FREE_BYTES, 100_000, SMALL_BYTES] {
            assert!(room.take(bytes, Some(&caller("b"))).await.is_ok());
        }
        drop(held);
        assert!(room.take(5 * MIB, Some(&caller("b"))).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn one_caller_does_not_take_all_the_room() {
        let room = room();
        let first = room.take(MIB, Some(&caller("a"))).await;
        let second = room.take(MIB, Some(&caller("a"))).await;
        assert!(first.is_ok() && second.is_ok());
        assert_eq!(room.take(MIB, Some(&caller("a"))).await.err(), Some(NoRoom));
        assert!(room.take(MIB, Some(&caller("b"))).await.is_ok());
        drop(first);
        assert!(room.take(MIB, Some(&caller("a"))).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_has_the_room_that_another_gives_back() {
        let room = Arc::new(room());
        let held = room.take(5 * MIB, Some(&caller("a"))).await;
        let waiting = tokio::spawn({
            let room = Arc::clone(&room);
            async move { room.take(MIB, Some(&caller("b"))).await.is_ok() }
        });
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert!(!waiting.is_finished());
        drop(held);
        assert!(waiting.await.expect("no panic"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_larger_than_all_the_room_takes_all_of_it() {
        let room = room();
        let held = room.take(50 * MIB, Some(&caller("a"))).await;
        assert!(held.is_ok_and(|held| held.bytes() == 50 * MIB));
        assert!(room.take(5 * MIB, None).await.is_ok(), "and gives it back");
    }

    #[tokio::test]
    async fn callers_are_forgotten_that_hold_nothing() {
        let room = room();
        for number in 0..3 * CALLERS_MAX {
            let name = HeaderValue::from_str(&number.to_string()).expect("a name");
            assert!(room.take(MIB, Some(&name)).await.is_ok());
        }
        assert!(room.callers.lock().expect("whole").len() <= CALLERS_MAX);
    }
}
