//! Names and words as they are compared: what writes the same thing differently is folded away,
//! what tells people apart is not (design section 5).

use std::borrow::Cow;

use caseless::Caseless as _;
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};
use unicode_script::{Script, UnicodeScript as _};

/// A name as it is compared: compatibility-normalized, case-folded, without accents on Latin
/// letters, apostrophes and dots; hyphens and other punctuation are spaces, and runs of spaces are
/// one. Nothing else is stripped: Jr and Sr, Mr and Mrs, middle initials tell people apart.
///
/// ```
/// use matterbook_core::matching::fold_name;
/// assert_eq!(fold_name("O’Brien-Müller,  Jr."), "obrien muller jr");
/// assert_ne!(fold_name("राम"), fold_name("रमा"));
/// ```
#[must_use]
pub fn fold_name(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    fold_into(name, &mut folded);
    folded
}

/// Adds the folded form of a name to `folded`.
pub(super) fn fold_into(name: &str, folded: &mut String) {
    let start = folded.len();
    for character in caseless(name).chars() {
        match kind(character) {
            Kind::Word => folded.push(character),
            Kind::Nothing => {}
            Kind::Space => {
                if folded.len() > start && !folded.ends_with(' ') {
                    folded.push(' ');
                }
            }
        }
    }
    if folded.len() > start && folded.ends_with(' ') {
        folded.pop();
    }
}

/// What a character of a caseless text is to the words around it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Part of a word: a letter, a mark, a digit, a symbol.
    Word,
    /// Dropped: an apostrophe or a dot.
    Nothing,
    /// White space and punctuation.
    Space,
}

pub(super) fn kind(character: char) -> Kind {
    match character {
        'a'..='z' | '0'..='9' | '$' | '+' | '<' | '=' | '>' | '^' | '|' | '~' => Kind::Word,
        '.' | '\'' | '`' => Kind::Nothing,
        // The other ASCII characters are white space, control characters and punctuation.
        _ if character.is_ascii() => Kind::Space,
        _ if is_apostrophe(character) => Kind::Nothing,
        _ if character.is_whitespace() || character.is_control() => Kind::Space,
        _ if character.general_category_group() == GeneralCategoryGroup::Punctuation => Kind::Space,
        _ => Kind::Word,
    }
}

/// Whether a character is written for an apostrophe. The last two are the Greek spellings that NFC
/// turns into `` ` `` and `´`.
pub(crate) const fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '’' | '‘' | '‛' | 'ʼ' | 'ʻ' | '′' | '`' | '´' | '\u{1fef}' | '\u{1ffd}')
}

/// The text without apostrophes and invisible characters, compatibility-normalized, with full case
/// folding, without accents on Latin letters.
pub(super) fn caseless(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        };
    }
    // Apostrophes go first: the compatibility form of ´ is a space and an accent.
    let visible: String = text.chars().filter(|character| !is_apostrophe(*character)).fold(
        String::with_capacity(text.len()),
        |mut visible, character| {
            if is_fraction(character) {
                // ½ becomes 1⁄2, which must not run into the house number before it.
                visible.push(' ');
            }
            if !is_invisible(character) {
                visible.push(character);
            }
            visible
        },
    );
    // Compatibility caseless matching (Unicode, D146).
    let folded = visible.chars().nfd().default_case_fold().nfkd().default_case_fold().nfkd();
    let mut caseless = String::with_capacity(visible.len());
    let mut follows_latin = false;
    for character in folded {
        if !is_combining_mark(character) {
            follows_latin = is_latin(character);
        } else if follows_latin {
            continue;
        }
        caseless.push(character);
    }
    Cow::Owned(caseless)
}

fn is_latin(character: char) -> bool {
    if character.is_ascii() { character.is_ascii_alphabetic() } else { character.script() == Script::Latin }
}

/// A fraction in one character.
const fn is_fraction(character: char) -> bool {
    matches!(character, '¼'..='¾' | '\u{2150}'..='\u{215e}' | '\u{2189}')
}

/// Whether nobody sees the character, so that it tells nobody apart (the Unicode property
/// Default_Ignorable_Code_Point).
const fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}
