//! US states (rules N14 to N16, N38).

use core::cmp::Ordering;

use smol_str::SmolStr;

use super::{
    FieldValue, Problem, ProblemKind,
    state_table::{CODES, NAMES},
};
use crate::matching::is_apostrophe;

const UNKNOWN: Problem =
    Problem::fixed(ProblemKind::UnknownState, "must be a US state: a two-letter USPS code or the state's full name");

/// A state as its USPS code: one of the 62 codes (states, DC, territories, freely associated
/// states, AA, AE and AP), a full name, perhaps after "State of", or a traditional abbreviation. Letter case,
/// dots, apostrophes and extra spaces do not matter. The whole value has to match.
///
/// # Errors
/// When the value is not a string, or no such code or name.
///
/// ```
/// use matterbook_rules::normalize::{FieldValue, state};
/// assert_eq!(state(&FieldValue::from("west  virginia")), Ok(Some("WV".into())));
/// assert_eq!(state(&FieldValue::from("W. Va.")), Ok(Some("WV".into())));
/// assert!(state(&FieldValue::from("Ontario")).is_err());
/// ```
#[doc(alias = "state code")]
#[doc(alias = "state abbreviation")]
pub fn state(value: &FieldValue<'_>) -> Result<Option<SmolStr>, Problem> {
    let Some(text) = value.trimmed_text(Problem::NOT_A_STRING)? else { return Ok(None) };
    let found = find(text, written_otherwise);
    found.map(|code| Some(SmolStr::new_static(code))).ok_or(UNKNOWN)
}

/// The code of a listed state. In a street, `N YORK` is no state.
pub(crate) fn listed_state(text: &str) -> Option<&'static str> {
    find(text, |_| None)
}

fn find(text: &str, otherwise: impl FnOnce(&str) -> Option<&'static str>) -> Option<&'static str> {
    // Most values differ from the list only in letter case.
    code(text).or_else(|| named(text)).or_else(|| {
        let mut buffer = [0; NAME_MAX_LENGTH];
        let name = comparable(text, &mut buffer)?;
        named(name).or_else(|| code(name)).or_else(|| otherwise(name))
    })
}

/// `STATE OF` before the name of a state, and a direction or `NEW` that is abbreviated: `SO DAKOTA`, `N HAMPSHIRE`.
fn written_otherwise(name: &str) -> Option<&'static str> {
    if let Some(state) = name.strip_prefix("STATE OF ") {
        return named(state).filter(|code| !NO_STATES.contains(code));
    }
    let (first, rest) = name.split_once(' ')?;
    let beginnings: &[&str] = match first {
        "N" => &["NORTH", "NEW"],
        "NO" => &["NORTH", "N"],
        "SO" => &["SOUTH", "S"],
        _ => return None,
    };
    beginnings.iter().find_map(|beginning| named(&SmolStr::from_iter([beginning, " ", rest])))
}

/// The codes that are no states of the union.
const NO_STATES: [&str; 12] = ["AA", "AE", "AP", "AS", "DC", "FM", "GU", "MH", "MP", "PR", "PW", "VI"];

fn code(text: &str) -> Option<&'static str> {
    let index = (text.len() == 2).then(|| CODES.binary_search_by(|code| order(code, text)))?.ok()?;
    CODES.get(index).copied()
}

fn named(text: &str) -> Option<&'static str> {
    let beginning = beginning(text);
    let start = BEGINNINGS.partition_point(|listed| *listed < beginning);
    let names = NAMES.get(start..)?.iter().zip(BEGINNINGS.get(start..)?);
    let mut names = names.take_while(|(_, listed)| **listed == beginning).map(|(name, _)| name);
    names.find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, code)| *code)
}

/// Compares a listed text, which is in capitals, with a text in any letter case.
fn order(listed: &str, text: &str) -> Ordering {
    listed.bytes().cmp(text.bytes().map(|byte| byte.to_ascii_uppercase()))
}

