//! Fuzzes normalizers: a value is stored, blank or refused, and a stored value stays the same when normalized
//! again.

use std::fmt::Debug;

use chrono::NaiveDate;
use matterbook_core::normalize::{
    Field, FieldValue, Problem, address, boolean, date, email, external_id, phone, state, text, trim, zip,
};

/// Normalizes a text, and the number if it is one; the first byte selects the rule.
///
/// # Panics
/// When a rule changes its own output, stores a value that is too long or blank, or accepts a blank as a
/// value.
///
/// ```
/// matterbook_fuzz::normalizers(b"4 2134.0 ");
/// ```
pub fn normalizers(bytes: &[u8]) {
    let Some((rule, rest)) = bytes.split_first() else { return };
    let Ok(written) = str::from_utf8(rest) else { return };
    let mut values = vec![FieldValue::from(written)];
    if written.parse::<f64>().is_ok() && serde_json::from_str::<serde_json::Number>(written).is_ok() {
        values.push(FieldValue::from_json_token(written));
    }
    for value in values {
        let is_blank = matches!(&value, FieldValue::Text(written) if trim(written).is_empty());
        match rule % 9 {
            0 => keeps_text(&value, is_blank, Field::TEXT_MAX_LENGTH, |value| text(value, Field::TEXT_MAX_LENGTH)),
            1 => keeps_text(&value, is_blank, Field::ADDRESS_MAX_LENGTH, |value| {
                address(value, Field::ADDRESS_MAX_LENGTH)
            }),
            2 => keeps_text(&value, is_blank, 2, state),
            3 => keeps_text(&value, is_blank, 10, zip),
            4 => keeps_text(&value, is_blank, 16, phone),
            5 => keeps_text(&value, is_blank, Field::EMAIL_MAX_LENGTH, email),
            6 => keeps_text(&value, is_blank, Field::EXTERNAL_ID_MAX_LENGTH, external_id),
            7 => keeps(&value, is_blank, date, |date: &NaiveDate| FieldValue::Text(date.to_string().into())),
            _ => keeps(&value, is_blank, boolean, |flag| FieldValue::Bool(*flag)),
        }
    }
}

/// A rule that stores a text of at most this many characters.
fn keeps_text<T: AsRef<str> + Debug + PartialEq>(
    value: &FieldValue<'_>,
    is_blank: bool,
    max_length: usize,
    rule: impl Fn(&FieldValue<'_>) -> Result<Option<T>, Problem>,
) {
    if let Ok(Some(kept)) = rule(value) {
        let kept = kept.as_ref();
        assert!(!kept.is_empty() && trim(kept) == kept, "{kept:?} is not trimmed");
        assert!(kept.chars().count() <= max_length, "{kept:?} is too long");
    }
    keeps(value, is_blank, rule, |kept| FieldValue::Text(kept.as_ref().to_owned().into()));
}

/// A rule that stores a value.
fn keeps<T: Debug + PartialEq>(
    value: &FieldValue<'_>,
    is_blank: bool,
    rule: impl Fn(&FieldValue<'_>) -> Result<Option<T>, Problem>,
    written: impl Fn(&T) -> FieldValue<'static>,
) {
    match rule(value) {
        Ok(Some(kept)) => {
            assert!(!is_blank, "{value:?} is blank, and {kept:?} is kept");
            assert_eq!(
                rule(&written(&kept)).as_ref().ok(),
                Some(&Some(kept)),
                "what was made of {value:?} changes again"
            );
        }
        Ok(None) => assert!(is_blank, "{value:?} is not blank, and nothing is kept"),
        Err(problem) => assert!(!is_blank && !problem.to_string().is_empty(), "{value:?} is blank, and refused"),
    }
}
