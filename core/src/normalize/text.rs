//! Names, cities, case types and address lines: kept as written, in NFC (design section 4).

use smol_str::SmolStr;

use super::{FieldValue, Problem};
use crate::unicode::nfc;

/// A name, a city or a case type, of at most `max_length` characters (Unicode scalar values after
/// trimming and NFC). Letter case, inner spaces and spelling stay as they are.
///
/// # Errors
/// When the value is not a string, is not valid Unicode, holds a control character, or is longer.
///
/// ```
/// use matterbook_core::normalize::{FieldValue, text};
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
/// use matterbook_core::normalize::{FieldValue, address};
/// let line = address(&FieldValue::from("c/o Jane Doe\n123 Main St.\n"), 300);
/// assert_eq!(line, Ok(Some("c/o Jane Doe\n123 Main St.".into())));
/// ```
pub fn address(value: &FieldValue<'_>, max_length: usize) -> Result<Option<SmolStr>, Problem> {
    let Some(text) = value.trimmed_text(Problem::NOT_A_STRING)? else { return Ok(None) };
    let is_refused = |character: char| character.is_control() && !matches!(character, '\t' | '\n' | '\r');
    let problem = Problem::fixed("must not contain control characters other than tabs and line breaks");
    kept(text, max_length, is_refused, problem).map(Some)
}

/// Whether a text is of ASCII's letters, digits, punctuation and spaces only, as most are: it holds
/// no control character, and is in NFC. Looked through a word of a machine at a time.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_plain_word = |word: &[u8; 8]| others(u64::from_le_bytes(*word)) == 0;
    let (words, rest) = bytes.as_chunks();
    words.iter().all(is_plain_word)
        && bytes.last_chunk().map_or_else(|| rest.iter().all(|byte| (b' '..=b'~').contains(byte)), is_plain_word)
}

/// Not zero where one of a word's bytes is a control character or beyond ASCII.
const fn others(word: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let is_below_space = word.wrapping_sub(EACH * b' ' as u64);
    let is_delete = word.wrapping_add(EACH);
    (word | is_below_space | is_delete) & (EACH << 7)
}

/// The text in NFC, if it is short enough and no character of it is refused.
fn kept(
    text: &str,
    max_length: usize,
    is_refused: impl Fn(char) -> bool,
    refused: Problem,
) -> Result<SmolStr, Problem> {
    if text.len() <= max_length && is_plain(text) {
        return Ok(text.into());
    }
    if text.chars().any(is_refused) {
        return Err(refused);
    }
    let text = SmolStr::from(nfc(text));
    // A text has no more characters than bytes, so most need no counting.
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
    use proptest::prelude::*;

    use super::*;

    fn check(value: impl Into<FieldValue<'static>>, expected: Result<Option<&str>, &str>) {
        let value = value.into();
        let found = text(&value, 5);
        let found = found.as_ref().map(Option::as_deref).map_err(|problem| problem.0.as_ref());
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
        check(FieldValue::BrokenText, Err("must be valid Unicode, but holds half of a surrogate pair"));
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

    proptest! {
        #[test]
        fn words_of_a_machine_are_judged_like_characters(text in "[ -~]{0,20}([\\x00-\\x20~\\x7f\u{80}é李]{0,2}[ -~]{0,10})") {
            prop_assert_eq!(is_plain(&text), text.chars().all(|character| (' '..='~').contains(&character)));
        }
    }
}
