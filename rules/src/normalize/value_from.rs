//! What converts to the input of a rule.
//!
//! A missing value is [`FieldValue::Absent`], a date the text `YYYY-MM-DD`.

use alloc::{borrow::Cow, boxed::Box, rc::Rc, string::String, string::ToString as _, sync::Arc};

use chrono::NaiveDate;
use smol_str::SmolStr;

use super::{FieldValue, iso_date};

impl<'a> From<&'a str> for FieldValue<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for FieldValue<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl<'a> From<Cow<'a, str>> for FieldValue<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self::Text(text)
    }
}

impl From<Box<str>> for FieldValue<'_> {
    fn from(text: Box<str>) -> Self {
        Self::Text(Cow::Owned(text.into()))
    }
}

/// Texts that share or are not a `String` are copied, if they are not borrowed.
macro_rules! from_copied_texts {
    ($($Text:ty)*) => {$(
        impl From<$Text> for FieldValue<'_> {
            fn from(text: $Text) -> Self {
                Self::Text(Cow::Owned(text.to_string()))
            }
        }
    )*};
}

from_copied_texts!(SmolStr char Arc<str> Rc<str>);

macro_rules! from_borrowed_texts {
    ($($Text:ty)*) => {$(
        impl<'a> From<&'a $Text> for FieldValue<'a> {
            fn from(text: &'a $Text) -> Self {
                Self::Text(Cow::Borrowed(text))
            }
        }

        impl<'a> From<&'a Option<$Text>> for FieldValue<'a> {
            fn from(text: &'a Option<$Text>) -> Self {
                text.as_ref().into()
            }
        }
    )*};
}

from_borrowed_texts!(String SmolStr Box<str> Arc<str> Rc<str> Cow<'a, str> &'a str);

impl From<bool> for FieldValue<'_> {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

macro_rules! from_integers {
    ($($Integer:ty)*) => {$(
        impl From<$Integer> for FieldValue<'_> {
            fn from(value: $Integer) -> Self {
                Self::Number(Cow::Owned(value.to_string()))
            }
        }
    )*};
}

from_integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// A whole number, as spreadsheets have them, is that integer. NaN is missing, as it is in tables of data. A
/// number of 2^53 or more may not be the one that was written, so it gets an exponent, which no rule takes.
///
/// ```
/// use matterbook_rules::normalize::{self, FieldValue};
/// assert_eq!(normalize::zip(&2134.0.into()), Ok(Some("02134".into())));
/// assert_eq!(normalize::zip(&f64::NAN.into()), Ok(None));
/// assert!(normalize::zip(&2134.5.into()).is_err());
/// assert!(normalize::external_id(&18446744073709551616.0.into()).is_err());
/// ```
impl From<f64> for FieldValue<'_> {
    fn from(value: f64) -> Self {
        /// Whole numbers below it are exact.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if value.is_nan() {
            Self::Absent
        } else if value > -EXACT && value < EXACT {
            Self::Number(Cow::Owned(value.to_string()))
        } else {
            Self::Number(Cow::Owned(alloc::format!("{value:e}")))
        }
    }
}

impl From<f32> for FieldValue<'_> {
    /// As of an `f64`. An `f32` is exact below 2^24 only.
    fn from(value: f32) -> Self {
        const EXACT: f32 = 16_777_216.0;
        if value.is_nan() {
            Self::Absent
        } else if value > -EXACT && value < EXACT {
            Self::Number(Cow::Owned(value.to_string()))
        } else {
            Self::Number(Cow::Owned(alloc::format!("{value:e}")))
        }
    }
}

impl From<NaiveDate> for FieldValue<'_> {
    fn from(date: NaiveDate) -> Self {
        Self::Text(Cow::Owned(iso_date(date).into()))
    }
}

macro_rules! from_references {
    ($($Value:ty)*) => {$(
        impl From<&$Value> for FieldValue<'_> {
            fn from(value: &$Value) -> Self {
                (*value).into()
            }
        }

        impl From<&Option<$Value>> for FieldValue<'_> {
            fn from(value: &Option<$Value>) -> Self {
                (*value).into()
            }
        }
    )*};
}

from_references!(bool char i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 NaiveDate);

/// A value that may be missing: `None` is [`FieldValue::Absent`].
impl<'a, T: Into<Self>> From<Option<T>> for FieldValue<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(FieldValue::Absent, Into::into)
    }
}

impl From<()> for FieldValue<'_> {
    fn from((): ()) -> Self {
        Self::Absent
    }
}

impl<'a> From<&'a FieldValue<'_>> for FieldValue<'a> {
    /// The same value, borrowed.
    fn from(value: &'a FieldValue<'_>) -> Self {
        match value {
            FieldValue::Absent => Self::Absent,
            FieldValue::Bool(value) => Self::Bool(*value),
            FieldValue::Number(token) => Self::Number(Cow::Borrowed(token)),
            FieldValue::Text(text) => Self::Text(Cow::Borrowed(text)),
            FieldValue::LoneSurrogate => Self::LoneSurrogate,
            FieldValue::Array => Self::Array,
            FieldValue::Object => Self::Object,
        }
    }
}

/// Every digit of a number stays if `serde_json` keeps it (its feature `arbitrary_precision`).
#[cfg(feature = "serde_json")]
impl<'a> From<&'a serde_json::Value> for FieldValue<'a> {
    fn from(value: &'a serde_json::Value) -> Self {
        use serde_json::Value;
        match value {
            Value::Null => Self::Absent,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => of_json_number(number),
            Value::String(text) => Self::Text(Cow::Borrowed(text)),
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }
}

#[cfg(feature = "serde_json")]
impl From<serde_json::Value> for FieldValue<'_> {
    fn from(value: serde_json::Value) -> Self {
        match value {
            serde_json::Value::String(text) => Self::Text(Cow::Owned(text)),
            serde_json::Value::Number(number) => of_json_number(&number),
            serde_json::Value::Null => Self::Absent,
            serde_json::Value::Bool(value) => Self::Bool(value),
            serde_json::Value::Array(_) => Self::Array,
            serde_json::Value::Object(_) => Self::Object,
        }
    }
}

/// A float of JSON was written with a fraction or an exponent, or is an integer that has lost digits.
#[cfg(feature = "serde_json")]
fn of_json_number(number: &serde_json::Number) -> FieldValue<'static> {
    match number.as_f64().filter(|_| number.is_f64()) {
        Some(float) => FieldValue::from(float),
        None => FieldValue::Number(Cow::Owned(number.to_string())),
    }
}
