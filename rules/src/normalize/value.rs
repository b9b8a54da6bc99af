//! The input of a rule: a JSON value.

use alloc::borrow::Cow;

use super::{Problem, json_string::unescaped};

/// A JSON value as the input of a rule. Most types that a program has in hand convert to it.
///
/// ```
/// use matterbook_rules::normalize::{self, FieldValue};
/// assert_eq!(normalize::zip(&2134.into()), Ok(Some("02134".into())));
/// assert_eq!(normalize::state(&"Maine".into()), Ok(Some("ME".into())));
/// assert_eq!(normalize::phone(&None::<String>.into()), Ok(None));
/// ```
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
    /// use matterbook_rules::normalize::FieldValue;
    /// assert_eq!(FieldValue::from_json_token("null"), FieldValue::Absent);
    /// let large = FieldValue::from_json_token("18446744073709551616");
    /// assert_eq!(large, FieldValue::Number("18446744073709551616".into()));
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
            _ => inner.map_or(Self::LoneSurrogate, Self::from_escaped_json),
        }
    }

    /// Reads what a valid JSON string has between its quotes, with or without escapes.
    /// Half of a surrogate pair is [`FieldValue::LoneSurrogate`].
    ///
    /// ```
    /// use matterbook_rules::normalize::FieldValue;
    /// assert_eq!(FieldValue::from_escaped_json(r"O\u0027Neil"), FieldValue::from("O'Neil"));
    /// assert_eq!(FieldValue::from_escaped_json(r"\ude00"), FieldValue::LoneSurrogate);
    /// ```
    #[must_use]
    #[cold]
    pub fn from_escaped_json(written: &'a str) -> Self {
        unescaped(written).map_or(Self::LoneSurrogate, |text| Self::Text(Cow::Owned(text)))
    }

    /// The name of its JSON type: `null`, `string`, `number`, `boolean`, `array` or `object`.
    ///
    /// ```
    /// use matterbook_rules::normalize::FieldValue;
    /// assert_eq!(FieldValue::from(7_i64).json_type(), "number");
    /// ```
    #[must_use]
    pub const fn json_type(&self) -> &'static str {
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
