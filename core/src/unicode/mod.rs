//! What the rules ask of Unicode: normalization forms, case folding, and what kind a character is.
//!
//! The answers are those of the libraries that `build.rs` asks; tests hold every character to them. Few
//! texts need any, so the table is small, and is read when one first does.

mod normalize;
mod table;

use std::sync::LazyLock;

pub(crate) use normalize::{Form, decomposed, nfc};
use table::{Reader, Table};

/// What `build.rs` wrote.
static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/unicode.bin"));

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut reader = Reader::new(BYTES);
    Tables {
        canonical: reader.table(),
        compatible: reader.table(),
        compositions: reader.table(),
        folded: reader.table(),
        classes: reader.table(),
        kinds: reader.table(),
    }
});

struct Tables {
    /// Full canonical decompositions, but of Hangul.
    canonical: Table,
    /// Full compatibility decompositions, where they are others than the canonical ones.
    compatible: Table,
    /// Under a first character, each second one and what both make.
    compositions: Table,
    /// Full case folding.
    folded: Table,
    /// Canonical combining classes, by ranges.
    classes: Table,
    /// Whether it is a mark, Latin, punctuation, by ranges.
    kinds: Table,
}

/// Adds the full case folding of a character.
pub(crate) fn fold_case(character: char, folded: &mut Vec<char>) {
    match TABLES.folded.of(character) {
        Some(forms) => folded.extend(forms),
        None => folded.push(character),
    }
}

/// Whether a character is a combining mark.
pub(crate) fn is_mark(character: char) -> bool {
    kind(character) & 1 != 0
}

/// Whether a character is of the Latin script.
pub(crate) fn is_latin(character: char) -> bool {
    kind(character) & 2 != 0
}

/// Whether a character is punctuation.
pub(crate) fn is_punctuation(character: char) -> bool {
    kind(character) & 4 != 0
}

fn kind(character: char) -> u32 {
    TABLES.kinds.of_range(character).into()
}

#[cfg(test)]
mod tests {
    use caseless::Caseless as _;
    use unicode_normalization::{
        IsNormalized, UnicodeNormalization as _,
        char::{canonical_combining_class, is_combining_mark},
        is_nfc_quick,
    };
    use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};
    use unicode_script::{Script, UnicodeScript as _};

    use super::{normalize::is_settled, *};

    fn check(text: &str) {
        assert_eq!(nfc(text), text.nfc().collect::<String>(), "{text:?}");
        let decomposed = |form| String::from_iter(decomposed(text.chars(), form));
        assert_eq!(decomposed(Form::Canonical), text.nfd().collect::<String>(), "{text:?}");
        assert_eq!(decomposed(Form::Compatible), text.nfkd().collect::<String>(), "{text:?}");
    }

    #[test]
    fn every_character_is_what_the_libraries_say() {
        for character in '\0'..=char::MAX {
            let mut folded = Vec::new();
            fold_case(character, &mut folded);
            assert!(folded.into_iter().eq([character].into_iter().default_case_fold()), "{character:?}");
            assert_eq!(is_mark(character), is_combining_mark(character), "{character:?}");
            assert_eq!(is_latin(character), character.script() == Script::Latin, "{character:?}");
            let is_expected = character.general_category_group() == GeneralCategoryGroup::Punctuation;
            assert_eq!(is_punctuation(character), is_expected, "{character:?}");
            check(character.encode_utf8(&mut [0; 4]));
        }
    }

    #[test]
    fn a_settled_character_is_in_nfc_and_goes_together_with_none() {
        for character in ('\0'..=char::MAX).filter(|character| is_settled(*character)) {
            assert_eq!(is_nfc_quick([character].into_iter()), IsNormalized::Yes, "{character:?}");
            assert_eq!(canonical_combining_class(character), 0, "{character:?}");
        }
    }

    #[test]
    fn characters_in_any_order_are_normalized_as_the_libraries_do() {
        // Those that have forms, marks of several classes, Hangul's parts and syllables.
        let interesting: Vec<char> = ('\0'..='\u{1ffff}')
            .filter(|character| {
                is_mark(*character)
                    || TABLES.canonical.of(*character).is_some()
                    || TABLES.compositions.of(*character).is_some()
                    || matches!(character, 'a' | '가' | '각' | '\u{1100}'..='\u{11ff}')
            })
            .collect();
        let mut state = 1_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % below
        };
        for _ in 0..100_000 {
            let length = 1 + next(7);
            check(&String::from_iter((0..length).map(|_| interesting[next(interesting.len())])));
        }
    }

    #[test]
    fn a_long_run_of_marks_takes_no_longer_for_its_length() {
        let text = "\u{301}\u{323}".repeat(500_000);
        assert_eq!(nfc(&text), "\u{323}".repeat(500_000) + &"\u{301}".repeat(500_000));
    }
}
