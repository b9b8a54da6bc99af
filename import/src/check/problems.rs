//! Groups similar problems of rows, so that each kind is shown once with an example.

use super::{Status, count::grouped};
use crate::{
    mapping::{Mapping, Target},
    records::{Original, Record, members},
};

/// The maximum number of kinds; problems of further kinds are only counted.
const KINDS: usize = 20;
/// The maximum length of an example's header and of its value in characters.
const VALUE_LENGTH: usize = 40;

/// The maximum number of cells of a kind that are kept.
const CELLS: usize = 100;

/// The kinds of problems of a file, in the order of their first rows.
#[derive(Debug, Default)]
pub struct Problems {
    kinds: Vec<ProblemKind>,
    /// Problems of further kinds.
    pub others: u64,
}

/// Problems that differ only in numbers.
#[derive(Debug)]
pub struct ProblemKind {
    /// The status of the rows.
    pub status: Status,
    shape: String,
    /// The first problem as a sentence.
    pub sentence: String,
    /// The number of its row.
    pub row: u64,
    /// The header and the value of its cell, such as `Zip "123"`.
    pub example: Option<String>,
    /// The number of further problems of this kind.
    pub more: u64,
    /// The field that it is about, if it is about one.
    pub field: Option<Target>,
    /// The cells of the first rows, where a cell of the row is to blame.
    pub cells: Vec<ProblemCell>,
}

/// A cell with a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemCell {
    /// The number of its row.
    pub row: u64,
    /// The place of its column, from 0.
    pub column: usize,
    /// Its text, or the value of a member.
    pub value: String,
}

impl Problems {
    /// Adds what is wrong with a row: each problem of its message by itself.
    pub fn add(&mut self, status: Status, record: &Record, message: &str, mapping: &Mapping) {
        for (field, sentence) in split(message) {
            let shape = shape(&sentence);
            let cell = || field.and_then(|field| cell(field, record, mapping));
            if let Some(kind) = self.kinds.iter_mut().find(|kind| kind.status == status && kind.shape == shape) {
                kind.more += 1;
                if kind.cells.len() < CELLS {
                    kind.cells.extend(cell());
                }
            } else if self.kinds.len() < KINDS {
                let cells: Vec<ProblemCell> = cell().into_iter().collect();
                let example = cells.first().and_then(|cell| example(cell, mapping));
                let row = record.number;
                self.kinds.push(ProblemKind { status, shape, sentence, row, example, more: 0, field, cells });
            } else {
                self.others += 1;
            }
        }
    }

    /// The kinds, in the order of their first rows.
    #[must_use]
    pub fn kinds(&self) -> &[ProblemKind] {
        &self.kinds
    }
}

impl ProblemKind {
    /// The example, the sentence, and how many are like it.
    #[must_use]
    pub fn text(&self) -> String {
        let example = self.example.as_ref().map(|example| format!("{example}: ")).unwrap_or_default();
        let more = if self.more > 0 { format!(" And {} more like it.", grouped(self.more)) } else { String::new() };
        format!("{example}{}{more}", self.sentence)
    }
}

/// The problems of a message, each with its field. A message lists them as `zip must …; phone must ….`
fn split(message: &str) -> Vec<(Option<Target>, String)> {
    let mut problems: Vec<(Option<Target>, String)> = Vec::new();
    for part in message.split("; ") {
        let field = part.split(' ').next().and_then(Target::from_name);
        match problems.last_mut() {
            // A problem may contain the separator itself.
            Some((_, sentence)) if field.is_none() => {
                sentence.push_str("; ");
                sentence.push_str(part);
            }
            _ => problems.push((field, part.to_owned())),
        }
    }
    for (_, sentence) in &mut problems {
        if !sentence.ends_with('.') {
            sentence.push('.');
        }
    }
    problems
}

/// A sentence without its numbers.
fn shape(sentence: &str) -> String {
    let mut shape = String::with_capacity(sentence.len());
    for character in sentence.chars() {
        match character {
            _ if !character.is_numeric() => shape.push(character),
            _ if shape.ends_with('9') => {}
            _ => shape.push('9'),
        }
    }
    shape
}

/// The row's cell for a field, if it has a value.
fn cell(field: Target, record: &Record, mapping: &Mapping) -> Option<ProblemCell> {
    let is_source = |target: Target| target == field || matches!(field, Target::Field(field) if target.fills(field));
    let (_, places) = mapping.sources().iter().find(|(target, _)| is_source(*target))?;
    let cells = places.iter().filter_map(|place| {
        let value = match &record.original {
            Original::Cells(cells) => cells.get(*place)?.trim().to_owned(),
            Original::Object(text) => {
                let header = &mapping.columns().get(*place)?.header;
                let members = members(text).ok()?;
                let (_, value) = members.iter().find(|(name, _)| name == header)?;
                serde_json::from_str(value.get()).unwrap_or_else(|_| value.get().to_owned())
            }
        };
        (!value.is_empty()).then_some(ProblemCell { row: record.number, column: *place, value })
    });
    cells.into_iter().next()
}

/// A cell's header and value.
fn example(cell: &ProblemCell, mapping: &Mapping) -> Option<String> {
    let header = &mapping.columns().get(cell.column)?.header;
    Some(format!("{} {:?}", clipped(header), clipped(&cell.value)))
}

fn clipped(text: &str) -> String {
    let is_long = text.chars().count() > VALUE_LENGTH;
    text.chars().take(VALUE_LENGTH).chain(is_long.then_some('…')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_divided_where_the_next_field_begins() {
        let zip = "zip must have 5 or 9 digits, but has 3; leading zeros may have been lost: send it as text";
        let found = split(&format!("{zip}; phone is too short."));
        let names: Vec<_> = found.iter().map(|(field, _)| field.map(Target::name)).collect();
        assert_eq!(names, [Some("zip"), Some("phone")]);
        assert_eq!(found[0].1, format!("{zip}."));
        assert_eq!(split("The row has 4 values; so."), [(None, "The row has 4 values; so.".to_owned())]);
    }

    #[test]
    fn problems_are_alike_that_differ_in_numbers_only() {
        assert_eq!(shape("The client of row 5 has"), shape("The client of row 1204 has"));
        assert_ne!(shape("zip must have 5 digits"), shape("zip must have digits"));
    }
}
