//! Booleans (rule N36).

use super::{FieldValue, Problem, ProblemKind};

const SENTENCE: &str = "must be true or false, or one of the strings yes, no, y, n, true, false, t, f, 1, 0, on, off";
const NEITHER: Problem = Problem::fixed(ProblemKind::YesNo, SENTENCE);

/// `true` or `false`, as a boolean or as one of the strings yes/no, y/n, true/false, t/f, 1/0,
/// on/off in any letter case.
///
/// # Errors
/// When the value is anything else, a number included.
///
/// ```
/// use matterbook_rules::normalize::{FieldValue, boolean};
/// assert_eq!(boolean(&FieldValue::from("YES")), Ok(Some(true)));
/// assert_eq!(boolean(&FieldValue::from("")), Ok(None));
/// assert!(boolean(&FieldValue::from("maybe")).is_err());
/// ```
pub fn boolean(value: &FieldValue<'_>) -> Result<Option<bool>, Problem> {
    if let FieldValue::Bool(value) = value {
        return Ok(Some(*value));
    }
    let Some(text) = value.trimmed_text(Problem::fixed(ProblemKind::WrongType, SENTENCE))? else { return Ok(None) };
    let is_one_of = |words: [&str; 6]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    if is_one_of(["yes", "y", "true", "t", "1", "on"]) {
        Ok(Some(true))
    } else if is_one_of(["no", "n", "false", "f", "0", "off"]) {
        Ok(Some(false))
    } else {
        Err(NEITHER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: impl Into<FieldValue<'static>>, expected: Result<Option<bool>, &str>) {
        let value = value.into();
        let found = boolean(&value);
        assert_eq!(
            found.as_ref().map_err(|problem| problem.sentence()),
            expected.as_ref().map_err(|text| *text),
            "{value:?}"
        );
    }

    #[test]
    fn every_accepted_word_is_read_in_any_case() {
        for yes in ["yes", "Y", "True", "t", "1", "ON", " on\u{a0}"] {
            check(yes, Ok(Some(true)));
        }
        for no in ["no", "N", "False", "f", "0", "OFF", "\toff"] {
            check(no, Ok(Some(false)));
        }
    }

    #[test]
    fn anything_else_is_refused_and_never_read_as_no() {
        let sentence = "must be true or false, or one of the strings yes, no, y, n, true, false, t, f, 1, 0, on, off";
        for neither in ["maybe", "null", "none", "01", "1.0", "y es", "ｙｅｓ", "-1"] {
            check(neither, Err(sentence));
        }
        for other in [FieldValue::from(1_i64), FieldValue::from(0_i64), FieldValue::Array, FieldValue::Object] {
            check(other, Err(sentence));
        }
        check(FieldValue::LoneSurrogate, Err("must be valid Unicode, but holds half of a surrogate pair"));
    }
}
