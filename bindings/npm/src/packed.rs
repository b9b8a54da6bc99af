//! Reads packed values: `s` and a string, `n` and a number's token, `t` and `f` for `true` and `false`, `u` for
//! a string that is not valid Unicode, `a` for an array, `o` for an object, `-` for a missing value.

use std::borrow::Cow;

use matterbook_rules::normalize::FieldValue;

/// The values of a packed text.
pub(crate) fn values(packed: &str) -> impl Iterator<Item = FieldValue<'_>> {
    packed.split('\0').map(value)
}

fn value(item: &str) -> FieldValue<'_> {
    let (kind, text) = item.split_at_checked(1).unwrap_or_default();
    match kind {
        "s" => FieldValue::Text(Cow::Borrowed(text)),
        "n" => FieldValue::Number(Cow::Borrowed(text)),
        "t" => FieldValue::Bool(true),
        "f" => FieldValue::Bool(false),
        "u" => FieldValue::LoneSurrogate,
        "a" => FieldValue::Array,
        "o" => FieldValue::Object,
        _ => FieldValue::Absent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_value_is_read() {
        let read: Vec<_> = values("sé\0s\0n-1.5\0t\0f\0u\0a\0o\0-\0").collect();
        let number = FieldValue::Number("-1.5".into());
        assert_eq!(read[..3], [FieldValue::from("é"), FieldValue::from(""), number]);
        assert_eq!(read[3..5], [FieldValue::Bool(true), FieldValue::Bool(false)]);
        assert_eq!(read[5..8], [FieldValue::LoneSurrogate, FieldValue::Array, FieldValue::Object]);
        assert_eq!(read[8..], [FieldValue::Absent, FieldValue::Absent]);
    }
}
