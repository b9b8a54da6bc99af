//! The number of connections that a server holds at once (rule W1).
//!
//! A connection that waits for a request holds a permit and does nothing with it. Past the limit, the one
//! that has waited longest is evicted for a new connection, if it has waited for a while. So idle
//! connections shut out no other caller. A connection that handles a request is never evicted.

use std::{
    sync::{Arc, Weak, atomic::AtomicBool},
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::{body_budget::Reservation, limits::Limits};

/// How long an evicted connection may take to close.
const EVICTION_TIMEOUT: Duration = Duration::from_millis(100);

/// The connections of a server.
pub(crate) struct ConnectionLimiter {
    permits: Arc<Semaphore>,
    connections: Mutex<Vec<Weak<Connection>>>,
    pub(super) stopping: CancellationToken,
    limits: Limits,
}

/// One connection, as long as its task holds it.
pub(super) struct Connection {
    pub(super) activity: Mutex<Activity>,
    /// Cancelled when the connection is to close: it is evicted, or the server stops.
    pub(super) closing: CancellationToken,
    /// The body of the last request was not read to its end.
    pub(super) has_unread_body: AtomicBool,
    /// The memory that the body of the request has, until its answer.
    pub(super) reservation: Mutex<Option<Reservation>>,
    _permit: OwnedSemaphorePermit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activity {
    Handling,
    IdleSince(Instant),
    Evicted,
}

impl ConnectionLimiter {
    pub(super) fn new(limits: Limits) -> Self {
        let permits = Arc::new(Semaphore::new(limits.connections));
        Self { permits, connections: Mutex::default(), stopping: CancellationToken::new(), limits }
    }

    /// Lets in one more connection, if necessary in place of an idle one. `None` where all are in use.
    pub(super) async fn admit(&self) -> Option<Arc<Connection>> {
        let permit = match Arc::clone(&self.permits).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                self.evict_longest_idle()?;
                timeout(EVICTION_TIMEOUT, Arc::clone(&self.permits).acquire_owned()).await.ok()?.ok()?
            }
        };
        let connection = Arc::new(Connection {
            activity: Mutex::new(Activity::IdleSince(Instant::now())),
            closing: self.stopping.child_token(),
            has_unread_body: AtomicBool::new(false),
            reservation: Mutex::new(None),
            _permit: permit,
        });
        let mut connections = self.connections.lock();
        connections.retain(|connection| connection.strong_count() > 0);
        connections.push(Arc::downgrade(&connection));
        Some(connection)
    }

    /// How many connections are open.
    pub(crate) fn open(&self) -> usize {
        self.limits.connections.saturating_sub(self.permits.available_permits())
    }

    /// The most that are open at once.
    pub(crate) const fn limit(&self) -> usize {
        self.limits.connections
    }

    /// Waits until no connection is open. `false` when that takes longer than it may.
    pub(super) async fn all_closed(&self) -> bool {
        let all = u32::try_from(self.limits.connections).unwrap_or(u32::MAX);
        timeout(self.limits.stop_timeout, self.permits.acquire_many(all)).await.is_ok()
    }

    /// `None` where no connection has been idle for long enough.
    fn evict_longest_idle(&self) -> Option<()> {
        let connections: Vec<_> = self.connections.lock().iter().filter_map(Weak::upgrade).collect();
        let idle = connections.iter().filter_map(|connection| match *connection.activity.lock() {
            Activity::IdleSince(since) => Some((since, connection)),
            Activity::Handling | Activity::Evicted => None,
        });
        let (since, connection) = idle.min_by_key(|(since, _)| *since)?;
        if since.elapsed() < self.limits.idle_time_at_least {
            return None;
        }
        let mut activity = connection.activity.lock();
        // Otherwise a request has reached it by now, and it stays.
        if *activity == Activity::IdleSince(since) {
            *activity = Activity::Evicted;
            connection.closing.cancel();
        }
        Some(())
    }
}
