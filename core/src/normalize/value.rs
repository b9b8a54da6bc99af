//! The input of a rule: a JSON value.

use std::borrow::Cow;

use super::Problem;
use crate::json::unescaped;

/// A JSON value as the input of a rule.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue<'a> {
    /// Not sent, or `null`.
    Absent,
    /// `true` or `false`.
    Bool(bool),
    /// A number's token. It keeps every digit of an id beyond 64 bits.
    Number(Cow<'a, str>),
    /// A string with its escapes resolved.
    Text(Cow<'a, str>),
    /// A string that is not valid Unicode (half of a surrogate pair).
    LoneSurrogate,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl<'a> FieldValue<'a> {
    /// Reads one valid JSON token without white space around it, such as that of
    /// `serde_json::value::RawValue::get`. A string without escapes is borrowed. A string that cannot be
    /// decoded is [`FieldValue::LoneSurrogate`].
    ///
    /// ```
    /// use matterbook_core::normalize::FieldValue;
    /// assert_eq!(FieldValue::from_json_token("null"), FieldValue::Absent);
    /// assert_eq!(FieldValue::from_json_token("18446744073709551616"), FieldValue::Number("18446744073709551616".into()));
    /// assert_eq!(FieldValue::from_json_token(r#""Jos\u00e9""#), FieldValue::from("José"));
    /// assert_eq!(FieldValue::from_json_token(r#""\ud83d""#), FieldValue::LoneSurrogate);
    /// ```
    #[must_use]
    pub fn from_json_token(token: &'a str) -> Self {
        match token.as_bytes().first() {
            Some(b'"') => Self::from_json_string(token),
            Some(b'-' | b'0'..=b'9') => Self::Number(Cow::Borrowed(token)),
            Some(b't') => Self::Bool(true),
            Some(b'f') => Self::Bool(false),
            Some(b'[') => Self::Array,
            Some(b'{') => Self::Object,
            _ => Self::Absent,
        }
    }

    fn from_json_string(token: &'a str) -> Self {
        let inner = token.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        match inner {
            Some(inner) if !inner.bytes().any(|byte| byte == b'\\') => Self::Text(Cow::Borrowed(inner)),
            _ => inner.and_then(unescaped).map_or(Self::LoneSurrogate, |text| Self::Text(Cow::Owned(text))),
        }
    }

    /// The name of its JSON type.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Absent => "null",
            Self::Text(_) | Self::LoneSurrogate => "string",
            Self::Number(_) => "number",
            Self::Bool(_) => "boolean",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    /// The trimmed text of a string; `None` if it is blank; `otherwise` for any other type.
    #[inline(always)]
    pub(super) fn trimmed_text(&self, otherwise: Problem) -> Result<Option<&str>, Problem> {
        match self {
            Self::Text(text) => Ok(Some(super::trim(text)).filter(|text| !text.is_empty())),
            Self::Absent => Ok(None),
            Self::LoneSurrogate => Err(Problem::LONE_SURROGATE),
            Self::Bool(_) | Self::Number(_) | Self::Array | Self::Object => Err(otherwise),
        }
    }
}

/// ```
/// use matterbook_core::normalize::{self, FieldValue};
/// assert_eq!(normalize::state(&FieldValue::from("New York")), Ok(Some("NY".into())));
/// ```
impl<'a> From<&'a str> for FieldValue<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

/// ```
/// use matterbook_core::normalize::{self, FieldValue};
/// assert_eq!(normalize::boolean(&FieldValue::from(true)), Ok(Some(true)));
/// ```
impl From<bool> for FieldValue<'_> {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

/// A value that may be missing: `None` is [`FieldValue::Absent`].
///
/// ```
/// use matterbook_core::normalize::FieldValue;
/// assert_eq!(FieldValue::from(None::<&str>), FieldValue::Absent);
/// ```
impl<'a, T: Into<Self>> From<Option<T>> for FieldValue<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(FieldValue::Absent, Into::into)
    }
}

macro_rules! from_integers {
    ($($integer:ty)*) => {$(
        /// ```
        /// use matterbook_core::normalize::{self, FieldValue};
        #[doc = concat!("assert_eq!(normalize::external_id(&FieldValue::from(7_", stringify!($integer), ")), Ok(Some(\"7\".into())));")]
        /// ```
        impl From<$integer> for FieldValue<'_> {
            fn from(value: $integer) -> Self {
                Self::Number(Cow::Owned(value.to_string()))
            }
        }
    )*};
}

from_integers!(i32 i64 i128 u32 u64 u128);

#[cfg(test)]
mod tests {
    use super::*;

    fn check(token: &str, expected: &FieldValue<'_>) {
        assert_eq!(&FieldValue::from_json_token(token), expected, "{token}");
    }

    #[test]
    fn every_kind_of_json_token_is_read() {
        check("null", &FieldValue::Absent);
        check("true", &FieldValue::Bool(true));
        check("false", &FieldValue::Bool(false));
        check("-0.5e7", &FieldValue::Number("-0.5e7".into()));
        check("12345678901234567890123", &FieldValue::Number("12345678901234567890123".into()));
        check("[1]", &FieldValue::Array);
        check("{}", &FieldValue::Object);
        check("\"\"", &FieldValue::from(""));
        check("\"plain\"", &FieldValue::from("plain"));
        check(r#""a\"b\\c\/d\n\u0041""#, &FieldValue::from("a\"b\\c/d\nA"));
        check(r#""\ud83d\ude00""#, &FieldValue::from("😀"));
    }

    #[test]
    fn half_of_a_surrogate_pair_is_a_lone_surrogate() {
        for token in [r#""\ud83d""#, r#""\ude00""#, r#""a\ud83db""#, r#""\ud83d\ud83d""#, r#""\ude00\ud83d""#] {
            check(token, &FieldValue::LoneSurrogate);
        }
    }

    #[test]
    fn a_string_without_escapes_is_not_copied() {
        assert!(matches!(FieldValue::from_json_token("\"plain\""), FieldValue::Text(Cow::Borrowed("plain"))));
    }
}
