//! Deciding changes beside the writer, while it is at work (design section 8).
//!
//! A look and a decision take as long as the rows that follow from them. Here they are made on the last
//! commit by a thread of their own, so that the writer has only to write, and a thread that answers short
//! requests never waits for the batch of somebody else.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread::JoinHandle,
    time::Duration,
};

use matterbook_core::store::{ChangeRequest, StoreError};
use matterbook_store_sql::{Looked, Roster, SqlStore};
use rusqlite::Connection;
use tokio::sync::{Semaphore, oneshot};

use super::{
    DatabaseError,
    at_once::at_once,
    connection::{DECIDER_CACHE_KIB, open_reader},
    driver::{Failure, TransactionDriver, in_read_transaction},
};

/// From so many clients on a change is decided here: less is decided by the writer sooner than it is
/// handed over.
pub(super) const ROWS_MIN: usize = 50;

/// How far the thread stands back (`nice`); on Linux each thread does so by itself.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 19;

/// The most that wait here. The writer decides what comes meanwhile.
const WAITING_MAX: usize = 8;

/// How long a change waits for its turn before the writer decides it after all: a thread that stands back has
/// no turn where other programs keep every processor busy.
const PATIENCE: Duration = Duration::from_millis(50);

/// A change that waits for its turn, until it has it or is taken back.
type Waiting = Arc<Mutex<Option<ChangeRequest>>>;

struct Job {
    request: Waiting,
    reply: oneshot::Sender<Result<Looked, StoreError>>,
}

/// The way to the deciding thread. Dropping it lets the thread finish what waits.
pub(super) struct Decider {
    jobs: Option<mpsc::Sender<Job>>,
    places: Semaphore,
    thread: Option<JoinHandle<()>>,
}

impl Decider {
    /// Starts the thread, which reads a file.
    pub(super) fn start(path: PathBuf, roster: Arc<Roster>) -> Result<Self, DatabaseError> {
        let (jobs, waiting) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("matterbook-decider".to_owned())
            .spawn(move || decide_all(&path, &roster, &waiting))
            .map_err(|error| DatabaseError::Thread { cause: error.to_string() })?;
        Ok(Self { jobs: Some(jobs), places: Semaphore::new(WAITING_MAX), thread: Some(thread) })
    }

    /// Decides a change on the last commit. Gives the change back where too much waits already, or its turn does
    /// not come.
    pub(super) async fn decide(&self, request: ChangeRequest) -> Result<Result<Looked, StoreError>, ChangeRequest> {
        let (Ok(_place), Some(jobs)) = (self.places.try_acquire(), &self.jobs) else { return Err(request) };
        let (reply, mut decided) = oneshot::channel();
        let waiting = Arc::new(Mutex::new(Some(request)));
        // Where the thread is gone, so is the other end of `decided`.
        let _ = jobs.send(Job { request: Arc::clone(&waiting), reply });
        let decided = match tokio::time::timeout(PATIENCE, &mut decided).await {
            Ok(decided) => decided,
            Err(_) => match take(&waiting) {
                Some(request) => return Err(request),
                None => decided.await,
            },
        };
        Ok(decided.unwrap_or_else(|_| Err(failed("the deciding thread went away"))))
    }
}

/// No code panics while it holds the lock, so what a poisoned one guards is whole.
fn take(waiting: &Waiting) -> Option<ChangeRequest> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner).take()
}

impl Drop for Decider {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // The thread catches the panics of what it does, so there is nothing to learn here.
            let _ = thread.join();
        }
    }
}

fn decide_all(path: &Path, roster: &Roster, jobs: &mpsc::Receiver<Job>) {
    step_back();
    let mut kept = None;
    for Job { request, reply } in jobs {
        let Some(request) = take(&request) else { continue };
        // After a panic the connection is closed with whatever it had open.
        let decided = catch_unwind(AssertUnwindSafe(|| {
            let connection = match kept.take() {
                Some(connection) => connection,
                None => open_reader(path, DECIDER_CACHE_KIB).map_err(|error| failed(&error.to_string()))?,
            };
            let decided = decide(&connection, roster, request);
            kept = Some(connection);
            decided
        }));
        // Whoever asked may be gone.
        let _ = reply.send(decided.unwrap_or_else(|_| Err(failed("a decision panicked"))));
    }
}

/// Lets others come first on the processors. Where the system does not let a thread do so, it goes on as the
/// others do.
fn step_back() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, NICENESS);
}

/// Decides a change on what a connection sees.
pub(super) fn decide(connection: &Connection, roster: &Roster, request: ChangeRequest) -> Result<Looked, StoreError> {
    let look = || at_once(SqlStore::new(TransactionDriver(connection)).propose(roster, request)).map_err(Failure);
    in_read_transaction(connection, look).map_err(|Failure(error)| error)
}

pub(super) fn failed(cause: &str) -> StoreError {
    StoreError::Failed { cause: cause.to_owned() }
}

#[cfg(test)]
mod tests {
    use matterbook_core::{key::KeyDigest, time::Timestamp};
    use uuid::Uuid;

    use super::*;

    fn change() -> ChangeRequest {
        ChangeRequest {
            key: KeyDigest::of("mtb_nobodys"),
            account_hint: Uuid::nil(),
            request_id: Uuid::nil(),
            now: Timestamp::from_micros(1),
            client_delay_seconds: 0,
            wants: Vec::new(),
            given: Arc::new(|_| None),
            identities: Arc::new(Vec::new),
            idempotency_key: None,
            decide: Box::new(|_| unreachable!("nobody has its turn")),
        }
    }

    /// The clock is tokio's own, which goes on by itself where everybody waits.
    #[tokio::test(start_paused = true)]
    async fn a_change_whose_turn_does_not_come_is_given_back() {
        let (jobs, waiting) = mpsc::channel();
        let decider = Decider { jobs: Some(jobs), places: Semaphore::new(1), thread: None };
        assert!(decider.decide(change()).await.is_err());
        let job = waiting.recv().expect("it waited");
        assert!(take(&job.request).is_none(), "and is not decided as well");
        assert!(decider.decide(change()).await.is_err(), "its place is free again");
    }

    #[tokio::test(start_paused = true)]
    async fn past_its_places_a_change_is_given_back_at_once() {
        let (jobs, _waiting) = mpsc::channel();
        let decider = Decider { jobs: Some(jobs), places: Semaphore::new(0), thread: None };
        let began = tokio::time::Instant::now();
        assert!(decider.decide(change()).await.is_err());
        assert_eq!(began.elapsed(), Duration::ZERO);
    }
}
