//! Normalization forms (Unicode Standard Annex 15).

use std::borrow::Cow;

use super::TABLES;

const SYLLABLE_BASE: u32 = 0xac00;
const LEADING_BASE: u32 = 0x1100;
const VOWEL_BASE: u32 = 0x1161;
/// One before the first trailing consonant: no consonant counts as one of them.
const TRAILING_BASE: u32 = 0x11a7;
const LEADINGS: u32 = 19;
const VOWELS: u32 = 21;
const TRAILINGS: u32 = 28;

/// Which decompositions are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Canonical,
    Compatible,
}

/// Characters taken apart, with marks in canonical order: NFD or NFKD.
pub(crate) fn decomposed(characters: impl IntoIterator<Item = char>, form: Form) -> Vec<char> {
    let mut parts = Vec::new();
    // The marks since the last character that is none.
    let mut marks = Vec::new();
    for character in characters {
        let mut add = |part: char| match class(part) {
            0 => {
                in_order(&mut marks, &mut parts);
                parts.push(part);
            }
            class => marks.push((class, part)),
        };
        // Nothing before the no-break space is made of anything.
        if character < '\u{a0}' {
            add(character);
            continue;
        }
        let compatible = (form == Form::Compatible).then(|| TABLES.compatible.of(character)).flatten();
        if let Some(forms) = compatible.or_else(|| TABLES.canonical.of(character)) {
            forms.iter().copied().for_each(add);
        } else {
            parts_of_syllable(character).into_iter().flatten().for_each(&mut add);
        }
    }
    in_order(&mut marks, &mut parts);
    parts
}

/// The text in NFC.
pub(crate) fn nfc(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_settled) {
        return text.into();
    }
    let mut composed: Vec<char> = Vec::new();
    let mut starter = None;
    let mut last_class = 0;
    for part in decomposed(text.chars(), Form::Canonical) {
        let class = class(part);
        if let Some(place) = starter {
            let is_next = place + 1 == composed.len();
            let starter = composed.get_mut(place).filter(|_| is_next || last_class < class);
            if let Some((starter, both)) =
                starter.and_then(|starter| compose(*starter, part).map(|both| (starter, both)))
            {
                *starter = both;
                continue;
            }
        }
        if class == 0 {
            starter = Some(composed.len());
        }
        last_class = class;
        composed.push(part);
    }
    composed.into_iter().collect::<String>().into()
}

/// Whether a character is in NFC already and goes together with none before it, so that a text of such
/// characters is in NFC. Not all of these are listed: those that names and addresses are mostly written with.
pub(super) const fn is_settled(character: char) -> bool {
    matches!(character,
        // Latin, and the Vietnamese letters.
        '\0'..'\u{300}' | '\u{1e00}'..='\u{1eff}'
        // Cyrillic.
        | '\u{400}'..='\u{482}'
        // Quotation marks, dashes, and other punctuation and signs.
        | '\u{2002}'..='\u{20cf}'
        // Chinese characters and Korean syllables.
        | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// Moves marks behind their character, those of a lower class first. There are some fifty classes.
fn in_order(marks: &mut Vec<(u32, char)>, parts: &mut Vec<char>) {
    let mut done = 0;
    while let Some(class) = marks.iter().map(|mark| mark.0).filter(|class| *class > done).min() {
        parts.extend(marks.iter().filter(|mark| mark.0 == class).map(|mark| mark.1));
        done = class;
    }
    marks.clear();
}

fn class(character: char) -> u32 {
    // Most marks' classes are known from there on.
    if character < '\u{300}' { 0 } else { TABLES.classes.of_range(character).into() }
}

/// The parts of a Hangul syllable; any other character itself.
fn parts_of_syllable(character: char) -> [Option<char>; 3] {
    match u32::from(character).checked_sub(SYLLABLE_BASE) {
        Some(index) if index < LEADINGS * VOWELS * TRAILINGS => {
            let trailing = Some(index % TRAILINGS).filter(|trailing| *trailing > 0);
            [
                char::from_u32(LEADING_BASE + index / TRAILINGS / VOWELS),
                char::from_u32(VOWEL_BASE + index / TRAILINGS % VOWELS),
                trailing.and_then(|trailing| char::from_u32(TRAILING_BASE + trailing)),
            ]
        }
        _ => [Some(character), None, None],
    }
}

/// What two characters make together.
fn compose(one: char, other: char) -> Option<char> {
    let index =
        |character: char, base: u32, count: u32| u32::from(character).checked_sub(base).filter(|index| *index < count);
    if let Some(leading) = index(one, LEADING_BASE, LEADINGS) {
        let vowel = index(other, VOWEL_BASE, VOWELS)?;
        return char::from_u32(SYLLABLE_BASE + (leading * VOWELS + vowel) * TRAILINGS);
    }
    if let Some(syllable) = index(one, SYLLABLE_BASE, LEADINGS * VOWELS * TRAILINGS) {
        let trailing = index(other, TRAILING_BASE, TRAILINGS).filter(|trailing| *trailing > 0)?;
        return (syllable % TRAILINGS == 0).then(|| char::from_u32(u32::from(one) + trailing)).flatten();
    }
    // Only a mark, or what goes for one, is the second.
    if other < '\u{300}' {
        return None;
    }
    TABLES.compositions.pairs_of(one).find(|pair| pair.0 == other).map(|pair| pair.1)
}
