//! What a command asks of the database: batches as values, and what comes of their results.
//!
//! A command is an ordinary function that comes to its first step; one function waits for the database on
//! behalf of them all. A command that waited by itself would be a state machine of its own, and the Worker's
//! module would carry one for each.

use matterbook_core::store::{LogEntry, OperatorAnswer};

use super::Stop;
use crate::{
    driver::{Driver, DriverError, Isolation, Statement},
    read::Results,
};

/// A command under way.
pub(super) struct Task {
    /// What the log says of it.
    pub(super) entry: LogEntry,
    pub(super) isolation: Isolation,
}

/// What a command does next.
pub(super) enum Step {
    /// Nothing: it has come to this.
    Done(OperatorAnswer),
    /// It runs a batch, and goes on by its outcome.
    Run(Vec<Statement>, After<Result<Results, DriverError>>),
    /// It tries again after this many attempts, unless that is not worth it any more: then it ends with
    /// what the last attempt failed with.
    TryAgain(u32, Stop, After<()>),
}

/// Where a step leads.
pub(super) type Outcome = Result<Step, Stop>;

/// What follows a step.
pub(super) type After<T> = Box<dyn FnOnce(&Task, T) -> Outcome + Send>;

/// What follows a step that reads.
pub(super) type Reading = Box<dyn FnOnce(&Task, &mut Results) -> Outcome + Send>;

impl Step {
    /// Runs a batch, and goes on by its outcome.
    pub(super) fn run(
        batch: Vec<Statement>,
        after: impl FnOnce(&Task, Result<Results, DriverError>) -> Outcome + Send + 'static,
    ) -> Self {
        Self::Run(batch, Box::new(after))
    }

    /// Reads, and goes on by what was read.
    pub(super) fn read(
        batch: Vec<Statement>,
        after: impl FnOnce(&Task, &mut Results) -> Outcome + Send + 'static,
    ) -> Self {
        let after: Reading = Box::new(after);
        Self::run(batch, |task, outcome| after(task, &mut outcome?))
    }

    /// Takes this step and those after it.
    pub(super) async fn finish<D: Driver>(self, driver: &D, task: &Task) -> Result<OperatorAnswer, Stop> {
        let mut step = self;
        loop {
            step = match step {
                Self::Done(answer) => return Ok(answer),
                Self::Run(batch, after) => after(task, driver.run(&batch).await.map(Results::new))?,
                Self::TryAgain(attempts, failure, after) => {
                    if !driver.back_off(attempts).await {
                        return Err(failure);
                    }
                    after(task, ())?
                }
            };
        }
    }
}
