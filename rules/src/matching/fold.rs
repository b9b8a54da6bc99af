//! Folds names and words to the form in which they are compared (rules M7 to M11).

use alloc::{borrow::Cow, string::String, vec::Vec};

use smol_str::SmolStr;

use crate::unicode::{case_fold, is_default_ignorable, is_latin, is_mark, is_punctuation, nfd, nfkd};

/// A name as it is compared: compatibility-normalized, case-folded, without accents on Latin
/// letters, apostrophes and dots; hyphens and other punctuation are spaces, and runs of spaces are
/// one. Nothing else is removed: Jr and Sr, Mr and Mrs, and middle initials distinguish people.
///
/// ```
/// use matterbook_rules::matching::fold_name;
/// assert_eq!(fold_name("O’Brien-Müller,  Jr."), "obrien muller jr");
/// assert_ne!(fold_name("राम"), fold_name("रमा"));
/// ```
#[must_use]
pub fn fold_name(name: &str) -> SmolStr {
    let mut folded = Vec::with_capacity(name.len());
    fold_into(name, &mut folded);
    text(&folded)
}

/// Adds the folded form of a name to `folded`.
pub(super) fn fold_into(name: &str, folded: &mut Vec<u8>) {
    if name.bytes().all(is_plain) {
        // One word, as most names are.
        folded.extend(name.bytes().map(|byte| byte.to_ascii_lowercase()));
    } else if name.is_ascii() {
        add_words(name, folded);
    } else {
        add_words(&caseless(name), folded);
    }
}

/// Folded bytes as a text; they are always UTF-8.
pub(super) fn text(folded: &[u8]) -> SmolStr {
    str::from_utf8(folded).map(SmolStr::new).unwrap_or_default()
}

/// Whether a byte is an ASCII letter, digit or symbol.
#[inline]
pub(super) fn is_plain(byte: u8) -> bool {
    byte.is_ascii() && kind(char::from(byte)) == Kind::Word
}

/// Adds the words of a text to `folded`, with one space between them. Only ASCII letters may have upper case.
fn add_words(text: &str, folded: &mut Vec<u8>) {
    let start = folded.len();
    let mut follows_space = false;
    for character in text.chars() {
        match kind(character) {
            Kind::Word => {
                if follows_space && folded.len() > start {
                    folded.push(b' ');
                }
                follows_space = false;
                push(character.to_ascii_lowercase(), folded);
            }
            Kind::Nothing => {}
            Kind::Space => follows_space = true,
        }
    }
}

/// Adds a character in UTF-8.
pub(super) fn push(character: char, folded: &mut Vec<u8>) {
    folded.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

/// The role of a character in a text. Upper case is expected only in ASCII letters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Part of a word: a letter, a mark, a digit, a symbol.
    Word,
    /// Dropped: an apostrophe or a dot.
    Nothing,
    /// White space and punctuation.
    Space,
}

#[inline]
pub(super) fn kind(character: char) -> Kind {
    ASCII_KINDS.get(character as usize).copied().unwrap_or_else(|| kind_beyond_ascii(character))
}

/// The kind of each ASCII character.
static ASCII_KINDS: [Kind; 128] = {
    let mut kinds = [Kind::Space; 128];
    let mut byte = 0;
    while byte < 128 {
        #[expect(clippy::indexing_slicing, reason = "evaluated while compiling; `get_mut` is not const")]
        {
            kinds[byte as usize] = match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => Kind::Word,
                b'$' | b'+' | b'<' | b'=' | b'>' | b'^' | b'|' | b'~' => Kind::Word,
                b'.' | b'\'' | b'`' => Kind::Nothing,
                // White space, control characters and punctuation.
                _ => Kind::Space,
            };
        }
        byte += 1;
    }
    kinds
};

fn kind_beyond_ascii(character: char) -> Kind {
    match character {
        _ if is_apostrophe(character) => Kind::Nothing,
        _ if character.is_whitespace() || character.is_control() => Kind::Space,
        _ if is_punctuation(character) => Kind::Space,
        _ => Kind::Word,
    }
}

/// Whether a character is used as an apostrophe. NFC turns the last two, which are Greek, into `` ` `` and `´`.
pub(crate) const fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '’' | '‘' | '‛' | 'ʼ' | 'ʻ' | '′' | '`' | '´' | '\u{1fef}' | '\u{1ffd}')
}

/// The text without apostrophes and invisible characters, compatibility-normalized, with full case
/// folding, without accents on Latin letters.
pub(super) fn caseless(text: &str) -> String {
    // Apostrophes go before anything else: the compatibility form of ´ is a space and an accent.
    let text: Cow<'_, str> = if text.contains(is_apostrophe) {
        text.chars().filter(|character| !is_apostrophe(*character)).collect()
    } else {
        text.into()
    };
    let mut caseless = String::with_capacity(text.len());
    let mut follows_latin = false;
    // ASCII needs only its lower case, and no character next to it changes that.
    for part in text.as_bytes().chunk_by(|one, other| one.is_ascii() == other.is_ascii()) {
        let part = str::from_utf8(part).unwrap_or_default();
        if part.is_ascii() {
            caseless.extend(part.chars().map(|character| character.to_ascii_lowercase()));
            follows_latin = part.ends_with(|character: char| character.is_ascii_alphabetic());
            continue;
        }
        for character in compatible(part) {
            if !is_mark(character) {
                follows_latin = is_latin(character);
            } else if follows_latin {
                continue;
            }
            caseless.push(character);
        }
    }
    caseless
}

