//! The one thread that writes. It gathers what waits into one commit, each request after the first in a
//! savepoint of its own, and answers after the commit is synced.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread::JoinHandle,
    time::Instant,
};

use matterbook_core::{
    key::KeyDigest,
    store::{Answer, LogEntry, OperatorAnswer, OperatorCommand, Store, StoreError},
    time::Timestamp,
};
use matterbook_store_sql::{Prepared, SqlStore, driver::DriverError};
use rusqlite::Connection;
use tokio::sync::oneshot;
use uuid::Uuid;

use super::{
    DatabaseError,
    driver::{Failure, TransactionDriver, commit, execute, in_savepoint},
    queue::{Queue, QueueLimits, Refused, Waiting},
    store::{complete, failed},
};
use crate::metrics::StoreMetrics;

/// The most rows of one commit: some 15 ms of work. Who comes too late for one waits for it and for the next, so
/// more would make the slowest answers slower; and nothing quicker, since what each commit costs is little beside it.
const ROWS_PER_COMMIT: usize = 2_000;

/// The most where several accounts wait: what one of them posts is not to delay the others.
const ROWS_PER_SHARED_COMMIT: usize = 1_000;

/// How soon it is worth coming back when the queue is full.
const RETRY_AFTER_SECONDS: u32 = 2;

/// What the writer can be asked.
pub(super) enum Task {
    Change(Box<Prepared>),
    Operate(OperatorCommand, LogEntry),
    RecordUse(KeyDigest, Timestamp),
}

/// What it answers to each.
pub(super) enum Outcome {
    Changed(Option<Answer>),
    Operated(Box<OperatorAnswer>),
    Recorded,
}

struct Job {
    task: Task,
    reply: oneshot::Sender<Result<Outcome, StoreError>>,
}

impl Waiting for Job {
    fn account(&self) -> Uuid {
        match &self.task {
            Task::Change(prepared) => prepared.account(),
            // The operator and the record of uses have one turn together.
            Task::Operate(..) | Task::RecordUse(..) => Uuid::nil(),
        }
    }

    fn rows(&self) -> usize {
        match &self.task {
            Task::Change(prepared) => prepared.rows().max(1),
            Task::Operate(OperatorCommand::ImportProspects { prospects }, _) => prospects.len().max(1),
            Task::Operate(..) | Task::RecordUse(..) => 1,
        }
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
        limits: QueueLimits,
        metrics: Arc<StoreMetrics>,
    ) -> Result<Self, DatabaseError> {
        let queue = Arc::new(Queue::new(limits));
        let (waiting, counting) = (Arc::clone(&queue), Arc::clone(&metrics));
        let thread = std::thread::Builder::new()
            .name("matterbook-writer".to_owned())
            .spawn(move || {
                write_all(&connection, &waiting, &counting);
                // The log is durable already. Copying it into the file makes the next start quicker.
                let _ = connection.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()));
            })
            .map_err(|error| DatabaseError::Thread { cause: error.to_string() })?;
        Ok(Self { queue, metrics, thread: Some(thread) })
    }

    /// Refuses what the queue has no room for, before any work on it.
    pub(super) fn require_room(&self) -> Result<(), StoreError> {
        self.queue.require_room().map_err(|refused| self.refusal(refused))
    }

    /// Has the task done and committed.
    pub(super) async fn perform(&self, task: Task) -> Result<Outcome, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.queue.push(Job { task, reply }).map_err(|refused| self.refusal(refused))?;
        answer.await.unwrap_or_else(|_| Err(StoreError::Unknown { cause: "the writer went away".to_owned() }))
    }

    /// How many requests wait, and of how many rows together.
    pub(super) fn waiting(&self) -> (usize, usize) {
        self.queue.waiting()
    }

    fn refusal(&self, refused: Refused) -> StoreError {
        self.metrics.count_refused_write();
        overloaded(match refused {
            Refused::Full => "the writer's queue is full",
            Refused::Closed => "the writer is stopping",
        })
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue.close();
        if let Some(thread) = self.thread.take() {
            // The thread catches the panics of what it does, so there is nothing to learn here.
            let _ = thread.join();
        }
    }
}

