//! What a push would do with each row of a file, without a service (rules F12 to F15).
//!
//! The core judges each row as `POST /clients` does: it parses and repairs values and finds duplicates. Only
//! hashes of the rows are kept, so memory stays small for a million rows.

mod count;
mod finding;
mod kinds;
mod summary;

pub use count::{count, grouped};
pub use finding::{Finding, FindingKind, Judged, Status, change};
pub use kinds::{Kind, Kinds, OfField};
pub use summary::Summary;

use matterbook_core::plan::DuplicateFinder;

use crate::records::Record;

/// A check of one file, row by row in its order.
#[derive(Debug, Default)]
pub struct Check {
    duplicates: DuplicateFinder,
    summary: Summary,
}

impl Check {
    /// Judges the next row of the file.
    pub fn judge(&mut self, record: &Record) -> Judged {
        let judged = Judged::of(record, &mut self.duplicates);
        self.summary.add(record, &judged);
        judged
    }

    /// The counts of the rows so far.
    #[must_use]
    pub const fn summary(&self) -> &Summary {
        &self.summary
    }
}
