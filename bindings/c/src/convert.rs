//! Between the types of C and those of the rules.

use std::borrow::Cow;

use matterbook_rules::{
    client::{stored_value, ClientFields, StoredValue},
    normalize::{Field, FieldValue, Problem, ProblemKind},
};

use crate::ffi::MatterbookProblemKind;

/// A text of C. One that is not UTF-8 is not valid Unicode.
pub(crate) fn text(bytes: &[u8]) -> FieldValue<'_> {
    std::str::from_utf8(bytes).map_or(FieldValue::LoneSurrogate, |text| FieldValue::Text(Cow::Borrowed(text)))
}

/// A JSON token of C.
pub(crate) fn json(token: &[u8]) -> FieldValue<'_> {
    std::str::from_utf8(token).map_or(FieldValue::LoneSurrogate, FieldValue::from_json_token)
}

/// A value and what its rule says of it.
pub(crate) struct Value {
    pub(crate) field: Field,
    pub(crate) stored: Result<Option<StoredValue>, Problem>,
    /// The stored form as a text, or the sentence of the problem. C borrows it.
    pub(crate) text: String,
}

impl Value {
    pub(crate) fn of(field: Field, sent: &FieldValue<'_>) -> Self {
        let stored = stored_value(field, sent);
        let text = match &stored {
            Ok(Some(value)) => value.to_string(),
            Ok(None) => String::new(),
            Err(problem) => problem.to_string(),
        };
        Self { field, stored, text }
    }
}

/// The kind of a problem.
pub(crate) const fn kind(kind: ProblemKind) -> MatterbookProblemKind {
    match kind {
        ProblemKind::ControlCharacter => MatterbookProblemKind::ControlCharacter,
        ProblemKind::DateFormat => MatterbookProblemKind::DateFormat,
        ProblemKind::EmailFormat => MatterbookProblemKind::EmailFormat,
        ProblemKind::InvalidUnicode => MatterbookProblemKind::InvalidUnicode,
        ProblemKind::NoSuchDate => MatterbookProblemKind::NoSuchDate,
        ProblemKind::NotAllowed => MatterbookProblemKind::NotAllowed,
        ProblemKind::PhoneDigits => MatterbookProblemKind::PhoneDigits,
        ProblemKind::Required => MatterbookProblemKind::Required,
        ProblemKind::TooLong => MatterbookProblemKind::TooLong,
        ProblemKind::TwoNumbers => MatterbookProblemKind::TwoNumbers,
        ProblemKind::UnknownState => MatterbookProblemKind::UnknownState,
        ProblemKind::WrongType => MatterbookProblemKind::WrongType,
        ProblemKind::YesNo => MatterbookProblemKind::YesNo,
        ProblemKind::ZipFormat => MatterbookProblemKind::ZipFormat,
        _ => MatterbookProblemKind::Other,
    }
}

/// Puts a value into a record. A refused one is missing.
pub(crate) fn put(fields: &mut ClientFields, value: &Value) {
    let stored = value.stored.clone().unwrap_or_default();
    // A rule takes what it has made.
    let _ = fields.set(value.field, stored);
}
