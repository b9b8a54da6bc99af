//! The one thread that writes. It gathers what waits into one commit, each request after the first in a
//! savepoint of its own, and answers after the commit is synced.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread::JoinHandle,
    time::{Duration, Instant},
};

use matterbook_core::store::StoreError;
use matterbook_store_sql::driver::DriverError;
use rusqlite::Connection;
use tokio::sync::oneshot;
use uuid::Uuid;

use super::{
    DatabaseError,
    checkpoint::Checkpointer,
    driver::{commit, execute},
    queue::{Queue, QueueLimits, Queued, Refused, Taken},
    store::failed,
};
use crate::metrics::StoreMetrics;

/// The most rows of one commit, about 15 ms of work. A request that comes too late for a commit waits for it and
/// for the next one, so more rows would raise the latency.
const ROWS_PER_COMMIT: usize = 2_000;

/// The most where several accounts wait, so that one account's posts do not delay the others.
const ROWS_PER_SHARED_COMMIT: usize = 1_000;

/// A writer without work for so long looks after its files.
const IDLE: Duration = Duration::from_secs(5);

/// When to come back if the queue is full.
const RETRY_AFTER_SECONDS: u32 = 2;

/// A request that waits for the writer.
struct Job {
    task: Task,
    run: Work,
}

/// What a job is about.
#[derive(Clone, Copy)]
pub(super) struct Task {
    /// Whose turn it takes.
    pub(super) account: Uuid,
    /// How many clients, prospects or commands it is about.
    pub(super) rows: usize,
    /// It erases somebody, who must not stay readable in the log.
    pub(super) is_erasure: bool,
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
        self.task.account
    }

    fn rows(&self) -> usize {
        self.task.rows.max(1)
    }
}

impl Job {
    /// A job that sends what `work` returned, or why it was not committed. What a job that failed or panicked has
    /// written is left to the writer to undo.
    fn new<T: 'static + Send>(
        task: Task,
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
        Self { task, run: Box::new(run) }
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
        connection: Connection,
        mut checkpointer: Checkpointer,
        limits: QueueLimits,
        metrics: Arc<StoreMetrics>,
    ) -> Result<Self, DatabaseError> {
        let queue = Arc::new(Queue::new(limits));
        let (waiting, counting) = (Arc::clone(&queue), Arc::clone(&metrics));
        let handle = std::thread::Builder::new()
            .name("matterbook-writer".to_owned())
            .spawn(move || {
                checkpointer.begin(&connection);
                write_all(&connection, &mut checkpointer, &waiting, &counting);
                checkpointer.close(&connection);
            })
            .map_err(|error| DatabaseError::Thread { cause: error.to_string() })?;
        Ok(Self { queue, metrics, thread: Some(handle) })
    }

    /// Refuses what the queue has no room for, before any work on it.
    pub(super) fn require_room(&self) -> Result<(), StoreError> {
        self.queue.require_room().map_err(|refused| self.refusal(refused))
    }

    /// Has the work of a task done and committed.
    pub(super) async fn perform<T: 'static + Send>(
        &self,
        task: Task,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.queue.push(Job::new(task, work, reply)).map_err(|refused| self.refusal(refused))?;
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

fn write_all(connection: &Connection, checkpointer: &mut Checkpointer, queue: &Queue<Job>, metrics: &StoreMetrics) {
    loop {
        let first = match queue.take(IDLE) {
            Taken::Next(job) => job,
            Taken::Nothing => {
                checkpointer.idle(connection);
                continue;
            }
            Taken::Closed => return,
        };
        if let Err(refusal) = checkpointer.require_room(connection) {
            refuse_waiting(first, queue, &refusal, metrics);
            continue;
        }
        match execute(connection, "begin immediate") {
            Ok(()) => {
                write_group(connection, checkpointer, first, queue, metrics);
                checkpointer.answered(connection);
            }
            Err(error) => {
                metrics.count_failed_commit();
                refuse_waiting(first, queue, &not_begun(error), metrics);
            }
        }
    }
}

/// Nothing can be written: those that wait have waited as long, and would each wait again.
fn refuse_waiting(first: Job, queue: &Queue<Job>, error: &StoreError, metrics: &StoreMetrics) {
    let mut next = Some(first);
    while let Some(job) = next {
        if matches!(error, StoreError::Overloaded { .. }) {
            metrics.count_refused_write();
        }
        ((job.run)(Err(error.clone())).answer)(Ok(()));
        next = queue.take_waiting(usize::MAX);
    }
}

/// Does the first job and those that wait behind it, commits, then answers each.
fn write_group(
    connection: &Connection,
    checkpointer: &mut Checkpointer,
    first: Job,
    queue: &Queue<Job>,
    metrics: &StoreMetrics,
) {
    let (began, pages) = (Instant::now(), checkpointer.pages());
    let Task { account, mut rows, mut is_erasure } = first.task;
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
        rows += job.task.rows;
        is_shared |= job.task.account != account;
        is_erasure |= job.task.is_erasure;
        answers.push(run_in_savepoint(connection, job));
    }
    let committed = commit(connection).inspect(|()| metrics.count_commit(rows, began.elapsed())).inspect_err(|_| {
        metrics.count_failed_commit();
        roll_back(connection);
    });
    let saved = committed.and_then(|()| checkpointer.committed(connection, pages, is_erasure));
    for answer in answers {
        answer(saved.clone());
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
