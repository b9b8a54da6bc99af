//! Phone numbers (rules N21 to N26, N37).

use alloc::format;

use smol_str::SmolStr;

use super::{
    FieldValue, Problem, ProblemKind,
    digits::{Digits, digits_text},
};

/// A phone number in E.164: `+` and 10 to 15 digits. Any formatting is accepted, a label of
/// letters before or after the number too. An extension at the end is dropped.
///
/// A leading `+`, `011` or `00` says that the country's code follows. Without one, 10 digits are
/// a number of the North American plan, and other lengths begin with their country's code.
///
/// # Errors
/// When there are fewer or more digits, two numbers, letters or foreign digits between them, a control
/// character, or the value is neither a string nor an integer.
///
/// ```
/// use matterbook_rules::normalize::{FieldValue, phone};
/// let check = |text: &str| phone(&FieldValue::from(text)).ok().flatten();
/// assert_eq!(check("(212) 555-0123 ext. 45").as_deref(), Some("+12125550123"));
/// assert_eq!(check("+47 12 34 56 78").as_deref(), Some("+4712345678"));
/// assert_eq!(check("555-0123"), None);
/// ```
#[doc(alias = "phone number")]
#[doc(alias = "telephone")]
#[doc(alias = "E.164")]
pub fn phone(value: &FieldValue<'_>) -> Result<Option<SmolStr>, Problem> {
    let Some(text) = digits_text(value)? else { return Ok(None) };
    let mut digits = Digits::<KEPT>::default();
    let mut has_plus = false;
    // After the first digit: a mark between numbers, or letters, and digits after them.
    let (mut mark_follows, mut letters_follow) = (false, false);
    let (mut has_groups, mut has_letters) = (false, false);
    for character in without_extension(text).chars() {
        match character {
            '0'..='9' => {
                has_groups |= mark_follows;
                has_letters |= letters_follow;
                digits.push(character);
            }
            // The most frequent form.
            ' ' | '-' | '(' | ')' | '.' => {}
            '+' | '＋' => has_plus |= digits.count() == 0,
            _ if character.is_numeric() => {
                return Err(Problem::fixed(ProblemKind::PhoneDigits, "must be written with the digits 0 to 9"));
            }
            '/' | ',' | ';' | '&' | '|' => mark_follows |= digits.count() > 0,
            _ if is_letter(character) => letters_follow |= digits.count() > 0,
            _ if character.is_control() && !character.is_whitespace() => return Err(Problem::CONTROL_CHARACTER),
            _ => {}
        }
    }
    let dialled = digits.as_str();
    let abroad = dialled.strip_prefix("011").or_else(|| dialled.strip_prefix("00")).filter(|_| !has_plus);
    if (has_groups || has_letters) && !has_plus && abroad.is_none() && digits.count() > 11 {
        return Err(Problem::fixed(ProblemKind::TwoNumbers, "holds two numbers: send one"));
    }
    if has_letters {
        return Err(Problem::fixed(ProblemKind::PhoneDigits, "must not have letters between its digits"));
    }
    let number = abroad.unwrap_or(dialled);
    let count = digits.count() - (dialled.len() - number.len());
    if !(10..=15).contains(&count) {
        return Err(wrong_count(dialled, number, count));
    }
    let country = if count == 10 && abroad.is_none() && !has_plus { "+1" } else { "+" };
    Ok(Some(SmolStr::from_iter([country, number])))
}

/// The problem of a number with too few or too many digits after what was dialled before it.
#[cold]
fn wrong_count(dialled: &str, number: &str, count: usize) -> Problem {
    if !dialled.is_empty() && dialled.bytes().all(|digit| digit == b'0') {
        return Problem::fixed(ProblemKind::PhoneDigits, "must not be all zeros: leave it blank if it is not known");
    }
    let prefix = dialled.strip_suffix(number).filter(|prefix| !prefix.is_empty());
    let after = prefix.map(|prefix| format!(" after {prefix}")).unwrap_or_default();
    Problem::counted(ProblemKind::PhoneDigits, format!("must have 10 to 15 digits{after}, but has {count}"))
}

/// More digits than a number with the longest prefix.
const KEPT: usize = 20;

/// A letter, except for the katakana long mark, which is used as a dash.
fn is_letter(character: char) -> bool {
    character.is_alphabetic() && !matches!(character, '\u{30fc}' | '\u{ff70}')
}

/// The text before an extension: `x`, `ext`, `extension`, `#` or `;ext=`, and 1 to 9 digits at the
/// end. Only what follows a digit can be one.
fn without_extension(text: &str) -> &str {
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).take(10).count();
    let Some((before, _)) = text.split_at_checked(text.len() - digits).filter(|_| (1..=9).contains(&digits)) else {
        return text;
    };
    let before =
        before.trim_end_matches(|character: char| matches!(character, '.' | ':' | '=') || character.is_whitespace());
    let word = match before.as_bytes().last() {
        Some(b'#') => "#",
        Some(b'n' | b'N') => "extension",
        Some(b't' | b'T') => "ext",
        Some(b'x' | b'X') => "x",
        _ => return text,
    };
    let Some(number) = strip_suffix_ignoring_case(before, word) else { return text };
    let follows_a_word = word != "#" && number.chars().next_back().is_some_and(char::is_alphabetic);
    if follows_a_word || !number.bytes().any(|byte| byte.is_ascii_digit()) { text } else { number }
}

