//! What every command works with: the driver, the log entry, and how a command fails.

use matterbook_core::store::{LogEntry, OperatorAnswer, Refusal, StoreError};

use crate::{
    commit::Author,
    driver::{Driver, DriverError, Isolation, Statement},
    read::ResultSets,
};

/// One command in progress.
pub(super) struct Command<'c, D> {
    pub(super) driver: &'c D,
    pub(super) entry: &'c LogEntry,
    /// Who makes its commits.
    pub(super) author: Author<'c>,
    /// A statement that fails the batch where the session that asks has changed since it was read.
    pub(super) session: Option<Statement>,
}

/// Why a command ends early.
pub(super) enum CommandError {
    Refused(Refusal),
    /// The session that asks has changed since it was read.
    SessionChanged,
    Failed(StoreError),
}

pub(super) type CommandResult = Result<OperatorAnswer, CommandError>;

impl<'c, D: Driver> Command<'c, D> {
    /// A command of the operator.
    pub(super) const fn by_operator(driver: &'c D, entry: &'c LogEntry) -> Self {
        Self { driver, entry, author: Author::Operator, session: None }
    }
}

impl<D: Driver> Command<'_, D> {
    /// Runs a batch that only reads.
    pub(super) async fn read(&self, batch: &[Statement]) -> Result<ResultSets, CommandError> {
        Ok(ResultSets::of(self.driver, batch).await?)
    }

    /// Whether other writers may commit between two batches.
    pub(super) fn has_concurrent_writers(&self) -> bool {
        self.driver.isolation() == Isolation::Batch
    }
}

impl From<Refusal> for CommandError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<DriverError> for CommandError {
    fn from(error: DriverError) -> Self {
        Self::Failed(error.into())
    }
}

impl From<StoreError> for CommandError {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}
