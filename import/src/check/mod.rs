//! What would become of each row of a file, without a service.
//!
//! The core makes every judgement: it parses a row as `POST /clients` does, repairs values, and tells which
//! rows would be one client. Nothing of the file is kept but hashes, so a million rows can be checked.

mod count;
mod finding;
mod kinds;
mod summary;

pub use count::{count, grouped};
pub use finding::{Finding, Judged, Status, What, change};
pub use kinds::{Kind, Kinds, OfField};
pub use summary::Summary;

use matterbook_core::plan::Roll;

use crate::records::Record;

/// A check of one file, row by row in its order.
#[derive(Debug, Default)]
pub struct Check {
    roll: Roll,
    summary: Summary,
}

impl Check {
    /// Judges the next row of the file.
    pub fn judge(&mut self, record: &Record) -> Judged {
        let judged = Judged::of(record, &mut self.roll);
        self.summary.add(record, &judged);
        judged
    }

    /// The counts of the rows so far.
    #[must_use]
    pub const fn summary(&self) -> &Summary {
        &self.summary
    }
}
