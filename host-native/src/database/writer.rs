//! The one thread that writes. It gathers what waits into one commit, each request after the first in a
//! savepoint of its own, and answers after the commit is synced.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread::JoinHandle,
    time::Instant,
};

use matterbook_core::store::StoreError;
use matterbook_store_sql::driver::DriverError;
use rusqlite::{Connection, hooks::Wal};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::{
    DatabaseError,
    driver::{commit, execute},
    queue::{Queue, QueueLimits, Queued, Refused},
    store::failed,
};
use crate::metrics::StoreMetrics;

/// The most rows of one commit, about 15 ms of work. A request that comes too late for a commit waits for it and
/// for the next one, so more rows would raise the latency.
const ROWS_PER_COMMIT: usize = 2_000;

/// The most where several accounts wait, so that one account's posts do not delay the others.
const ROWS_PER_SHARED_COMMIT: usize = 1_000;

/// The log is checkpointed from 4,096 pages (16 MiB) on, so that a busy writer seldom copies the same page twice.
const CHECKPOINT_PAGES: u32 = 4_096;

/// When to come back if the queue is full.
const RETRY_AFTER_SECONDS: u32 = 2;

/// A request that waits for the writer.
struct Job {
    account: Uuid,
    rows: usize,
    run: Work,
}

/// Does the work of a job within the open transaction, or takes why there is none.
type Work = Box<dyn FnOnce(Result<&Connection, StoreError>) -> Done + Send>;

/// What a job did within the transaction.
struct Done {
    has_failed: bool,
    answer: Respond,
}

/// Answers a caller, once it is known whether the commit succeeded.
type Respond = Box<dyn FnOnce(Result<(), StoreError>)>;

impl Queued for Job {
    fn account(&self) -> Uuid {
        self.account
    }

    fn rows(&self) -> usize {
        self.rows
    }
}

impl Job {
    /// A job that sends what `work` returned, or why it was not committed. What a job that failed or panicked has
    /// written is left to the writer to undo.
    fn new<T: 'static + Send>(
        account: Uuid,
        rows: usize,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
        reply: oneshot::Sender<Result<T, StoreError>>,
    ) -> Self {
        let run = move |connection: Result<&Connection, StoreError>| {
            let outcome = connection.and_then(|connection| {
                catch_unwind(AssertUnwindSafe(|| work(connection)))
                    .unwrap_or_else(|_| Err(failed(&"the writer panicked on a request")))
            });
            let has_failed = outcome.is_err();
            // The caller may be gone; the work is done all the same.
            Done { has_failed, answer: Box::new(move |committed| drop(reply.send(committed.and(outcome)))) }
        };
        Self { account, rows: rows.max(1), run: Box::new(run) }
    }
}

/// The way to the writing thread. Dropping it lets the thread finish what waits.
pub(super) struct Writer {
    queue: Arc<Queue<Job>>,
    metrics: Arc<StoreMetrics>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread, which owns the connection from now on.
    pub(super) fn start(
        mut connection: Connection,
        limits: QueueLimits,
        metrics: Arc<StoreMetrics>,
    ) -> Result<Self, DatabaseError> {
        let thread = |cause: String| DatabaseError::Thread { cause };
        let log_pages = count_log_pages(&mut connection).map_err(|error| thread(error.to_string()))?;
        let queue = Arc::new(Queue::new(limits));
        let (waiting, counting) = (Arc::clone(&queue), Arc::clone(&metrics));
        let handle = std::thread::Builder::new()
            .name("matterbook-writer".to_owned())
            .spawn(move || {
                write_all(&connection, &log_pages, &waiting, &counting);
                // The log is durable already. Copying it into the file makes the next start quicker.
                let _ = connection.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()));
            })
            .map_err(|error| thread(error.to_string()))?;
        Ok(Self { queue, metrics, thread: Some(handle) })
    }

    /// Refuses what the queue has no room for, before any work on it.
    pub(super) fn require_room(&self) -> Result<(), StoreError> {
        self.queue.require_room().map_err(|refused| self.refusal(refused))
    }

    /// Has the work of an account, of so many rows, done and committed.
    pub(super) async fn perform<T: 'static + Send>(
        &self,
        account: Uuid,
        rows: usize,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.queue.push(Job::new(account, rows, work, reply)).map_err(|refused| self.refusal(refused))?;
        answer.await.unwrap_or_else(|_| Err(StoreError::Unknown { cause: "the writer went away".to_owned() }))
    }

    /// How many requests wait, and of how many rows together.
    pub(super) fn waiting(&self) -> (usize, usize) {
        self.queue.waiting()
    }

    fn refusal(&self, refused: Refused) -> StoreError {
        self.metrics.count_refused_write();
        overloaded(match refused {
            Refused::Full => "the writer's queue is full".to_owned(),
            Refused::Closed => "the writer is stopping".to_owned(),
        })
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue.close();
        if let Some(thread) = self.thread.take() {
            // The thread catches the panics of its jobs, so there is nothing to learn here.
            let _ = thread.join();
        }
    }
}

