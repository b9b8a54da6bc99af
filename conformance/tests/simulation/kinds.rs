//! The kinds of store that are simulated: in memory, and on SQLite in both forms of every query.

use std::str::FromStr;

use matterbook_conformance::simulation::{InBatches, Simulated, Whole};
use matterbook_core::memory::MemoryStore;

use super::sqlite::{Database, InRows, InSets};

/// A kind of store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The reference implementation.
    Memory,
    /// Each verb one transaction, as on the native host.
    Rows,
    /// Batches with others in between, as on D1.
    Sets,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Memory, Self::Rows, Self::Sets];

    /// As the command line has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Rows => "rows",
            Self::Sets => "sets",
        }
    }

    /// A store of its kind with nothing in it.
    pub fn fresh(self) -> Box<dyn Simulated> {
        match self {
            Self::Memory => Box::new(Whole::new(MemoryStore::default())),
            Self::Rows => Box::new(Whole::new(InRows(Database::new()))),
            Self::Sets => Box::new(InBatches::new(InSets(Database::new()))),
        }
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| "a store is memory, rows or sets".to_owned())
    }
}
