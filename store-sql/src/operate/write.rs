//! How a command writes: what it does and its entry in the log, as one atomic batch (S13).
//!
//! A `require_…` statement fails the batch where there is nothing to do it to. A driver tells only
//! that some constraint refused the batch, so the requirement is then asked by itself: if it holds,
//! it was something else, such as a new id that is taken, and that is a failure, not a refusal.
//!
//! An answer that is lost may be that of a batch that was applied. The entry in the log tells: it is
//! a part of the batch. What was not applied is not tried again here.

use matterbook_core::store::LogEntry;

use super::Stop;
use crate::{
    bind,
    driver::{Driver, DriverError, Isolation, Rows, Statement},
    queries,
    read::{Results, write_error},
};

/// The entry in the log.
pub(super) fn log(entry: &LogEntry) -> Statement {
    queries::LOG_ENTRY.bind([
        ("at", bind::time(entry.at)),
        ("id", bind::id(entry.id)),
        ("actor", entry.actor.as_str().into()),
        ("action", entry.action.into()),
        ("subject", entry.subject.as_str().into()),
        ("request_id", bind::id(entry.request_id)),
    ])
}

/// Whether the command was done.
pub(super) fn logged(entry: &LogEntry) -> Statement {
    queries::LOGGED.bind([("at", bind::time(entry.at)), ("id", bind::id(entry.id))])
}

/// Does something, logs it, and hands back what `shows` reads afterwards.
pub(super) async fn write<D: Driver>(
    driver: &D,
    does: Vec<Statement>,
    shows: Vec<Statement>,
    entry: &LogEntry,
) -> Result<Results, Stop> {
    let written = write_and_show(driver, does, shows, entry).await;
    Ok(written.map_err(|error| write_error(driver.isolation(), error))?)
}

/// The same to something that has to be there: where `require` fails, nothing is done, and the
/// command comes to `otherwise`.
pub(super) async fn write_to<D: Driver>(
    driver: &D,
    require: Statement,
    otherwise: Stop,
    does: Vec<Statement>,
    shows: Vec<Statement>,
    entry: &LogEntry,
) -> Result<Results, Stop> {
    let does = [vec![require.clone()], does].concat();
    match write_and_show(driver, does, shows, entry).await {
        Ok(results) => Ok(results),
        Err(DriverError::Constraint(_)) if is_refused(driver, require).await => Err(otherwise),
        Err(error) => Err(write_error(driver.isolation(), error).into()),
    }
}

/// Runs a batch that holds the command's entry in the log. `None` when it was applied and its answer
/// was lost.
pub(super) async fn apply<D: Driver>(
    driver: &D,
    batch: &[Statement],
    entry: &LogEntry,
) -> Result<Option<Vec<Rows>>, DriverError> {
    match driver.run(batch).await {
        Err(DriverError::Failed(cause)) if driver.isolation() == Isolation::Batch => {
            let looked = driver.run(&[logged(entry)]).await.map(Results::new);
            let is_applied = looked.is_ok_and(|mut results| results.row().is_some());
            if is_applied { Ok(None) } else { Err(DriverError::Failed(cause)) }
        }
        outcome => outcome.map(Some),
    }
}

async fn write_and_show<D: Driver>(
    driver: &D,
    does: Vec<Statement>,
    shows: Vec<Statement>,
    entry: &LogEntry,
) -> Result<Results, DriverError> {
    let done = does.len() + 1;
    let batch = [does, vec![log(entry)], shows].concat();
    let (_, shows) = batch.split_at(done);
    let rows = match apply(driver, &batch, entry).await? {
        Some(rows) => rows.into_iter().skip(done).collect(),
        None if shows.is_empty() => Vec::new(),
        // It was done: however this look fails, it must not be said that nothing was.
        None => driver.run(shows).await.map_err(|error| DriverError::Failed(error.to_string()))?,
    };
    Ok(Results::new(rows))
}

/// Whether a requirement by itself fails.
async fn is_refused<D: Driver>(driver: &D, require: Statement) -> bool {
    matches!(driver.run(&[require]).await, Err(DriverError::Constraint(_)))
}
