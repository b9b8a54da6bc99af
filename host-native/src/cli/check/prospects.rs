//! The end of a report on a file of prospects.

use std::io::Write;

use matterbook_import::{
    check::{ProspectSummary, Status, count},
    records::Records,
};

use super::text_report::{TextReport, style_of};

impl<W: Write> TextReport<W> {
    /// Called after the last row; with a sentence if the file could not be read to its end.
    pub(in crate::cli) fn end_of_prospects(
        &mut self,
        records: &Records,
        summary: &ProspectSummary,
        broken_off: Option<&str>,
    ) {
        self.problems();
        self.late_columns(records);
        self.notes(summary.short_rows, summary.windows_1252_rows);
        for sentence in records.left_out().sentences() {
            let sentence = self.wrapped(&sentence, 0);
            self.line(&sentence);
        }
        let so_far = if broken_off.is_some() { " until the file breaks off" } else { "" };
        self.line(&format!("{}{so_far}", count(summary.rows, "row", "rows")));
        for (number, status, one, many) in [
            (summary.prospects, Status::Ready, "would be imported", "would be imported"),
            (
                summary.again,
                Status::Duplicate,
                "has the source_id of an earlier row, and would replace its values",
                "have the source_id of an earlier row, and would replace its values",
            ),
            (
                summary.errors,
                Status::Error,
                "would not be imported: something is wrong with it",
                "would not be imported: something is wrong with them",
            ),
        ] {
            if number > 0 {
                let style = style_of(status);
                let would = if number == 1 { one } else { many };
                let text = self.wrapped(&format!("{} {would}", count(number, "row", "rows")), 2);
                self.line(&format!("  {style}{text}{style:#}"));
            }
        }
        self.flush();
    }
}
