//! Addresses other than streets: PO boxes, rural routes, highway contract routes and military mail (rules
//! M16 to M18; USPS Publication 28, sections 24 to 28).

use alloc::vec::Vec;

use super::word::{Key, Word};

/// Standardizes an address of one of these forms. Returns `false` for any other.
pub(super) fn standardize(words: &mut Vec<Word<'_>>) -> bool {
    // None of these begins with a house number, as most addresses do.
    if words.first().is_some_and(|word| word.text.first().is_some_and(u8::is_ascii_digit)) {
        return false;
    }
    standardize_box(words, 0) || route(words, &RURAL, "rr") || route(words, &HIGHWAY_CONTRACT, "hc") || military(words)
}

/// Spellings that always mean `PO BOX`. `CALLER`, `DRAWER` and the like are ambiguous.
static POST_OFFICE_BOX: [&[Key]; 5] = [
    &Key::of_all(["po", "box"]),
    &Key::of_all(["p", "o", "box"]),
    &Key::of_all(["post", "office", "box"]),
    &Key::of_all(["pobox"]),
    &Key::of_all(["pob"]),
];

static RURAL: [&[Key]; 6] = [
    &Key::of_all(["rr"]),
    &Key::of_all(["r", "r"]),
    &Key::of_all(["rural", "route"]),
    &Key::of_all(["rural", "rte"]),
    &Key::of_all(["rfd"]),
    &Key::of_all(["r", "f", "d"]),
];

static HIGHWAY_CONTRACT: [&[Key]; 6] = [
    &Key::of_all(["hc"]),
    &Key::of_all(["h", "c"]),
    &Key::of_all(["hcr"]),
    &Key::of_all(["highway", "contract", "route"]),
    &Key::of_all(["highway", "contract"]),
    &Key::of_all(["star", "route"]),
];

/// Changes a PO box at `index` to `PO BOX {id}`. Returns `false` if there is none. Leading zeros of a box
/// are significant.
pub(super) fn standardize_box(words: &mut Vec<Word<'_>>, index: usize) -> bool {
    let found = words.get(index..).and_then(|words| prefix_length(words, &POST_OFFICE_BOX));
    let Some(length) = found else { return false };
    let length = length + number_sign_length(words, index + length);
    words.splice(index..index + length, [Word::of(b"po"), Word::of(b"box")]);
    true
}

/// The number of last words that mean `PO BOX` or `PO BOX NO`.
pub(super) fn trailing_box_length(words: &[Word<'_>]) -> Option<usize> {
    let without_sign = match words.split_last() {
        Some((last, before)) if last.is_number_sign() => before,
        _ => words,
    };
    let spelling = POST_OFFICE_BOX.iter().find(|spelling| {
        let start = without_sign.len().checked_sub(spelling.len());
        start.and_then(|start| without_sign.get(start..)).is_some_and(|words| are(words, spelling))
    })?;
    Some(words.len() - without_sign.len() + spelling.len())
}

/// `RR {number} BOX {id}` or `HC {number} BOX {id}`, or without a box. Leading zeros of the route
/// are not significant.
fn route<'a>(words: &mut Vec<Word<'a>>, spellings: &[&[Key]], standard: &'a str) -> bool {
    const ROAD: Key = Key::of(b"rd");
    let is_road = standard == "rr" && words.first().is_some_and(|word| word.key == ROAD);
    let Some(length) = prefix_length(words, spellings).or_else(|| is_road.then_some(1)) else { return false };
    let length = length + number_sign_length(words, length);
    let Some(number) = words.get(length).filter(|word| word.is_of_digits()) else { return false };
    // `RD` is a road, unless it has a number and a box.
    if is_road && !is_box(words, length + 1) {
        return false;
    }
    let number = without_leading_zeros(*number);
    drop_number_sign_of_box(words, length + 1);
    words.splice(..=length, [Word::of(standard.as_bytes()), number]);
    true
}

/// `PSC {number} BOX {id}`, and so `UNIT` and `CMR`.
fn military(words: &mut Vec<Word<'_>>) -> bool {
    const KINDS: [Key; 3] = Key::of_all(["psc", "unit", "cmr"]);
    if !words.first().is_some_and(|word| KINDS.contains(&word.key)) {
        return false;
    }
    let sign = number_sign_length(words, 1);
    if !words.get(1 + sign).is_some_and(Word::has_digit) || !is_box(words, 2 + sign) {
        return false;
    }
    drop_number_sign_of_box(words, 2 + sign);
    words.drain(1..1 + sign);
    true
}

