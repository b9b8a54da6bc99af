//! What became of the rows.

use serde::{Deserialize, Serialize};

/// How many rows had each result.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// New clients.
    pub created: u64,
    /// Clients that were found, changed or not.
    pub updated: u64,
    /// Rows that conflict with several clients, or with one that another row means.
    pub conflict: u64,
    /// Rows that cannot be read, or say too little.
    pub error: u64,
}

impl Counts {
    /// Every row.
    #[must_use]
    pub const fn rows(&self) -> u64 {
        self.created + self.updated + self.refused()
    }

    /// The rows that were not saved.
    #[must_use]
    pub const fn refused(&self) -> u64 {
        self.conflict + self.error
    }
}
