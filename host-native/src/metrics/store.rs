//! What the file is asked: how long each verb of the store takes, and what the writer commits.

use std::time::{Duration, Instant};

use super::{
    counts::Counts,
    histogram::{DURATIONS, Histograms, ROWS},
    text::Text,
};

/// A verb of the store (`matterbook_core::store::Store`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Who holds a key; only where the file had to be looked at.
    Holder,
    /// Recording that a key was used.
    RecordUse,
    /// Changing clients, from the first look to the commit.
    Change,
    /// A page of clients.
    Clients,
    /// A page of prospects.
    Prospects,
    /// A command of the operator.
    Operate,
}

impl Verb {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Holder, "holder"),
        (Self::RecordUse, "record_use"),
        (Self::Change, "change"),
        (Self::Clients, "clients"),
        (Self::Prospects, "prospects"),
        (Self::Operate, "operate"),
    ];
}

/// What one database was asked.
pub struct StoreMetrics {
    verbs: Histograms,
    commit_durations: Histograms,
    commit_rows: Histograms,
    failed_commits: Counts,
    refused_writes: Counts,
}

impl Default for StoreMetrics {
    fn default() -> Self {
        Self {
            verbs: Histograms::new(Verb::ALL.len(), DURATIONS),
            commit_durations: Histograms::new(1, DURATIONS),
            commit_rows: Histograms::new(1, ROWS),
            failed_commits: Counts::new(1),
            refused_writes: Counts::new(1),
        }
    }
}

impl StoreMetrics {
    /// Starts to time a verb, until what is handed back is dropped.
    pub(crate) fn time(&self, verb: Verb) -> Timed<'_> {
        Timed { metrics: self, verb, began: Instant::now() }
    }

    /// Counts a commit of so many rows.
    pub(crate) fn count_commit(&self, rows: usize, duration: Duration) {
        self.commit_rows.add(0, u64::try_from(rows).unwrap_or(u64::MAX));
        self.commit_durations.add_duration(0, duration);
    }

    /// Counts a commit that could not be made.
    pub(crate) fn count_failed_commit(&self) {
        self.failed_commits.add(0, 1);
    }

    /// Counts a write that was refused because too many wait.
    pub(crate) fn count_refused_write(&self) {
        self.refused_writes.add(0, 1);
    }

    pub(super) fn write(&self, text: &mut Text) {
        let help = "How long the store took, by verb; for holder only where the file was looked at.";
        text.family("matterbook_store_duration_seconds", "histogram", help);
        for (verb, name) in Verb::ALL {
            text.durations(&[("verb", name)], &self.verbs.get(verb as usize));
        }
        text.family(
            "matterbook_commit_duration_seconds",
            "histogram",
            "From a commit's begin until it is on the disk.",
        );
        text.durations(&[], &self.commit_durations.get(0));
        text.family("matterbook_commit_rows", "histogram", "Clients, prospects and commands that a commit was about.");
        text.sizes(&[], &self.commit_rows.get(0));
        let help = "Commits that could not be made, as on a full disk.";
        text.family("matterbook_commits_failed_total", "counter", help);
        text.sample(&[], self.failed_commits.get(0));
        let help = "Writes that were refused because too many waited.";
        text.family("matterbook_writes_refused_total", "counter", help);
        text.sample(&[], self.refused_writes.get(0));
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
        self.metrics.verbs.add_duration(self.verb as usize, self.began.elapsed());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_verb_has_its_place() {
        for (place, (verb, _)) in Verb::ALL.into_iter().enumerate() {
            assert_eq!(verb as usize, place);
        }
    }
}
