//! Why a value is refused, in words for the caller (rule E4), and as a kind for programs (rule X11).

use alloc::{borrow::Cow, format, string::String};
use core::fmt;

/// Why a value is refused. It displays as the part of the sentence after the field's name, such as
/// `must have 5 or 9 digits, but has 6`. The sentence says what to fix, and never repeats the value.
///
/// ```
/// use matterbook_rules::normalize::{FieldValue, ProblemKind, zip};
/// let problem = zip(&FieldValue::from("627041")).unwrap_err();
/// assert_eq!(problem.kind(), ProblemKind::ZipFormat);
/// assert_eq!(problem.kind().name(), "zip_format");
/// assert_eq!(problem.to_string(), "must have 5 or 9 digits, but has 6");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem(Cow<'static, str>, ProblemKind);

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl core::error::Error for Problem {}

/// What kind of problem a value has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A control character in a text.
    ControlCharacter,
    /// No date in a known form.
    DateFormat,
    /// No e-mail address.
    EmailFormat,
    /// Half of a surrogate pair.
    InvalidUnicode,
    /// A date that the calendar does not have, or that is out of range.
    NoSuchDate,
    /// Nothing of what the field allows, such as a word that is not in its list.
    NotAllowed,
    /// No phone number, such as too few digits.
    PhoneDigits,
    /// A required value is missing.
    Required,
    /// More characters than the field takes.
    TooLong,
    /// Two phone numbers in one value.
    TwoNumbers,
    /// No US state.
    UnknownState,
    /// Another JSON type than the field takes.
    WrongType,
    /// Neither a yes nor a no.
    YesNo,
    /// No ZIP code.
    ZipFormat,
}

impl ProblemKind {
    /// Every kind.
    pub const ALL: [Self; 14] = [
        Self::ControlCharacter,
        Self::DateFormat,
        Self::EmailFormat,
        Self::InvalidUnicode,
        Self::NoSuchDate,
        Self::NotAllowed,
        Self::PhoneDigits,
        Self::Required,
        Self::TooLong,
        Self::TwoNumbers,
        Self::UnknownState,
        Self::WrongType,
        Self::YesNo,
        Self::ZipFormat,
    ];

    /// The stable code, as explanations show it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ControlCharacter => "control_character",
            Self::DateFormat => "date_format",
            Self::EmailFormat => "email_format",
            Self::InvalidUnicode => "invalid_unicode",
            Self::NoSuchDate => "no_such_date",
            Self::NotAllowed => "not_allowed",
            Self::PhoneDigits => "phone_digits",
            Self::Required => "required",
            Self::TooLong => "too_long",
            Self::TwoNumbers => "two_numbers",
            Self::UnknownState => "unknown_state",
            Self::WrongType => "wrong_type",
            Self::YesNo => "yes_no",
            Self::ZipFormat => "zip_format",
        }
    }
}

impl Problem {
    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> ProblemKind {
        self.1
    }

    /// Its sentence, as it displays.
    #[must_use]
    pub fn sentence(&self) -> &str {
        &self.0
    }

    /// A problem of a rule of your own, with a fixed text.
    #[must_use]
    pub const fn fixed(kind: ProblemKind, sentence: &'static str) -> Self {
        Self(Cow::Borrowed(sentence), kind)
    }

    /// A problem of a rule of your own, whose text has a count or a list.
    #[must_use]
    pub const fn counted(kind: ProblemKind, sentence: String) -> Self {
        Self(Cow::Owned(sentence), kind)
    }

    /// A required value that is missing.
    pub const REQUIRED: Self = Self::fixed(ProblemKind::Required, "is required");

    /// Another type than a string.
    pub(super) const NOT_A_STRING: Self = Self::fixed(ProblemKind::WrongType, "must be a string");

    /// Neither a string nor an integer.
    pub(super) const NOT_A_STRING_OR_INTEGER: Self =
        Self::fixed(ProblemKind::WrongType, "must be a string or an integer");

    /// A string with half of a surrogate pair (rule N6).
    pub(super) const LONE_SURROGATE: Self =
        Self::fixed(ProblemKind::InvalidUnicode, "must be valid Unicode, but holds half of a surrogate pair");

    /// A control character (rule N5).
    pub(super) const CONTROL_CHARACTER: Self =
        Self::fixed(ProblemKind::ControlCharacter, "must not contain control characters");

    /// More characters than the field allows (rule N4).
    pub(super) fn too_long(limit: usize, length: usize) -> Self {
        Self::counted(ProblemKind::TooLong, format!("must have at most {limit} characters, but has {length}"))
    }
}
