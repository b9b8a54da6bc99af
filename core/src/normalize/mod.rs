//! One rule a field: what a caller wrote → what is kept (design section 4).

use std::borrow::Cow;

/// A JSON value as a rule looks at it.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue<'a> {
    /// Not sent, or `null`.
    Absent,
    /// `true` or `false`.
    Bool(bool),
    /// A number's token, digit for digit, so that an id beyond 64 bits keeps every digit.
    Number(Cow<'a, str>),
    /// A string, its escapes resolved.
    Text(Cow<'a, str>),
    /// A string that is not valid Unicode (half of a surrogate pair).
    BrokenText,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// Why a value is refused: the part of the sentence after the field's name, such as
/// `must have 5 or 9 digits`. It never repeats the value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Problem(pub Cow<'static, str>);
