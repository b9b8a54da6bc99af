//! ZIP codes (rules N17 to N20).

use alloc::format;

use smol_str::SmolStr;

use super::{
    FieldValue, Problem, ProblemKind,
    digits::{Digits, digits_text},
    is_dash,
};

/// A ZIP as `NNNNN` or `NNNNN-NNNN`: a string or an integer of 5 or 9 digits, with spaces anywhere
/// and one dash of any kind before the last four of nine. Four digits get a leading zero, which spreadsheets
/// drop.
///
/// # Errors
/// When the value has another number of digits, or other characters. The message for three and eight digits
/// names the likely cause: lost zeros, whose number is not certain.
///
/// ```
/// use matterbook_rules::normalize::{FieldValue, zip};
/// assert_eq!(zip(&FieldValue::from("123456789")), Ok(Some("12345-6789".into())));
/// assert_eq!(zip(&FieldValue::from(2134_i64)), Ok(Some("02134".into())));
/// let problem = zip(&FieldValue::from(501_i64)).map_err(|problem| problem.to_string());
/// let sentence = "must have 5 or 9 digits, but has 3; \
///                 leading zeros may have been lost: send it as text";
/// assert_eq!(problem, Err(sentence.to_owned()));
/// ```
#[doc(alias = "zip code")]
#[doc(alias = "postal code")]
#[doc(alias = "ZIP+4")]
pub fn zip(value: &FieldValue<'_>) -> Result<Option<SmolStr>, Problem> {
    let Some(text) = digits_text(value)? else { return Ok(None) };
    let mut digits = Digits::<9>::default();
    let mut dash_after = None;
    for character in text.chars() {
        match character {
            '0'..='9' => digits.push(character),
            _ if character.is_whitespace() => {}
            _ if is_dash(character) && dash_after.is_none() => dash_after = Some(digits.count()),
            _ => {
                return Err(Problem::fixed(
                    ProblemKind::ZipFormat,
                    "must have 5 or 9 digits, with at most spaces and one dash between them",
                ));
            }
        }
    }
    let number = digits.as_str();
    match (digits.count(), dash_after) {
        (4, None) => Ok(Some(SmolStr::from_iter(["0", number]))),
        (5, None) => Ok(Some(number.into())),
        (9, None | Some(5)) => {
            let (area, rest) = number.split_at_checked(5).unwrap_or_default();
            Ok(Some(SmolStr::from_iter([area, "-", rest])))
        }
        (4 | 5 | 9, Some(_)) => {
            Err(Problem::fixed(ProblemKind::ZipFormat, "must have its dash before the last four of 9 digits"))
        }
        (3, _) => Err(Problem::fixed(
            ProblemKind::ZipFormat,
            "must have 5 or 9 digits, but has 3; leading zeros may have been lost: send it as text",
        )),
        (8, _) => Err(Problem::fixed(
            ProblemKind::ZipFormat,
            "must have 5 or 9 digits, but has 8; a leading zero may have been lost: send it as text",
        )),
        (count, _) => {
            Err(Problem::counted(ProblemKind::ZipFormat, format!("must have 5 or 9 digits, but has {count}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: impl Into<FieldValue<'static>>, expected: Result<Option<&str>, &str>) {
        let value = value.into();
        let found = zip(&value);
        let found = found.as_ref().map(Option::as_deref).map_err(|problem| problem.sentence());
        assert_eq!(found, expected, "{value:?}");
    }

    #[test]
    fn the_usual_writings_are_read() {
        for text in ["12345-6789", "123456789", "12345 6789", "12345 - 6789", "12345–6789", "12345\u{2212}6789"] {
            check(text, Ok(Some("12345-6789")));
        }
        for text in ["02134", "2134", " 2134\u{a0}", "2134.0", "02134.0", "0 2 1 3 4"] {
            check(text, Ok(Some("02134")));
        }
        check(FieldValue::Number("2134.0".into()), Ok(Some("02134")));
        check(FieldValue::Number("123456789.0".into()), Ok(Some("12345-6789")));
        check("\u{200b}", Ok(None));
    }

    #[test]
    fn other_counts_name_what_was_found() {
        check("123456", Err("must have 5 or 9 digits, but has 6"));
        check("12345678901234567890", Err("must have 5 or 9 digits, but has 20"));
        check(0_i64, Err("must have 5 or 9 digits, but has 1"));
        check("-", Err("must have 5 or 9 digits, but has 0"));
        for text in ["2134-1001", "21341001", "21341234"] {
            check(text, Err("must have 5 or 9 digits, but has 8; a leading zero may have been lost: send it as text"));
        }
        for text in ["501", "501.0"] {
            check(text, Err("must have 5 or 9 digits, but has 3; leading zeros may have been lost: send it as text"));
        }
    }

    #[test]
    fn a_dash_belongs_before_the_last_four_of_nine_digits() {
        for text in ["1234-56789", "-123456789", "123456789-", "1-2345", "12345-", "-2134"] {
            check(text, Err("must have its dash before the last four of 9 digits"));
        }
    }

    #[test]
    fn anything_but_digits_spaces_and_a_dash_is_refused() {
        for text in
            ["1234A", "K1A 0B1", "12345--6789", "12345_6789", "１２３４５", "٠٢١٣٤", "12345\0", "12345.00", "+12345"]
        {
            check(text, Err("must have 5 or 9 digits, with at most spaces and one dash between them"));
        }
        for number in ["12345.5", "1.2345e4", "-12345", "12345.00"] {
            check(FieldValue::Number(number.into()), Err("must be a string or an integer"));
        }
        for other in [FieldValue::Bool(true), FieldValue::Array, FieldValue::Object] {
            check(other, Err("must be a string or an integer"));
        }
    }
}
