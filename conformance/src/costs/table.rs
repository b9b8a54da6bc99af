//! The costs as a Markdown table for the documentation.

use std::fmt::Write as _;

use super::Row;

/// Formats the rows as a Markdown table.
#[must_use]
pub fn markdown(rows: &[Row]) -> String {
    let mut table = String::from(
        "| request | round trips, key seen within a minute | otherwise | statements | rows read | rows written |\n\
         |---|---:|---:|---:|---:|---:|\n",
    );
    for Row { request, cost, round_trips_unseen, .. } in rows {
        let unseen = round_trips_unseen.map_or_else(String::new, |round_trips| round_trips.to_string());
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            table,
            "| {request} | {} | {unseen} | {} | {} | {} |",
            cost.round_trips, cost.statements, cost.rows_read, cost.rows_written
        );
    }
    table
}
