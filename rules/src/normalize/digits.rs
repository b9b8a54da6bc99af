//! The digits of ZIPs and phone numbers, which may be strings or integers (rules N7, N17 and N18).

use super::{FieldValue, Problem};

/// The trimmed text of a string, or the digits of an integer, without the `.0` that a spreadsheet adds to a
/// whole number; `None` if it is blank.
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

/// The first `KEPT` digits of a text, and the number of all.
pub(super) struct Digits<const KEPT: usize> {
    kept: [u8; KEPT],
    count: usize,
}

impl<const KEPT: usize> Default for Digits<KEPT> {
    fn default() -> Self {
        Self { kept: [0; KEPT], count: 0 }
    }
}

impl<const KEPT: usize> Digits<KEPT> {
    /// Adds one of `0` to `9`.
    pub(super) fn push(&mut self, digit: char) {
        if let (Some(place), Ok(digit)) = (self.kept.get_mut(self.count), u8::try_from(digit)) {
            *place = digit;
        }
        self.count += 1;
    }

    /// The number of all digits.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The first digits.
    pub(super) fn as_str(&self) -> &str {
        let kept = self.kept.get(..self.count).unwrap_or(&self.kept);
        str::from_utf8(kept).unwrap_or_default()
    }
}

fn without_point_zero(text: &str) -> &str {
    text.strip_suffix(".0").unwrap_or(text)
}
