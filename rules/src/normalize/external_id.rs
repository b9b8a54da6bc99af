//! The client's id in the caller's case system (rules N33 to N35).

use smol_str::SmolStr;

use super::{Field, FieldValue, Problem, ProblemKind, text};

/// An external id as text: a string, or an integer of any size, digit for digit. It is compared
/// exactly, letter case and leading zeros included.
///
/// # Errors
/// When the value is a fraction, has an exponent, or is neither string nor number; when it holds a
/// control character; when it is longer than 200 characters.
///
/// ```
/// use matterbook_rules::normalize::{FieldValue, external_id};
/// let id = FieldValue::from_json_token("18446744073709551616");
/// assert_eq!(external_id(&id), Ok(Some("18446744073709551616".into())));
/// assert_eq!(external_id(&FieldValue::from(" A-007 ")), Ok(Some("A-007".into())));
/// assert!(external_id(&FieldValue::from_json_token("1.0")).is_err());
/// ```
pub fn external_id(value: &FieldValue<'_>) -> Result<Option<SmolStr>, Problem> {
    match value {
        FieldValue::Number(token) => integer(token).map(Some),
        FieldValue::Absent | FieldValue::Text(_) | FieldValue::LoneSurrogate => {
            text(value, Field::EXTERNAL_ID_MAX_LENGTH)
        }
        FieldValue::Bool(_) | FieldValue::Array | FieldValue::Object => Err(Problem::NOT_A_STRING_OR_INTEGER),
    }
}

fn integer(token: &str) -> Result<SmolStr, Problem> {
    let digits = token.strip_prefix('-').unwrap_or(token);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Problem::fixed(
            ProblemKind::WrongType,
            "must be a string or an integer, without fraction and exponent",
        ));
    }
    if token.len() > Field::EXTERNAL_ID_MAX_LENGTH {
        return Err(Problem::too_long(Field::EXTERNAL_ID_MAX_LENGTH, token.len()));
    }
    Ok(token.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(token: &str, expected: Result<Option<&str>, &str>) {
        let found = external_id(&FieldValue::from_json_token(token));
        let found = found.as_ref().map(Option::as_deref).map_err(|problem| problem.sentence());
        assert_eq!(found, expected, "{token}");
    }

    #[test]
    fn a_number_without_digits_is_refused() {
        for token in ["", "-"] {
            let found = external_id(&FieldValue::Number(token.into()));
            assert_eq!(
                found.map_err(|problem| problem.to_string()),
                Err("must be a string or an integer, without fraction and exponent".into())
            );
        }
    }

    #[test]
    fn integers_of_any_size_are_kept_digit_for_digit() {
        check("0", Ok(Some("0")));
        check("-5", Ok(Some("-5")));
        check("9007199254740993", Ok(Some("9007199254740993")));
        check("340282366920938463463374607431768211456", Ok(Some("340282366920938463463374607431768211456")));
        check(&"9".repeat(201), Err("must have at most 200 characters, but has 201"));
    }

    #[test]
    fn strings_are_kept_as_sent() {
        for text in ["001001", "abc", "ABC", "1e10", "1.0", "Case 12/34 #5"] {
            check(&format!("\"{text}\""), Ok(Some(text)));
        }
        check(r#"" ""#, Ok(None));
        check("null", Ok(None));
        check(r#""a\u0000b""#, Err("must not contain control characters"));
    }

    #[test]
    fn other_numbers_and_types_are_refused() {
        for token in ["1.5", "1.0", "-0.0", "1e3", "1E3", "1e-7"] {
            check(token, Err("must be a string or an integer, without fraction and exponent"));
        }
        for token in ["true", "false", "[\"1\"]", "{\"id\":1}"] {
            check(token, Err("must be a string or an integer"));
        }
    }
}
