//! Names, cities, case types and address lines: stored as written, in NFC (rules N3 to N5, N12, N13).

use smol_str::SmolStr;

use super::{FieldValue, Problem, ProblemKind};
use crate::unicode::nfc;

/// A name, a city or a case type, of at most `max_length` characters (Unicode scalar values after
/// trimming and NFC). Letter case, inner spaces and spelling stay as they are.
///
/// # Errors
/// When the value is not a string, is not valid Unicode, holds a control character, or is longer.
///
/// ```
/// use matterbook_rules::normalize::{FieldValue, text};
/// assert_eq!(text(&FieldValue::from(" McDONALD "), 200), Ok(Some("McDONALD".into())));
/// assert_eq!(text(&FieldValue::from(" "), 200), Ok(None));
/// let problem = text(&FieldValue::from("Jane"), 3).map_err(|problem| problem.to_string());
/// assert_eq!(problem, Err("must have at most 3 characters, but has 4".to_owned()));
/// ```
pub fn text(value: &FieldValue<'_>, max_length: usize) -> Result<Option<SmolStr>, Problem> {
    let Some(text) = value.trimmed_text(Problem::NOT_A_STRING)? else { return Ok(None) };
    kept(text, max_length, char::is_control, Problem::CONTROL_CHARACTER).map(Some)
}

/// An address line: like [`text()`], but tabs and line breaks inside it are kept.
///
/// # Errors
/// As for [`text()`].
///
/// ```
/// use matterbook_rules::normalize::{FieldValue, address};
/// let line = address(&FieldValue::from("c/o Jane Doe\n123 Main St.\n"), 300);
/// assert_eq!(line, Ok(Some("c/o Jane Doe\n123 Main St.".into())));
/// ```
pub fn address(value: &FieldValue<'_>, max_length: usize) -> Result<Option<SmolStr>, Problem> {
    let Some(text) = value.trimmed_text(Problem::NOT_A_STRING)? else { return Ok(None) };
    let is_refused = |character: char| character.is_control() && !matches!(character, '\t' | '\n' | '\r');
    let problem = Problem::fixed(
        ProblemKind::ControlCharacter,
        "must not contain control characters other than tabs and line breaks",
    );
    kept(text, max_length, is_refused, problem).map(Some)
}

/// The text in NFC, if it is short enough and no character of it is refused.
#[inline(always)]
fn kept(
    text: &str,
    max_length: usize,
    is_refused: impl Fn(char) -> bool,
    refused: Problem,
) -> Result<SmolStr, Problem> {
    // Printable ASCII is in NFC already and has no control character. The loop has no early exit, so that the
    // compiler can check several bytes at once.
    let is_plain = text.bytes().fold(true, |is_plain, byte| is_plain & matches!(byte, b' '..=b'~'));
    if text.len() <= max_length && is_plain {
        return Ok(text.into());
    }
    kept_of_any(text, max_length, is_refused, refused)
}

/// The same for a text of any characters.
#[inline(never)]
fn kept_of_any(
    text: &str,
    max_length: usize,
    is_refused: impl Fn(char) -> bool,
    refused: Problem,
) -> Result<SmolStr, Problem> {
    if text.chars().any(is_refused) {
        return Err(refused);
    }
    let text = nfc(text);
    // A text has at most as many characters as bytes, so most texts need no counting.
    if text.len() > max_length {
        let length = text.chars().count();
        if length > max_length {
            return Err(Problem::too_long(max_length, length));
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: impl Into<FieldValue<'static>>, expected: Result<Option<&str>, &str>) {
        let value = value.into();
        let found = text(&value, 5);
        let found = found.as_ref().map(Option::as_deref).map_err(|problem| problem.sentence());
        assert_eq!(found, expected, "{value:?}");
    }

    #[test]
    fn a_text_is_trimmed_composed_and_counted_in_characters() {
        check(" de  la ", Err("must have at most 5 characters, but has 6"));
        check("d  la", Ok(Some("d  la")));
        check("Jose\u{301}", Ok(Some("Jos\u{e9}")));
        check("e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", Ok(Some("ééééé")));
        check("李李李李李", Ok(Some("李李李李李")));
        check("😀😀😀😀😀😀", Err("must have at most 5 characters, but has 6"));
        check("\u{200b}\u{feff}", Ok(None));
        check(None::<&str>, Ok(None));
    }

    #[test]
    fn anything_but_a_string_is_refused() {
        for value in [FieldValue::from(5_i64), FieldValue::Bool(false), FieldValue::Array, FieldValue::Object] {
            check(value, Err("must be a string"));
        }
        check(FieldValue::LoneSurrogate, Err("must be valid Unicode, but holds half of a surrogate pair"));
    }

    #[test]
    fn control_characters_inside_are_refused_outside_addresses() {
        for inside in ["a\0b", "a\tb", "a\nb", "a\u{7f}b", "a\u{85}b", "\0"] {
            check(inside, Err("must not contain control characters"));
        }
        check("\tab\n", Ok(Some("ab")));
    }

    #[test]
    fn tabs_and_line_breaks_inside_an_address_are_kept() {
        for kept in ["a\tb", "a\nb", "a\r\nb"] {
            assert_eq!(address(&FieldValue::from(kept), 5), Ok(Some(kept.into())));
        }
        for refused in ["a\0b", "a\u{b}b", "a\u{1b}b", "a\u{9f}b"] {
            let problem = address(&FieldValue::from(refused), 5).map_err(|problem| problem.to_string());
            let sentence = "must not contain control characters other than tabs and line breaks";
            assert_eq!(problem, Err(sentence.to_owned()), "{refused:?}");
        }
    }

    #[test]
    fn a_long_run_of_marks_is_put_in_order() {
        let text = "\u{301}\u{323}".repeat(500_000);
        let expected = "\u{323}".repeat(500_000) + &"\u{301}".repeat(500_000);
        assert_eq!(super::text(&FieldValue::from(text.as_str()), 1_000_000), Ok(Some(expected.into())));
    }
}
