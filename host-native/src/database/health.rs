//! What is wrong with the database's files, as the writer finds it and as everybody else sees it.

use std::sync::atomic::{AtomicBool, Ordering};

use matterbook_core::store::StoreError;
use tokio::sync::SetOnce;

/// The writer's verdict about the files.
#[derive(Default)]
pub(super) struct Health {
    /// Why nothing more may be answered, from then on for ever.
    end: SetOnce<String>,
    has_failed_checkpoint: AtomicBool,
    is_log_full: AtomicBool,
}

impl Health {
    /// From now on nothing is answered.
    pub(super) fn end(&self, reason: String) {
        // The first reason is the one that led to the others.
        let _ = self.end.set(reason);
    }

    /// Refuses everything once the files cannot be trusted any more.
    pub(super) fn require_trust(&self) -> Result<(), StoreError> {
        self.end.get().map_or(Ok(()), |reason| Err(StoreError::Failed { cause: reason.clone() }))
    }

    pub(super) fn is_ended(&self) -> bool {
        self.end.get().is_some()
    }

    /// Waits until nothing more may be answered, and says why.
    pub(super) async fn ended(&self) -> String {
        self.end.wait().await.clone()
    }

    /// Whether the last checkpoint failed; hands back whether that is news.
    pub(super) fn set_failed_checkpoint(&self, has_failed: bool) -> bool {
        self.has_failed_checkpoint.swap(has_failed, Ordering::Relaxed) != has_failed
    }

    /// Whether writes are refused because of the log's length; hands back whether that is news.
    pub(super) fn set_log_full(&self, is_full: bool) -> bool {
        self.is_log_full.swap(is_full, Ordering::Relaxed) != is_full
    }

    /// What an operator has to fix although requests are answered.
    pub(super) fn problem(&self) -> Option<&'static str> {
        if self.has_failed_checkpoint.load(Ordering::Relaxed) {
            Some("The write-ahead log cannot be copied into the database file. The service's log says why.")
        } else if self.is_log_full.load(Ordering::Relaxed) {
            Some(
                "Writes are refused: a reader holds the write-ahead log, which is at its limit. The service's log says which.",
            )
        } else {
            None
        }
    }
}