fn strip_suffix_ignoring_case<'t>(text: &'t str, suffix: &str) -> Option<&'t str> {
    let (start, end) = text.split_at_checked(text.len().checked_sub(suffix.len())?)?;
    end.eq_ignore_ascii_case(suffix).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: impl Into<FieldValue<'static>>, expected: Result<Option<&str>, &str>) {
        let value = value.into();
        let found = phone(&value);
        let found = found.as_ref().map(Option::as_deref).map_err(|problem| problem.sentence());
        assert_eq!(found, expected, "{value:?}");
    }

    #[test]
    fn any_formatting_of_one_number_is_read() {
        for text in [
            "(212) 555-0123",
            "212.555.0123",
            "+1 212 555 0123",
            "＋1 212 555 0123",
            "1-212-555-0123",
            "2125550123.0",
            "tel:+1-212-555-0123",
            "Cell: (212) 555-0123",
            "212-555-0123 (home)",
            "212ー555ー0123",
            "212\u{ad}555\u{200b}0123",
            "0012125550123",
            "011 1 212 555 0123",
            "(+1) 212-555-0123",
        ] {
            check(text, Ok(Some("+12125550123")));
        }
        check(2_125_550_123_i64, Ok(Some("+12125550123")));
        check(FieldValue::Number("2125550123.0".into()), Ok(Some("+12125550123")));
    }

    #[test]
    fn an_extension_is_dropped() {
        for text in [
            "212-555-0123x45",
            "212-555-0123 x 45",
            "212-555-0123 X45",
            "212-555-0123 ext 45",
            "212-555-0123 Ext. 45",
            "212-555-0123, ext.: 45",
            "212-555-0123 extension 123456789",
            "212-555-0123 #45",
            "212-555-0123 ext #45",
            "+1-212-555-0123;ext=45",
            "(212) 555-0123x1",
        ] {
            check(text, Ok(Some("+12125550123")));
        }
        check("555-0123 x4567", Err("must have 10 to 15 digits, but has 7"));
        check("#2125550123", Ok(Some("+12125550123")));
        check("Fax 555-0123", Err("must have 10 to 15 digits, but has 7"));
        check("Fax 5550123", Err("must have 10 to 15 digits, but has 7"));
        check("212-555-012 fax 45", Err("must not have letters between its digits"));
    }

    #[test]
    fn two_numbers_in_one_field_are_refused() {
        for text in [
            "312-555-0142/0143",
            "312-555-0142, 0143",
            "312-555-0142; 312-555-0143",
            "312-555-0142 & 43",
            "312-555-0142|312-555-0143",
            "312-555-0142 or 0143",
            "312-555-0142 (home) 312-555-0143 (cell)",
            "212-555-0123 / 212-555-0199",
            "212-555-0123 / 212-555-0199 / 1",
            "212-555-0123 x45 x46",
        ] {
            check(text, Err("holds two numbers: send one"));
        }
        // One number: its digits are in one group, or a prefix says that its country follows.
        check("312/555/0142", Ok(Some("+13125550142")));
        check("1/312/555-0142", Ok(Some("+13125550142")));
        check("44 20 7946 0958, London", Ok(Some("+442079460958")));
        check("+49/30/12345678", Ok(Some("+493012345678")));
        check("0049/30/12345678", Ok(Some("+493012345678")));
        check("312-555-0142, ext. 0143", Ok(Some("+13125550142")));
    }

    #[test]
    fn a_prefix_says_that_the_country_follows() {
        check("+47 12 34 56 78", Ok(Some("+4712345678")));
        check("00 47 12 34 56 78", Ok(Some("+4712345678")));
        check("011 47 12 34 56 78", Ok(Some("+4712345678")));
        check("011 44 20 7946 0958", Ok(Some("+442079460958")));
        check("+00442079460958", Ok(Some("+00442079460958")));
        check("0044 20 794", Err("must have 10 to 15 digits after 00, but has 7"));
        check("011 44 20 794", Err("must have 10 to 15 digits after 011, but has 7"));
        check("0000000000", Err("must not be all zeros: leave it blank if it is not known"));
        check(0_i64, Err("must not be all zeros: leave it blank if it is not known"));
        check("011 999 999 999 999 999", Ok(Some("+999999999999999")));
        check("442079460958", Ok(Some("+442079460958")));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        check("1-800-FLOWERS", Err("must have 10 to 15 digits, but has 4"));
        check("1-800-555-CALL2", Err("must not have letters between its digits"));
        check("2.12555E+09", Err("must not have letters between its digits"));
        check("212-555-O123", Err("must not have letters between its digits"));
        check("212-555-012３", Err("must be written with the digits 0 to 9"));
        check("٢١٢٥٥٥٠١٢٣", Err("must be written with the digits 0 to 9"));
        check("212555\u{0}0123", Err("must not contain control characters"));
        check("n/a", Err("must have 10 to 15 digits, but has 0"));
        check("ext. 45", Err("must have 10 to 15 digits, but has 2"));
        for number in ["-2125550123", "2125550123.5", "2.125550123e9"] {
            check(FieldValue::Number(number.into()), Err("must be a string or an integer"));
        }
        check(true, Err("must be a string or an integer"));
    }
}
