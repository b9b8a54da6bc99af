//! A first reading of a file, so that the rows of one client are sent together (rule F25).
//!
//! Rows of one client that differ would change it back and forth if they were sent in two requests, at each
//! push again. Within one request a client that ends as it began is not changed (rules U8 and T12).

use std::{
    collections::{BTreeMap, HashSet},
    mem::size_of,
};

use foldhash::HashMap;
use matterbook_core::client::parse_client;
use serde::{Deserialize, Serialize};

use crate::{
    check::{Check, Judged},
    records::{Original, ReadError, Record},
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

/// How many bytes of rows are held at most. Further rows are read again when they are needed.
const HELD_BYTES: usize = 64 * 1_024 * 1_024;
/// What a row takes apart from its texts.
const ROW_BYTES: usize = 256;

/// The rows of a file.
type Rows<'a> = dyn Iterator<Item = Result<Record, ReadError>> + 'a;

/// What the first reading of a file found.
#[derive(Debug, Default)]
pub struct Survey {
    check: Check,
    arrangement: Arrangement,
}

/// The order in which the rows of a file are sent. It needs less memory than the [`Survey`] that found it.
#[derive(Debug, Default)]
pub struct Arrangement {
    /// The first row of the client of each row after the first.
    first_rows: HashMap<u64, u64>,
    /// The size of the further rows of each client that has several, by the number of its first row.
    sizes: BTreeMap<u64, usize>,
    held: Held,
    /// The first rows of the clients that have several settled dates.
    several_dates: HashSet<u64>,
}

/// The further rows of some clients, by the number of the first row.
#[derive(Debug, Default)]
struct Held {
    rows: HashMap<u64, Vec<Record>>,
    bytes: usize,
}

impl Survey {
    /// Reads all rows.
    ///
    /// # Errors
    /// When the file cannot be read to its end, or very many rows are one client.
    pub fn of(rows: &mut Rows<'_>) -> Result<Self, ReadError> {
        Self::within(rows, HELD_BYTES)
    }

    fn within(rows: &mut Rows<'_>, most: usize) -> Result<Self, ReadError> {
        let mut survey = Self::default();
        for row in rows {
            survey.judge_within(&row?, most)?;
        }
        Ok(survey)
    }

    /// Judges the next row of the file, for a caller that shows each finding.
    ///
    /// # Errors
    /// When very many rows are one client.
    pub fn judge(&mut self, row: &Record) -> Result<Judged, ReadError> {
        self.judge_within(row, HELD_BYTES)
    }

    fn judge_within(&mut self, row: &Record, most: usize) -> Result<Judged, ReadError> {
        let judged = self.check.judge(row);
        let Some(client) = judged.client.filter(|client| client.first_row != row.number) else { return Ok(judged) };
        let bytes = bytes_of(row);
        let Arrangement { first_rows, sizes, held, .. } = &mut self.arrangement;
        let of_client = sizes.entry(client.first_row).or_default();
        *of_client += bytes;
        if *of_client > most {
            return Err(ReadError::Refused(too_many_rows(client.first_row, most)));
        }
        first_rows.insert(row.number, client.first_row);
        held.bytes += bytes;
        if held.bytes <= most {
            held.rows.entry(client.first_row).or_default().push(row.clone());
        } else {
            // They are read again, the clients of the first rows first.
            held.rows = HashMap::default();
        }
        Ok(judged)
    }

    /// The findings of the first reading.
    #[must_use]
    pub const fn check(&self) -> &Check {
        &self.check
    }

    /// The order of the rows, without the rest.
    #[must_use]
    pub fn into_arrangement(self) -> Arrangement {
        let several_dates = self.check.settled_dates().clients_with_several().collect();
        Arrangement { several_dates, ..self.arrangement }
    }
}

impl Clone for Arrangement {
    /// A copy holds no rows, so it reads those of clients that have several again.
    fn clone(&self) -> Self {
        let Self { first_rows, sizes, several_dates, .. } = self;
        let (first_rows, sizes) = (first_rows.clone(), sizes.clone());
        Self { first_rows, sizes, held: Held::default(), several_dates: several_dates.clone() }
    }
}

impl Arrangement {
    /// The rows of a second reading, in the order in which they are sent: each client's rows together, at the
    /// place of the first. `again` reads the file from its beginning, for rows that were too many to hold.
    pub fn arranged<'a>(
        self,
        rows: impl Iterator<Item = Result<Record, ReadError>> + 'a,
        again: impl FnMut() -> Result<Box<Rows<'a>>, ReadError> + 'a,
        settlements: Settlements,
    ) -> impl Iterator<Item = Result<Vec<Record>, ReadError>> + 'a {
        self.arranged_within(rows, again, settlements, HELD_BYTES)
    }

    fn arranged_within<'a>(
        mut self,
        rows: impl Iterator<Item = Result<Record, ReadError>> + 'a,
        mut again: impl FnMut() -> Result<Box<Rows<'a>>, ReadError> + 'a,
        settlements: Settlements,
        most: usize,
    ) -> impl Iterator<Item = Result<Vec<Record>, ReadError>> + 'a {
        rows.filter_map(move |row| match row {
            Ok(row) if self.first_rows.contains_key(&row.number) => None,
            Ok(row) => Some(self.group(row, &mut again, settlements, most)),
            Err(error) => Some(Err(error)),
        })
    }

    /// The rows of the client of a first row.
    fn group<'a>(
        &mut self,
        first: Record,
        again: &mut dyn FnMut() -> Result<Box<Rows<'a>>, ReadError>,
        settlements: Settlements,
        most: usize,
    ) -> Result<Vec<Record>, ReadError> {
        let number = first.number;
        let mut group = vec![first];
        if self.sizes.contains_key(&number) {
            if !self.held.rows.contains_key(&number) {
                self.hold_from(number, &mut *again()?, most)?;
            }
            group.append(&mut self.held.rows.remove(&number).unwrap_or_default());
            self.sizes.remove(&number);
        }
        if settlements == Settlements::Separate && self.several_dates.contains(&number) {
            separate(&mut group);
        }
        Ok(group)
    }

    /// Reads the further rows of this client and of as many after it as can be held.
    fn hold_from(&mut self, number: u64, rows: &mut Rows<'_>, most: usize) -> Result<(), ReadError> {
        let mut bytes = 0;
        let wanted: HashSet<u64> = self
            .sizes
            .range(number..)
            .take_while(|(_, size)| {
                bytes += **size;
                bytes <= most
            })
            .map(|(number, _)| *number)
            .collect();
        for row in rows {
            let row = row?;
            if let Some(first) = self.first_rows.get(&row.number).filter(|first| wanted.contains(first)) {
                self.held.rows.entry(*first).or_default().push(row);
            }
        }
        Ok(())
    }
}

