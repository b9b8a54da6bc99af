//! Counts of a request's results, for the log and the metrics.

use std::sync::atomic::{AtomicU64, Ordering};

use super::UpsertStatus;
use crate::plan::UpsertResult;

/// How many clients of one request were created, updated, in conflict and in error (rule H28).
///
/// ```
/// use matterbook_core::api::{StatusCounts, UpsertStatus};
/// let counts = StatusCounts { created: 2, error: 1, ..StatusCounts::default() };
/// assert_eq!(counts.of(UpsertStatus::Created), 2);
/// assert_eq!(counts.of(UpsertStatus::Conflict), 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatusCounts {
    /// No client matched; they are new.
    pub created: u16,
    /// They matched a client, changed or not.
    pub updated: u16,
    /// They conflict with another client; nothing is saved.
    pub conflict: u16,
    /// They are invalid or incomplete; nothing is saved.
    pub error: u16,
}

impl StatusCounts {
    /// The number with this status.
    #[must_use]
    pub const fn of(&self, status: UpsertStatus) -> u16 {
        match status {
            UpsertStatus::Created => self.created,
            UpsertStatus::Updated => self.updated,
            UpsertStatus::Conflict => self.conflict,
            UpsertStatus::Error => self.error,
        }
    }

    /// Whether a client was not saved.
    pub(super) const fn has_unsaved(self) -> bool {
        self.conflict > 0 || self.error > 0
    }

    fn count(results: &[UpsertResult]) -> Self {
        let mut counts = Self::default();
        for outcome in results {
            let count = match outcome {
                UpsertResult::Created(_) => &mut counts.created,
                UpsertResult::Updated(_) => &mut counts.updated,
                UpsertResult::Conflict(_) => &mut counts.conflict,
                UpsertResult::Invalid(_) | UpsertResult::Nameless { .. } => &mut counts.error,
            };
            *count = count.saturating_add(1);
        }
        counts
    }
}

/// The counts of the last decision of a request. A store may ask for a decision several times and on its own
/// threads. It applies the last one.
#[derive(Debug, Default)]
pub(super) struct LastCounts(AtomicU64);

impl LastCounts {
    /// Sets the counts of a decision.
    pub(super) fn set(&self, results: &[UpsertResult]) {
        let StatusCounts { created, updated, conflict, error } = StatusCounts::count(results);
        let all = [created, updated, conflict, error];
        let packed = all.into_iter().fold(0, |packed, count| packed << u16::BITS | u64::from(count));
        self.0.store(packed, Ordering::Relaxed);
    }

    /// Sets that the decision did nothing for this request.
    pub(super) fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// The counts of the last decision.
    pub(super) fn get(&self) -> StatusCounts {
        let [a, b, c, d, e, f, g, h] = self.0.load(Ordering::Relaxed).to_be_bytes();
        let [created, updated, conflict, error] = [[a, b], [c, d], [e, f], [g, h]].map(u16::from_be_bytes);
        StatusCounts { created, updated, conflict, error }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::{client::ParseError, plan::Conflict};

    #[test]
    fn the_last_decision_is_what_counts() {
        let id = Uuid::nil();
        let invalid = UpsertResult::Invalid(ParseError::new(Vec::new()));
        let last = LastCounts::default();
        assert_eq!(last.get(), StatusCounts::default());
        last.set(&vec![UpsertResult::Updated(id); 500]);
        assert_eq!(last.get(), StatusCounts { updated: 500, ..StatusCounts::default() });
        let nameless = UpsertResult::Nameless { has_external_id: true, do_not_mail: false };
        let conflict = UpsertResult::Conflict(Conflict::with_one(id, "A-1"));
        last.set(&[UpsertResult::Created(id), invalid, conflict, UpsertResult::Created(id), nameless]);
        assert_eq!(last.get(), StatusCounts { created: 2, updated: 0, conflict: 1, error: 2 });
        last.clear();
        assert_eq!(last.get(), StatusCounts::default());
    }
}