/// The first bytes of each listed name as numbers, which distinguish most names and compare fast.
static BEGINNINGS: [u64; NAMES.len()] = {
    let mut beginnings = [0; NAMES.len()];
    let mut index = 0;
    while index < NAMES.len() {
        #[expect(clippy::indexing_slicing, reason = "evaluated while compiling; `get_mut` is not const")]
        {
            beginnings[index] = beginning(NAMES[index].0);
        }
        index += 1;
    }
    beginnings
};

/// The first eight bytes in capitals as a number. Numbers sort like their texts.
const fn beginning(text: &str) -> u64 {
    let mut bytes = text.as_bytes();
    let mut beginning = 0;
    let mut count = 0;
    while count < 8 {
        beginning <<= 8;
        if let [byte, others @ ..] = bytes {
            beginning |= byte.to_ascii_uppercase() as u64;
            bytes = others;
        }
        count += 1;
    }
    beginning
}

/// Longer than every name.
const NAME_MAX_LENGTH: usize = 64;

/// The text in the form of the table of names; `None` if it is longer than every name, or has a letter
/// that no name has. Letters are folded as ASCII, because Unicode changes the ligature `ﬂ` to `FL`.
fn comparable<'b>(text: &str, buffer: &'b mut [u8; NAME_MAX_LENGTH]) -> Option<&'b str> {
    let mut length = 0;
    let mut follows_initial = false;
    for word in text.split_whitespace() {
        let space = length;
        length += usize::from(length > 0);
        let start = length;
        for character in word.chars().filter(|character| *character != '.' && !is_apostrophe(*character)) {
            let letter = u8::try_from(character).ok().filter(u8::is_ascii)?;
            *buffer.get_mut(length)? = letter.to_ascii_uppercase();
            length += 1;
        }
        match length - start {
            0 => length = space,
            letters => {
                let is_initial = letters == 1;
                if is_initial && follows_initial {
                    // Initials are joined, as in DC.
                    *buffer.get_mut(space)? = *buffer.get(start)?;
                    length = space + 1;
                } else if start > space {
                    *buffer.get_mut(space)? = b' ';
                }
                follows_initial = is_initial;
            }
        }
    }
    str::from_utf8(buffer.get(..length)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        let found = state(&FieldValue::from(text));
        let sentence = "must be a US state: a two-letter USPS code or the state's full name".to_owned();
        let expected = expected.map(|code| Some(code.into())).ok_or(sentence);
        assert_eq!(found.map_err(|problem| problem.to_string()), expected, "{text:?}");
    }

    #[test]
    fn the_tables_are_sorted_so_that_names_are_found() {
        assert!(CODES.is_sorted());
        assert!(NAMES.is_sorted());
    }

    #[test]
    fn a_listed_name_is_found_as_it_is_listed() {
        for (name, code) in NAMES {
            assert_eq!(comparable(name, &mut [0; NAME_MAX_LENGTH]), Some(name));
            check(name, Some(code));
        }
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
    fn a_state_may_be_called_one_and_have_its_first_word_abbreviated() {
        for state in crate::UsState::ALL.into_iter().filter(|state| !NO_STATES.contains(&state.code())) {
            let name = state.name();
            check(&format!("State of {name}"), Some(state.code()));
            check(&format!("STATE  OF {}", name.to_uppercase()), Some(state.code()));
            if let Some((first, rest)) = name.split_once(' ') {
                let short: &[&str] = match first {
                    "North" => &["N.", "No.", "no"],
                    "South" => &["S.", "So.", "so"],
                    "West" => &["W."],
                    "New" => &["N.", "n"],
                    "Rhode" => &[],
                    other => panic!("{other} is not abbreviated"),
                };
                short.iter().for_each(|short| check(&format!("{short} {rest}"), Some(state.code())));
            }
        }
        for (text, code) in [("No. Dak.", "ND"), ("So. Car.", "SC"), ("No. Mariana Islands", "MP")] {
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
            "State of Guam",
            "State of Ontario",
            "State of",
            "S. Hampshire",
            "No. York",
            "N. Virginia",
            "E. Virginia",
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
