//! Failures of storage (rule E6).

/// A failure of storage. Its text goes to the log and never to a caller, and holds no value of a client, a
/// prospect or a key (rule D5).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The queue is full; nothing was begun. The caller may try again after these seconds.
    #[error("overloaded: {cause}")]
    Overloaded {
        /// Seconds before the next attempt, at least 1.
        retry_after_seconds: u32,
        /// What was full.
        cause: String,
    },
    /// Other commits changed what the decision had read, until the retries ran out. Nothing is saved.
    #[error("contention outlasted the retries: {cause}")]
    Contended {
        /// How long and how often it tried.
        cause: String,
    },
    /// Storage failed. Nothing is saved.
    #[error("storage failed: {cause}")]
    Failed {
        /// Its message.
        cause: String,
    },
    /// Storage is a copy that something else keeps, and takes no changes (rule W23). Nothing was begun.
    #[error("storage is a copy that takes no changes")]
    ReadOnly,
    /// A write failed, or its answer was lost. It may be saved now or later.
    #[error("storage failed at a write whose outcome is not known: {cause}")]
    Unknown {
        /// Its message.
        cause: String,
    },
}
