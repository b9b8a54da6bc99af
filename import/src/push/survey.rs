//! A first reading of a file, so that the rows of one client are sent together (rule F25).
//!
//! Rows of one client that differ would change it back and forth if they were sent in two requests, at each
//! push again. Within one request a client that ends as it began is not changed (rules U8 and T12).

use std::collections::HashSet;

use foldhash::HashMap;
use matterbook_core::client::parse_client;
use serde::{Deserialize, Serialize};

use crate::{
    check::Check,
    records::{ReadError, Record},
};

/// What several settled dates of one client mean.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Settlements {
    /// One settlement, whose date is corrected.
    #[default]
    One,
    /// A settlement for each date.
    Separate,
}

/// What the first reading of a file found.
#[derive(Debug, Default)]
pub struct Survey {
    check: Check,
    /// The rows after the first of each client that has several, by the number of the first.
    further: HashMap<u64, Vec<Record>>,
}

impl Survey {
    /// Reads all rows. The further rows of clients with several are kept in memory.
    ///
    /// # Errors
    /// When the file cannot be read to its end.
    pub fn of(rows: &mut dyn Iterator<Item = Result<Record, ReadError>>) -> Result<Self, ReadError> {
        let mut survey = Self::default();
        for row in rows {
            let row = row?;
            let client = survey.check.judge(&row).client;
            if let Some(client) = client.filter(|client| client.first_row != row.number) {
                survey.further.entry(client.first_row).or_default().push(row);
            }
        }
        Ok(survey)
    }

    /// The findings of the first reading.
    #[must_use]
    pub const fn check(&self) -> &Check {
        &self.check
    }

    /// The rows of a second reading, in the order in which they are sent: each client's rows together, at the
    /// place of the first.
    pub fn arranged(
        self,
        rows: &mut dyn Iterator<Item = Result<Record, ReadError>>,
        settlements: Settlements,
    ) -> impl Iterator<Item = Result<Vec<Record>, ReadError>> {
        let Self { check, mut further } = self;
        let moved: HashSet<u64> = further.values().flatten().map(|row| row.number).collect();
        rows.filter(move |row| !row.as_ref().is_ok_and(|row| moved.contains(&row.number))).map(move |row| {
            let row = row?;
            let number = row.number;
            let mut group = vec![row];
            group.append(&mut further.remove(&number).unwrap_or_default());
            if settlements == Settlements::Separate && check.settled_dates().has_several(number) {
                separate(&mut group);
            }
            Ok(group)
        })
    }
}

/// Lets each settled date begin a settlement, the oldest first. Rows without a date come last, because their
/// matter is open. Rows that match only after an earlier one was saved, because they lack a name or an id,
/// come after the others.
fn separate(group: &mut [Record]) {
    group.sort_by_cached_key(|row| {
        let Some(Ok(input)) = row.client.as_deref().map(parse_client) else { return (true, true, None) };
        let fields = input.fields;
        let has_name = fields.first_name.is_some() || fields.last_name.is_some();
        let is_found_by_another = fields.external_id.is_none() || !has_name;
        (is_found_by_another, fields.settled_on.is_none(), fields.settled_on)
    });
    for row in group {
        let Some(client) = &mut row.client else { continue };
        let begins = parse_client(client).is_ok_and(|input| {
            // A value of the file's own column is kept.
            input.fields.settled_on.is_some() && input.new_settlement.is_none()
        });
        if begins && client.ends_with('}') {
            client.pop();
            client.push_str(",\"new_settlement\":true}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Original;

    fn row(number: u64, client: &str) -> Record {
        let original = Original::Object(client.to_owned());
        let client = Some(client.to_owned());
        Record { number, original, client, problems: Vec::new(), is_short: false, is_windows_1252: false }
    }

    /// The groups that are sent, as row numbers; a row that begins a settlement has a plus.
    fn sent(clients: &[&str], settlements: Settlements) -> Vec<String> {
        let rows = || (2..).zip(clients).map(|(number, client)| Ok(row(number, client)));
        let survey = Survey::of(&mut rows()).unwrap();
        let mut rows = rows();
        let shown = |row: &Record| {
            let begins = row.client.as_deref().is_some_and(|client| client.contains("\"new_settlement\":true"));
            format!("{}{}", row.number, if begins { "+" } else { "" })
        };
        let groups = survey.arranged(&mut rows, settlements);
        groups.map(|group| group.unwrap().iter().map(shown).collect::<Vec<_>>().join(" ")).collect()
    }

    const LIST: [&str; 7] = [
        r#"{"external_id":1,"last_name":"Li","settled_on":"2025-03-01"}"#,
        r#"{"external_id":2,"last_name":"Reed","settled_on":"2025-03-01"}"#,
        r#"{"external_id":1,"last_name":"Li","case_type":"open"}"#,
        r#"{"external_id":1,"settled_on":"2023-01-01"}"#,
        r#"{"external_id":1,"last_name":"Li","settled_on":"2024-05-01"}"#,
        r#"{"external_id":2,"last_name":"Reed","settled_on":"3/1/2025"}"#,
        r#"{"external_id":1,"last_name":"Li","settled_on":"2022-05-01","new_settlement":false}"#,
    ];

    #[test]
    fn the_rows_of_a_client_are_sent_at_the_place_of_its_first_row() {
        assert_eq!(sent(&LIST, Settlements::One), ["2 4 5 6 8", "3 7"]);
    }

    #[test]
    fn separate_settlements_begin_with_the_oldest() {
        assert_eq!(sent(&LIST, Settlements::Separate), ["8 6+ 2+ 4 5+", "3 7"]);
    }
}