/// Whether the words have this spelling.
fn are(words: &[Word<'_>], spelling: &[Key]) -> bool {
    words.len() == spelling.len() && words.iter().zip(spelling).all(|(word, key)| word.key == *key)
}

/// The number of words of the longest spelling at the start.
fn prefix_length(words: &[Word<'_>], spellings: &[&[Key]]) -> Option<usize> {
    let begin_so = |spelling: &[Key]| words.get(..spelling.len()).is_some_and(|words| are(words, spelling));
    spellings.iter().filter(|spelling| begin_so(spelling)).map(|spelling| spelling.len()).max()
}

fn is_box(words: &[Word<'_>], index: usize) -> bool {
    const BOX: Key = Key::of(b"box");
    words.get(index).is_some_and(|word| word.key == BOX)
}

/// The number of words at `index` that only announce a number: one or none.
fn number_sign_length(words: &[Word<'_>], index: usize) -> usize {
    usize::from(index + 1 < words.len() && words.get(index).is_some_and(Word::is_number_sign))
}

/// Drops the number sign after the word `box` at `index`, if both are there.
fn drop_number_sign_of_box(words: &mut Vec<Word<'_>>, index: usize) {
    if is_box(words, index) {
        let sign = number_sign_length(words, index + 1);
        words.drain(index + 1..index + 1 + sign);
    }
}

fn without_leading_zeros(number: Word<'_>) -> Word<'_> {
    let zeros = number.text.iter().take_while(|digit| **digit == b'0').count();
    Word::of(number.text.get(zeros..).filter(|digits| !digits.is_empty()).unwrap_or(b"0"))
}

#[cfg(test)]
mod tests {
    use super::super::fold_street;

    fn check(address: &str, expected: &str) {
        assert_eq!(fold_street(address), expected, "{address:?}");
    }

    #[test]
    fn post_office_boxes_have_one_form() {
        for address in [
            "PO Box 12",
            "P.O. Box 12",
            "P. O. Box 12",
            "P O Box 12",
            "POBox 12",
            "P.O.Box 12",
            "Post Office Box 12",
            "POB 12",
            "PO Box #12",
            "P.O. Box No. 12",
            "PO BOX12",
            "po box, 12",
        ] {
            check(address, "po box 12");
        }
        check("PO Box 012", "po box 012");
        check("PO Box", "po box");
        check("Box 12", "box 12");
        check("Drawer 12", "drawer 12");
        check("PO Box 12, 5 Main Street", "po box 12 5 main street");
    }

    #[test]
    fn routes_have_one_form() {
        for address in [
            "RR 2 Box 18",
            "R.R. 2, Box 18",
            "R R 2 Box 18",
            "RR2 Box18",
            "RR 02 BOX 18",
            "Rural Route 2 Box 18",
            "RFD 2 Box 18",
            "R.F.D. No. 2 Box 18",
            "RD 2 Box 18",
            "Rural Rte #2 Box #18",
            "RR 2 Box No. 18",
        ] {
            check(address, "rr 2 box 18");
        }
        for address in [
            "HC 72 Box 5",
            "HCR 72 Box 5",
            "H C 72 Box 5",
            "HC72 Box 5",
            "Highway Contract 072 Box 5",
            "Highway Contract Route 72 Box 5",
            "Star Route 72 Box 5",
        ] {
            check(address, "hc 72 box 5");
        }
        check("RR 2", "rr 2");
        check("RR 00", "rr 0");
        check("RD 2", "rd 2");
        check("RR Box 18", "rr box 18");
        check("RR 2 Box 018", "rr 2 box 018");
    }

    #[test]
    fn military_mail_has_one_form() {
        check("PSC 3, Box #4120", "psc 3 box 4120");
        check("P.S.C. #3 Box 4120", "psc 3 box 4120");
        check("Unit 2050 Box 4190", "unit 2050 box 4190");
        check("CMR 830 Box 5, APO AE 09112", "cmr 830 box 5 apo ae 09112");
        check("General Delivery", "general delivery");
    }
}
