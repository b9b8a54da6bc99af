//! Values of any kind, and blank ones.

use proptest::prelude::*;

use super::written::BLANKS;
use crate::normalize::FieldValue;

/// What the rules search for, and characters that normalization and folding change.
const PIECES: [&str; 92] = [
    " ",
    "  ",
    "\t",
    "\n",
    "\u{a0}",
    "\u{200b}",
    "\u{200d}",
    "\u{feff}",
    "\u{200e}",
    "\0",
    "-",
    "–",
    "\u{2212}",
    ".",
    ".0",
    ",",
    ";",
    ":",
    "/",
    "#",
    "+",
    "(",
    ")",
    "@",
    "_",
    "&",
    "'",
    "’",
    "´",
    "`",
    "\u{1fef}",
    "\u{1ffd}",
    "\u{301}",
    "\u{323}",
    "\u{345}",
    "\u{3099}",
    "é",
    "e\u{301}",
    "ß",
    "ﬂ",
    "İ",
    "ı",
    "½",
    "²",
    "Å",
    "\u{212b}",
    "\u{2126}",
    "\u{1e9b}\u{323}",
    "李",
    "が",
    "か\u{3099}",
    "राम",
    "한",
    "\u{1100}\u{1161}",
    "Σ",
    "😀",
    "x",
    "ext",
    "N",
    "North",
    "E",
    "East",
    "nw",
    "St",
    "Street",
    "Ave",
    "Road",
    "Key",
    "Apt",
    "Unit",
    "Floor",
    "Rear",
    "PO",
    "Box",
    "P.O.",
    "RR",
    "HC",
    "PSC",
    "No",
    "Rt",
    "State",
    "5th",
    "1/2",
    "Main",
    "Jan",
    "January",
    "2024",
    "T10:00Z",
    "New",
    "York",
    "Va",
    "a@b.co",
];

/// Any text: of all characters, or of pieces that the rules search for.
///
/// ```
/// use matterbook_rules::{normalize::{FieldValue, text}, strategies::any_text};
/// use proptest::prelude::*;
/// proptest!(|(any in any_text())| {
///     // A rule answers for every text, and never panics.
///     let _ = text(&FieldValue::from(any.as_str()), 200);
/// });
/// ```
pub fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(&PIECES[..]).prop_map(str::to_owned),
        2 => "[0-9]{1,11}",
        1 => "[a-zA-Z]{1,8}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop_oneof![any::<String>(), proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())]
}

/// A value of any kind.
///
/// ```
/// use matterbook_rules::{client::stored_value, strategies::any_value};
/// use matterbook_rules::normalize::{Field, FieldValue};
/// use proptest::prelude::*;
/// proptest!(|(value in any_value())| {
///     // What is stored is stored again as it is.
///     if let Ok(Some(kept)) = stored_value(Field::Zip, &value) {
///         let text = kept.to_string();
///         let again = stored_value(Field::Zip, &FieldValue::from(text.as_str()));
///         prop_assert_eq!(again, Ok(Some(kept)));
///     }
/// });
/// ```
pub fn any_value() -> impl Strategy<Value = FieldValue<'static>> {
    let number = "-?(0|[1-9][0-9]{0,40})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,3})?";
    prop_oneof![
        8 => any_text().prop_map(|text| FieldValue::Text(text.into())),
        2 => number.prop_map(|token| FieldValue::Number(token.into())),
        1 => any::<bool>().prop_map(FieldValue::Bool),
        1 => Just(FieldValue::Absent),
        1 => Just(FieldValue::LoneSurrogate),
        1 => Just(FieldValue::Array),
        1 => Just(FieldValue::Object),
    ]
}

/// A value that every rule takes as missing (rule N1).
///
/// ```
/// use matterbook_rules::{client::stored_value, normalize::Field, strategies::blank};
/// use proptest::prelude::*;
/// proptest!(|(value in blank())| {
///     prop_assert_eq!(stored_value(Field::City, &value), Ok(None));
/// });
/// ```
pub fn blank() -> impl Strategy<Value = FieldValue<'static>> {
    let blanks = proptest::collection::vec(prop::sample::select(&BLANKS[..]), 0..8);
    prop_oneof![
        1 => Just(FieldValue::Absent),
        3 => blanks.prop_map(|blanks| FieldValue::Text(blanks.concat().into())),
    ]
}
