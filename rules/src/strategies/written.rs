//! What people and programs add to a value that does not change it: blanks, letter case.

use proptest::prelude::*;

/// Blanks of every kind that is trimmed (rule N2).
pub(super) const BLANKS: [&str; 12] =
    [" ", "  ", "\t", "\n", "\r\n", "\u{a0}", "\u{2003}", "\u{3000}", "\u{feff}", "\u{200b}", "\u{200e}", "\u{2060}"];

/// None, one or several blanks.
pub(super) fn blanks() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just(String::new()),
        1 => proptest::collection::vec(prop::sample::select(&BLANKS[..]), 1..3).prop_map(|blanks| blanks.concat()),
    ]
}

/// The text with blanks around it, in most cases none.
pub(super) fn padded(text: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (blanks(), text, blanks()).prop_map(|(before, text, after)| before + &text + &after)
}

/// The text with its ASCII letters as they are, in capitals, in small letters, or in any case.
pub(super) fn any_case(text: String) -> impl Strategy<Value = String> {
    let length = text.chars().count();
    (0_u8..4, proptest::collection::vec(any::<bool>(), length)).prop_map(move |(case, capitals)| match case {
        0 => text.clone(),
        1 => text.to_ascii_uppercase(),
        2 => text.to_ascii_lowercase(),
        _ => text
            .chars()
            .zip(capitals)
            .map(|(letter, capital)| if capital { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() })
            .collect(),
    })
}
