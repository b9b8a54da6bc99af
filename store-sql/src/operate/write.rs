//! How a command writes: its changes and its log entry are one atomic batch (S13).
//!
//! A `require_…` statement makes the batch fail when its target does not exist. A driver reports only
//! that some constraint refused the batch, so the requirement is then run alone. If it holds, something
//! else failed, such as a new id that is taken. That is an error, not a refusal.
//!
//! A lost response may belong to a batch that was applied. The log entry is part of the batch, so
//! reading it back tells. A batch that was not applied is not retried here.

use matterbook_core::store::LogEntry;
use uuid::Uuid;

use super::command::{Command, CommandError};
use crate::{
    bind,
    driver::{Driver, DriverError, Statement, Value},
    queries,
    read::{ResultSets, write_error},
};

/// Whose account a log entry concerns. A login or key has to be there when the entry is written.
#[derive(Clone, Copy)]
pub(super) enum Concerns {
    Account(Uuid),
    Login(Uuid),
    Key(Uuid),
    /// No account alone.
    Nobody,
}

/// One batch that writes.
pub(super) struct Write {
    /// A statement that fails when the target does not exist, and the command's error then.
    requirement: Option<(Statement, CommandError)>,
    concerns: Concerns,
    changes: Vec<Statement>,
    /// Statements that read the state after the changes.
    reads: Vec<Statement>,
}

impl Write {
    pub(super) fn new(concerns: Concerns, changes: Vec<Statement>) -> Self {
        Self { requirement: None, concerns, changes, reads: Vec::new() }
    }

    /// Makes the batch fail as a whole, with `error`, where `statement` fails.
    pub(super) fn require(self, statement: Statement, error: impl Into<CommandError>) -> Self {
        Self { requirement: Some((statement, error.into())), ..self }
    }

    /// Reads the state after the changes.
    pub(super) fn then_read(self, reads: Vec<Statement>) -> Self {
        Self { reads, ..self }
    }

    /// Runs the batch. The results are those of the reads.
    pub(super) async fn run<D: Driver>(self, command: &Command<'_, D>) -> Result<ResultSets, CommandError> {
        let Self { requirement, concerns, changes, reads } = self;
        let required = requirement.iter().map(|(statement, _)| statement.clone());
        let mut batch: Vec<_> = command.session.iter().cloned().chain(required).chain(changes).collect();
        batch.extend(log(command.entry, concerns));
        let written = batch.len();
        batch.extend(reads.iter().cloned());
        let error = match command.apply(&batch).await {
            Ok(Some(mut results)) => {
                results.skip(written);
                return Ok(results);
            }
            Ok(None) if reads.is_empty() => return Ok(ResultSets::new(Vec::new())),
            Ok(None) => {
                // The change is committed. A failed read must not report that nothing was done.
                let read = command.driver.run(&reads).await.map(ResultSets::new);
                return read.map_err(|error| command.write_error(DriverError::Failed(error.to_string())));
            }
            Err(error) => error,
        };
        if command.session_has_changed(&error).await {
            return Err(CommandError::SessionChanged);
        }
        if let (Some((statement, unmet)), DriverError::Constraint(_)) = (requirement, &error)
            && let Err(DriverError::Constraint(_)) = command.driver.run(&[statement]).await
        {
            return Err(unmet);
        }
        Err(command.write_error(error))
    }
}

impl<D: Driver> Command<'_, D> {
    /// Runs a batch that contains the command's log entry. `None` when it was applied but its response
    /// was lost.
    pub(super) async fn apply(&self, batch: &[Statement]) -> Result<Option<ResultSets>, DriverError> {
        match self.driver.run(batch).await {
            Err(DriverError::Failed(cause)) if self.has_concurrent_writers() => {
                let found = self.driver.run(&[logged(self.entry)]).await.map(ResultSets::new);
                let is_applied = found.is_ok_and(|mut results| results.row().is_some());
                if is_applied { Ok(None) } else { Err(DriverError::Failed(cause)) }
            }
            outcome => outcome.map(ResultSets::new).map(Some),
        }
    }

    /// Whether a batch failed because the session that asks has changed since it was read.
    pub(super) async fn session_has_changed(&self, error: &DriverError) -> bool {
        let (Some(session), DriverError::Constraint(_)) = (&self.session, error) else { return false };
        matches!(self.driver.run(std::slice::from_ref(session)).await, Err(DriverError::Constraint(_)))
    }

    /// The command's error for a failed batch that writes.
    pub(super) fn write_error(&self, error: DriverError) -> CommandError {
        write_error(self.driver.isolation(), error).into()
    }
}

/// Writes the log entry, and deletes the oldest that are past their retention.
pub(super) fn log(entry: &LogEntry, concerns: Concerns) -> Vec<Statement> {
    let (name, id) = match concerns {
        Concerns::Account(id) => ("account", bind::id(id)),
        Concerns::Login(id) => ("login", bind::id(id)),
        Concerns::Key(id) => ("key", bind::id(id)),
        Concerns::Nobody => ("account", Value::Null),
    };
    let write = queries::LOG_ENTRY.bind([
        ("at", bind::time(entry.at)),
        ("id", bind::id(entry.id)),
        ("actor", entry.actor.as_str().into()),
        ("action", entry.action.into()),
        ("subject", entry.subject.as_str().into()),
        ("request_id", bind::id(entry.request_id)),
        (name, id),
    ]);
    let log_before = entry.retention.operator_log_before(entry.at);
    vec![write, queries::FORGET_LOG.bind([("log_before", bind::time(log_before))])]
}

/// Reads whether the log entry exists.
pub(super) fn logged(entry: &LogEntry) -> Statement {
    queries::LOGGED.bind([("at", bind::time(entry.at)), ("id", bind::id(entry.id))])
}
