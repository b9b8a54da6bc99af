//! Names, address lines and yes/no fields.

use proptest::prelude::*;

use super::{
    Pair,
    written::{any_case, padded},
};
use crate::{client::StoredValue, normalize::FieldValue};

/// Letters as they are stored, and in a form that normalizes to them.
const LETTERS: [(&str, &str); 12] = [
    ("é", "e\u{301}"),
    ("ü", "u\u{308}"),
    ("ñ", "n\u{303}"),
    ("Å", "\u{212b}"),
    ("ç", "c\u{327}"),
    ("Ω", "\u{2126}"),
    ("が", "か\u{3099}"),
    ("한", "\u{1112}\u{1161}\u{11ab}"),
    ("ø", "ø"),
    ("ß", "ß"),
    ("李", "李"),
    ("😀", "😀"),
];

/// A piece of a text: as it is stored, and as it is sent.
fn piece() -> impl Strategy<Value = (String, String)> {
    let letter = (prop::sample::select(&LETTERS[..]), any::<bool>())
        .prop_map(|((kept, other), is_other)| (kept.to_owned(), if is_other { other } else { kept }.to_owned()));
    let plain = "[A-Za-z0-9'.,&()-]{1,12}".prop_map(|text: String| (text.clone(), text));
    let space = " {1,2}".prop_map(|text: String| (text.clone(), text));
    prop_oneof![2 => letter, 4 => plain, 2 => space]
}

/// Up to 10 pieces, of which the first and the last are no blanks.
fn pieces(inner: impl Strategy<Value = (String, String)>) -> impl Strategy<Value = Pair> {
    let end = "[A-Za-z0-9]{1,8}";
    (end, proptest::collection::vec(inner, 0..8), end).prop_flat_map(|(first, inner, last)| {
        let kept: String = inner.iter().map(|(kept, _)| kept.as_str()).collect();
        let sent: String = inner.iter().map(|(_, sent)| sent.as_str()).collect();
        let kept = format!("{first}{kept}{last}");
        (Just(kept), padded(Just(format!("{first}{sent}{last}")))).prop_map(|(kept, sent)| Pair::texts(sent, kept))
    })
}

/// Texts that are stored as written, in NFC (rules N3 and N12).
pub(super) fn text() -> impl Strategy<Value = Pair> {
    pieces(piece())
}

/// Address lines, which keep tabs and line breaks (rules N5 and N13).
pub(super) fn address() -> impl Strategy<Value = Pair> {
    let breaks = prop::sample::select(vec!["\t", "\n", "\r\n"]).prop_map(|text| (text.to_owned(), text.to_owned()));
    pieces(prop_oneof![6 => piece(), 1 => breaks])
}

/// Yes and no, as a boolean and in words (rule N36).
pub(super) fn flag() -> impl Strategy<Value = Pair> {
    let yes = ["yes", "y", "true", "t", "1", "on"].map(|word| (true, word));
    let no = ["no", "n", "false", "f", "0", "off"].map(|word| (false, word));
    let word = prop::sample::select([yes, no].concat()).prop_flat_map(|(kept, word)| {
        padded(any_case(word.to_owned()))
            .prop_map(move |sent| Pair { sent: FieldValue::Text(sent.into()), kept: StoredValue::Bool(kept) })
    });
    let boolean = any::<bool>().prop_map(|flag| Pair { sent: FieldValue::Bool(flag), kept: StoredValue::Bool(flag) });
    prop_oneof![3 => word, 1 => boolean]
}
