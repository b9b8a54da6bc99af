//! The summary of a whole file.

use serde_json::{Value, json};

use super::{
    count::{count, grouped},
    finding::{FindingKind, Judged, Status},
};
use crate::records::Record;

/// The number of rows by status, and other counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// All rows.
    pub rows: u64,
    /// Rows of [`Status::Ready`].
    pub ready: u64,
    /// Rows of [`Status::Repaired`].
    pub repaired: u64,
    /// Rows of [`Status::Incomplete`].
    pub incomplete: u64,
    /// Rows of [`Status::Duplicate`].
    pub duplicates: u64,
    /// Rows of [`Status::UpdateOnly`].
    pub update_only: u64,
    /// Rows of [`Status::Conflict`].
    pub conflicts: u64,
    /// Rows of [`Status::Error`].
    pub errors: u64,
    /// The number of repaired values, not rows.
    pub repairs: u64,
    /// Rows with fewer cells than the header.
    pub short_rows: u64,
    /// Rows decoded as Windows-1252.
    pub windows_1252_rows: u64,
}

impl Summary {
    pub(super) fn add(&mut self, record: &Record, judged: &Judged) {
        self.rows += 1;
        let of_status = match judged.status {
            Status::Ready => &mut self.ready,
            Status::Repaired => &mut self.repaired,
            Status::Incomplete => &mut self.incomplete,
            Status::Duplicate => &mut self.duplicates,
            Status::UpdateOnly => &mut self.update_only,
            Status::Conflict => &mut self.conflicts,
            Status::Error => &mut self.errors,
        };
        *of_status += 1;
        let repairs = judged.findings.iter().filter(|finding| matches!(finding.what, FindingKind::Repair(_)));
        self.repairs += u64::try_from(repairs.count()).unwrap_or(0);
        self.short_rows += u64::from(record.is_short);
        self.windows_1252_rows += u64::from(record.is_windows_1252);
    }

    /// Why the file is not ready; `None` if it is.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        let lost = self.conflicts + self.errors;
        let parts: Vec<String> = [(self.errors, "error", "errors"), (self.conflicts, "conflict", "conflicts")]
            .into_iter()
            .filter(|(number, ..)| *number > 0)
            .map(|(number, one, many)| count(number, one, many))
            .collect();
        (lost > 0).then(|| {
            format!(
                "{} of {} would not be taken: {}.",
                grouped(lost),
                count(self.rows, "row", "rows"),
                parts.join(", ")
            )
        })
    }

    /// One line for each status that occurs.
    #[must_use]
    pub fn lines(&self) -> Vec<(Status, String)> {
        [
            (Status::Ready, self.ready, "taken as it is", "taken as they are"),
            (Status::Repaired, self.repaired, "taken, with values repaired", "taken, with values repaired"),
            (
                Status::Incomplete,
                self.incomplete,
                "taken without a value that cannot be read",
                "taken without values that cannot be read",
            ),
            (
                Status::Duplicate,
                self.duplicates,
                "taken as the client of an earlier row",
                "taken as clients of earlier rows",
            ),
            (
                Status::UpdateOnly,
                self.update_only,
                "taken if its client is saved already",
                "taken if their clients are saved already",
            ),
            (
                Status::Conflict,
                self.conflicts,
                "not taken: conflicts with an earlier row",
                "not taken: conflict with earlier rows",
            ),
            (
                Status::Error,
                self.errors,
                "not taken: something is wrong with it",
                "not taken: something is wrong with them",
            ),
        ]
        .into_iter()
        .filter(|(_, number, ..)| *number > 0)
        .map(|(status, number, one, many)| {
            (status, format!("{} {}", count(number, "row", "rows"), if number == 1 { one } else { many }))
        })
        .collect()
    }

    /// The summary as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let Self {
            rows,
            ready,
            repaired,
            incomplete,
            duplicates,
            update_only,
            conflicts,
            errors,
            repairs,
            short_rows,
            windows_1252_rows,
        } = self;
        json!({
            "rows": rows, "ready": ready, "repaired": repaired, "incomplete": incomplete, "duplicates": duplicates, "update_only": update_only,
            "conflicts": conflicts, "errors": errors, "repairs": repairs, "short_rows": short_rows,
            "windows_1252_rows": windows_1252_rows,
        })
    }
}
