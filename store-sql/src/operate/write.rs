//! How a command writes: what it does and its entry in the log, as one atomic batch (S13).
//!
//! A `require_…` statement fails the batch where there is nothing to do it to. A driver tells only
//! that some constraint refused the batch, so the requirement is then asked by itself: if it holds,
//! it was something else, such as a new id that is taken, and that is a failure, not a refusal.
//!
//! An answer that is lost may be that of a batch that was applied. The entry in the log tells: it is
//! a part of the batch. What was not applied is not tried again here.

use matterbook_core::store::LogEntry;

use super::{
    Stop,
    step::{After, Outcome, Reading, Step, Task},
};
use crate::{
    bind,
    driver::{DriverError, Isolation, Statement},
    queries,
    read::{Results, write_error},
};

/// What is done in one batch.
pub(super) struct Write {
    /// Fails the batch where there is nothing to do it to; and what the command comes to then.
    require: Option<(Statement, Stop)>,
    does: Vec<Statement>,
    /// Read what there is afterwards.
    shows: Vec<Statement>,
}

impl Write {
    /// Does something.
    pub(super) fn new(does: Vec<Statement>) -> Self {
        Self { require: None, does, shows: Vec::new() }
    }

    /// Does it to something that has to be there: where `require` fails, nothing is done, and the
    /// command comes to `otherwise`.
    pub(super) fn require(self, require: Statement, otherwise: impl Into<Stop>) -> Self {
        Self { require: Some((require, otherwise.into())), ..self }
    }

    /// Reads what there is afterwards.
    pub(super) fn show(self, shows: Vec<Statement>) -> Self {
        Self { shows, ..self }
    }

    /// Does it, logs it, and goes on by what was read.
    pub(super) fn then(
        self,
        entry: &LogEntry,
        after: impl FnOnce(&Task, &mut Results) -> Outcome + Send + 'static,
    ) -> Step {
        self.write(entry, Box::new(after))
    }

    fn write(self, entry: &LogEntry, after: Reading) -> Step {
        let Self { require, does, shows } = self;
        let mut batch: Vec<_> = require.iter().map(|(statement, _)| statement.clone()).chain(does).collect();
        batch.push(log(entry));
        let done = batch.len();
        batch.extend(shows.iter().cloned());
        let applied = move |task: &Task, outcome: Result<Option<Results>, DriverError>| match outcome {
            Ok(Some(mut results)) => after(task, results.skip(done)),
            Ok(None) if shows.is_empty() => after(task, &mut Results::new(Vec::new())),
            // It was done: however the look fails, it must not be said that nothing was.
            Ok(None) => Ok(Step::run(shows, |task, shown| {
                let failed = |error: DriverError| failure(task, DriverError::Failed(error.to_string()));
                after(task, &mut shown.map_err(failed)?)
            })),
            Err(error) => match (require, &error) {
                (Some((require, otherwise)), DriverError::Constraint(_)) => {
                    Ok(Step::run(vec![require], |task, alone| match alone {
                        Err(DriverError::Constraint(_)) => Err(otherwise),
                        _ => Err(failure(task, error)),
                    }))
                }
                _ => Err(failure(task, error)),
            },
        };
        apply(batch, Box::new(applied))
    }
}

/// What a batch that writes fails with.
pub(super) fn failure(task: &Task, error: DriverError) -> Stop {
    write_error(task.isolation, error).into()
}

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

/// Runs a batch that holds the command's entry in the log. `None` when it was applied and its answer
/// was lost.
pub(super) fn apply(batch: Vec<Statement>, after: After<Result<Option<Results>, DriverError>>) -> Step {
    Step::run(batch, |task, outcome| match outcome {
        Err(DriverError::Failed(cause)) if task.isolation == Isolation::Batch => {
            Ok(Step::run(vec![logged(&task.entry)], |task, looked| {
                let is_applied = looked.is_ok_and(|mut results| results.row().is_some());
                after(task, if is_applied { Ok(None) } else { Err(DriverError::Failed(cause)) })
            }))
        }
        outcome => after(task, outcome.map(Some)),
    })
}
