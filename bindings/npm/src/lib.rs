//! The rules as a wasm module. `js/index.js` is its only caller: it packs values into texts, because one text
//! crosses the border between JavaScript and wasm faster than many small ones.
//!
//! A packed text has one item for each value, with a NUL between two items. An item begins with a letter that
//! says what it is. The modules [`packed`] and [`answer`] list the letters.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic))]

mod answer;
mod packed;

use std::borrow::Cow;

use matterbook_rules::{
    MailingAddress,
    client::{ClientFields, stored_value},
    columns,
    matching::{MatchKey, StreetParts, same_person},
    normalize::{Field, FieldValue},
};
use wasm_bindgen::prelude::wasm_bindgen;

use answer::Answer;

/// The names of all fields, in the order in which the other functions count them.
///
/// ```
/// assert!(matterbook_rules_npm::field_names().starts_with("external_id\0first_name\0"));
/// ```
#[wasm_bindgen]
#[must_use]
pub fn field_names() -> String {
    Field::RECORD.map(Field::name).join("\0")
}

/// Normalizes a column: packed values of one field. The field is its place in [`field_names`].
///
/// ```
/// let zip = matterbook_rules_npm::field_names().split('\0').position(|name| name == "zip").unwrap();
/// assert_eq!(matterbook_rules_npm::normalize_column(zip, "n2134\0s \0t"), "s02134\0-\0pwrong_type must be a string or an integer");
/// ```
#[wasm_bindgen]
#[must_use]
pub fn normalize_column(field: usize, packed: &str) -> String {
    let mut answer = Answer::with_capacity(packed.len());
    if let Some(field) = Field::RECORD.get(field) {
        packed::values(packed).for_each(|value| answer.push(&stored_value(*field, &value)));
    }
    answer.into_text()
}

/// Normalizes a record: one packed value for each field, in the order of [`field_names`].
#[wasm_bindgen]
#[must_use]
pub fn normalize_record(packed: &str) -> String {
    let mut answer = Answer::with_capacity(packed.len());
    for (field, value) in Field::RECORD.into_iter().zip(packed::values(packed)) {
        answer.push(&stored_value(field, &value));
    }
    answer.into_text()
}

/// Whether two packed records are one person's.
#[wasm_bindgen]
#[must_use]
pub fn is_same_person(one: &str, other: &str) -> bool {
    same_person(&MatchKey::of(&fields(one)), &MatchKey::of(&fields(other)))
}

/// What is compared of a packed record: name, street, unit, unit of the second line, and ZIP.
#[wasm_bindgen]
#[must_use]
pub fn match_key(packed: &str) -> String {
    let MatchKey { name, street, unit, line2_unit, zip5 } = MatchKey::of(&fields(packed));
    let mut answer = Answer::default();
    for part in [name, street, unit, line2_unit, zip5] {
        answer.push_text(part.as_deref());
    }
    answer.into_text()
}

/// A name as it is compared.
///
/// ```
/// assert_eq!(matterbook_rules_npm::fold_name("O’Brien"), "obrien");
/// ```
#[wasm_bindgen]
#[must_use]
pub fn fold_name(name: &str) -> String {
    matterbook_rules::matching::fold_name(name).into()
}

/// A street as it is compared.
///
/// ```
/// assert_eq!(matterbook_rules_npm::fold_street("12 North Oak Street"), "12 n oak st");
/// ```
#[wasm_bindgen]
#[must_use]
pub fn fold_street(line1: &str) -> String {
    matterbook_rules::matching::fold_street(line1).into()
}

/// The street and the unit of the first line of an address, each as it is compared.
///
/// ```
/// assert_eq!(matterbook_rules_npm::street_parts("12 Oak St Apt 4"), "s12 oak st\0s4");
/// ```
#[wasm_bindgen]
#[must_use]
pub fn street_parts(line1: &str) -> String {
    let StreetParts { street, unit } = StreetParts::of(line1);
    let mut answer = Answer::default();
    answer.push_text(Some(&street));
    answer.push_text(unit.as_deref());
    answer.into_text()
}

/// The lines of a packed record's address on an envelope: attention line, delivery line and last line.
#[wasm_bindgen]
#[must_use]
pub fn mailing_address(packed: &str) -> String {
    let MailingAddress { attention_line, delivery_line, last_line, .. } = MailingAddress::of(&fields(packed));
    let mut answer = Answer::default();
    for line in [attention_line, delivery_line, last_line] {
        answer.push_text(line.as_deref());
    }
    answer.into_text()
}

/// The field of each column of an export, by packed headers.
///
/// ```
/// assert_eq!(matterbook_rules_npm::fields_of_columns("sGiven Name\0sNotes\0sZip"), "sfirst_name\0-\0szip");
/// ```
#[wasm_bindgen]
#[must_use]
pub fn fields_of_columns(packed: &str) -> String {
    let headers: Vec<_> = packed::values(packed)
        .map(|header| if let FieldValue::Text(text) = header { text } else { Cow::default() })
        .collect();
    let mut answer = Answer::default();
    for field in columns::fields_of(&headers) {
        answer.push_text(field.map(Field::name));
    }
    answer.into_text()
}

/// The values of a packed record. A refused one is missing.
fn fields(packed: &str) -> ClientFields {
    let mut fields = ClientFields::default();
    for (field, value) in Field::RECORD.into_iter().zip(packed::values(packed)) {
        // A refused value leaves its field empty.
        let _ = fields.set(field, value);
    }
    fields
}
