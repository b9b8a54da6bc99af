//! The latency of each verb of the store (`matterbook_core::store::Store`), and the writer's commits.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use super::{histogram::Histogram, text::Text};

/// What one database was asked.
pub struct StoreMetrics {
    /// Reads of the owner of a key that is not cached.
    pub(crate) key_owner: Histogram,
    pub(crate) record_use: Histogram,
    /// Changes of clients, from the first lookup to the commit.
    pub(crate) change: Histogram,
    pub(crate) clients: Histogram,
    pub(crate) prospects: Histogram,
    pub(crate) operate: Histogram,
    commit_durations: Histogram,
    commit_rows: Histogram,
    failed_commits: AtomicU64,
    failed_checkpoints: AtomicU64,
    refused_writes: AtomicU64,
}

impl Default for StoreMetrics {
    fn default() -> Self {
        Self {
            key_owner: Histogram::of_durations(),
            record_use: Histogram::of_durations(),
            change: Histogram::of_durations(),
            clients: Histogram::of_durations(),
            prospects: Histogram::of_durations(),
            operate: Histogram::of_durations(),
            commit_durations: Histogram::of_durations(),
            commit_rows: Histogram::of_rows(),
            failed_commits: AtomicU64::new(0),
            failed_checkpoints: AtomicU64::new(0),
            refused_writes: AtomicU64::new(0),
        }
    }
}

impl StoreMetrics {
    /// Counts a commit of so many rows.
    pub(crate) fn count_commit(&self, rows: usize, duration: Duration) {
        self.commit_rows.add(u64::try_from(rows).unwrap_or(u64::MAX));
        self.commit_durations.add_duration(duration);
    }

    /// Counts a commit that could not be made.
    pub(crate) fn count_failed_commit(&self) {
        self.failed_commits.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a checkpoint that failed, or could not be synced.
    pub(crate) fn count_failed_checkpoint(&self) {
        self.failed_checkpoints.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a write that was refused because too many wait, or the log is at its limit.
    pub(crate) fn count_refused_write(&self) {
        self.refused_writes.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn write(&self, text: &mut Text) {
        let help = "How long the store took, by verb; for holder only where the file was looked at.";
        text.family("matterbook_store_duration_seconds", "histogram", help);
        for (verb, durations) in [
            ("holder", &self.key_owner),
            ("record_use", &self.record_use),
            ("change", &self.change),
            ("clients", &self.clients),
            ("prospects", &self.prospects),
            ("operate", &self.operate),
        ] {
            text.histogram(&[("verb", verb)], durations);
        }
        let help = "From a commit's begin until it is on the disk.";
        text.family("matterbook_commit_duration_seconds", "histogram", help);
        text.histogram(&[], &self.commit_durations);
        text.family("matterbook_commit_rows", "histogram", "Clients, prospects and commands that a commit was about.");
        text.histogram(&[], &self.commit_rows);
        let help = "Commits that could not be made, as on a full disk.";
        text.counter("matterbook_commits_failed_total", help, &self.failed_commits);
        let help = "Checkpoints that failed: the log could not be copied into the database file.";
        text.counter("matterbook_checkpoints_failed_total", help, &self.failed_checkpoints);
        let help = "Writes that were refused because too many waited, or the write-ahead log was at its limit.";
        text.counter("matterbook_writes_refused_total", help, &self.refused_writes);
    }
}
