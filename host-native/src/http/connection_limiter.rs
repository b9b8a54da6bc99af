//! The number of connections that a server holds at once, and the memory of the answers that wait to be
//! taken (rules W1, W15 and W16).
//!
//! A connection that waits for a request, or for its caller to take an answer, holds a place and does nothing
//! with it. Where places or memory run out, such connections are evicted: slow readers first, then the one
//! that has been idle longest. So neither shuts out another caller. A connection that handles a request is
//! never evicted.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{body_budget::Reservation, limits::Limits};

/// How long an evicted connection may take to close.
const EVICTION_TIMEOUT: Duration = Duration::from_millis(100);

/// The connections of a server.
pub(crate) struct ConnectionLimiter {
    permits: Arc<Semaphore>,
    connections: Mutex<Vec<Weak<Connection>>>,
    waiting: Arc<Waiting>,
    pub(super) stopping: CancellationToken,
    limits: Limits,
}

/// What waits to be taken on all connections.
#[derive(Default)]
struct Waiting {
    answer_bytes: AtomicUsize,
    /// Connections with an answer to a request without a key.
    strangers: AtomicUsize,
}

/// One connection, as long as its task holds it.
pub(super) struct Connection {
    pub(super) address: IpAddr,
    state: Mutex<State>,
    waiting: Arc<Waiting>,
    /// Cancelled when the connection is to close: it is evicted, or the server stops.
    pub(super) closing: CancellationToken,
    /// The body of the last request was not read to its end.
    pub(super) has_unread_body: AtomicBool,
    /// The head of the request is one that hyper takes and HTTP/1.1 forbids.
    pub(super) is_malformed: AtomicBool,
    /// The memory that the body of the request has, until its answer.
    pub(super) reservation: Mutex<Option<Reservation>>,
    _permit: OwnedSemaphorePermit,
}

struct State {
    is_handling: bool,
    is_evicted: bool,
    /// Since its opening, its last request or its last taken answer.
    waits_since: Instant,
    /// Answers that its caller has not wholly taken, their bytes, and how many of them are for requests
    /// without a key.
    answers: usize,
    answer_bytes: usize,
    stranger_answers: usize,
    /// The account of the last request.
    account: Option<Uuid>,
}

/// The bytes of an answer, which count until the last of them is written or the connection is closed.
struct Answer<B> {
    bytes: B,
    counted_bytes: usize,
    is_strangers: bool,
    connection: Arc<Connection>,
}

