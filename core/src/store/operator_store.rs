//! The operator's half of a store. A store without it serves no operator API (rule O1).

use super::{LogEntry, OperatorAnswer, OperatorCommand, StoreError};

/// The operator's half of a [`Store`](super::Store): accounts, keys, counties, prospects, and looking at clients.
///
/// A store that has it hands it out with [`Store::operator`](super::Store::operator). A program that keeps its own
/// accounts and keys has [`NoOperatorStore`].
#[expect(async_fn_in_trait, reason = "Send is inferred at the concrete call; the Worker has none")]
pub trait OperatorStore {
    /// One command of the operator (S12, S13).
    ///
    /// # Errors
    /// When storage does not answer. Nothing is done then, except perhaps with
    /// [`StoreError::Unknown`]. A refused command is an [`OperatorAnswer::Refused`], not an error.
    async fn operate(&self, command: OperatorCommand, entry: LogEntry) -> Result<OperatorAnswer, StoreError>;

    /// The size of the database, where the last answer of storage told it (rule O8).
    fn database_bytes(&self) -> Option<u64> {
        None
    }
}

/// The operator's half of a store that has none. It has no value.
#[derive(Clone, Copy, Debug)]
pub enum NoOperatorStore {}
