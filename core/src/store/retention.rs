//! How long records of commits and of the operator's actions are kept (rules U16 and O6).

use crate::time::Timestamp;

/// How long records of what was done are kept. Each command or commit deletes a few older ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Days for the record of a commit (S14).
    pub commit_days: u32,
    /// Days for an entry of the operator log (S13).
    pub operator_log_days: u32,
}

impl Retention {
    /// The fewest days for the record of a commit.
    pub const COMMIT_DAYS_MIN: u32 = 1;
    /// The fewest days for an entry of the operator log.
    pub const OPERATOR_LOG_DAYS_MIN: u32 = 90;

    /// Records of commits before this time may be deleted.
    #[must_use]
    pub fn commits_before(self, now: Timestamp) -> Timestamp {
        before(now, self.commit_days)
    }

    /// Entries of the operator log before this time may be deleted.
    #[must_use]
    pub fn operator_log_before(self, now: Timestamp) -> Timestamp {
        before(now, self.operator_log_days)
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self { commit_days: 30, operator_log_days: 730 }
    }
}

fn before(now: Timestamp, days: u32) -> Timestamp {
    now.plus_seconds(-i64::from(days) * 24 * 60 * 60)
}
