//! Converts a row to the JSON of a client as `POST /clients` takes it.

use matterbook_core::normalize::{Field, FieldValue, trim};
use serde_json::{Value, value::RawValue};

use super::{
    damage::damage,
    not_a_client::{is_zero, value_problem},
    row::{Cell, CellKind},
};
use crate::mapping::{Mapping, Target};

/// The client of a row without its damaged cells, and the problems of those cells.
#[derive(Debug, Default)]
pub(super) struct Built {
    json: String,
    pub(super) problems: Vec<String>,
    /// An id of zeros only, which may mean that there is none.
    pub(super) zero_id: Option<String>,
}

impl Built {
    fn new() -> Self {
        Self { json: "{".to_owned(), ..Self::default() }
    }

    /// The JSON object.
    pub(super) fn into_json(mut self) -> String {
        self.json.push('}');
        self.json
    }

    fn member(&mut self, name: &str) {
        if self.json.len() > 1 {
            self.json.push(',');
        }
        self.json.push_str(&Value::from(name).to_string());
        self.json.push(':');
    }

    fn push_text(&mut self, name: &str, text: &str) {
        self.member(name);
        self.json.push_str(&Value::from(text).to_string());
    }

    /// Adds a text unless it is written in place of a value.
    fn push_value(&mut self, target: Target, text: &str) {
        match value_problem(target, text) {
            Some(problem) => self.problems.push(format!("{} {problem}", target.name())),
            None => self.push_text(target.name(), text),
        }
        if target == Target::Field(Field::ExternalId) && is_zero(text) {
            self.zero_id = Some(trim(text).to_owned());
        }
    }

    /// Adds a cell unless it is damaged.
    fn push_cell(&mut self, target: Target, cell: &Cell) {
        if let Some(problem) = damage(target, cell) {
            self.problems.push(format!("{} {problem}", target.name()));
            return;
        }
        match (target, &cell.kind) {
            (Target::LastCommaFirst, _) => self.push_name(&cell.text),
            // The workbook defines which day a number means.
            (Target::Field(Field::OpenedOn | Field::SettledOn), CellKind::Number { day: Some(day) }) => {
                self.push_text(target.name(), day);
            }
            (Target::Field(Field::OpenedOn | Field::SettledOn), _) => self.push_text(target.name(), day_of(&cell.text)),
            (Target::Field(Field::DoNotMail), _) if is_tick(&cell.text) => self.push_text(target.name(), "yes"),
            _ => self.push_value(target, &cell.text),
        }
    }

    fn push_name(&mut self, text: &str) {
        match text.split_once(',').filter(|(_, first)| !first.contains(',')) {
            Some((last, first)) => {
                self.push_value(Target::Field(Field::FirstName), first);
                self.push_value(Target::Field(Field::LastName), last);
            }
            None => self.problems.push("The name must be written \"Last, First\", with one comma".to_owned()),
        }
    }
}

/// Whether a cell holds a mark that means yes to people. The API takes no such mark.
fn is_tick(text: &str) -> bool {
    ["x", "checked"].iter().any(|tick| trim(text).eq_ignore_ascii_case(tick))
}

/// A day without the time that an export writes after it, such as `0:00` or `T00:00:00Z`.
fn day_of(text: &str) -> &str {
    let is_time = |time: &str| {
        let digits = time.split(['.', '+', ' ', 'Z']).next().unwrap_or_default();
        digits.split(':').count() > 1
            && digits
                .split(':')
                .all(|part| matches!(part.len(), 1 | 2) && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let within = trim(text);
    let mut starts = within.char_indices().filter(|(_, character)| matches!(character, ' ' | 'T'));
    let time = starts.find(|(at, _)| within.get(at + 1..).is_some_and(is_time));
    time.and_then(|(at, _)| within.get(..at)).map_or(text, |day| day.trim_end_matches([',', ' ']))
}

/// The client of a table's row.
pub(super) fn of_cells(mapping: &Mapping, cells: &[Cell]) -> Built {
    let mut built = Built::new();
    for (target, places) in mapping.sources() {
        if let Some(cell) = places.iter().filter_map(|place| cells.get(*place)).find(|cell| !cell.is_blank()) {
            built.push_cell(*target, cell);
        }
    }
    built
}

/// The client of an object whose members have these indexes in the mapping. Values are copied as written, so
/// a number keeps every digit.
pub(super) fn of_members(mapping: &Mapping, members: &[Option<&RawValue>]) -> Built {
    let mut built = Built::new();
    for (target, places) in mapping.sources() {
        let values = places.iter().filter_map(|place| Some((*place, *members.get(*place)?.as_ref()?)));
        let is_field = |place: usize| mapping.columns().get(place).is_some_and(|column| column.header == target.name());
        let value = values.map(|(place, token)| (place, token, FieldValue::from_json_token(token.get()))).find(
            |(place, _, value)| match value {
                FieldValue::Absent => false,
                FieldValue::Text(text) => !trim(text).is_empty(),
                // Nested values, such as an `address` with parts, belong to the exporting system, unless a
                // field has exactly that name.
                FieldValue::Array | FieldValue::Object => is_field(*place),
                _ => true,
            },
        );
        match value {
            None => {}
            Some((_, _, FieldValue::Text(text))) => built.push_cell(*target, &Cell::text(text.into_owned())),
            Some((_, token, _)) => {
                built.member(target.name());
                built.json.push_str(token.get());
            }
        }
    }
    built
}
