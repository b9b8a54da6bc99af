//! The unit at the end of an address: apartments, suites, floors (USPS Publication 28, section 213
//! and Appendix C2).

use alloc::vec::Vec;

use super::{
    delivery, designator, directional, suffix,
    word::{Key, Word},
};

/// Standardizes the units at the end of an address, and returns the end of the street before them. The
/// first `house_length` words are the house number. At least one word of a street's name always remains.
pub(super) fn standardize(words: &mut Vec<Word<'_>>, house_length: usize) -> usize {
    standardize_while(words, |start, words| {
        let street = words.get(house_length..start).unwrap_or_default();
        street.len() > 1 || street.first().is_some_and(|word| directional::standard(*word).is_none())
    })
}

/// Standardizes words that are nothing but units, as the second line of an address may be. Returns `false` for
/// any other words. A number alone is a unit too.
pub(super) fn is_whole(words: &mut Vec<Word<'_>>) -> bool {
    let is_bare_number = match &**words {
        [only] => is_number(*only) && (only.has_digit() || only.text.len() == 1),
        [first, others @ ..] => others.len() < 3 && first.has_digit() && others.iter().all(|word| is_number(*word)),
        [] => false,
    };
    is_bare_number || !words.is_empty() && standardize_while(words, |_, _| true) == 0
}

/// Standardizes units from the end of the words, each where its start is allowed. Returns the end of the words
/// before them.
fn standardize_while(words: &mut Vec<Word<'_>>, is_allowed: impl Fn(usize, &[Word<'_>]) -> bool) -> usize {
    let mut end = words.len();
    while let Some(start) = words.get(..end).and_then(|before| find(before, end < words.len()))
        && is_allowed(start, words)
    {
        standardize_one(words, start, end);
        end = start;
    }
    end
}

