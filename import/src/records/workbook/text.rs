//! Puts the text of a cell together: it may come in pieces with formats of their own.

/// A cell has at most 32,767 characters, of at most four bytes each; a longer text is cut.
const BYTES: usize = 4 * 32_767;

/// The text of a cell so far.
#[derive(Default)]
pub(super) struct CellText {
    text: String,
    is_within_text: bool,
    /// How a word is pronounced is not part of the text.
    is_phonetic: bool,
}

impl CellText {
    /// An element of the text starts.
    pub(super) fn start(&mut self, name: &str, is_empty: bool) {
        match name {
            "t" => self.is_within_text = !is_empty,
            "rPh" => self.is_phonetic = !is_empty,
            _ => {}
        }
    }

    /// An element of the text ends.
    pub(super) fn end(&mut self, name: &str) {
        match name {
            "t" => self.is_within_text = false,
            "rPh" => self.is_phonetic = false,
            _ => {}
        }
    }

    /// Adds a piece, if it belongs to the text.
    pub(super) fn push(&mut self, piece: &str) {
        if self.is_within_text && !self.is_phonetic {
            push_bounded(&mut self.text, piece);
        }
    }

    /// The whole text.
    pub(super) fn take(&mut self) -> String {
        unescaped(std::mem::take(&mut self.text))
    }
}

/// Adds as much of a piece as a cell may have.
pub(super) fn push_bounded(text: &mut String, piece: &str) {
    let room = BYTES.saturating_sub(text.len());
    let end = (0..=room.min(piece.len())).rev().find(|end| piece.is_char_boundary(*end)).unwrap_or(0);
    text.push_str(piece.get(..end).unwrap_or_default());
}

/// Whether a text was cut.
pub(super) const fn is_cut(text: &str) -> bool {
    text.len() > BYTES - 4
}

/// The text with its escapes, such as `_x000D_`, as the characters that they mean.
pub(super) fn unescaped(text: String) -> String {
    if !text.contains("_x") {
        return text;
    }
    let mut unescaped = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("_x") {
        unescaped.push_str(before);
        let digits = after.get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let character = digits
            .filter(|_| after.get(4..5) == Some("_"))
            .and_then(|digits| char::from_u32(u32::from_str_radix(digits, 16).ok()?));
        match character {
            Some(character) => {
                unescaped.push(character);
                rest = after.get(5..).unwrap_or_default();
            }
            None => {
                unescaped.push_str("_x");
                rest = after;
            }
        }
    }
    unescaped.push_str(rest);
    unescaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_the_characters_that_they_mean() {
        let check = |text: &str, expected: &str| assert_eq!(unescaped(text.to_owned()), expected);
        check("a_x000D_b", "a\rb");
        check("_x005F_x000D_", "_x000D_");
        check("_x00_ _xyz _xD800_ _x", "_x00_ _xyz _xD800_ _x");
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let mut text = String::new();
        push_bounded(&mut text, &"é".repeat(100_000));
        assert_eq!((text.len(), is_cut(&text)), (BYTES, true));
        push_bounded(&mut text, "a");
        assert_eq!(text.len(), BYTES);
    }
}
