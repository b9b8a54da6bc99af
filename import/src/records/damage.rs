//! Damage that a spreadsheet did to a cell. The API could not detect it and would store the wrong value.

use matterbook_core::normalize::{Field, trim};

use super::row::{Cell, CellKind};
use crate::mapping::{ProspectField, Target};

/// Longer than any field accepts.
const LONGEST: usize = 10_000;
/// A spreadsheet drops the digits of a number after these.
const DIGITS: usize = 15;

/// What is wrong with a cell for this target: the rest of a sentence that begins with the field.
pub(super) fn damage(target: Target, cell: &Cell) -> Option<String> {
    let text = trim(&cell.text);
    let fixed = |sentence: &str| Some(sentence.to_owned());
    if cell.kind == CellKind::Error || ERRORS.contains(&text) {
        return fixed("is an error of the spreadsheet: fix its formula, or empty the cell");
    }
    if cell.kind == CellKind::Unsaved {
        return fixed("is a formula without a saved result: open the file in a spreadsheet and save it again");
    }
    if cell.kind == CellKind::Cut {
        return fixed("has more than 32,767 characters, the most that a cell can have");
    }
    if text.len() > 2 && text.bytes().all(|byte| byte == b'#') {
        return fixed("was exported as ### since its column was too narrow: widen it and export again");
    }
    if text.len() > LONGEST {
        let length = text.chars().count();
        return match target {
            Target::Field(field) if field.max_length().is_some() => {
                let limit = field.max_length().unwrap_or_default();
                Some(format!("must have at most {limit} characters, but has {length}"))
            }
            _ => Some(format!("has {length} characters, more than it can have")),
        };
    }
    match target {
        // The time of a cell with a day is not needed, and a time without a day is a number.
        Target::Prospect(ProspectField::CrashTime) if cell.kind == CellKind::Day => {
            fixed("is a day in the spreadsheet: format the column as a time, or as text such as 14:30")
        }
        _ if target.is_date() => {
            let is_day_number =
                cell.kind == CellKind::Text && text.len() == 5 && text.bytes().all(|b| b.is_ascii_digit());
            is_day_number
                .then(|| "is a spreadsheet's number for a day: format the column as a date and export again".to_owned())
        }
        _ if cell.kind == CellKind::Day => {
            fixed("was taken for a date by the spreadsheet: format the column as text and write it again")
        }
        _ if (target.is_id() || matches!(target, Target::Field(Field::Phone | Field::Zip))) && is_scientific(text) => {
            fixed("was cut by the spreadsheet to a form such as 1.23E+11: format the column as text and export again")
        }
        _ if target.is_id() && is_cut_number(cell, text) => fixed(
            "is a number of more than 15 digits, of which a spreadsheet keeps 15: format the column as text and write it again",
        ),
        _ => None,
    }
}

/// The values of cells whose formula failed.
const ERRORS: [&str; 8] = ["#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!", "#SPILL!"];

/// Digits with an optional fraction and a signed exponent, as spreadsheets show long numbers.
fn is_scientific(text: &str) -> bool {
    let Some((number, exponent)) = text.split_once(['E', 'e']) else { return false };
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    exponent.strip_prefix(['+', '-']).is_some_and(all_digits) && all_digits(whole) && all_digits(fraction)
}

fn is_cut_number(cell: &Cell, text: &str) -> bool {
    matches!(cell.kind, CellKind::Number { .. })
        && text.trim_start_matches('0').bytes().filter(u8::is_ascii_digit).count() > DIGITS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(field: Field, texts: &[&str], kind: &CellKind, expected: Option<&str>) {
        for text in texts {
            let cell = Cell { text: (*text).to_owned(), kind: kind.clone() };
            assert_eq!(damage(Target::Field(field), &cell).as_deref(), expected, "{field:?} {text}");
        }
    }

    #[test]
    fn what_a_spreadsheet_did_is_told() {
        let text = &CellKind::Text;
        let number = &CellKind::Number { day: None };
        let error = Some("is an error of the spreadsheet: fix its formula, or empty the cell");
        check(Field::City, &["#N/A", " #REF! "], text, error);
        check(Field::City, &["#BUSY"], &CellKind::Error, error);
        let narrow = Some("was exported as ### since its column was too narrow: widen it and export again");
        check(Field::OpenedOn, &["###", "########"], text, narrow);
        let scientific =
            Some("was cut by the spreadsheet to a form such as 1.23E+11: format the column as text and export again");
        check(Field::ExternalId, &["1.23457E+11", "2E+05", "1.5e-7"], text, scientific);
        check(Field::Phone, &["2.17556E+09"], text, scientific);
        let day_number = Some("is a spreadsheet's number for a day: format the column as a date and export again");
        check(Field::OpenedOn, &["45306"], text, day_number);
        let taken = Some("was taken for a date by the spreadsheet: format the column as text and write it again");
        check(Field::AddressLine2, &["2026-03-04"], &CellKind::Day, taken);
        let cut = Some(
            "is a number of more than 15 digits, of which a spreadsheet keeps 15: format the column as text and write it \
             again",
        );
        check(Field::ExternalId, &["1234567890123460"], number, cut);
        let long = "x".repeat(10_001);
        check(Field::City, &[&long], text, Some("must have at most 200 characters, but has 10001"));
        check(Field::Zip, &[&long], text, Some("has 10001 characters, more than it can have"));
    }

    #[test]
    fn what_somebody_may_have_meant_is_left_alone() {
        let number = &CellKind::Number { day: None };
        check(
            Field::ExternalId,
            &["1E5", "12E3", "E+5", "1.E+5", "A#", "#7", "##", "1234567890123456"],
            &CellKind::Text,
            None,
        );
        check(Field::ExternalId, &["123456789012345"], number, None);
        check(Field::OpenedOn, &["2024-01-15"], &CellKind::Day, None);
        check(Field::OpenedOn, &["4530", "1/5/24"], &CellKind::Text, None);
        check(Field::LastName, &["1.5E+10"], &CellKind::Text, None);
    }
}
