//! Which given names are forms of one name.
//!
//! `nicknames.txt` is the list of <https://github.com/carltonnorthern/nicknames> 1.0.1 by Carlton Northern and Nick
//! Crews, under the Apache License 2.0. Changed: one line for each name, with its nicknames after it, in the order of the
//! alphabet, without entries that have a space, a dot or a single letter.

/// The list as text. A program that never asks for it does not contain it.
pub const NICKNAMES: &str = include_str!("nicknames.txt");

/// A list of nicknames to search.
///
/// ```
/// use matterbook_core::similar::Nicknames;
/// let names = Nicknames::parse("robert bob rob\nwilliam bill");
/// assert!(names.are_of_one_name("bob", "robert") && !names.are_of_one_name("bob", "rob"));
/// assert!(Nicknames::default().are_of_one_name("elizabeth", "liz"));
/// ```
#[derive(Clone, Debug)]
pub struct Nicknames<'t> {
    lines: Vec<&'t str>,
}

impl Default for Nicknames<'static> {
    /// The list of [`NICKNAMES`].
    fn default() -> Self {
        Self::parse(NICKNAMES)
    }
}

impl<'t> Nicknames<'t> {
    /// Reads a list: a line for each name, in the order of the alphabet, with its nicknames after it.
    #[must_use]
    pub fn parse(text: &'t str) -> Self {
        Self { lines: text.lines().collect() }
    }

    /// Whether one of two folded given names is a nickname of the other.
    #[must_use]
    pub fn are_of_one_name(&self, one: &str, other: &str) -> bool {
        self.is_nickname(one, other) || self.is_nickname(other, one)
    }

    fn is_nickname(&self, nickname: &str, name: &str) -> bool {
        let first = |line: &&'t str| line.split(' ').next().unwrap_or_default().cmp(name);
        let found = self.lines.binary_search_by(first).ok().and_then(|place| self.lines.get(place));
        found.is_some_and(|line| line.split(' ').skip(1).any(|word| word == nickname))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nickname_is_found_from_both_sides() {
        let names = Nicknames::default();
        for (one, other) in [("robert", "bob"), ("william", "bill"), ("elizabeth", "liz"), ("rob", "bob")] {
            assert!(names.are_of_one_name(one, other) && names.are_of_one_name(other, one), "{one}, {other}");
        }
        assert!(!names.are_of_one_name("robert", "william") && !names.are_of_one_name("ana", "bo"));
    }

    #[test]
    fn every_line_is_folded_words_of_two_letters_or_more_in_the_order_of_its_names() {
        let names = NICKNAMES.lines().map(|line| line.split(' ').next());
        assert!(names.is_sorted_by(|one, other| one < other));
        for line in NICKNAMES.lines() {
            let is_word = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
            assert!(line.split(' ').count() > 1 && line.split(' ').all(is_word), "{line}");
        }
    }
}
