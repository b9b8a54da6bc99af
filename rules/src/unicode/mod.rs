//! What the rules need of Unicode, in one place: normal forms, case folding, and four properties of characters.
//!
//! The normal forms and the general category have two implementations with the same answers. `small` needs
//! few packages, `icu` has smaller data (feature `icu`). A test compares them.

mod case_fold;
#[cfg(any(test, feature = "icu"))]
mod icu;
mod properties;
#[cfg(any(test, not(feature = "icu")))]
mod small;

pub(crate) use case_fold::case_fold;
pub(crate) use properties::{is_default_ignorable, is_latin};

#[cfg(feature = "icu")]
pub(crate) use icu::{is_mark, is_punctuation, nfc, nfd, nfkd};
#[cfg(not(feature = "icu"))]
pub(crate) use small::{is_mark, is_punctuation, nfc, nfd, nfkd};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_general_category::{GeneralCategory, get_general_category};

    use super::{icu, small};

    /// Whether Unicode 16 knows the character. Both implementations know later ones too, but not the same.
    fn is_assigned(character: &char) -> bool {
        get_general_category(*character) != GeneralCategory::Unassigned
    }

    fn check(text: &str) {
        assert_eq!(small::nfc(text), icu::nfc(text), "{text:?}");
        assert!(small::nfd(text.chars()).eq(icu::nfd(text.chars())), "{text:?}");
        assert!(small::nfkd(text.chars()).eq(icu::nfkd(text.chars())), "{text:?}");
    }

    #[test]
    fn both_implementations_agree_on_every_character() {
        for character in ('\0'..=char::MAX).filter(is_assigned) {
            assert_eq!(small::is_mark(character), icu::is_mark(character), "{character:?}");
            assert_eq!(small::is_punctuation(character), icu::is_punctuation(character), "{character:?}");
            check(character.encode_utf8(&mut [0; 4]));
        }
    }

    #[test]
    fn both_implementations_agree_on_every_character_between_others() {
        for character in ('\0'..=char::MAX).filter(is_assigned) {
            // Before and after letters and marks with which it may compose.
            check(&format!("e{character}\u{301}\u{323}{character}\u{1161}\u{11a8}"));
        }
    }

    proptest! {
        #[test]
        fn both_implementations_agree_on_texts(
            text in prop::collection::vec(
                prop_oneof![
                    prop::sample::select(vec![
                        'e', 'A', '\u{301}', '\u{323}', '\u{345}', '\u{3099}', '\u{1100}', '\u{1161}', '\u{11a8}', 'か',
                        'ﬁ', '½', '\u{212b}', '\u{1e9b}', '\u{f71}', '\u{f74}', '\u{d55c}', '\u{1d15e}', '\u{fb2c}',
                    ]),
                    any::<char>().prop_filter("assigned", is_assigned),
                ],
                0..24,
            )
        ) {
            check(&text.into_iter().collect::<String>());
        }
    }
}