impl ConnectionLimiter {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(limits.connections)),
            connections: Mutex::default(),
            waiting: Arc::default(),
            stopping: CancellationToken::new(),
            limits,
        }
    }

    /// Lets in one more connection, if necessary in place of a slow reader or an idle one. `None` where all
    /// are in use.
    pub(super) async fn admit(&self, address: IpAddr) -> Option<Arc<Connection>> {
        let permit = match Arc::clone(&self.permits).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                self.evict(|state| self.rank(state)).then_some(())?;
                timeout(EVICTION_TIMEOUT, Arc::clone(&self.permits).acquire_owned()).await.ok()?.ok()?
            }
        };
        let connection = Arc::new(Connection {
            address,
            state: Mutex::new(State {
                is_handling: false,
                is_evicted: false,
                waits_since: Instant::now(),
                answers: 0,
                answer_bytes: 0,
                stranger_answers: 0,
                account: None,
            }),
            waiting: Arc::clone(&self.waiting),
            closing: self.stopping.child_token(),
            has_unread_body: AtomicBool::new(false),
            is_malformed: AtomicBool::new(false),
            reservation: Mutex::new(None),
            _permit: permit,
        });
        let mut connections = self.connections.lock();
        connections.retain(|connection| connection.strong_count() > 0);
        connections.push(Arc::downgrade(&connection));
        Some(connection)
    }

    /// The bytes of an answer that ends the request of a connection. They are counted until its caller has
    /// taken them, unless they are `in_program` already. Where too many wait, slow readers are evicted.
    pub(super) fn answer(
        &self,
        connection: &Arc<Connection>,
        account: Option<Uuid>,
        body: Vec<u8>,
        in_program: Option<&'static [u8]>,
    ) -> Bytes {
        let counted_bytes = body.len();
        let is_strangers = account.is_none();
        connection.state.lock().begin_answer(&self.waiting, account, counted_bytes);
        let connection = Arc::clone(connection);
        let bytes = match in_program {
            Some(bytes) => Bytes::from_owner(Answer { bytes, counted_bytes, is_strangers, connection }),
            None => Bytes::from_owner(Answer { bytes: body, counted_bytes, is_strangers, connection }),
        };
        if self.waiting.strangers.load(Ordering::Relaxed) > self.limits.stranger_answers {
            self.evict(|state| (state.stranger_answers > 0).then_some(state.waits_since));
        }
        while self.waiting.answer_bytes.load(Ordering::Relaxed) > self.limits.answers_bytes {
            let account = self.largest_account();
            if !self.evict(|state| (state.answers > 0 && state.account == account).then_some(state.waits_since)) {
                break;
            }
        }
        bytes
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

    /// The order in which connections lose their places; `None` for one that keeps it.
    fn rank(&self, state: &State) -> Option<(u8, Instant)> {
        let has_waited = state.waits_since.elapsed() >= self.limits.idle_time_at_least;
        match (state.stranger_answers, state.answers) {
            (1.., _) => Some((0, state.waits_since)),
            (_, 1..) if has_waited => Some((1, state.waits_since)),
            (_, 0) if has_waited => Some((2, state.waits_since)),
            _ => None,
        }
    }

    /// The account, or none for all strangers, whose answers take the most memory.
    fn largest_account(&self) -> Option<Uuid> {
        let mut bytes = HashMap::<Option<Uuid>, usize>::new();
        for connection in self.all() {
            let state = connection.state.lock();
            if !state.is_handling && !state.is_evicted {
                *bytes.entry(state.account).or_default() += state.answer_bytes;
            }
        }
        bytes.into_iter().max_by_key(|(_, bytes)| *bytes).and_then(|(account, _)| account)
    }

    /// Closes the connection that comes first in this order, of those that handle no request. `false` where
    /// there is none.
    fn evict<R: Ord>(&self, rank: impl Fn(&State) -> Option<R>) -> bool {
        let rank = |state: &State| if state.is_handling || state.is_evicted { None } else { rank(state) };
        let ranked = self.all().into_iter().filter_map(|connection| {
            let rank = rank(&connection.state.lock())?;
            Some((rank, connection))
        });
        let Some((_, connection)) = ranked.min_by(|(one, _), (other, _)| one.cmp(other)) else { return false };
        let mut state = connection.state.lock();
        // Otherwise a request has reached it by now, and it stays.
        if rank(&state).is_some() {
            state.forget_answers(&self.waiting);
            state.is_evicted = true;
            connection.closing.cancel();
        }
        true
    }

    fn all(&self) -> Vec<Arc<Connection>> {
        self.connections.lock().iter().filter_map(Weak::upgrade).collect()
    }
}

impl Connection {
    pub(super) fn begin_request(&self) {
        self.state.lock().is_handling = true;
    }

    pub(super) fn is_evicted(&self) -> bool {
        self.state.lock().is_evicted
    }
}

impl State {
    fn begin_answer(&mut self, waiting: &Waiting, account: Option<Uuid>, bytes: usize) {
        self.is_handling = false;
        self.account = account;
        if self.answers == 0 {
            self.waits_since = Instant::now();
        }
        self.answers += 1;
        self.answer_bytes += bytes;
        waiting.answer_bytes.fetch_add(bytes, Ordering::Relaxed);
        if account.is_none() {
            self.stranger_answers += 1;
            if self.stranger_answers == 1 {
                waiting.strangers.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    fn end_answer(&mut self, waiting: &Waiting, is_strangers: bool, bytes: usize) {
        // The answers of an evicted connection are forgotten already.
        if self.is_evicted {
            return;
        }
        self.answers -= 1;
        self.answer_bytes -= bytes;
        waiting.answer_bytes.fetch_sub(bytes, Ordering::Relaxed);
        if self.answers == 0 {
            self.waits_since = Instant::now();
        }
        if is_strangers {
            self.stranger_answers -= 1;
            if self.stranger_answers == 0 {
                waiting.strangers.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }

    fn forget_answers(&mut self, waiting: &Waiting) {
        waiting.answer_bytes.fetch_sub(self.answer_bytes, Ordering::Relaxed);
        if self.stranger_answers > 0 {
            waiting.strangers.fetch_sub(1, Ordering::Relaxed);
        }
        (self.answers, self.answer_bytes, self.stranger_answers) = (0, 0, 0);
    }
}

impl<B: AsRef<[u8]>> AsRef<[u8]> for Answer<B> {
    fn as_ref(&self) -> &[u8] {
        self.bytes.as_ref()
    }
}

impl<B> Drop for Answer<B> {
    fn drop(&mut self) {
        let connection = &self.connection;
        connection.state.lock().end_answer(&connection.waiting, self.is_strangers, self.counted_bytes);
    }
}

#[cfg(test)]
mod tests;
