//! The rule of any field, and the repair of its value (rule X8).

use core::fmt;

use smol_str::SmolStr;

use super::Field;
use crate::normalize::{self, FieldValue, Problem, iso_date};

/// A value whose stored form differs from the one sent.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// The field.
    pub field: Field,
    /// As the caller sent it, with its white space.
    pub from: SentValue,
    /// As it is stored.
    pub to: StoredValue,
}

/// A readable value as the caller sent it. It displays as its characters.
///
/// It is client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SentValue {
    /// A string.
    Text(SmolStr),
    /// A number, digit for digit.
    Number(SmolStr),
}

/// The stored form of a value. It displays as a text, or as `true` or `false`.
///
/// It is client data: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredValue {
    /// Of every field but `do_not_mail`; a date as `YYYY-MM-DD`.
    Text(SmolStr),
    /// Of `do_not_mail`.
    Bool(bool),
}

/// The stored form of one field's value, by the field's rule; `None` for a blank one.
///
/// # Errors
/// What is wrong with the value, in words for the caller. They repeat no value.
///
/// ```
/// use matterbook_rules::{client::{StoredValue, stored_value}, normalize::{Field, FieldValue}};
/// let stored = |field, text: &str| stored_value(field, &FieldValue::from(text));
/// assert_eq!(stored(Field::Zip, "2134"), Ok(Some(StoredValue::Text("02134".into()))));
/// let date = stored(Field::OpenedOn, "Jan 5, 2026").unwrap().unwrap();
/// assert_eq!(date.to_string(), "2026-01-05");
/// assert_eq!(stored_value(Field::City, &FieldValue::from(" ")), Ok(None));
/// assert!(stored_value(Field::State, &FieldValue::from("Narnia")).is_err());
/// ```
#[doc(alias = "validate")]
#[doc(alias = "normalize")]
pub fn stored_value(field: Field, sent: &FieldValue<'_>) -> Result<Option<StoredValue>, Problem> {
    let text = match field {
        Field::OpenedOn | Field::SettledOn => normalize::date(sent)?.map(iso_date),
        Field::DoNotMail => return Ok(normalize::boolean(sent)?.map(StoredValue::Bool)),
        text => stored_text(text, sent)?,
    };
    Ok(text.map(StoredValue::Text))
}

/// The stored text of a field that is one, by its rule; `None` for a blank value, and for a field that is no text.
///
/// # Errors
/// What is wrong with the value.
///
/// ```
/// use matterbook_rules::{client::stored_text, normalize::{Field, FieldValue}};
/// assert_eq!(stored_text(Field::State, &FieldValue::from("Maine")), Ok(Some("ME".into())));
/// ```
#[inline]
pub fn stored_text(field: Field, sent: &FieldValue<'_>) -> Result<Option<SmolStr>, Problem> {
    match field {
        Field::FirstName | Field::LastName | Field::City | Field::CaseType => {
            normalize::text(sent, Field::TEXT_MAX_LENGTH)
        }
        Field::AddressLine1 | Field::AddressLine2 => normalize::address(sent, Field::ADDRESS_MAX_LENGTH),
        Field::State => normalize::state(sent),
        Field::Zip => normalize::zip(sent),
        Field::Email => normalize::email(sent),
        Field::Phone => normalize::phone(sent),
        Field::ExternalId => normalize::external_id(sent),
        Field::OpenedOn | Field::SettledOn | Field::DoNotMail => Ok(None),
    }
}

/// The repair of one field's value. `None` for a value that is stored as sent, a number that is stored by
/// its digits, a blank, and a refused value.
///
/// ```
/// use matterbook_rules::{client::repair, normalize::{Field, FieldValue}};
/// let phone = repair(Field::Phone, &FieldValue::from("(617) 555-0142 x9")).unwrap();
/// assert_eq!(phone.from.to_string(), "(617) 555-0142 x9");
/// assert_eq!(phone.to.to_string(), "+16175550142");
///
/// assert_eq!(repair(Field::Zip, &FieldValue::from(62704_i64)), None);
/// assert_eq!(repair(Field::Zip, &FieldValue::from("123")), None);
/// ```
#[must_use]
pub fn repair(field: Field, sent: &FieldValue<'_>) -> Option<Repair> {
    let to = stored_value(field, sent).ok()??;
    let (characters, from) = match sent {
        FieldValue::Text(text) => (text, SentValue::Text(text.as_ref().into())),
        FieldValue::Number(token) => (token, SentValue::Number(token.as_ref().into())),
        FieldValue::Absent
        | FieldValue::Bool(_)
        | FieldValue::LoneSurrogate
        | FieldValue::Array
        | FieldValue::Object => {
            return None;
        }
    };
    let is_as_sent = matches!(&to, StoredValue::Text(text) if text == characters.as_ref());
    (!is_as_sent).then_some(Repair { field, from, to })
}

impl fmt::Display for SentValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(characters) | Self::Number(characters) => formatter.write_str(characters),
        }
    }
}

impl fmt::Display for StoredValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => formatter.write_str(text),
            Self::Bool(value) => formatter.write_str(if *value { "true" } else { "false" }),
        }
    }
}
