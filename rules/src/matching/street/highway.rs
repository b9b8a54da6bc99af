//! Numbered highways (rule M35; USPS Publication 28, Appendix F).

use alloc::vec::Vec;

use super::{
    designator, directional, suffix, unit,
    word::{Key, Word},
};
use crate::normalize::{STATE_CODES, listed_state};

/// The most words before the number of a highway: `north carolina state highway`.
const PREFIX_WORDS: usize = 5;

/// Standardizes the highway at the start of a street's name, behind the `house_length` words of the house
/// number and perhaps a directional. Returns `false` if there is none.
pub(super) fn standardize<'a>(words: &mut Vec<Word<'a>>, house_length: usize) -> bool {
    for start in [house_length, house_length + 1] {
        split_glued(words, start);
        let has_number = |words: &[Word<'_>]| words.iter().any(Word::has_digit);
        if !words.get(start + 1..).is_some_and(|words| has_number(words.get(..PREFIX_WORDS).unwrap_or(words))) {
            return false;
        }
        if let Some((length, standard)) = words.get(start..).and_then(prefix) {
            // `N RD 5` may be a road named N.
            let is_plain_road = standard == [Some("rd"), None, None];
            let direction = words.get(house_length).filter(|_| start > house_length && !is_plain_road);
            let direction = direction.and_then(|word| directional::standard(*word));
            let standard = standard.into_iter().flatten().map(|word| Word::of(word.as_bytes()));
            words.splice(start..start + length, standard);
            if let (Some(direction), Some(word)) = (direction, words.get_mut(house_length)) {
                *word = Word::of(direction.as_bytes());
            }
            return true;
        }
        if words.get(start).is_none_or(|word| directional::standard(*word).is_none()) {
            return false;
        }
    }
    false
}

/// Splits a highway written together with its number: `I-10`, `CR33`.
pub(super) fn split_glued(words: &mut Vec<Word<'_>>, index: usize) {
    const GLUED: [Key; 9] = Key::of_all(["i", "ih", "cr", "fm", "us", "hwy", "rt", "rte", "tsr"]);
    let Some(word) = words.get(index).filter(|word| word.has_digit()) else { return };
    let (key, letters) = Key::of_letters(word.text);
    let Some((name, number)) = word.text.split_at_checked(letters).filter(|_| GLUED.contains(&key)) else { return };
    let number = number.strip_prefix(b"-").unwrap_or(number);
    if number.first().is_some_and(u8::is_ascii_digit) {
        words.splice(index..=index, [Word { text: name, key }, Word::of(number)]);
    }
}

/// Up to three words.
type Standard = [Option<&'static str>; 3];

/// The number of words before the number of a highway, and their standard form.
fn prefix(words: &[Word<'_>]) -> Option<(usize, Standard)> {
    if let Some((length, [first, second, _])) = prefix_without_state(words) {
        return Some((length, [first, second, None]));
    }
    let (state_length, state) = state(words)?;
    let rest = words.get(state_length..)?;
    if rest.first().is_some_and(is_highway_number) {
        return Some((state_length, [Some(state), Some("hwy"), None]));
    }
    let (length, [first, second, _]) = prefix_without_state(rest)?;
    Some((state_length + length, [Some(state), first, second]))
}

fn prefix_without_state(words: &[Word<'_>]) -> Option<(usize, Standard)> {
    const COUNTY: [Key; 2] = Key::of_all(["county", "cnty"]);
    const STATE: [Key; 2] = Key::of_all(["state", "st"]);
    const INTERSTATE: [Key; 3] = Key::of_all(["interstate", "i", "ih"]);
    const FM: Key = Key::of(b"fm");
    const TO_MARKET: [Key; 2] = Key::of_all(["to", "market"]);
    let first = words.first()?;
    let kind_at = |index: usize| words.get(index).and_then(|word| kind(*word));
    let is_market = || words.get(1..3).is_some_and(|words| words.iter().map(|word| word.key).eq(TO_MARKET));
    let (length, standard) = match first.key {
        key if COUNTY.contains(&key) => (2, [Some("county"), Some(kind_at(1).filter(|kind| *kind != "expy")?)]),
        key if STATE.contains(&key) => (2, [Some("state"), Some(kind_at(1).filter(|kind| *kind != "expy")?)]),
        key if INTERSTATE.contains(&key) => (1 + usize::from(kind_at(1) == Some("hwy")), [Some("interstate"), None]),
        _ if first.text == b"cr" => (1, [Some("county"), Some("rd")]),
        _ if first.text == b"tsr" => (1, [Some("township"), Some("rd")]),
        _ if first.text == b"township" && kind_at(1) == Some("rd") => (2, [Some("township"), Some("rd")]),
        _ if first.text == b"ranch" && kind_at(1) == Some("rd") => (2, [Some("ranch"), Some("rd")]),
        _ if first.text == b"us" => match kind_at(1) {
            Some(kind @ ("hwy" | "rte")) => (2, [Some("us"), Some(kind)]),
            _ => (1, [Some("us"), Some("hwy")]),
        },
        key if key == FM => (1 + usize::from(kind_at(1) == Some("rd")), [Some("fm"), None]),
        _ if first.text == b"farm" && is_market() => (3 + usize::from(kind_at(3) == Some("rd")), [Some("fm"), None]),
        _ => match kind(*first)? {
            "hwy" if words.get(1).is_some_and(|word| word.key == FM) => (2, [Some("fm"), None]),
            kind => (1, [Some(kind), None]),
        },
    };
    let [first, second] = standard;
    words.get(length).is_some_and(is_highway_number).then_some((length, [first, second, None]))
}

/// The kind of a highway, in its standard form.
fn kind(word: Word<'_>) -> Option<&'static str> {
    const ROUTE: Key = Key::of(b"rt");
    match suffix::standard(word) {
        Some(kind @ ("hwy" | "rte" | "rd" | "expy")) => Some(kind),
        _ if word.key == ROUTE => Some("rte"),
        _ => None,
    }
}

/// Whether a word is the number of a highway: `64`, `60e`, but not `5th`.
fn is_highway_number(word: &Word<'_>) -> bool {
    word.text.first().is_some_and(u8::is_ascii_digit) && !unit::is_ordinal(*word)
}

/// The state at the start, in one or two words, as its two letters, if a highway can follow. Letters that mean
/// something else in an address, such as `NE`, `FL` and `CT`, are no state.
fn state(words: &[Word<'_>]) -> Option<(usize, &'static str)> {
    const OWNERS: [Key; 4] = Key::of_all(["county", "cnty", "state", "cr"]);
    const STATE: Key = Key::of(b"st");
    const KENTUCKY: Key = Key::of(b"ky");
    for length in 1..=2 {
        let (name, rest) = words.split_at_checked(length)?;
        let is_road = |index: usize| rest.get(index).is_some_and(|word| kind(*word).is_some_and(|kind| kind != "rd"));
        let follows = rest.first().is_some_and(|next| {
            is_highway_number(next) || OWNERS.contains(&next.key) || is_road(0) || (next.key == STATE && is_road(1))
        });
        let [first, ..] = name else { return None };
        if !follows {
            continue;
        }
        let has_other_meaning = length == 1
            && (directional::standard(*first).is_some()
                || designator::find(*first).is_some()
                || (suffix::standard(*first).is_some() && first.key != KENTUCKY));
        if has_other_meaning {
            continue;
        }
        let text: Vec<&str> = name.iter().filter_map(|word| str::from_utf8(word.text).ok()).collect();
        if let Some(code) = listed_state(&text.join(" ")) {
            let place = STATE_CODES.iter().position(|known| *known == code)?;
            return Some((length, str::from_utf8(LOWER_CODES.get(place)?).ok()?));
        }
    }
    None
}

/// The states' codes in lower case.
#[expect(clippy::indexing_slicing, reason = "evaluated while compiling; `get_mut` is not const")]
static LOWER_CODES: [[u8; 2]; STATE_CODES.len()] = {
    let mut codes = [[0; 2]; STATE_CODES.len()];
    let mut place = 0;
    while place < codes.len() {
        if let [first, second] = STATE_CODES[place].as_bytes() {
            codes[place] = [first.to_ascii_lowercase(), second.to_ascii_lowercase()];
        }
        place += 1;
    }
    codes
};

#[cfg(test)]
mod tests {
    use super::super::fold_street;

    fn check(addresses: &[&str], expected: &str) {
        for address in addresses {
            for (house, folded) in [("", ""), ("4567 ", "4567 "), ("4567 North ", "4567 n ")] {
                if (expected.starts_with("rd ") || expected.starts_with("loop ")) && house.ends_with("North ") {
                    continue;
                }
                assert_eq!(
                    fold_street(&format!("{house}{address}")),
                    format!("{folded}{expected}"),
                    "{house}{address}"
                );
            }
        }
    }

    #[test]
    fn every_form_of_appendix_f_has_one_form() {
        check(&["County Highway 140", "COUNTY HWY 140", "CNTY HWY 140"], "county hwy 140");
        check(&["COUNTY HWY 60E"], "county hwy 60e");
        check(&["CR 1185", "CR1185", "CR-1185", "County Rd 1185", "CNTY ROAD 1185", "Cnty Rd 1185"], "county rd 1185");
        check(&["CA COUNTY RD 150", "California County Road 150", "CALIFORNIA CR 150"], "ca county rd 150");
        check(&["Expressway 55", "Expy 55"], "expy 55");
        check(&["Farm to Market 1200", "FM 1200", "FM1200", "HWY FM 1200", "Farm to Market Road 1200"], "fm 1200");
        check(&["Highway 101", "Hwy 101", "HWY101"], "hwy 101");
        check(&["Highway 1080 West", "HWY 1080 W"], "hwy 1080 w");
        check(&["HWY 11 BYPASS", "Highway 11 Byp"], "hwy 11 byp");
        check(&["HWY 66 FRONTAGE ROAD", "Highway 66 Frontage Rd"], "hwy 66 frontage rd");
        check(&["I10", "I-10", "I 10", "Interstate 10", "IH10", "IH 10", "INTERSTATE HWY 10"], "interstate 10");
        check(&["I 55 BYPASS", "I-55 Byp"], "interstate 55 byp");
        check(&["I44 FRONTAGE ROAD", "Interstate 44 Frontage Rd"], "interstate 44 frontage rd");
        check(&["LOOP 410"], "loop 410");
        check(&["RD 5A", "Road 5A"], "rd 5a");
        check(&["Route 88", "Rt 88", "RTE 88", "Rt. 88"], "rte 88");
        check(&["RANCH RD 620", "Ranch Road 620"], "ranch rd 620");
        check(&["ST HIGHWAY 303", "State Hwy 303"], "state hwy 303");
        check(&["ST RT 175", "State Route 175", "STATE RTE 175"], "state rte 175");
        check(&["TOWNSHIP RD 20", "Township Road 20", "TSR 20", "TSR20"], "township rd 20");
        check(&["US 41", "US HWY 41", "U.S. Highway 41", "US-41"], "us hwy 41");
        check(&["US 41 SW", "US Highway 41 Southwest"], "us hwy 41 sw");
        check(&["KENTUCKY 440", "KY 440", "KY Hwy 440", "Kentucky Highway 440"], "ky hwy 440");
        check(&["KY ST HIGHWAY 1", "KY STATE HIGHWAY 1", "Kentucky State Hwy 1"], "ky state hwy 1");
        check(&["North Carolina 12", "NC Highway 12"], "nc hwy 12");
    }

    #[test]
    fn another_kind_of_road_is_another_highway() {
        check(&["SR 220"], "sr 220");
        check(&["State Road 220"], "state rd 220");
        check(&["US Route 41"], "us rte 41");
        assert_eq!(fold_street("4567 Ky 5th St"), "4567 ky 5th st");
        assert_eq!(fold_street("4567 NE 5 Ave"), "4567 ne 5 ave");
        assert_eq!(fold_street("4567 Main Fl 2"), "4567 main fl 2");
        assert_eq!(fold_street("4567 Road Runner 5"), "4567 road runner 5");
        assert_eq!(fold_street("4567 County Center Dr #647"), "4567 county ctr dr # 647");
        assert_eq!(fold_street("12 Main St Apt CR33"), "12 main st apt cr33");
    }
}
