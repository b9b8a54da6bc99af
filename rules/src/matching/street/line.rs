//! Street addresses: house number, directional, name, suffix, directional, unit (USPS Publication
//! 28, section 23).

use alloc::vec::Vec;

use super::{
    designator, directional, highway, suffix, unit,
    word::{Key, Word},
};

/// Standardizes a street address word by word. Returns the number of words before its units.
pub(super) fn standardize(words: &mut Vec<Word<'_>>) -> usize {
    highway::split_glued(words, 0);
    let house_length = house_length(words);
    let is_highway = highway::standardize(words, house_length);
    let unit_start = unit::standardize(words, house_length);
    let unit_length = words.len() - unit_start;
    let name_end = standardize_end(words, house_length, unit_start, is_highway);
    let mut name_start = house_length;
    // A word before the name is a directional only if a name remains: not in `123 E ST`.
    if name_end > house_length + 1
        && let Some(first) = words.get(house_length)
        && let Some(standard) = directional::standard(*first)
        && !is_short_street(words, house_length + 1, name_end)
    {
        replace(words, house_length, 1, standard);
        name_start += 1;
    }
    standardize_rest(words, name_start + 1, unit_length);
    words.len() - unit_length
}

/// Whether the words of a street are a plain suffix and words that are part of no street: `ST CHICAGO`.
fn is_short_street(words: &[Word<'_>], start: usize, end: usize) -> bool {
    const PLAIN: [&str; 10] = ["ave", "blvd", "ct", "dr", "hwy", "ln", "pl", "rd", "st", "way"];
    let Some([first, others @ ..]) = words.get(start..end) else { return false };
    let mut others = others.iter().take_while(|word| designator::find(**word).is_none());
    suffix::standard(*first).is_some_and(|standard| PLAIN.contains(&standard))
        && words.get(end).is_none_or(|word| suffix::standard(*word).is_none())
        && !others.any(|word| suffix::standard(*word).is_some())
}

/// Gives suffixes, and designators before a number, their standard form, whatever follows them. The last
/// `unit_length` words are standardized already.
fn standardize_rest(words: &mut Vec<Word<'_>>, start: usize, unit_length: usize) {
    let mut index = start;
    while index + unit_length < words.len() {
        let end = words.len() - unit_length;
        let at = |index: usize| words.get(index).filter(|_| index < end);
        let Some(word) = at(index).copied() else { return };
        let sign = usize::from(at(index + 1).is_some_and(Word::is_number_sign));
        let is_before_number = at(index + 1 + sign).is_some_and(Word::has_digit);
        let found = if is_before_number { designator::find(word) } else { None };
        if found.is_some() {
            words.drain(index + 1..index + 1 + sign);
        }
        let standard = found.map(|found| found.standard).or_else(|| suffix::standard(word));
        if let (Some(standard), Some(word)) = (standard, words.get_mut(index)) {
            *word = Word::of(standard.as_bytes());
        }
        index += 1;
    }
}

/// The number of words of the house number: one with a digit, and a fraction after it.
fn house_length(words: &[Word<'_>]) -> usize {
    match words {
        [first, ..] if !first.has_digit() || unit::is_ordinal(*first) => 0,
        [_, second, ..] if second.text.contains(&b'/') => 2,
        _ => words.len().min(1),
    }
}

/// Standardizes the suffix and the directional after it in `words[start..end]`. Returns the end of the name
/// before them.
fn standardize_end(words: &mut Vec<Word<'_>>, start: usize, end: usize, is_highway: bool) -> usize {
    let direction = trailing_direction(words, start, end);
    let street_end = end - direction.map_or(0, |direction| direction.length);
    // A number may follow the suffix: a unit without a designator, or the number of a highway.
    for number_length in 0..=2 {
        let Some(number_start) = street_end.checked_sub(number_length).filter(|index| *index > start) else { break };
        if !words.get(number_start..street_end).is_some_and(|words| words.iter().all(|word| unit::is_number(*word))) {
            break;
        }
        let inner = if direction.is_none() && number_length > 0 {
            trailing_direction(words, start, number_start).filter(|inner| inner.length == 1)
        } else {
            None
        };
        let suffix_end = number_start - inner.map_or(0, |inner| inner.length);
        let Some(index) = suffix_end.checked_sub(1).filter(|index| *index > start) else { continue };
        let Some(standard) = standard_suffix(words, index, number_length > 0) else { continue };
        let name_is_directional = !is_highway
            && index == start + 1
            && words.get(start).is_some_and(|word| directional::standard(*word).is_some());
        replace(words, index, 1, standard);
        if let Some(inner) = inner {
            replace(words, suffix_end, inner.length, inner.standard);
        }
        if let Some(direction) = direction {
            // In `100 N AVENUE E` the avenue may be named E. No avenue is named NE.
            if !name_is_directional || direction.standard.len() == 2 {
                replace(words, street_end, direction.length, direction.standard);
            }
        }
        return index;
    }
    match direction {
        Some(direction) if direction.length == 1 && has_name(words, start, street_end) => {
            replace(words, street_end, 1, direction.standard);
            street_end
        }
        _ => end,
    }
}

/// A directional after a street.
#[derive(Clone, Copy)]
struct Direction {
    standard: &'static str,
    /// Its number of words: two for `NORTH WEST`, if a suffix precedes it.
    length: usize,
}

fn trailing_direction(words: &[Word<'_>], start: usize, end: usize) -> Option<Direction> {
    let street = words.get(start..end)?;
    let two_words = match *street {
        [_, .., before, first, second] => {
            directional::of_two_words(first, second).filter(|_| suffix::standard(before).is_some())
        }
        _ => None,
    };
    if let Some(standard) = two_words {
        return Some(Direction { standard, length: 2 });
    }
    let (last, _) = street.split_last().filter(|(_, before)| !before.is_empty())?;
    directional::standard(*last).map(|standard| Direction { standard, length: 1 })
}

/// Whether a street name remains in `words[start..end]`: in `100 AVENUE E` none does without the E.
fn has_name(words: &[Word<'_>], start: usize, end: usize) -> bool {
    match words.get(start..end) {
        Some([]) | None => false,
        Some([word]) => suffix::standard(*word).is_none(),
        Some(_) => true,
    }
}

/// The standard form of the suffix at `index`. Before the number of a highway, `RT` is a route.
fn standard_suffix(words: &[Word<'_>], index: usize, is_before_number: bool) -> Option<&'static str> {
    const ROUTE: Key = Key::of(b"rt");
    const OWNERS: [Key; 3] = Key::of_all(["state", "county", "us"]);
    let word = words.get(index)?;
    let is_highway = || {
        let owner = index.checked_sub(1).and_then(|index| words.get(index));
        is_before_number && owner.is_some_and(|owner| OWNERS.contains(&owner.key))
    };
    if word.key == ROUTE && is_highway() { Some("rte") } else { suffix::standard(*word) }
}

/// Replaces `length` words by one.
fn replace<'a>(words: &mut Vec<Word<'a>>, index: usize, length: usize, standard: &'a str) {
    if let Some(word) = words.get_mut(index) {
        *word = Word::of(standard.as_bytes());
    }
    words.drain(index + 1..index + length);
}

#[cfg(test)]
mod tests {
    use super::super::fold_street;

    fn check(address: &str, expected: &str) {
        assert_eq!(fold_street(address), expected, "{address:?}");
    }

    #[test]
    fn every_suffix_after_the_first_word_of_the_name_has_one_form() {
        check("123 Main Street", "123 main st");
        check("Main Street", "main st");
        check("789 Main Avenue Drive", "789 main ave dr");
        check("4494 Straight Road Lane", "4494 straight rd ln");
        check("8125 Royal Street Georges Lane", "8125 royal st georges ln");
        check("12 Mount Street", "12 mount st");
        check("12 N Mount Street", "12 n mount st");
        check("8125 Royal St. Georges Lane", "8125 royal st georges ln");
        check("100 5th Avenue", "100 5th ave");
        check("5th Avenue", "5th ave");
        check("101 1/2 Main Street", "101 1/2 main st");
    }

    #[test]
    fn a_suffix_needs_a_name() {
        check("123 Street", "123 street");
        check("101 1/2 Avenue", "101 1/2 avenue");
        check("Avenue", "avenue");
        check("", "");
    }

    #[test]
    fn a_suffix_has_one_form_whatever_follows() {
        for tail in [
            "Unit 2 East",
            "PMB 5",
            "# 5",
            "Ste 200 West Tower",
            "Lower Level",
            "Apt 4, Chicago",
            "c/o Ruiz",
            "Ground Floor",
            "Fl 2 Rear",
            "PO Box 5",
            "2nd Floor Front",
            "between 5th and 6th",
            "behind the bank",
        ] {
            for comma in ["", ","] {
                let folded = fold_street(&format!("343 Park Avenue{comma} {tail}"));
                assert_eq!(folded, fold_street(&format!("343 Park Ave {tail}")), "{tail}");
                assert_ne!(folded, fold_street(&format!("343 Park Blvd {tail}")), "{tail}");
                assert_ne!(folded, fold_street(&format!("343 Park Ave N {tail}")), "{tail}");
                assert_ne!(
                    fold_street(&format!("123 E St{comma} {tail}")),
                    fold_street(&format!("123 East St{comma} {tail}")),
                    "{tail}"
                );
            }
        }
        check("343 Park Avenue Unit 2 East", "343 park ave unit 2 e");
        check("343 Park Avenue Apartment # 4, Chicago", "343 park ave apt 4 chicago");
        check("343 Park Avenue Suite 200 West Tower", "343 park ave ste 200 west tower");
    }

    #[test]
    fn a_directional_needs_a_name() {
        check("123 E St", "123 e st");
        check("123 East St", "123 east st");
        check("613 K Street Northwest", "613 k st nw");
        check("613 East Street Northwest", "613 east st nw");
        check("100 North", "100 north");
        check("100 Avenue East", "100 avenue east");
        check("100 North Avenue East", "100 north ave east");
        check("100 North East Street", "100 n east st");
        check("4114 Southwest Highway", "4114 southwest hwy");
    }

    #[test]
    fn directionals_before_and_behind_the_name_have_one_form() {
        check("77 North Main Street", "77 n main st");
        check("871 Old Peachtree Road N.W.", "871 old peachtree rd nw");
        check("871 Old Peachtree Road N. W.", "871 old peachtree rd nw");
        check("871 Old Peachtree Road North West", "871 old peachtree rd nw");
        check("842 East 1700 South", "842 e 1700 s");
        check("2928 North 2900 E. Road", "2928 n 2900 e rd");
        check("27 Ocean Isle West Boulevard", "27 ocean isle west blvd");
        check("9009 South Western Avenue", "9009 s western ave");
    }

    #[test]
    fn a_number_may_follow_the_suffix() {
        check("300 S. Wacker Drive 1600", "300 s wacker dr 1600");
        check("12645 Fredrick Street 1-5 344", "12645 fredrick st 1-5 344");
        check("4315 Webster Avenue LH", "4315 webster ave lh");
        check("1 Main Street North 5", "1 main st n 5");
        check("100 Avenue A", "100 avenue a");
    }

    #[test]
    fn highways_have_one_form() {
        check("5 State Route 27", "5 state rte 27");
        check("5 State Rt 27", "5 state rte 27");
        check("5 County Road 12", "5 county rd 12");
        check("5 U.S. Highway 22", "5 us hwy 22");
        check("73 State Road 434 East", "73 state rd 434 e");
        check("460 North State Road 7 Suite 100", "460 n state rd 7 ste 100");
    }
}
