//! States.

use proptest::prelude::*;

use super::{
    Pair,
    written::{any_case, padded},
};
use crate::normalize::{STATE_CODES, STATE_NAMES};

/// Codes, names and traditional abbreviations, with the dots and spaces that do not matter (rules N14 and N15).
pub(super) fn state() -> impl Strategy<Value = Pair> {
    let code = prop::sample::select(&STATE_CODES[..]).prop_map(|code| (code.to_owned(), code));
    let name = prop::sample::select(&STATE_NAMES[..]).prop_map(|(name, code)| (name.to_owned(), code));
    (prop_oneof![code, name], 0_u8..4).prop_flat_map(|((written, code), form)| {
        let sent = match form {
            0 if written.len() == 2 => written.chars().flat_map(|letter| [letter, '.']).collect(),
            1 if written.len() == 2 => written.chars().flat_map(|letter| [letter, '.', ' ']).collect(),
            2 => written.replace(' ', "  "),
            3 => format!("{written}."),
            _ => written,
        };
        padded(any_case(sent)).prop_map(move |sent| Pair::texts(sent, code))
    })
}
