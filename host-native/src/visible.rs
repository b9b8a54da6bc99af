//! Text of others on a terminal: characters that steer it are shown as escapes.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

/// The text on one line: control characters and those that change the direction of text become `\u{1b}` or
/// `\n`.
pub(crate) fn visible(text: &str) -> String {
    shown(text, false)
}

/// [`visible`] text of several lines.
pub(crate) fn visible_lines(text: &str) -> String {
    shown(text, true)
}

fn shown(text: &str, has_lines: bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        let _ = match character {
            '\n' if has_lines => shown.write_char(character),
            _ if character.is_control() => write!(shown, "{}", character.escape_default()),
            // They show the text after them in another order.
            '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                write!(shown, "{}", character.escape_unicode())
            }
            _ => shown.write_char(character),
        };
    }
    shown
}

/// A terminal for whole lines of text.
pub(crate) struct VisibleWriter<W: Write>(pub(crate) W);

impl<W: Write> Write for VisibleWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(visible_lines(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_text_and_names_stay_as_they_are() {
        assert_eq!(visible("a\u{1b}[2J\u{9b}1m\u{7f}\r\nb\u{202e}c"), r"a\u{1b}[2J\u{9b}1m\u{7f}\r\nb\u{202e}c");
        assert_eq!(visible("José O’Neill, 李, राम, \"x\" \\"), "José O’Neill, 李, राम, \"x\" \\");
        let mut terminal = VisibleWriter(Vec::new());
        terminal.write_all(b"one\n\x1b[2Jtwo\n").unwrap();
        assert_eq!(terminal.0, b"one\n\\u{1b}[2Jtwo\n");
    }
}
