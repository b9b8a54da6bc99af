//! What a push would do with each row of a file, without a service (rules F12 to F15).
//!
//! The core judges each row as `POST /clients` does: it parses and repairs values and finds duplicates. Only
//! hashes of the rows are kept, so memory stays small for a million rows.

mod by_client;
mod count;
mod finding;
mod judge;
mod kinds;
mod problems;
mod prospects;
mod settled_dates;
mod similar;
mod summary;

pub use by_client::ByClient;
pub use count::{count, grouped};
pub use finding::{Finding, FindingKind, Judged, RowClient, Status, change};
pub use judge::Judge;
pub use kinds::{Kind, Kinds, OfField};
pub use problems::{ProblemCell, ProblemKind, Problems};
pub use prospects::{ProspectCheck, ProspectSummary};
pub use settled_dates::SettledDates;
pub use summary::Summary;

use matterbook_core::{normalize::Field, similar::SimilarFinder};

use crate::{
    mapping::{Mapping, Target},
    records::Record,
};
use similar::FindSimilar;

/// The most rows that are checked at once, as many as a spreadsheet has: each client takes up to 300 bytes.
pub const ROWS: u64 = 1_048_576;

/// A check of one file, row by row in its order.
#[derive(Debug, Default)]
pub struct Check {
    judge: Judge,
    /// `None` where possible duplicates are not looked for.
    similar: Option<Box<dyn FindSimilar>>,
    summary: Summary,
    settled_dates: SettledDates,
    /// The rows that conflict with an earlier row only by another `external_id`.
    other_external_ids: u64,
}

/// A hint follows from at least this many conflicts, and from at least one in a hundred rows.
const CONFLICTS: u64 = 3;

impl Check {
    /// A check that also names possible duplicates: rows that may be one person's though they do not match. They change
    /// no status. Of a file the first 100,000 clients are compared.
    #[must_use]
    pub fn with_possible_duplicates() -> Self {
        Self { similar: Some(Box::new(SimilarFinder::default())), ..Self::default() }
    }

    /// Judges the next row of the file.
    pub fn judge(&mut self, record: &Record) -> Judged {
        let judged = self.judge.judge_with(record, self.similar.as_deref_mut());
        self.summary.add(record, &judged);
        if let Some(client) = &judged.client {
            self.settled_dates.add(record.number, client);
        }
        self.other_external_ids += u64::from(judged.has_other_external_id);
        judged
    }

    /// The counts of the rows so far.
    #[must_use]
    pub const fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The settled dates of the rows so far.
    #[must_use]
    pub const fn settled_dates(&self) -> &SettledDates {
        &self.settled_dates
    }

    /// The column of numbers of which one person has several, as in a list of matters, and how many rows conflict only
    /// by them. `None` where few rows do.
    #[must_use]
    pub fn column_of_several_numbers<'m>(&self, mapping: &'m Mapping) -> Option<(u64, &'m str)> {
        let rows = self.other_external_ids;
        if rows < CONFLICTS || rows * 100 < self.summary.rows {
            return None;
        }
        let id = Target::Field(Field::ExternalId);
        let (_, places) = mapping.sources().iter().find(|(target, _)| *target == id)?;
        Some((rows, &mapping.columns().get(*places.first()?)?.header))
    }

    /// What to do if many rows conflict because one person has several numbers.
    #[must_use]
    pub fn several_numbers(&self, mapping: &Mapping) -> Option<String> {
        let (rows, header) = self.column_of_several_numbers(mapping)?;
        Some(format!(
            "{} rows have the name, street and ZIP of an earlier row and another \"{header}\", which is a conflict. If \
             one person can have several, leave that column out: --map \"{header}=\"",
            grouped(rows)
        ))
    }
}
