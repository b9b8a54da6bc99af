//! Converts a row to the JSON of a client as `POST /clients` takes it, or of a prospect as its import does.

use matterbook_core::normalize::{Field, FieldValue, trim};
use serde_json::{Value, value::RawValue};

use super::{
    county::CrashPlace,
    damage::damage,
    not_a_client::{is_zero, value_problem},
    row::{Cell, CellKind},
    split::split,
};
use crate::mapping::{ListKind, Mapping, ProspectField, Target};

/// The client of a row without its damaged cells, and the problems of those cells.
#[derive(Debug, Default)]
pub(super) struct Built {
    json: String,
    pub(super) problems: Vec<String>,
    /// An id of zeros only, which may mean that there is none.
    pub(super) zero_id: Option<String>,
    crash: CrashPlace,
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
        match target {
            // It is added after the row's other values.
            Target::Prospect(ProspectField::CrashCountyFips) => return text.clone_into(&mut self.crash.fips),
            Target::Prospect(ProspectField::CrashCounty) => text.clone_into(&mut self.crash.county),
            Target::Prospect(ProspectField::CrashState) => text.clone_into(&mut self.crash.state),
            _ => {}
        }
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
            (Target::LastCommaFirst | Target::FirstLast | Target::CityStateZip | Target::WholeAddress, _) => {
                self.push_parts(target, &cell.text);
            }
            // The workbook defines which day a number means.
            (_, CellKind::Number { day: Some(day) }) if target.is_date() => self.push_text(target.name(), day),
            _ if target.is_date() => self.push_text(target.name(), day_of(&cell.text)),
            (Target::Prospect(ProspectField::CrashTime), _) => self.push_text(target.name(), &time_of(cell)),
            _ if target.is_flag() && is_tick(&cell.text) => self.push_text(target.name(), "yes"),
            _ => self.push_value(target, &cell.text),
        }
    }

    /// Adds the FIPS code of the crash's county: as written, or by its name. `state` is that of rows without one.
    fn push_county(&mut self, state: Option<&str>) {
        if let Some(state) = state.filter(|_| !self.crash.has_state()) {
            self.push_value(Target::Prospect(ProspectField::CrashState), state);
        }
        match self.crash.fips() {
            Ok(Some(fips)) => self.push_text(ProspectField::CrashCountyFips.name(), &fips),
            Ok(None) => {}
            Err(problem) => self.problems.push(problem),
        }
    }

    /// Adds the parts of a value that is split, or why it is not.
    fn push_parts(&mut self, target: Target, text: &str) {
        match split(target, text) {
            Ok(parts) => parts.into_iter().for_each(|(field, part)| self.push_value(Target::Field(field), trim(&part))),
            Err(problem) => self.problems.push(format!("{} {problem}", target.name())),
        }
    }

    /// Adds cells that are joined with a space, unless one is damaged.
    fn push_joined<'c>(&mut self, target: Target, cells: impl Iterator<Item = &'c Cell>) {
        let mut texts: Vec<&str> = Vec::new();
        let cells: Vec<&Cell> = cells.collect();
        // A report's number without that of the person is the id of several people.
        if target == Target::Prospect(ProspectField::SourceId) && cells.iter().any(|cell| cell.is_blank()) {
            self.problems.push("source_id needs a value in each of the columns that are joined".to_owned());
            return;
        }
        for cell in cells.into_iter().filter(|cell| !cell.is_blank()) {
            if let Some(problem) = damage(target, cell) {
                self.problems.push(format!("{} {problem}", target.name()));
                return;
            }
            texts.push(trim(&cell.text));
        }
        if !texts.is_empty() {
            self.push_cell(target, &Cell::text(texts.join(" ")));
        }
    }
}

/// The time of a cell: a part of a day, as a workbook keeps times, or digits such as 930.
fn time_of(cell: &Cell) -> String {
    let text = trim(&cell.text);
    let number = matches!(cell.kind, CellKind::Number { .. }).then(|| text.parse::<f64>().ok()).flatten();
    let part = number.filter(|part| part.fract() != 0.0 && (0.0..1.0).contains(part));
    let minutes = part.and_then(|part| format!("{:.0}", part * 1_440.0).parse::<u32>().ok());
    match minutes {
        Some(minutes) => format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60),
        // A spreadsheet takes the leading zeros of digits.
        None if text.bytes().all(|byte| byte.is_ascii_digit()) => format!("{text:0>4}"),
        None => text.to_owned(),
    }
}

/// Puts the parts of a nested `vehicle`, as `GET /prospects` has it, among the members.
pub(super) fn flatten_vehicle(members: &mut Vec<(String, Box<RawValue>)>) {
    let Some(place) = members.iter().position(|(name, _)| name == "vehicle") else { return };
    let parts = members.get(place).and_then(|(_, vehicle)| super::members(vehicle.get()).ok());
    if let Some(parts) = parts {
        members.remove(place);
        members.extend(parts.into_iter().map(|(name, value)| (format!("vehicle_{name}"), value)));
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
        if mapping.is_joined(*target) {
            built.push_joined(*target, places.iter().filter_map(|place| cells.get(*place)));
        } else if let Some(cell) = places.iter().filter_map(|place| cells.get(*place)).find(|cell| !cell.is_blank()) {
            built.push_cell(*target, cell);
        }
    }
    if mapping.kind() == ListKind::Prospects {
        built.push_county(mapping.crash_state());
    }
    built
}

/// The client of an object whose members have these indexes in the mapping. Values are copied as written, so
/// a number keeps every digit.
pub(super) fn of_members(mapping: &Mapping, members: &[Option<&RawValue>]) -> Built {
    let mut built = Built::new();
    let mut has_county = mapping.kind() == ListKind::Clients;
    for (target, places) in mapping.sources() {
        let values = places.iter().filter_map(|place| Some((*place, *members.get(*place)?.as_ref()?)));
        if mapping.is_joined(*target) {
            let cells: Vec<Cell> = values.filter_map(|(_, token)| Some(Cell::text(joinable(token)?))).collect();
            built.push_joined(*target, cells.iter());
            continue;
        }
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
                has_county |= *target == Target::Prospect(ProspectField::CrashCountyFips);
                built.member(target.name());
                built.json.push_str(token.get());
            }
        }
    }
    if !has_county {
        built.push_county(mapping.crash_state());
    }
    built
}

/// The text of a member that can be joined with others: of a text or a number.
fn joinable(token: &RawValue) -> Option<String> {
    match FieldValue::from_json_token(token.get()) {
        FieldValue::Text(text) => Some(text.into_owned()),
        FieldValue::Absent | FieldValue::Array | FieldValue::Object => None,
        _ => Some(token.get().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_part_of_a_day_or_digits() {
        let number = |text: &str| Cell { text: text.to_owned(), kind: CellKind::Number { day: None } };
        for (cell, time) in [
            (number("0.5"), "12:00"),
            (number("0.729166666666667"), "17:30"),
            (number("0.9993"), "23:59"),
            (number("0"), "0000"),
            (number("930"), "0930"),
            (number("1430"), "1430"),
            (Cell::text("905".to_owned()), "0905"),
            (Cell::text(" 9:05 PM".to_owned()), "9:05 PM"),
            (Cell::text("0.5".to_owned()), "0.5"),
        ] {
            assert_eq!(time_of(&cell), time, "{cell:?}");
        }
    }
}