/// The visible characters in the form for compatibility caseless matching (Unicode, definition D146).
fn compatible(text: &str) -> impl Iterator<Item = char> {
    let visible = text
        .chars()
        // Invisible characters distinguish no names.
        .filter(|character| !is_default_ignorable(*character))
        // ½ becomes 1⁄2. A space keeps it separate from a house number before it.
        .flat_map(|character| is_fraction(character).then_some(' ').into_iter().chain([character]));
    nfkd(nfkd(nfd(visible).flat_map(case_fold)).flat_map(case_fold))
}

/// Whether one character is a whole fraction.
const fn is_fraction(character: char) -> bool {
    matches!(character, '¼'..='¾' | '\u{2150}'..='\u{215e}' | '\u{2189}')
}

#[cfg(test)]
mod tests {
    use core::iter::once;

    use caseless::Caseless as _;
    use proptest::prelude::*;
    use unicode_general_category::{GeneralCategory, get_general_category};
    use unicode_normalization::UnicodeNormalization as _;

    use super::*;

    fn check(name: &str, expected: &str) {
        assert_eq!(fold_name(name), expected, "{name:?}");
    }

    proptest! {
        #[test]
        fn a_name_is_folded_like_any_text(name in "[A-Za-z0-9$]{0,30}|[\\x00-\\x7f]{0,30}|([A-Za-z]{0,9}[ .,'`é-]{0,3}){0,4}") {
            let (mut folded, mut as_any) = (b"x".to_vec(), b"x".to_vec());
            fold_into(&name, &mut folded);
            add_words(&caseless(&name), &mut as_any);
            prop_assert_eq!(folded, as_any);
        }
    }

    #[test]
    fn every_character_is_compared_as_unicode_defines() {
        for character in '\0'..=char::MAX {
            // The published table is that of Unicode 16, which has no letters of later versions.
            let is_assigned = get_general_category(character) != GeneralCategory::Unassigned;
            if is_assigned && !is_default_ignorable(character) && !is_fraction(character) {
                let decomposed = once(character).nfd().default_case_fold().nfkd();
                let published: String = decomposed.default_case_fold().nfkd().collect();
                assert_eq!(compatible(&character.to_string()).collect::<String>(), published, "{character:?}");
            }
        }
    }

    #[test]
    fn case_accents_and_compatibility_forms_do_not_matter() {
        check("José", "jose");
        check("Jose\u{301}", "jose");
        check("NGUYỄN", "nguyen");
        check("Weiß", "weiss");
        check("WEISS", "weiss");
        check("İnci", "inci");
        check("ﬁona", "fiona");
        check("Ｊａｎｅ", "jane");
        check("ΣΊΣΥΦΟΣ", "σι\u{301}συφοσ");
        check("Σίσυφος", "σι\u{301}συφοσ");
    }

    #[test]
    fn accents_stay_where_they_make_another_letter() {
        for (one, other) in
            [("राम", "रमा"), ("Петр", "Пётр"), ("й", "и"), ("が", "か"), ("Işık", "Işik"), ("Bjørn", "Bjorn")]
        {
            assert_ne!(fold_name(one), fold_name(other), "{one} and {other}");
        }
    }

    #[test]
    fn apostrophes_and_dots_are_dropped() {
        for apostrophe in ["'", "’", "‘", "‛", "ʼ", "ʻ", "′", "`", "´", "\u{1fef}", "\u{1ffd}", "＇", ""] {
            check(&format!("O{apostrophe}Brien"), "obrien");
            check(&format!("Ó{apostrophe}Brien"), "obrien");
        }
        check("Smith Jr.", "smith jr");
        check("J.R.", "jr");
        check("St. John", "st john");
    }

    #[test]
    fn hyphens_and_punctuation_are_spaces() {
        for name in [
            "Smith-Jones",
            "Smith‐Jones",
            "Smith–Jones",
            "Smith, Jones",
            " smith _ jones!",
            "“Smith” (Jones)",
            "Smith\u{a0}\u{3000}Jones",
        ] {
            check(name, "smith jones");
        }
        check("...", "");
        check(" - ", "");
    }

    #[test]
    fn invisible_characters_do_not_matter() {
        check("Ja\u{200b}ne\u{200e}", "jane");
        check("\u{feff}Ja\u{ad}ne", "jane");
        check("e\u{200d}\u{301}", "e");
    }

    #[test]
    fn nothing_of_a_name_is_stripped() {
        for (one, other) in [
            ("Smith", "Smith Jr"),
            ("Smith Jr", "Smith Sr"),
            ("Smith II", "Smith III"),
            ("Mr John", "Mrs John"),
            ("John A", "John"),
            ("李小龍", "王小明"),
            ("★", "☆"),
            ("John + Jane", "John Jane"),
        ] {
            assert_ne!(fold_name(one), fold_name(other), "{one} and {other}");
        }
    }
}
