//! What ZIPs and phone numbers have in common: a string or an integer, from a spreadsheet perhaps
//! (design section 4).

use super::{FieldValue, Problem};

/// The trimmed text of a string, or the digits of an integer, without the `.0` that a spreadsheet
/// puts behind a whole number; `None` when it is blank.
pub(super) fn digits_text<'v>(value: &'v FieldValue<'_>) -> Result<Option<&'v str>, Problem> {
    if let FieldValue::Number(token) = value {
        let digits = without_point_zero(token);
        return if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            Ok(Some(digits))
        } else {
            Err(Problem::NOT_A_STRING_OR_INTEGER)
        };
    }
    Ok(value.trimmed_text(Problem::NOT_A_STRING_OR_INTEGER)?.map(without_point_zero))
}

fn without_point_zero(text: &str) -> &str {
    text.strip_suffix(".0").unwrap_or(text)
}
