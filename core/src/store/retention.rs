//! How long earlier states, records of commits and those of the operator's actions are kept (rules V14, U16, O6).

use crate::time::Timestamp;

/// How long records of what was done are kept. Each command or commit deletes a few older ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Days for the earlier states of clients; 0 keeps them only as long as `GET /clients` may show them.
    pub history_days: u32,
    /// Days for the record of a commit (S14), which is kept at least as long as the states.
    pub commit_days: u32,
    /// Days for an entry of the operator log (S13).
    pub operator_log_days: u32,
    /// Days for a client that waits for review since it came last (S20); 0 keeps none.
    pub review_days: u32,
}

impl Retention {
    /// The fewest days for the record of a commit.
    pub const COMMIT_DAYS_MIN: u32 = 1;
    /// The fewest days for an entry of the operator log.
    pub const OPERATOR_LOG_DAYS_MIN: u32 = 90;

    /// Records of commits before this time may be deleted.
    #[must_use]
    pub fn commits_before(self, now: Timestamp) -> Timestamp {
        before(now, self.commit_days.max(self.history_days))
    }

    /// States that were superseded before this time may be deleted, where no delayed view needs them.
    #[must_use]
    pub fn history_before(self, now: Timestamp) -> Timestamp {
        before(now, self.history_days)
    }

    /// Entries of the operator log before this time may be deleted.
    #[must_use]
    pub fn operator_log_before(self, now: Timestamp) -> Timestamp {
        before(now, self.operator_log_days)
    }

    /// What waits for review and came last before this time is no longer shown, and may be deleted.
    #[must_use]
    pub fn review_since(self, now: Timestamp) -> Timestamp {
        before(now, self.review_days)
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self { history_days: 730, commit_days: 30, operator_log_days: 730, review_days: 90 }
    }
}

fn before(now: Timestamp, days: u32) -> Timestamp {
    now.plus_seconds(-i64::from(days) * 24 * 60 * 60)
}