/// The start of the last unit, if the words end with one.
fn find(words: &[Word<'_>], is_followed: bool) -> Option<usize> {
    let (last, before) = words.split_last()?;
    let mut start = None;
    if let Some(found) = designator::find(*last) {
        // `APT` may precede `REAR`, as it precedes a number.
        if found.stands_alone || is_followed {
            start = Some(before.len());
        } else if found.standard == "fl" && before.last().is_some_and(|word| is_ordinal(*word)) {
            start = Some(before.len() - 1);
        }
    }
    let start = start.or_else(|| before_number(words))?;
    // `# APT 5` and `APT # 5` are one unit each.
    Some(match words.get(..start).and_then(<[Word<'_>]>::last) {
        Some(word) if word.text == b"#" => start - 1,
        Some(word) if is_number_sign(words, start) && designator::find(*word).is_some() => start - 1,
        _ => start,
    })
}

/// The index of the designator before the number at the end of the words. A number has up to three words,
/// such as `20 C`.
fn before_number(words: &[Word<'_>]) -> Option<usize> {
    let mut needs_digit = false;
    for length in 1..=3 {
        let start = words.len().checked_sub(length)?;
        let first = words.get(start)?;
        // A directional spelt out may follow the digits: `UNIT 2 EAST`.
        if length == 1 && !is_number(*first) && directional::standard(*first).is_some() {
            needs_digit = true;
            continue;
        }
        // `KEY CT` is the end of a street.
        if !is_number(*first) || suffix::standard(*first).is_some() {
            return None;
        }
        if needs_digit && !first.has_digit() {
            return None;
        }
        if let Some(box_length) = words.get(..start).and_then(delivery::trailing_box_length) {
            return Some(start - box_length);
        }
        let candidate = start.checked_sub(1)?;
        let word = words.get(candidate)?;
        let is_designator = word.text == b"#" || designator::find(*word).is_some();
        if is_designator || (word.stands_for_number() && first.has_digit()) {
            return Some(candidate);
        }
    }
    None
}

/// Writes the standard designator and drops the number sign next to it.
fn standardize_one(words: &mut Vec<Word<'_>>, start: usize, end: usize) {
    if delivery::standardize_box(words, start) {
        return;
    }
    let mut index = start;
    let mut end = end;
    let mut has_designator = false;
    while index < end {
        let Some(word) = words.get(index).copied() else { return };
        let is_sign = is_number_sign(words, index);
        let next_is_designator =
            || index + 1 < end && words.get(index + 1).is_some_and(|word| designator::find(*word).is_some());
        if is_sign && (has_designator || next_is_designator()) {
            words.remove(index);
            end -= 1;
            continue;
        }
        let standard = if is_sign { Some("#") } else { designator::find(word).map(|found| found.standard) };
        let follows_number = index > start && words.get(index - 1).is_some_and(Word::has_digit);
        if index + 1 == end
            && follows_number
            && let (Some(direction), Some(slot)) = (directional::standard(word), words.get_mut(index))
        {
            *slot = Word::of(direction.as_bytes());
            return;
        }
        if let (Some(standard), Some(slot)) = (standard, words.get_mut(index)) {
            *slot = Word::of(standard.as_bytes());
            has_designator = true;
        }
        index += 1;
    }
}

fn is_number_sign(words: &[Word<'_>], index: usize) -> bool {
    words.get(index).is_some_and(Word::is_number_sign)
}

/// Whether a word can be a unit's number: it has a digit, or at most two letters.
pub(super) fn is_number(word: Word<'_>) -> bool {
    if word.key == Key::NONE { word.has_digit() } else { word.text.len() <= 2 }
}

/// Whether a word is a number such as `15th`, or one spelt out up to `tenth`.
pub(super) fn is_ordinal(word: Word<'_>) -> bool {
    const SPELT_OUT: [Key; 10] =
        Key::of_all(["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]);
    let digits = word.text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 {
        return matches!(word.text.get(digits..), Some(b"st" | b"nd" | b"rd" | b"th"));
    }
    SPELT_OUT.contains(&word.key)
}

#[cfg(test)]
mod tests {
    use super::super::fold_street;

    fn check(address: &str, expected: &str) {
        assert_eq!(fold_street(address), expected, "{address:?}");
    }

    #[test]
    fn a_designator_has_one_form() {
        for address in [
            "1 Main St Apartment 4",
            "1 Main St, Apt. 4",
            "1 Main St Apt #4",
            "1 Main St Apt # 4",
            "1 Main St # Apt 4",
            "1 Main St Apt No. 4",
            "1 Main St Apt4",
            "1 Main St APTMT 4",
            "1 Main St\nApartment 4",
        ] {
            check(address, "1 main st apt 4");
        }
        check("1 Main Street Bldg 5, Floor 2, Ste # D", "1 main st bldg 5 fl 2 ste d");
        check("21 E. Chestnut St. Apt. 20 C", "21 e chestnut st apt 20 c");
        check("1117 Perimeter Circle W Suite N-114", "1117 perimeter cir w ste n 114");
        check("1 Main Street Rear Penthouse", "1 main st rear ph");
        check("1 Main Street Unit E", "1 main st unit e");
        check("1 Main Street Fl 2 # 5", "1 main st fl 2 # 5");
        check("1 Main Street Apartment Rear", "1 main st apt rear");
        check("1 Main Street Unit 2nd Floor", "1 main st unit 2nd fl");
    }

    #[test]
    fn a_number_sign_is_no_apartment() {
        for address in ["1 Main St #54", "1 Main St # 54", "1 Main Street, No. 54", "1 Main Street Number 54"] {
            check(address, "1 main st # 54");
        }
        check("1 Main St 54", "1 main st 54");
    }

    #[test]
    fn a_box_may_stand_behind_a_street() {
        for address in [
            "9 Mount Street P.O. Box 22",
            "9 Mount St, PO Box #22",
            "9 Mount St. Post Office Box No. 22",
            "9 Mount St POB 22",
        ] {
            check(address, "9 mount st po box 22");
        }
        check("9 Mount Street Box 22", "9 mount st box 22");
    }

    #[test]
    fn an_ordinal_stands_before_its_floor() {
        check("10 West 35th Street 15th Floor", "10 w 35th st 15th fl");
        check("10 W 35th St Second Floor", "10 w 35th st second fl");
        check("10 W 35th St Floor 15", "10 w 35th st fl 15");
    }

    #[test]
    fn a_word_of_the_street_is_no_unit() {
        check("2663 Walnut Key", "2663 walnut ky");
        check("100 Old Key Court", "100 old ky ct");
        check("100 Old Key Street North", "100 old ky st n");
        check("123 Front", "123 front");
        check("123 Front Street", "123 front st");
        check("100 Pier 39", "100 pier 39");
        check("400 West Side", "400 w side");
        check("123 Suite", "123 suite");
    }
}
