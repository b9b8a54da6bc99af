//! Trimming, and which values are blank (rules N1 and N2).

/// `text` without Unicode white space, byte order marks, zero-width characters and bidi marks at both ends.
/// `str::trim` removes only white space.
///
/// ```
/// use matterbook_rules::normalize::trim;
/// assert_eq!(trim("\u{feff} Jane\u{200b}\u{a0}"), "Jane");
/// assert_eq!(trim(" \u{200e} "), "");
/// ```
#[inline]
#[must_use]
pub fn trim(text: &str) -> &str {
    let bytes = text.as_bytes();
    if bytes.first().is_some_and(u8::is_ascii_graphic) && bytes.last().is_some_and(u8::is_ascii_graphic) {
        return text;
    }
    trim_any(text)
}

fn trim_any(text: &str) -> &str {
    text.trim_matches(is_blank)
}

fn is_blank(character: char) -> bool {
    character.is_whitespace()
        || matches!(character,
            // Zero width: the Mongolian vowel separator, space, non-joiner and joiner, word joiner
            // and the invisible operators, byte order mark.
            '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}'
            // Bidi marks, embeddings and isolates.
            | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::trim;

    #[test]
    fn each_invisible_character_goes_at_both_ends_and_stays_inside() {
        for invisible in [
            ' ', '\t', '\n', '\u{b}', '\u{85}', '\u{a0}', '\u{1680}', '\u{2003}', '\u{2028}', '\u{3000}', '\u{feff}',
            '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{180e}', '\u{200e}', '\u{200f}', '\u{61c}', '\u{202a}',
            '\u{202e}', '\u{2066}', '\u{2069}',
        ] {
            let inside = format!("a{invisible}b");
            assert_eq!(trim(&format!("{invisible}{invisible}{inside}{invisible}")), inside, "{invisible:?}");
            assert_eq!(trim(&invisible.to_string()), "", "{invisible:?}");
        }
    }

    #[test]
    fn visible_characters_stay() {
        for text in ["a", "é", "-", "\u{301}", "李", "\u{ad}"] {
            assert_eq!(trim(text), text);
        }
    }
}
