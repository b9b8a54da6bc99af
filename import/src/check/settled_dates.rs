//! The settled dates of the clients of a file: a list of matters has several rows of one client.

use std::collections::BTreeMap;

use foldhash::HashMap;
use matterbook_core::chrono::{Datelike as _, NaiveDate};

use super::{
    RowClient,
    count::{count, grouped},
};
use crate::mapping::listed;

/// The settled dates of each client, by the number of its first row.
#[derive(Debug, Default)]
pub struct SettledDates {
    first: HashMap<u64, (u64, NaiveDate)>,
    /// The rows of the clients with several different dates: the first row of each date.
    several: BTreeMap<u64, Vec<(u64, NaiveDate)>>,
}

impl SettledDates {
    pub(super) fn add(&mut self, row: u64, client: &RowClient) {
        let Some(date) = client.settled_on else { return };
        let first = *self.first.entry(client.first_row).or_insert((row, date));
        if first.1 == date {
            return;
        }
        let dates = self.several.entry(client.first_row).or_insert_with(|| vec![first]);
        if dates.iter().all(|(_, known)| *known != date) {
            dates.push((row, date));
        }
    }

    /// The rows and dates of each client with several different dates, in the order of the file.
    pub fn several(&self) -> impl Iterator<Item = &[(u64, NaiveDate)]> {
        self.several.values().map(Vec::as_slice)
    }

    /// The clients with a settled date, and the first and last year of all dates; `None` without dates.
    #[must_use]
    pub fn extent(&self) -> Option<(u64, i32, i32)> {
        let dates = || self.first.values().chain(self.several.values().flatten()).map(|(_, date)| date.year());
        let clients = u64::try_from(self.first.len()).unwrap_or(u64::MAX);
        Some((clients, dates().min()?, dates().max()?))
    }

    /// Whether the client with this first row has several different dates.
    #[must_use]
    pub fn has_several(&self, first_row: u64) -> bool {
        self.several.contains_key(&first_row)
    }

    /// The clients with several different dates as text: a line with their number, then the rows of the first
    /// `shown` of them. Empty without such clients.
    #[must_use]
    pub fn lines(&self, shown: usize) -> Vec<String> {
        let clients = u64::try_from(self.several.len()).unwrap_or(u64::MAX);
        if clients == 0 {
            return Vec::new();
        }
        let mut lines = vec![format!(
            "{} {} several settled dates:",
            count(clients, "client", "clients"),
            if clients == 1 { "has" } else { "have" }
        )];
        lines.extend(self.several().take(shown).map(|dates| {
            let rows: Vec<String> = dates.iter().map(|(row, _)| row.to_string()).collect();
            let dates: Vec<String> = dates.iter().map(|(_, date)| date.to_string()).collect();
            let [rows, dates] = [rows, dates].map(|texts| listed(texts.iter().map(String::as_str)));
            format!("  rows {rows}: {dates}")
        }));
        let more = clients.saturating_sub(u64::try_from(shown).unwrap_or(u64::MAX));
        if more > 0 {
            lines.push(format!("  … and {} more", grouped(more)));
        }
        lines
    }
}
