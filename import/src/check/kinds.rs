//! Groups similar repairs, so that each kind is shown once.

use std::{collections::BTreeMap, mem};

use matterbook_core::{client::Repair, normalize::Field};

/// The maximum number of kinds per field; repairs of further kinds are only counted.
const KINDS: usize = 3;

/// The kinds of repairs of a file.
#[derive(Debug, Default)]
pub struct Kinds {
    fields: BTreeMap<Field, OfField>,
    /// The number of repairs.
    pub repairs: u64,
}

/// The kinds of a field's repairs, in the order of their first rows.
#[derive(Debug, Default)]
pub struct OfField {
    /// The first kinds.
    pub kinds: Vec<Kind>,
    /// Repairs of further kinds.
    pub others: u64,
}

/// Repairs of a field that change similar values in the same way.
#[derive(Debug)]
pub struct Kind {
    shapes: [String; 2],
    /// The number of its first row.
    pub row: u64,
    /// The repair of the first row.
    pub first: Repair,
    /// The number of further repairs of this kind.
    pub more: u64,
}

impl Kinds {
    /// Counts a repair of a row.
    pub fn add(&mut self, row: u64, repair: &Repair) {
        self.repairs += 1;
        let shapes = [shape(&repair.from.to_string()), shape(&repair.to.to_string())];
        let OfField { kinds, others } = self.fields.entry(repair.field).or_default();
        if let Some(kind) = kinds.iter_mut().find(|kind| kind.shapes == shapes) {
            kind.more += 1;
        } else if kinds.len() < KINDS {
            kinds.push(Kind { shapes, row, first: repair.clone(), more: 0 });
        } else {
            *others += 1;
        }
    }

    /// All kinds, in the order of the fields.
    pub fn take(&mut self) -> BTreeMap<Field, OfField> {
        mem::take(&mut self.fields)
    }
}

/// A text without its words, numbers and inner white space: `1/5/2026` and `12/31/2025` have the same shape,
/// `Jan 5, 2026` has another.
fn shape(text: &str) -> String {
    let mut shape = String::new();
    let mut push = |character: char| {
        if !shape.ends_with(character) {
            shape.push(character);
        }
    };
    let within = text.trim();
    if text.starts_with(char::is_whitespace) {
        push(' ');
    }
    for character in within.chars().filter(|character| !character.is_whitespace()) {
        match character {
            _ if character.is_alphabetic() => push('a'),
            _ if character.is_numeric() => push('9'),
            _ => push(character),
        }
    }
    if !within.is_empty() && text.ends_with(char::is_whitespace) {
        push(' ');
    }
    shape
}

#[cfg(test)]
mod tests {
    use matterbook_core::client::repairs;

    use super::*;

    #[test]
    fn values_are_alike_that_differ_in_words_and_numbers_only() {
        for (one, other, is_alike) in [
            ("1/5/2026", "12/31/2025", true),
            ("1/5/2026", "Jan 5, 2026", false),
            ("Jan 5, 2026", "September 15, 2026", true),
            ("(217) 555-0134", "(617)555-0142", true),
            ("(217) 555-0134", "217-555-0134", false),
            (" Ana", " Mary Jane", true),
            (" Ana", "Ana ", false),
            ("Ana", "Ana\u{200b}", false),
        ] {
            assert_eq!(shape(one) == shape(other), is_alike, "{one:?} and {other:?}");
        }
    }

    #[test]
    fn kinds_are_counted_by_field_and_few_of_them_are_kept() {
        let mut kinds = Kinds::default();
        let rows = [
            r#"{"zip": "2134"}"#,
            r#"{"city": " Reno"}"#,
            r#"{"zip": "627041234"}"#,
            r#"{"zip": 2139}"#,
            r#"{"zip": "62704.0"}"#,
            r#"{"zip": "62704 1234"}"#,
            r#"{"zip": "62704–1234"}"#,
        ];
        for (row, json) in (2..).zip(rows) {
            repairs(json).iter().for_each(|repair| kinds.add(row, repair));
        }
        assert_eq!(kinds.repairs, 7);
        let fields: Vec<_> = kinds
            .take()
            .into_iter()
            .map(|(field, found)| {
                let kinds: Vec<_> = found.kinds.iter().map(|kind| (kind.row, kind.more)).collect();
                (field, kinds, found.others)
            })
            .collect();
        assert_eq!(fields, [(Field::City, vec![(3, 0)], 0), (Field::Zip, vec![(2, 1), (4, 1), (6, 0)], 1)]);
    }
}
