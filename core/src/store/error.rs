//! Why storage did not do what it was asked.

/// A failure of storage. Its text is private: it goes to the log, never to a caller, and holds
/// nothing of a client, a prospect or a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Too much waits already; nothing was begun. The caller may try again after that many seconds.
    #[error("overloaded: {cause}")]
    Overloaded {
        /// Seconds after which it is worth trying again, at least 1.
        retry_after_seconds: u32,
        /// What was full.
        cause: String,
    },
    /// Others kept changing what the decision had read until the retries ran out. Nothing is saved.
    #[error("contention outlasted the retries: {cause}")]
    Contended {
        /// How long and how often it was tried.
        cause: String,
    },
    /// Storage failed. Nothing is saved.
    #[error("storage failed: {cause}")]
    Failed {
        /// What it said.
        cause: String,
    },
    /// Storage failed, or its answer was lost, at a write. It may be saved, or be saved yet.
    #[error("storage failed at a write whose outcome is not known: {cause}")]
    Unknown {
        /// What it said.
        cause: String,
    },
}
