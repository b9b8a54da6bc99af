//! What would happen to each row if the file were sent, from the service's dry run and the check of the file
//! (rule G43).
//!
//! A dry run saves nothing, so no request sees what the one before it would have made. What follows from rows of
//! earlier requests is known from the check of the whole file.

use std::collections::BTreeMap;

use matterbook_import::{
    check::{Check, Status},
    push::{Batch, Verdict, VerdictStatus},
    records::Record,
};

use crate::report::settled_year;

/// What the rows so far would have made, and what the dry run found.
#[derive(Debug, Default)]
pub struct Preview {
    /// A check of the rows in the order in which they are sent.
    check: Check,
    /// How many rows change a settled date, by its year.
    settled_years: BTreeMap<i32, u64>,
}

impl Preview {
    /// Corrects the verdicts of a dry run by what earlier requests would have made, and counts the rows that would
    /// change a settled date. One verdict for each row that can be sent.
    pub fn take(&mut self, batch: &Batch, verdicts: &mut [Verdict]) {
        for (row, verdict) in batch.rows().filter(|row| row.sendable().is_ok()).zip(verdicts) {
            self.correct(row, verdict);
            let is_saved = matches!(verdict.status, VerdictStatus::Created | VerdictStatus::Updated);
            let changed = verdict.changed.as_deref().unwrap_or_default();
            if is_saved && changed.iter().any(|field| field == "settled_on") {
                let year = settled_year(row);
                year.into_iter().for_each(|year| *self.settled_years.entry(year).or_default() += 1);
            }
        }
    }

    /// A saved client that a row means, or that is in its way, is known to the dry run alone. Everything else is known
    /// to the check alone, which sees the rows of all requests.
    fn correct(&mut self, row: &Record, verdict: &mut Verdict) {
        if verdict.status == VerdictStatus::Conflict && !verdict.candidates.is_empty() {
            return;
        }
        let of_file = match self.check.judge(row).status {
            Status::Ready | Status::Repaired | Status::Incomplete => VerdictStatus::Created,
            Status::Duplicate => VerdictStatus::Updated,
            Status::Conflict => VerdictStatus::Conflict,
            Status::UpdateOnly | Status::Error => VerdictStatus::Error,
        };
        let is_of_saved = verdict.id.is_some();
        let is_found_by_number = verdict.matched_by.as_deref() == Some("external_id");
        match (is_of_saved, of_file) {
            // An earlier row has given this client another number.
            (true, VerdictStatus::Conflict) if !is_found_by_number => {}
            (true, _) => return,
            (false, _) => {}
        }
        if verdict.status != of_file {
            verdict.status = of_file;
            verdict.message = Some("It conflicts with an earlier row of the file.".to_owned());
        }
    }

    /// How many rows change a settled date, by its year.
    #[must_use]
    pub const fn settled_years(&self) -> &BTreeMap<i32, u64> {
        &self.settled_years
    }
}
