//! The results of the rows.

use serde::{Deserialize, Serialize};

/// The number of rows by result.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// New clients.
    pub created: u64,
    /// Clients that matched and were changed.
    pub updated: u64,
    /// Clients that matched and stayed as they were.
    pub unchanged: u64,
    /// Rows that match several clients, or conflict with another row.
    pub conflict: u64,
    /// Rows that are invalid.
    pub error: u64,
    /// Saved rows from which an unreadable value was left out.
    pub incomplete: u64,
}

impl Counts {
    /// All rows.
    #[must_use]
    pub const fn rows(&self) -> u64 {
        self.created + self.updated + self.unchanged + self.refused()
    }

    /// The results that were added since these.
    #[must_use]
    pub const fn since(&self, earlier: &Self) -> Self {
        Self {
            created: self.created - earlier.created,
            updated: self.updated - earlier.updated,
            unchanged: self.unchanged - earlier.unchanged,
            conflict: self.conflict - earlier.conflict,
            error: self.error - earlier.error,
            incomplete: self.incomplete - earlier.incomplete,
        }
    }

    /// The rows that were not saved.
    #[must_use]
    pub const fn refused(&self) -> u64 {
        self.conflict + self.error
    }
}
