//! How one client object was read, for callers that ask for it (rules X8, X11 and X12).

use super::{
    Repair,
    parse::{MEMBERS, NAMES},
    repair, stored_value,
};
use crate::{
    json::{Members, Scanner},
    normalize::{self, Field, FieldValue, ProblemKind},
};

/// How one client object was read.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// In the order of [`Field::ALL`].
    pub(crate) repairs: Vec<Repair>,
    /// In the order of the fields in the message.
    pub(crate) problems: Vec<FieldProblem>,
    /// The names of the members that no rule reads, in the order sent.
    pub(crate) ignored: Vec<String>,
}

/// A value that was refused.
#[derive(Debug)]
pub(crate) struct FieldProblem {
    pub(crate) field: &'static str,
    pub(crate) kind: ProblemKind,
    /// The JSON type of the value.
    pub(crate) value_kind: &'static str,
}

/// The most names of ignored members, and the most characters of each.
const IGNORED_MAX: usize = 10;
const IGNORED_CHARACTERS_MAX: usize = 60;

impl Reading {
    /// How an object was read.
    pub(crate) fn of(json: &str) -> Self {
        Members::parse(json, &NAMES).map(|members| Self::of_members(&members, Scanner::new(json))).unwrap_or_default()
    }

    /// How an object with these members was read. The scanner is at its start.
    pub(super) fn of_members(members: &Members<'_, MEMBERS>, object: Scanner<'_>) -> Self {
        let mut reading = Self { ignored: ignored(object), ..Self::default() };
        let mut values = members.values();
        for field in Field::ALL {
            let Some(value) = values.next(field.name()) else { continue };
            reading.repairs.extend(repair(field, value));
            reading.add(field.name(), value, stored_value(field, value).err().map(|problem| problem.kind()));
        }
        if let Some(value) = values.next("new_settlement") {
            reading.add("new_settlement", value, normalize::boolean(value).err().map(|problem| problem.kind()));
        }
        reading
    }

    fn add(&mut self, field: &'static str, value: &FieldValue<'_>, kind: Option<ProblemKind>) {
        self.problems.extend(kind.map(|kind| FieldProblem { field, kind, value_kind: value.json_type() }));
    }
}

/// The first names that no rule reads. The object, perhaps after white space, is one that was read before.
fn ignored(mut object: Scanner<'_>) -> Vec<String> {
    let mut ignored = Vec::new();
    object.peek();
    let _ = object.object(|scanner, name| {
        if let FieldValue::Text(name) = name.value()
            && ignored.len() < IGNORED_MAX
            && !NAMES.contains(&name.as_ref())
        {
            ignored.push(name.chars().take(IGNORED_CHARACTERS_MAX).collect());
        }
        scanner.skip()
    });
    ignored
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_that_no_rule_reads_are_listed_whatever_their_values_are() {
        let ignored = |json: &str| Reading::of(json).ignored;
        assert_eq!(ignored(" \n{ \"Zip\" : [{\"x\": 1}], \"zip\": 1, \"\\u0041\": null}"), ["Zip", "A"]);
        assert_eq!(ignored(r#"{"last_name": "Ray", "new_settlement": true}"#), Vec::<String>::new());
        assert_eq!(ignored("[]"), Vec::<String>::new());
    }
}
