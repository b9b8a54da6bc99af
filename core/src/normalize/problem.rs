//! Why a value is refused, in words for the caller (rule E4).

use std::borrow::Cow;

/// Why a value is refused: the part of the sentence after the field's name, such as
/// `must have 5 or 9 digits, but has 6`. It says what to fix, and never repeats the value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Problem(pub Cow<'static, str>);

impl Problem {
    /// A problem with a fixed text.
    pub(super) const fn fixed(sentence: &'static str) -> Self {
        Self(Cow::Borrowed(sentence))
    }

    /// A problem whose text has a count.
    pub(super) const fn counted(sentence: String) -> Self {
        Self(Cow::Owned(sentence))
    }

    /// Another type than a string.
    pub(super) const NOT_A_STRING: Self = Self::fixed("must be a string");

    /// Neither a string nor an integer.
    pub(super) const NOT_A_STRING_OR_INTEGER: Self = Self::fixed("must be a string or an integer");

    /// A string with half of a surrogate pair (rule N6).
    pub(super) const LONE_SURROGATE: Self = Self::fixed("must be valid Unicode, but holds half of a surrogate pair");

    /// A control character (rule N5).
    pub(super) const CONTROL_CHARACTER: Self = Self::fixed("must not contain control characters");

    /// More characters than the field allows (rule N4).
    pub(super) fn too_long(limit: usize, length: usize) -> Self {
        Self::counted(format!("must have at most {limit} characters, but has {length}"))
    }
}
