//! The places of a server's connections: as many as its limit, and where all are taken, whoever sends
//! nothing gives place to whoever comes (design section 10).
//!
//! A connection that waits for a head holds a place and does nothing with it. So many idle connections shut
//! nobody out: past the limit, the one that has waited longest is closed, if it has waited for a while. A
//! caller whose idle connection is closed opens another; a request that has begun is never cut off for it.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::limits::Limits;

/// How often a place is asked for, and how long its connection may take to close.
const TRIES: usize = 3;
const CLOSING_TIME: Duration = Duration::from_millis(100);

/// Handling a request, or on the way to it.
const WORKING: u64 = 0;
/// Told to close.
const LEAVING: u64 = u64::MAX;

/// All places of a server.
pub(super) struct Places {
    free: Arc<Semaphore>,
    seats: Mutex<Vec<Arc<Seat>>>,
    began: Instant,
    limits: Limits,
}

/// What a connection tells of itself. Its own: writing here disturbs no other connection.
pub(super) struct Seat {
    /// [`WORKING`], [`LEAVING`], or until when it waits for a head, in milliseconds since `began`.
    state: AtomicU64,
    told: Notify,
    began: Instant,
}

/// A place that a connection has. Dropped, it is free.
pub(super) struct Place {
    pub(super) seat: Arc<Seat>,
    places: Arc<Places>,
    _permit: OwnedSemaphorePermit,
}

impl Places {
    pub(super) fn new(limits: Limits) -> Self {
        let free = Arc::new(Semaphore::new(limits.connections));
        Self { free, seats: Mutex::default(), began: Instant::now(), limits }
    }

    /// A place, be it that of a connection that has been idle for long enough. `None` where every one is
    /// in use.
    pub(super) async fn take(self: &Arc<Self>) -> Option<Place> {
        if let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() {
            return Some(self.seat(permit));
        }
        for _ in 0..TRIES {
            self.longest_idle()?.told.notify_one();
            // It may have begun a request in this moment; then another one is asked.
            let freed = tokio::time::timeout(CLOSING_TIME, Arc::clone(&self.free).acquire_owned()).await;
            if let Ok(Ok(permit)) = freed {
                return Some(self.seat(permit));
            }
        }
        None
    }

    /// How many connections have a place.
    pub(super) fn taken(&self) -> usize {
        self.limits.connections.saturating_sub(self.free.available_permits())
    }

    /// How many there may be.
    pub(super) const fn limit(&self) -> usize {
        self.limits.connections
    }

    /// Waits until every place is free. `false` when that takes longer than it may.
    pub(super) async fn all_free(&self) -> bool {
        let all = u32::try_from(self.limits.connections).unwrap_or(u32::MAX);
        tokio::time::timeout(self.limits.stop_timeout, self.free.acquire_many(all)).await.is_ok()
    }

    fn seat(self: &Arc<Self>, permit: OwnedSemaphorePermit) -> Place {
        let seat = Arc::new(Seat { state: AtomicU64::new(WORKING), told: Notify::new(), began: self.began });
        self.seats().push(Arc::clone(&seat));
        Place { seat, places: Arc::clone(self), _permit: permit }
    }

    /// The connection that has waited longest, if for long enough; it is leaving from now on.
    fn longest_idle(&self) -> Option<Arc<Seat>> {
        // Each head has the same time, so who waits longest has the least of it left.
        let left = self.limits.head_timeout.saturating_sub(self.limits.idle_time_at_least);
        let latest = millis(self.began.elapsed() + left);
        let seats = self.seats();
        let waiting = seats.iter().filter_map(|seat| {
            let state = seat.state.load(Ordering::Relaxed);
            (state != WORKING && state <= latest).then_some((state, seat))
        });
        let (state, seat) = waiting.min_by_key(|(state, _)| *state)?;
        let is_told = seat.state.compare_exchange(state, LEAVING, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        is_told.then(|| Arc::clone(seat))
    }

    /// Nothing panics while the lock is held, so what a poisoned one guards is whole.
    fn seats(&self) -> MutexGuard<'_, Vec<Arc<Seat>>> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seat {
    /// A head is being waited for, until then.
    pub(super) fn waits(&self, deadline: Instant) {
        let until = millis(deadline.saturating_duration_since(self.began)).max(1);
        // Who was told to leave while it worked has something to say again: it may stay.
        self.state.store(until, Ordering::Relaxed);
    }

    /// A head is there.
    pub(super) fn works(&self) {
        self.state.store(WORKING, Ordering::Relaxed);
    }

    /// Returns when the connection is to close.
    pub(super) async fn told_to_leave(&self) {
        loop {
            self.told.notified().await;
            if self.state.load(Ordering::Relaxed) == LEAVING {
                return;
            }
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.seats().retain(|seat| !Arc::ptr_eq(seat, &self.seat));
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX - 1)
}

#[cfg(test)]
impl Default for Seat {
    fn default() -> Self {
        Self { state: AtomicU64::new(WORKING), told: Notify::new(), began: Instant::now() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: fn() -> Limits = || Limits {
        connections: 3,
        head_timeout: Duration::from_secs(30),
        idle_time_at_least: Duration::from_secs(1),
        ..Limits::default()
    };

    /// A connection that waits for a head since so many seconds.
    fn idle(place: &Place, seconds: u64) {
        place.seat.waits(Instant::now() + Duration::from_secs(30) - Duration::from_secs(seconds));
    }

    #[tokio::test]
    async fn who_has_been_idle_longest_gives_place() {
        // Long since begun, so that there are moments before now.
        let places = Arc::new(Places { began: Instant::now() - Duration::from_secs(600), ..Places::new(LIMITS()) });
        let [one, two, three] = [places.take().await, places.take().await, places.take().await].map(Option::unwrap);
        assert!(places.take().await.is_none(), "all of them work");
        idle(&one, 0);
        assert!(places.take().await.is_none(), "it has only just begun to wait");
        idle(&one, 5);
        idle(&two, 20);
        idle(&three, 10);
        let leaving = tokio::spawn(async move {
            two.seat.told_to_leave().await;
            drop(two);
        });
        let place = places.take().await;
        assert!(place.is_some() && leaving.await.is_ok());
        // One that a head reaches meanwhile stays, and the next one is asked.
        let three_seat = Arc::clone(&three.seat);
        let stays = tokio::spawn(async move {
            three_seat.told.notified().await;
            three_seat.works();
        });
        let leaving = tokio::spawn(async move {
            one.seat.told_to_leave().await;
            drop(one);
        });
        assert!(places.take().await.is_some());
        assert!(stays.await.is_ok() && leaving.await.is_ok());
        drop(three);
    }
}
