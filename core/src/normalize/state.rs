//! US states (design section 4).

use super::{
    FieldValue, Problem,
    state_table::{CODES, NAMES},
};
use crate::matching::is_apostrophe;

const UNKNOWN: Problem = Problem::fixed("must be a US state: a two-letter USPS code or the state's full name");

/// A state as its USPS code: one of the 62 codes (states, DC, territories, freely associated
/// states, AA, AE and AP), a full name, or a traditional abbreviation. Letter case, dots,
/// apostrophes and extra spaces do not matter. Only the whole value counts: nothing is guessed
/// from a part or from a misspelling.
///
/// # Errors
/// When the value is not a string, or no such code or name.
///
/// ```
/// use matterbook_core::normalize::{FieldValue, state};
/// assert_eq!(state(&FieldValue::from("west  virginia")), Ok(Some("WV".to_owned())));
/// assert_eq!(state(&FieldValue::from("W. Va.")), Ok(Some("WV".to_owned())));
/// assert!(state(&FieldValue::from("Ontario")).is_err());
/// ```
pub fn state(value: &FieldValue<'_>) -> Result<Option<String>, Problem> {
    let Some(text) = value.trimmed_text(Problem::NOT_A_STRING)? else { return Ok(None) };
    find(text).map(|code| Some(code.to_owned())).ok_or(UNKNOWN)
}

fn find(text: &str) -> Option<&'static str> {
    if text.len() == 2 {
        return code(text);
    }
    let name = comparable(text)?;
    let by_name = NAMES.binary_search_by(|(listed, _)| (*listed).cmp(&name)).ok();
    by_name.and_then(|index| NAMES.get(index)).map(|(_, code)| *code).or_else(|| code(&name))
}

fn code(text: &str) -> Option<&'static str> {
    let order = |code: &&str| code.bytes().cmp(text.bytes().map(|byte| byte.to_ascii_uppercase()));
    CODES.binary_search_by(order).ok().and_then(|index| CODES.get(index)).copied()
}

/// The text as the table of names has it; `None` when it is longer than any name with its dots
/// and spaces could sensibly be. Letters are folded as ASCII: Unicode makes `FL` of the ligature
/// in `ﬂ`.
fn comparable(text: &str) -> Option<String> {
    if text.len() > 200 {
        return None;
    }
    let letters: String = text.chars().filter(|character| *character != '.' && !is_apostrophe(*character)).collect();
    let mut name = String::with_capacity(letters.len());
    let mut follows_initial = false;
    for word in letters.split_whitespace() {
        let is_initial = word.len() == 1;
        if !(name.is_empty() || is_initial && follows_initial) {
            name.push(' ');
        }
        name.push_str(word);
        follows_initial = is_initial;
    }
    name.make_ascii_uppercase();
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        let found = state(&FieldValue::from(text));
        let sentence = "must be a US state: a two-letter USPS code or the state's full name".to_owned();
        let expected = expected.map(|code| Some(code.to_owned())).ok_or(sentence);
        assert_eq!(found.map_err(|problem| problem.to_string()), expected, "{text:?}");
    }

    #[test]
    fn the_tables_are_sorted_so_that_names_are_found() {
        assert!(CODES.is_sorted());
        assert!(NAMES.is_sorted());
    }

    #[test]
    fn case_dots_spaces_and_apostrophes_do_not_matter() {
        for (text, code) in [
            ("ny", "NY"),
            ("N.Y.", "NY"),
            ("N. Y.", "NY"),
            ("n.y", "NY"),
            ("New\u{a0}\tYork", "NY"),
            ("Fla", "FL"),
            ("FLA.", "FL"),
            ("w.va", "WV"),
            ("N Dakota", "ND"),
            ("D.C.", "DC"),
            ("D. C.", "DC"),
            ("Washington, D. C.", "DC"),
            ("washington dc", "DC"),
            ("U.S. Virgin Islands", "VI"),
            ("Hawai’i", "HI"),
            ("Hawai'i", "HI"),
            ("hawaiʻi", "HI"),
            ("Armed Forces Europe, the Middle East, and Canada", "AE"),
            ("Commonwealth of the Northern Mariana Islands", "MP"),
        ] {
            check(text, Some(code));
        }
    }

    #[test]
    fn nothing_is_guessed() {
        for text in [
            "ﬂ",
            "ＮＹ",
            "ıl",
            "N",
            "XX",
            "UM",
            "Virgini",
            "New York NY",
            "NY 10001",
            "CA, USA",
            "CA,",
            "Ontario",
            "36",
            "...",
            "NewYork",
            "N-Y",
            "Kansas City",
            "\u{212a}S",
        ] {
            check(text, None);
        }
        check(&"NY ".repeat(100_000), None);
    }

    #[test]
    fn only_strings_are_states() {
        let problem = state(&FieldValue::from(36_i64)).map_err(|problem| problem.to_string());
        assert_eq!(problem, Err("must be a string".to_owned()));
        assert_eq!(state(&FieldValue::from("\u{feff}")), Ok(None));
    }
}