fn bytes_of(row: &Record) -> usize {
    let original = match &row.original {
        Original::Cells(cells) => cells.iter().map(|cell| cell.len() + size_of::<String>()).sum(),
        Original::Object(text) => text.len(),
    };
    ROW_BYTES + original + row.client.as_ref().map_or(0, String::len)
}

fn too_many_rows(first: u64, most: usize) -> String {
    format!(
        "Too many rows are the client of row {first}: together they are longer than {most} bytes. The column that is used \
         as external_id may be no id of a client: leave it out with --map \"Header=\"."
    )
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

    fn row(number: u64, client: &str) -> Record {
        let original = Original::Object(client.to_owned());
        let client = Some(client.to_owned());
        Record {
            number,
            original,
            client,
            problems: Vec::new(),
            left_out: Vec::new(),
            is_short: false,
            is_windows_1252: false,
        }
    }

    /// The groups that are sent, as row numbers; a row that begins a settlement has a plus. So many bytes are held.
    fn sent_within(
        clients: &[&str],
        settlements: Settlements,
        most: usize,
        is_held: bool,
    ) -> Result<Vec<String>, ReadError> {
        let rows = || (2..).zip(clients).map(|(number, client)| Ok(row(number, client)));
        let survey = Survey::within(&mut rows(), most)?;
        let mut rows_again = rows();
        let shown = |row: &Record| {
            let begins = row.client.as_deref().is_some_and(|client| client.contains("\"new_settlement\":true"));
            format!("{}{}", row.number, if begins { "+" } else { "" })
        };
        let arrangement = survey.into_arrangement();
        let arrangement = if is_held { arrangement } else { arrangement.clone() };
        let groups = arrangement.arranged_within(&mut rows_again, || Ok(Box::new(rows())), settlements, most);
        groups.map(|group| Ok(group?.iter().map(shown).collect::<Vec<_>>().join(" "))).collect()
    }

    fn sent(clients: &[&str], settlements: Settlements) -> Vec<String> {
        let found = [true, false].map(|is_held| sent_within(clients, settlements, HELD_BYTES, is_held).unwrap());
        let [held, read_again] = found;
        assert_eq!(held, read_again);
        held
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

    #[test]
    fn rows_that_are_too_many_to_hold_are_read_again_and_sent_in_the_same_order() {
        let clients: Vec<String> = (0..90)
            .map(|row| format!(r#"{{"external_id":{},"last_name":"Li","city":"{row}"}}"#, (row * 7) % 30))
            .collect();
        let clients: Vec<&str> = clients.iter().map(String::as_str).collect();
        let all = sent(&clients, Settlements::One);
        assert_eq!(all.len(), 30);
        for most in [800, 2_000, 10_000] {
            assert_eq!(sent_within(&clients, Settlements::One, most, true).as_ref(), Ok(&all), "{most} bytes");
        }
        let refused = sent_within(&clients, Settlements::One, 500, true).unwrap_err().to_string();
        assert!(refused.starts_with("Too many rows are the client of row 2: "), "{refused}");
    }
}
