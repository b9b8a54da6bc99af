//! The settled dates of the clients of a file: a list of matters has several rows of one client.

use std::collections::BTreeMap;

use matterbook_core::chrono::{Datelike as _, NaiveDate};

use super::{
    ByClient, RowClient,
    count::{count, grouped},
};
use crate::mapping::listed;

/// How many rows of a date, and how many dates of a client, are named.
const NAMED: usize = 10;

/// The settled dates of each client, by the number of its first row.
#[derive(Debug, Default)]
pub struct SettledDates {
    /// The first row with a date. A file has fewer than 2^32 rows, and half the memory counts for a million.
    first: ByClient<Option<(u32, NaiveDate)>>,
    /// The further rows with a date of each client.
    further: BTreeMap<u64, Further>,
}

#[derive(Debug, Default)]
struct Further {
    rows: Vec<(u64, NaiveDate)>,
    /// One of them has another date than the first row.
    is_different: bool,
}

impl SettledDates {
    pub(super) fn add(&mut self, row: u64, client: &RowClient) {
        let Some(date) = client.settled_on else { return };
        let (Ok(first_row), Ok(short_row)) = (u32::try_from(client.first_row), u32::try_from(row)) else { return };
        match self.first.get(first_row) {
            None => self.first.set(first_row, Some((short_row, date))),
            Some((_, first)) => {
                let further = self.further.entry(client.first_row).or_default();
                further.is_different |= first != date;
                further.rows.push((row, date));
            }
        }
    }

    /// The rows and dates of each client with several different dates, in the order of the file.
    pub fn several(&self) -> impl Iterator<Item = Vec<(u64, NaiveDate)>> {
        self.further
            .iter()
            .filter(|(_, further)| further.is_different)
            .map(|(client, further)| self.first_of(*client).into_iter().chain(further.rows.iter().copied()).collect())
    }

    fn first_of(&self, client: u64) -> Option<(u64, NaiveDate)> {
        let (row, date) = self.first.get(u32::try_from(client).ok()?)?;
        Some((u64::from(row), date))
    }

    /// The clients with a settled date, and the first and last year of all dates; `None` without dates.
    #[must_use]
    pub fn extent(&self) -> Option<(u64, i32, i32)> {
        let further = || self.further.values().flat_map(|further| &further.rows);
        let first = || self.first.values().flatten().map(|(_, date)| date);
        let dates = || first().chain(further().map(|(_, date)| date)).map(|date| date.year());
        let clients = u64::try_from(first().count()).unwrap_or(u64::MAX);
        Some((clients, dates().min()?, dates().max()?))
    }

    /// The first rows of the clients with several different dates.
    pub fn clients_with_several(&self) -> impl Iterator<Item = u64> {
        self.further.iter().filter(|(_, further)| further.is_different).map(|(first_row, _)| *first_row)
    }

    /// The clients with several different dates as text: a line with their number, then the rows of each date of
    /// the first `shown` of them. Empty without such clients.
    #[must_use]
    pub fn lines(&self, shown: usize) -> Vec<String> {
        let clients = self.further.values().filter(|further| further.is_different).count();
        if clients == 0 {
            return Vec::new();
        }
        let mut lines = vec![format!(
            "{} {} several settled dates:",
            count(u64::try_from(clients).unwrap_or(u64::MAX), "client", "clients"),
            if clients == 1 { "has" } else { "have" }
        )];
        lines.extend(self.several().take(shown).map(|rows| format!("  {}", by_date(&rows))));
        let more = clients.saturating_sub(shown);
        if more > 0 {
            lines.push(format!("  … and {} more", grouped(u64::try_from(more).unwrap_or(u64::MAX))));
        }
        lines
    }
}

/// `2025-06-01 in rows 2 and 6; 2024-03-01 in row 4`, in the order of the first rows.
fn by_date(rows: &[(u64, NaiveDate)]) -> String {
    let mut dates: Vec<(NaiveDate, Vec<u64>)> = Vec::new();
    for (row, date) in rows {
        match dates.iter_mut().find(|(known, _)| known == date) {
            Some((_, rows)) => rows.push(*row),
            None => dates.push((*date, vec![*row])),
        }
    }
    let of_date = |(date, rows): &(NaiveDate, Vec<u64>)| {
        let numbers = named(rows.iter().map(u64::to_string));
        format!("{date} in {} {numbers}", if rows.len() == 1 { "row" } else { "rows" })
    };
    let more = dates.len().saturating_sub(NAMED);
    let mut texts: Vec<String> = dates.iter().take(NAMED).map(of_date).collect();
    texts.extend(
        (more > 0).then(|| format!("and {}", count(u64::try_from(more).unwrap_or(0), "more date", "more dates"))),
    );
    texts.join("; ")
}

/// The first of many, and how many more there are.
fn named(texts: impl ExactSizeIterator<Item = String>) -> String {
    let more = texts.len().saturating_sub(NAMED);
    let mut texts: Vec<String> = texts.take(NAMED).collect();
    texts.extend((more > 0).then(|| format!("{} more", grouped(u64::try_from(more).unwrap_or(0)))));
    listed(texts.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(rows: &[(u64, u64, &str)]) -> Vec<String> {
        let mut dates = SettledDates::default();
        for (row, first_row, date) in rows {
            dates.add(*row, &RowClient { first_row: *first_row, settled_on: Some(date.parse().unwrap()) });
        }
        dates.lines(5)
    }

    #[test]
    fn every_row_of_a_client_with_several_dates_is_named() {
        let rows = [(2, 2, "2025-06-01"), (3, 3, "2024-01-01"), (4, 2, "2025-06-01"), (6, 2, "2024-03-01")];
        assert_eq!(
            lines(&rows),
            ["1 client has several settled dates:", "  2025-06-01 in rows 2 and 4; 2024-03-01 in row 6"]
        );
        assert_eq!(lines(&rows[..3]), [""; 0]);
    }

    #[test]
    fn of_very_many_rows_the_first_are_named() {
        let mut rows: Vec<_> = (2..15).map(|row| (row, 2, "2025-06-01")).collect();
        rows.push((15, 2, "2024-03-01"));
        assert_eq!(
            lines(&rows)[1],
            "  2025-06-01 in rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 3 more; 2024-03-01 in row 15"
        );
    }
}
