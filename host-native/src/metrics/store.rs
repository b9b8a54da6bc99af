//! What the file is asked: how long each verb of the store takes, and what the writer commits.

use std::{
    array,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use super::{histogram::Histogram, text::Text};

/// A verb of the store (`matterbook_core::store::Store`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Who holds a key; only where the file had to be read.
    KeyOwner,
    /// Recording that a key was used.
    RecordUse,
    /// Changing clients, from the first lookup to the commit.
    Change,
    /// A page of clients.
    Clients,
    /// A page of prospects.
    Prospects,
    /// A command of the operator.
    Operate,
}

/// The labels of the verbs, in their order.
const VERBS: [(Verb, &str); 6] = [
    (Verb::KeyOwner, "holder"),
    (Verb::RecordUse, "record_use"),
    (Verb::Change, "change"),
    (Verb::Clients, "clients"),
    (Verb::Prospects, "prospects"),
    (Verb::Operate, "operate"),
];

/// What one database was asked.
pub struct StoreMetrics {
    verbs: [Histogram; VERBS.len()],
    commit_durations: Histogram,
    commit_rows: Histogram,
    failed_commits: AtomicU64,
    refused_writes: AtomicU64,
}

impl Default for StoreMetrics {
    fn default() -> Self {
        Self {
            verbs: array::from_fn(|_| Histogram::of_durations()),
            commit_durations: Histogram::of_durations(),
            commit_rows: Histogram::of_rows(),
            failed_commits: AtomicU64::new(0),
            refused_writes: AtomicU64::new(0),
        }
    }
}

impl StoreMetrics {
    /// Starts to time a verb, until what is returned is dropped.
    pub(crate) fn time(&self, verb: Verb) -> Timed<'_> {
        Timed { metrics: self, verb, began: Instant::now() }
    }

    /// Counts a commit of so many rows.
    pub(crate) fn count_commit(&self, rows: usize, duration: Duration) {
        self.commit_rows.add(u64::try_from(rows).unwrap_or(u64::MAX));
        self.commit_durations.add_duration(duration);
    }

    /// Counts a commit that could not be made.
    pub(crate) fn count_failed_commit(&self) {
        self.failed_commits.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a write that was refused because too many wait.
    pub(crate) fn count_refused_write(&self) {
        self.refused_writes.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn write(&self, text: &mut Text) {
        let help = "How long the store took, by verb; for holder only where the file was looked at.";
        text.family("matterbook_store_duration_seconds", "histogram", help);
        for ((_, name), durations) in VERBS.iter().zip(&self.verbs) {
            text.histogram(&[("verb", name)], durations);
        }
        let help = "From a commit's begin until it is on the disk.";
        text.family("matterbook_commit_duration_seconds", "histogram", help);
        text.histogram(&[], &self.commit_durations);
        text.family("matterbook_commit_rows", "histogram", "Clients, prospects and commands that a commit was about.");
        text.histogram(&[], &self.commit_rows);
        let help = "Commits that could not be made, as on a full disk.";
        text.counter("matterbook_commits_failed_total", help, &self.failed_commits);
        let help = "Writes that were refused because too many waited.";
        text.counter("matterbook_writes_refused_total", help, &self.refused_writes);
    }
}

/// A verb that is under way.
pub(crate) struct Timed<'m> {
    metrics: &'m StoreMetrics,
    verb: Verb,
    began: Instant,
}

impl Drop for Timed<'_> {
    fn drop(&mut self) {
        let durations = VERBS.iter().zip(&self.metrics.verbs).find(|((verb, _), _)| *verb == self.verb);
        if let Some((_, durations)) = durations {
            durations.add_duration(self.began.elapsed());
        }
    }
}
