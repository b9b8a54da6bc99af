//! What became of the rows.

use serde::{Deserialize, Serialize};

/// How many rows had each result (reference section 2.2).
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Counts {
    /// New clients.
    pub(crate) created: u64,
    /// Clients that were found, changed or not.
    pub(crate) updated: u64,
    /// Rows that somebody is in the way of.
    pub(crate) conflict: u64,
    /// Rows that cannot be read, or say too little.
    pub(crate) error: u64,
}

impl Counts {
    /// Every row.
    #[must_use]
    pub(crate) const fn rows(&self) -> u64 {
        self.created + self.updated + self.refused()
    }

    /// The rows that were not saved.
    #[must_use]
    pub(crate) const fn refused(&self) -> u64 {
        self.conflict + self.error
    }
}
