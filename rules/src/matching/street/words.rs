//! Splits an address into words and drops punctuation that does not distinguish addresses (rules M12 to
//! M15; USPS Publication 28, section 354 and Appendix D).

use alloc::vec::Vec;

use super::super::fold::{Kind, caseless, is_apostrophe, is_plain, kind, push};
use super::{
    designator,
    word::{Key, Word},
};
use crate::normalize::is_dash;

/// Adds the caseless words of an address, separated by spaces. A dot, hyphen or slash between digits
/// (`39.2`, `112-10`, `1/2`) and a hyphen in a house number (`123-A`), which the first line of an address may have, stay. The number sign becomes a word
/// of its own.
pub(super) fn add_plain(address: &str, has_house_number: bool, plain: &mut Vec<u8>) {
    if address.is_ascii() {
        add_words(address, true, has_house_number, plain);
    } else {
        add_words(&caseless(address), false, has_house_number, plain);
    }
}

/// Adds the words of a text, in which only ASCII letters may have upper case. It may have apostrophes.
fn add_words(text: &str, may_have_apostrophes: bool, has_house_number: bool, plain: &mut Vec<u8>) {
    let mut rest = text;
    let mut previous = ' ';
    // The house number is the first word, if it holds a digit.
    let mut is_first_word = has_house_number;
    loop {
        // Plain words and spaces do not depend on their neighbours.
        let run = rest.bytes().take_while(|byte| *byte == b' ' || is_plain(*byte)).count();
        let Some((run, others)) = rest.split_at_checked(run) else { break };
        previous = run.chars().next_back().unwrap_or(previous);
        let run = if plain.is_empty() { run.trim_start_matches(' ') } else { run };
        is_first_word &= !run.contains(' ');
        plain.extend_from_slice(run.as_bytes());
        let mut characters = others.chars();
        let Some(character) = characters.next() else { break };
        rest = characters.as_str();
        let is_seen = |character: &char| !(may_have_apostrophes && is_apostrophe(*character));
        let next = characters.find(is_seen).unwrap_or(' ');
        let has_digit = || plain.iter().any(u8::is_ascii_digit);
        let is_between_digits = previous.is_ascii_digit() && next.is_ascii_digit();
        let is_in_house_number = is_first_word
            && previous.is_ascii_alphanumeric()
            && next.is_ascii_alphanumeric()
            && (next.is_ascii_digit() || has_digit());
        let kept = match character {
            '.' if is_between_digits => Some('.'),
            '/' | '\u{2044}' if is_between_digits => Some('/'),
            '/' | '\u{2044}' | '#' => None,
            _ if is_dash(character) => (is_between_digits || is_in_house_number).then_some('-'),
            _ => match kind(character) {
                Kind::Word => Some(character),
                Kind::Space => None,
                // The character is ignored, so `previous` stays.
                Kind::Nothing => continue,
            },
        };
        previous = character;
        if let Some(kept) = kept {
            push(kept, plain);
            continue;
        }
        if character == '#' {
            plain.extend_from_slice(b" # ");
        } else if !plain.is_empty() {
            plain.push(b' ');
        }
        is_first_word &= plain.is_empty();
    }
    plain.make_ascii_lowercase();
}

/// The words of a plain address. A designator written together with its number (`apt4`, `box12`,
/// `rr2`) is a word of its own.
pub(super) fn split(plain: &[u8]) -> Vec<Word<'_>> {
    let mut words = Vec::with_capacity(12);
    let mut rest = plain;
    loop {
        let (key, letters) = Key::of_letters(rest);
        let others = rest.get(letters..).unwrap_or_default();
        let length = letters + others.iter().position(|byte| *byte == b' ').unwrap_or(others.len());
        let (word, after) = rest.split_at_checked(length).unwrap_or_default();
        if let Some((text, number @ [b'0'..=b'9', ..])) = word.split_at_checked(letters)
            && is_glued(Word { text, key }, words.is_empty())
        {
            words.extend([Word { text, key }, Word::of(number)]);
        } else if !word.is_empty() {
            words.push(Word { text: word, key: if letters == length { key } else { Key::NONE } });
        }
        let Some((_, others)) = after.split_first() else { return words };
        rest = others;
    }
}

fn is_glued(designator: Word<'_>, is_first: bool) -> bool {
    const ALWAYS: [Key; 5] = Key::of_all(["box", "pobox", "rr", "hc", "hcr"]);
    const NO: Key = Key::of(b"no");
    ALWAYS.contains(&designator.key) || !is_first && (designator.key == NO || designator::find(designator).is_some())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(address: &str, expected: &[&str]) {
        let mut plain = Vec::new();
        add_plain(address, true, &mut plain);
        let words: Vec<_> = split(&plain).iter().map(|word| str::from_utf8(word.text).unwrap()).collect();
        assert_eq!(words, expected, "{address:?}");
    }

    #[test]
    fn punctuation_goes_and_what_tells_addresses_apart_stays() {
        check(" 123  Main\tSt., Apt.\n4 ", &["123", "main", "st", "apt", "4"]);
        check("39.2 Rd.", &["39.2", "rd"]);
        check("112-10 Winston-Salem St", &["112-10", "winston", "salem", "st"]);
        check("112–10 Main", &["112-10", "main"]);
        check("123-A Main", &["123-a", "main"]);
        check("N6-W23001 Main", &["n6-w23001", "main"]);
        check("123 Main 1-5 N-114", &["123", "main", "1-5", "n", "114"]);
        check("101 1/2 Main/Elm", &["101", "1/2", "main", "elm"]);
        check("101½ Main", &["101", "1/2", "main"]);
        check("123 St. John's", &["123", "st", "johns"]);
        check("-5 Main - St", &["5", "main", "st"]);
        check(" , ", &[]);
    }

    #[test]
    fn the_number_sign_and_glued_designators_are_words() {
        check("1 Main St #4", &["1", "main", "st", "#", "4"]);
        check("1 Main St Apt#4-B", &["1", "main", "st", "apt", "#", "4", "b"]);
        check("1 Main St Unit508", &["1", "main", "st", "unit", "508"]);
        check("1 Main St No.5", &["1", "main", "st", "no", "5"]);
        check("RR2 Box18", &["rr", "2", "box", "18"]);
        check("Unit508 No5", &["unit508", "no", "5"]);
        check("N6W23001 A1A 5th", &["n6w23001", "a1a", "5th"]);
    }

    proptest! {
        #[test]
        fn ascii_has_the_words_of_any_text(address in "[\\x00-\\x7f]{0,40}|([0-9A-Za-z]{0,4}[ .,'`#/-]{0,3}){0,7}") {
            let (mut plain, mut as_any) = (Vec::new(), Vec::new());
            add_plain(&address, true, &mut plain);
            add_words(&caseless(&address), false, true, &mut as_any);
            prop_assert_eq!(plain, as_any);
        }
    }
}
