//! Which given names are forms of one name.
//!
//! `nicknames.txt` is the list of <https://github.com/carltonnorthern/nicknames> 1.0.1 by Carlton Northern and Nick
//! Crews, under the Apache License 2.0. Changed: one line for each name, with its nicknames after it, in the order of the
//! alphabet, without entries that have a space, a dot or a single letter.

const LINES: &str = include_str!("nicknames.txt");

/// Whether one of two folded given names is a nickname of the other.
pub(super) fn are_of_one_name(one: &str, other: &str) -> bool {
    LINES.lines().any(|line| {
        let mut names = line.split(' ');
        let name = names.next();
        (name == Some(one) && names.clone().any(|nickname| nickname == other))
            || (name == Some(other) && names.any(|nickname| nickname == one))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nickname_is_found_from_both_sides() {
        for (one, other) in [("robert", "bob"), ("william", "bill"), ("elizabeth", "liz"), ("rob", "bob")] {
            assert!(are_of_one_name(one, other) && are_of_one_name(other, one), "{one}, {other}");
        }
        assert!(!are_of_one_name("robert", "william") && !are_of_one_name("ana", "bo"));
    }

    #[test]
    fn every_line_is_folded_words_of_two_letters_or_more() {
        for line in LINES.lines() {
            let is_word = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
            assert!(line.split(' ').count() > 1 && line.split(' ').all(is_word), "{line}");
        }
    }
}
