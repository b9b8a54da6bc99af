//! Unicode by ICU4X.

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup},
};
use smol_str::SmolStr;

/// The text in normal form C.
pub(crate) fn nfc(text: &str) -> SmolStr {
    ComposingNormalizerBorrowed::new_nfc().normalize(text).into()
}

/// The characters in normal form D.
pub(crate) fn nfd(characters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    const CANONICAL: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfd();
    CANONICAL.normalize_iter(characters)
}

/// The characters in normal form KD.
pub(crate) fn nfkd(characters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    const COMPATIBLE: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfkd();
    COMPATIBLE.normalize_iter(characters)
}

/// Whether the character combines with the one before it.
pub(crate) fn is_mark(character: char) -> bool {
    is_in(GeneralCategoryGroup::Mark, character)
}

/// Whether the character is punctuation.
pub(crate) fn is_punctuation(character: char) -> bool {
    is_in(GeneralCategoryGroup::Punctuation, character)
}

fn is_in(group: GeneralCategoryGroup, character: char) -> bool {
    group.contains(CodePointMapData::<GeneralCategory>::new().get(character))
}
