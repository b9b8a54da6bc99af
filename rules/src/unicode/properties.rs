//! Two properties of characters whose tables are short.

/// Whether the character is invisible unless a font supports it (property `Default_Ignorable_Code_Point`).
pub(crate) const fn is_default_ignorable(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether the character is of the Latin script (property `Script`).
pub(crate) const fn is_latin(character: char) -> bool {
    matches!(character,
        'A'..='Z' | 'a'..='z' | 'ª' | 'º' | 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='\u{2b8}' | '\u{2e0}'..='\u{2e4}' |
        '\u{1d00}'..='\u{1d25}' | '\u{1d2c}'..='\u{1d5c}' | '\u{1d62}'..='\u{1d65}' | '\u{1d6b}'..='\u{1d77}' |
        '\u{1d79}'..='\u{1dbe}' | '\u{1e00}'..='\u{1eff}' | '\u{2071}' | '\u{207f}' | '\u{2090}'..='\u{209f}' |
        '\u{212a}'..='\u{212b}' | '\u{2132}' | '\u{214e}' | '\u{2160}'..='\u{2188}' | '\u{2c60}'..='\u{2c7f}' |
        '\u{a722}'..='\u{a787}' | '\u{a78b}'..='\u{a7dd}' | '\u{a7e2}' | '\u{a7f1}'..='\u{a7ff}' |
        '\u{ab30}'..='\u{ab5a}' | '\u{ab5c}'..='\u{ab64}' | '\u{ab66}'..='\u{ab69}' | '\u{ab6c}'..='\u{ab6d}' |
        '\u{fb00}'..='\u{fb06}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' | '\u{10780}'..='\u{10785}' |
        '\u{10787}'..='\u{107b0}' | '\u{107b2}'..='\u{107bf}' | '\u{1df00}'..='\u{1df81}' |
        '\u{1df90}'..='\u{1df96}' | '\u{1dfcd}'..='\u{1dff2}' | '\u{1dff5}'..='\u{1dfff}')
}

#[cfg(test)]
mod tests {
    use icu_properties::{
        CodePointMapData, CodePointSetData,
        props::{DefaultIgnorableCodePoint, Script},
    };

    use super::*;

    #[test]
    fn the_tables_are_the_published_ones() {
        let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
        let script = CodePointMapData::<Script>::new();
        for character in '\0'..=char::MAX {
            assert_eq!(is_default_ignorable(character), ignorable.contains(character), "{character:?}");
            assert_eq!(is_latin(character), script.get(character) == Script::Latin, "{character:?}");
        }
    }
}
