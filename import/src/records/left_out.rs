//! Rows that a person hid in the spreadsheet or leaves out by a condition.

use std::str::FromStr;

use matterbook_core::normalize::trim;

use super::ReadError;
use crate::mapping::{Mapping, listed};

/// How many ranges of hidden rows are named.
const RANGES: usize = 5;

/// One `--where "Header=value"`: rows with another value in this column are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    header: String,
    value: String,
}

/// An invalid `--where`, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" must be written \"Header=value\", such as \"Is Client=Yes\"")]
pub struct ConditionError(String);

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        match text.split_once('=') {
            Some((header, value)) if !header.trim().is_empty() => {
                Ok(Self { header: header.trim().to_owned(), value: value.trim().to_owned() })
            }
            _ => Err(ConditionError(text.to_owned())),
        }
    }
}

/// The conditions with the columns that they are about.
#[derive(Debug, Default)]
pub(super) struct Filter(Vec<(Condition, Vec<usize>)>);

impl Filter {
    /// Finds the columns.
    ///
    /// # Errors
    /// When a header is missing. A file of objects may have it in a later line.
    pub(super) fn new(mapping: &Mapping, conditions: &[Condition], may_come_late: bool) -> Result<Self, ReadError> {
        let mut filter = Vec::new();
        for condition in conditions {
            let places = mapping.places(&condition.header);
            if places.is_empty() && !may_come_late {
                let headers = listed(mapping.columns().iter().map(|column| column.header.as_str()));
                return Err(ReadError::Usage(format!(
                    "The file has no column \"{}\" for --where; its columns are {headers}.",
                    condition.header
                )));
            }
            filter.push((condition.clone(), places));
        }
        Ok(Self(filter))
    }

    /// Finds the columns again, after one was added.
    pub(super) fn renew(&mut self, mapping: &Mapping) {
        for (condition, places) in &mut self.0 {
            *places = mapping.places(&condition.header);
        }
    }

    /// Whether a row with these texts is kept: letter case and outer spaces do not matter.
    pub(super) fn keeps<'t>(&self, text: impl Fn(usize) -> Option<&'t str>) -> bool {
        self.0.iter().all(|(condition, places)| {
            let mut texts = places.iter().filter_map(|place| text(*place)).map(trim).filter(|text| !text.is_empty());
            texts.next().unwrap_or_default().to_lowercase() == condition.value.to_lowercase()
        })
    }

    /// The conditions as text: the same text keeps the same rows.
    pub(super) fn text(&self) -> String {
        let conditions =
            self.0.iter().map(|(condition, _)| format!("where {}={}; ", condition.header, condition.value));
        conditions.collect()
    }
}

/// The rows that are hidden in the spreadsheet, and those that were left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// How many rows that are not blank are hidden.
    pub hidden: u64,
    /// Whether the hidden rows were left out.
    pub skips_hidden: bool,
    /// How many rows a condition left out.
    pub by_condition: u64,
    ranges: Vec<(u64, u64)>,
    has_more: bool,
}

impl LeftOut {
    pub(super) fn new(skips_hidden: bool) -> Self {
        Self { skips_hidden, ..Self::default() }
    }

    pub(super) fn add_hidden(&mut self, row: u64) {
        self.hidden += 1;
        let count = self.ranges.len();
        match self.ranges.last_mut() {
            Some((_, last)) if !self.has_more && *last + 1 == row => *last = row,
            _ if count < RANGES => self.ranges.push((row, row)),
            _ => self.has_more = true,
        }
    }

    /// How many rows were left out.
    #[must_use]
    pub const fn rows(&self) -> u64 {
        self.by_condition + if self.skips_hidden { self.hidden } else { 0 }
    }

    /// Sentences for a person, if there is anything to say.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let rows = |number: u64| crate::check::count(number, "row", "rows");
        let mut sentences = Vec::new();
        if self.hidden > 0 {
            let (are, them) = if self.hidden == 1 { ("is", "it") } else { ("are", "them") };
            let named = if self.hidden == 1 { "row" } else { "rows" };
            let named = format!("{} hidden in the spreadsheet, by hand or by a filter ({named} {})", are, self.named());
            sentences.push(if self.skips_hidden {
                format!("{} {named}, and left out.", rows(self.hidden))
            } else {
                format!("{} {named}, and read like the others: --skip-hidden leaves {them} out.", rows(self.hidden))
            });
        }
        if self.by_condition > 0 {
            let are = if self.by_condition == 1 { "is" } else { "are" };
            sentences.push(format!("{} {are} left out by --where.", rows(self.by_condition)));
        }
        sentences
    }

    fn named(&self) -> String {
        let mut ranges: Vec<String> = self
            .ranges
            .iter()
            .map(|(first, last)| if first == last { first.to_string() } else { format!("{first} to {last}") })
            .collect();
        if self.has_more {
            ranges.push("others".to_owned());
        }
        listed(ranges.iter().map(String::as_str))
    }
}