fn write_all(connection: &Connection, log_pages: &AtomicU32, queue: &Queue<Job>, metrics: &StoreMetrics) {
    while let Some(first) = queue.take() {
        match execute(connection, "begin immediate") {
            Ok(()) => {
                write_group(connection, first, queue, metrics);
                if log_pages.load(Ordering::Relaxed) >= CHECKPOINT_PAGES {
                    // A checkpoint that fails, or that a reader holds up, is repeated after the next commit.
                    let _ = connection.query_row("pragma wal_checkpoint(passive)", [], |_| Ok(()));
                }
            }
            Err(error) => {
                metrics.count_failed_commit();
                refuse_waiting(first, queue, &not_begun(error));
            }
        }
    }
}

/// The pages in the write-ahead log, as each commit counts them.
fn count_log_pages(connection: &mut Connection) -> rusqlite::Result<Arc<AtomicU32>> {
    let pages = Arc::<AtomicU32>::default();
    let counting = Arc::clone(&pages);
    let count = move |_: &mut Wal, pages: i32| {
        counting.store(u32::try_from(pages).unwrap_or(0), Ordering::Relaxed);
        Ok(())
    };
    connection.wal_hook(Some(count))?;
    Ok(pages)
}

/// Nothing can be written: those that wait have waited as long, and would each wait again.
fn refuse_waiting(first: Job, queue: &Queue<Job>, error: &StoreError) {
    let mut next = Some(first);
    while let Some(job) = next {
        ((job.run)(Err(error.clone())).answer)(Ok(()));
        next = queue.take_waiting(usize::MAX);
    }
}

/// Does the first job and those that wait behind it, commits, then answers each.
fn write_group(connection: &Connection, first: Job, queue: &Queue<Job>, metrics: &StoreMetrics) {
    let began = Instant::now();
    let (mut rows, account) = (first.rows, first.account);
    let mut is_shared = false;
    // The first job needs no savepoint, which would copy each page that it writes. Where it fails, the
    // transaction ends with it.
    let Done { has_failed, answer } = (first.run)(Ok(connection));
    if has_failed {
        metrics.count_failed_commit();
        roll_back(connection);
        return answer(Ok(()));
    }
    let mut answers = vec![answer];
    // SQLite may roll back the whole transaction, as on a full disk. A savepoint after that would begin and
    // commit a transaction of its own.
    while !connection.is_autocommit() {
        is_shared |= queue.has_several_accounts();
        let most = if is_shared { ROWS_PER_SHARED_COMMIT } else { ROWS_PER_COMMIT };
        let Some(job) = queue.take_waiting(most.saturating_sub(rows)) else { break };
        rows += job.rows;
        is_shared |= job.account != account;
        answers.push(run_in_savepoint(connection, job));
    }
    let committed = commit(connection).inspect(|()| metrics.count_commit(rows, began.elapsed())).inspect_err(|_| {
        metrics.count_failed_commit();
        roll_back(connection);
    });
    for answer in answers {
        answer(committed.clone());
    }
}

/// Runs a job in a savepoint of the open transaction. A job that fails is undone alone; the others go on.
fn run_in_savepoint(connection: &Connection, job: Job) -> Respond {
    if let Err(error) = execute(connection, "savepoint job") {
        return (job.run)(Err(failed(&error))).answer;
    }
    let Done { has_failed, answer } = (job.run)(Ok(connection));
    let undone = if has_failed { execute(connection, "rollback to job") } else { Ok(()) };
    match undone.and_then(|()| execute(connection, "release job")) {
        Ok(()) => answer,
        Err(error) => Box::new(move |_| answer(Err(failed(&error)))),
    }
}

fn roll_back(connection: &Connection) {
    if !connection.is_autocommit() {
        // Where even this fails, the next `begin` fails too and says so.
        let _ = execute(connection, "rollback");
    }
}

fn overloaded(cause: String) -> StoreError {
    StoreError::Overloaded { retry_after_seconds: RETRY_AFTER_SECONDS, cause }
}

fn not_begun(error: DriverError) -> StoreError {
    match error {
        DriverError::Overloaded(cause) => overloaded(format!("another process keeps writing: {cause}")),
        other => failed(&other),
    }
}
