//! The terminal's width, and text wrapped to it.

use std::{io::Write as _, os::fd::AsFd};

use crate::visible::visible_lines;

/// Text is not wrapped to fewer characters per line than this.
const LEAST_ROOM: usize = 20;

/// The width of the terminal on this stream in characters; `None` if it is no terminal.
pub(super) fn width(stream: impl AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    Some(usize::from(size.ws_col)).filter(|width| *width > 0)
}

/// Wraps a text to the terminal's width after `lead` characters, and indents its further lines to the first.
pub(super) fn wrapped(text: &str, lead: usize, width: Option<usize>) -> String {
    let Some(room) = width.and_then(|width| width.checked_sub(lead)).filter(|room| *room >= LEAST_ROOM) else {
        return text.to_owned();
    };
    let mut lines = String::new();
    let mut length = 0;
    for word in text.split(' ') {
        let word_length = word.chars().count();
        if length > 0 && length + 1 + word_length > room {
            lines.push('\n');
            lines.push_str(&" ".repeat(lead));
            length = 0;
        } else if length > 0 {
            lines.push(' ');
            length += 1;
        }
        lines.push_str(word);
        length += word_length;
    }
    lines
}

/// Prints a sentence for the person at the terminal to stderr, wrapped.
pub(super) fn print_wrapped(sentence: &str) {
    // A closed stderr is ignored.
    let _ = writeln!(std::io::stderr(), "{}", wrapped(&visible_lines(sentence), 0, width(std::io::stderr())));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_go_on_under_their_beginning() {
        let check = |width, expected: &str| assert_eq!(wrapped("one two three four five six", 4, width), expected);
        check(Some(34), "one two three four five six");
        check(Some(30), "one two three four five\n    six");
        check(Some(10), "one two three four five six");
        check(None, "one two three four five six");
    }
}
