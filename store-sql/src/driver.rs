//! What the store asks of a database: to run statements as one atomic batch, to say what holds between two batches,
//! and to wait before another attempt.

use matterbook_core::{store::StoreError, time::Timestamp};

pub use crate::{
    statement::Statement,
    unpack::{show_unpacked, unpack},
    value::{ENDS, PACKED, Rows, Value, ValueOf, ValueRef},
};

/// A database connection, as D1 can honour it: batches, no interactive transactions.
///
/// [`Driver::run`] does the work. [`Driver::isolation`] says how much it has to guard, and [`Driver::back_off`] waits
/// between attempts; in a transaction that excludes other writers it is never called. The others have defaults.
#[expect(async_fn_in_trait, reason = "Send is inferred at the concrete call; the Worker has none")]
pub trait Driver {
    /// What holds between one batch and the next.
    fn isolation(&self) -> Isolation;

    /// Runs the statements in order as one atomic unit and hands back the rows of each. If any
    /// fails, none has an effect. Inside an open transaction, the owner of the transaction rolls it
    /// back.
    ///
    /// # Errors
    /// [`DriverError::Constraint`] when a constraint refused the batch; otherwise
    /// [`DriverError::Failed`], after which it is not known whether the batch took effect.
    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError>;

    /// Runs a batch that only reads, and shows each row with the number of its statement in the batch,
    /// the statements' rows in their order. For a driver that can show rows without keeping them.
    ///
    /// # Errors
    /// When the database fails, or `show` does.
    async fn read(
        &self,
        batch: &[Statement],
        mut show: impl FnMut(usize, &[ValueRef<'_>]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        for (statement, rows) in self.run(batch).await?.iter().enumerate() {
            for row in rows {
                show(statement, &row.iter().map(Value::borrowed).collect::<Vec<_>>())?;
            }
        }
        Ok(())
    }

    /// Waits before attempt `attempt` (1, 2, …) of a contended commit, longer for later ones, with
    /// jitter. `false` when it is not worth trying again.
    async fn back_off(&self, attempt: u32) -> bool;

    /// Prepares to set the database back to what it was at a time, once the request has been answered with success.
    /// `false` where it cannot be.
    ///
    /// # Errors
    /// When the database fails.
    async fn prepare_restore(&self, _at: Timestamp) -> Result<bool, DriverError> {
        Ok(false)
    }

    /// The size of the database, where the last batch told it.
    fn database_bytes(&self) -> Option<u64> {
        None
    }
}

/// What holds between two batches of one driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// Others may write between two batches (D1): a commit has to guard what it read.
    Batch,
    /// All batches of this driver value are one transaction that excludes other writers (the
    /// native writer): nothing read can go stale.
    Transaction,
}

/// Why a batch had no effect, or may have had none. Private text, for the log only.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DriverError {
    /// A constraint refused it: nothing was written.
    #[error("a constraint refused the batch: {0}")]
    Constraint(String),
    /// Too much waits already: nothing was begun.
    #[error("the database is overloaded: {0}")]
    Overloaded(String),
    /// The database failed, or its answer was lost: the outcome is unknown.
    #[error("the database failed: {0}")]
    Failed(String),
}

/// What a failed batch that only reads is to the rules.
impl From<DriverError> for StoreError {
    fn from(error: DriverError) -> Self {
        match error {
            DriverError::Overloaded(cause) => Self::Overloaded { retry_after_seconds: 1, cause },
            DriverError::Constraint(cause) | DriverError::Failed(cause) => Self::Failed { cause },
        }
    }
}