fn write_all(connection: &Connection, queue: &Queue<Job>, metrics: &StoreMetrics) {
    while let Some(first) = queue.take() {
        match execute(connection, "begin immediate") {
            Ok(()) => write_group(connection, first, queue, metrics),
            Err(error) => {
                metrics.count_failed_commit();
                refuse_waiting(first, queue, &not_begun(error));
            }
        }
    }
}

/// Nothing can be written: those that wait behind have waited as long, and would each wait again.
fn refuse_waiting(first: Job, queue: &Queue<Job>, error: &StoreError) {
    let mut next = Some(first);
    while let Some(job) = next {
        send(job.reply, Err(error.clone()));
        next = queue.take_waiting(usize::MAX);
    }
}

/// Does the first job and those that wait behind it, commits, then answers each.
fn write_group(connection: &Connection, first: Job, queue: &Queue<Job>, metrics: &StoreMetrics) {
    let began = Instant::now();
    let (mut rows, account) = (first.rows(), first.account());
    let mut is_shared = false;
    // The first one has the transaction for itself so far, and needs no savepoint: one copies each page
    // that is touched. Where it fails, the transaction ends with it.
    let outcome = perform_alone(connection, first.task);
    if outcome.is_err() {
        metrics.count_failed_commit();
        roll_back(connection);
        return send(first.reply, outcome);
    }
    let mut done = vec![(first.reply, outcome)];
    // Where SQLite gave up the whole transaction, as it may when the disk is full, the next savepoint
    // would begin and commit one of its own, behind the back of the failed `commit`.
    while !connection.is_autocommit() {
        is_shared |= queue.has_several_accounts();
        let most = if is_shared { ROWS_PER_SHARED_COMMIT } else { ROWS_PER_COMMIT };
        let Some(job) = queue.take_waiting(most.saturating_sub(rows)) else { break };
        rows += job.rows();
        is_shared |= job.account() != account;
        done.push((job.reply, perform_in_savepoint(connection, job.task)));
    }
    let committed = commit(connection).inspect(|()| metrics.count_commit(rows, began.elapsed())).inspect_err(|_| {
        metrics.count_failed_commit();
        roll_back(connection);
    });
    for (reply, outcome) in done {
        send(reply, committed.clone().and(outcome));
    }
}

fn roll_back(connection: &Connection) {
    if !connection.is_autocommit() {
        // Where even this fails, the next `begin` fails too and says so.
        let _ = execute(connection, "rollback");
    }
}

/// A task that fails or panics is undone alone; the others of its group go on.
fn perform_in_savepoint(connection: &Connection, task: Task) -> Result<Outcome, StoreError> {
    let work = || perform_alone(connection, task).map_err(Failure);
    in_savepoint(connection, work).map_err(|Failure(error)| error)
}

/// What a task that fails or panics has written is left to the caller to undo.
fn perform_alone(connection: &Connection, task: Task) -> Result<Outcome, StoreError> {
    let work = AssertUnwindSafe(|| perform(connection, task));
    catch_unwind(work).unwrap_or_else(|_| Err(failed(&"the writer panicked on a request")))
}

fn perform(connection: &Connection, task: Task) -> Result<Outcome, StoreError> {
    let store = SqlStore::new(TransactionDriver(connection));
    match task {
        Task::Change(prepared) => complete(store.write(*prepared)).map(Outcome::Changed),
        Task::Operate(command, entry) => {
            complete(store.operate(command, entry)).map(|answer| Outcome::Operated(Box::new(answer)))
        }
        Task::RecordUse(key, now) => complete(store.record_use(&key, now)).map(|()| Outcome::Recorded),
    }
}

/// The caller may be gone; the work is done all the same.
fn send(reply: oneshot::Sender<Result<Outcome, StoreError>>, outcome: Result<Outcome, StoreError>) {
    let _ = reply.send(outcome);
}

fn overloaded(cause: impl std::fmt::Display) -> StoreError {
    StoreError::Overloaded { retry_after_seconds: RETRY_AFTER_SECONDS, cause: cause.to_string() }
}

fn not_begun(error: DriverError) -> StoreError {
    match error {
        DriverError::Overloaded(cause) => overloaded(format_args!("another process keeps writing: {cause}")),
        other => failed(&other),
    }
}
