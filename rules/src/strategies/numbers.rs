//! ZIP codes and external ids.

use proptest::prelude::*;

use super::{Pair, written::padded};

/// Dashes that stand before the last four digits of a ZIP.
const DASHES: [&str; 6] = ["-", "–", "—", "\u{2212}", "\u{2010}", "\u{2011}"];

/// ZIP codes: with and without the last four digits, as text and as the number of a spreadsheet (rules N17 to N19).
pub(super) fn zip() -> impl Strategy<Value = Pair> {
    // Many with leading zeros, which spreadsheets drop.
    let any_zip = || prop_oneof![2 => 10_000_u32..100_000, 2 => 1_000_u32..10_000, 1 => 0_u32..1_000];
    let five = (any_zip(), 0_u8..5).prop_flat_map(|(zip, form)| {
        let kept = format!("{zip:05}");
        // Only one lost zero is certain.
        let number = if zip < 1_000 { kept.clone() } else { zip.to_string() };
        let is_number = zip >= 1_000;
        let sent = match form {
            0 => number.clone(),
            1 => format!("{number}.0"),
            _ => kept.clone(),
        };
        let text = (Just(kept.clone()), padded(Just(sent.clone()))).prop_map(|(kept, sent)| Pair::texts(sent, kept));
        if is_number && form < 2 { prop_oneof![text, Just(Pair::number(sent, kept))].boxed() } else { text.boxed() }
    });
    let nine = (any_zip(), 0_u32..10_000, 0_u8..4, prop::sample::select(&DASHES[..])).prop_flat_map(
        |(zip, four, form, dash)| {
            let kept = format!("{zip:05}-{four:04}");
            let digits = format!("{zip:05}{four:04}");
            let sent = match form {
                0 => digits.clone(),
                1 => format!("{zip:05} {four:04}"),
                2 => format!("{zip:05} {dash} {four:04}"),
                _ => format!("{zip:05}{dash}{four:04}"),
            };
            let text = (Just(kept.clone()), padded(Just(sent))).prop_map(|(kept, sent)| Pair::texts(sent, kept));
            if zip >= 10_000 && form == 0 {
                prop_oneof![text, Just(Pair::number(digits, kept))].boxed()
            } else {
                text.boxed()
            }
        },
    );
    prop_oneof![3 => five, 2 => nine]
}

/// External ids: texts, and whole numbers beyond 64 bits (rule N33).
pub(super) fn external_id() -> impl Strategy<Value = Pair> {
    let text = "[A-Za-z0-9]([A-Za-z0-9 /_.#-]{0,30}[A-Za-z0-9])?"
        .prop_flat_map(|id| (Just(id.clone()), padded(Just(id))).prop_map(|(kept, sent)| Pair::texts(sent, kept)));
    let number = "-?(0|[1-9][0-9]{0,60})".prop_map(|token| Pair::number(token.clone(), token));
    prop_oneof![text, number]
}
