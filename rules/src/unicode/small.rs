//! Unicode by crates that need few packages.

use smol_str::SmolStr;
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, char::is_combining_mark, is_nfc_quick};

/// The text in normal form C.
pub(crate) fn nfc(text: &str) -> SmolStr {
    if is_nfc_quick(text.chars()) == IsNormalized::Yes { text.into() } else { text.nfc().collect() }
}

/// The characters in normal form D.
pub(crate) fn nfd(characters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    characters.nfd()
}

/// The characters in normal form KD.
pub(crate) fn nfkd(characters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    characters.nfkd()
}

/// Whether the character combines with the one before it.
pub(crate) fn is_mark(character: char) -> bool {
    // Of a later version of Unicode than the general category.
    is_combining_mark(character)
}

/// Whether the character is punctuation.
pub(crate) fn is_punctuation(character: char) -> bool {
    use GeneralCategory::{
        ClosePunctuation, ConnectorPunctuation, DashPunctuation, FinalPunctuation, InitialPunctuation, OpenPunctuation,
        OtherPunctuation,
    };
    matches!(
        get_general_category(character),
        ClosePunctuation
            | ConnectorPunctuation
            | DashPunctuation
            | FinalPunctuation
            | InitialPunctuation
            | OpenPunctuation
            | OtherPunctuation
    )
}
