//! The terminal's width, and text wrapped to it.

use std::{io::Write as _, os::fd::AsFd};

use crate::visible::visible_lines;

/// Text is not wrapped to fewer characters per line than this.
const LEAST_ROOM: usize = 20;
/// The indentation of a text that does not fit after its lead.
const NEXT_LINE: usize = 4;

/// The width of the terminal on this stream in characters; `None` if it is no terminal.
pub(super) fn width(stream: impl AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    Some(usize::from(size.ws_col)).filter(|width| *width > 0)
}

/// Wraps a text to the terminal's width after `lead` characters, and indents its further lines to the first. A text
/// with a word that is too long for that goes on the next line, so that the terminal does not break the word.
pub(super) fn wrapped(text: &str, lead: usize, width: Option<usize>) -> String {
    let longest = text.split(' ').map(|word| word.chars().count()).max().unwrap_or(0);
    let room = |lead: usize| width.and_then(|width| width.checked_sub(lead)).filter(|room| *room >= LEAST_ROOM);
    match (room(lead), room(NEXT_LINE)) {
        (Some(room), _) if room >= longest || lead <= NEXT_LINE => lines(text, lead, room),
        (_, Some(room)) if lead > NEXT_LINE => format!("\n{:NEXT_LINE$}{}", "", lines(text, NEXT_LINE, room)),
        _ => text.to_owned(),
    }
}

fn lines(text: &str, lead: usize, room: usize) -> String {
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
        assert_eq!(wrapped("a word-that-is-very-long b", 30, Some(50)), "\n    a word-that-is-very-long b");
        assert_eq!(wrapped("one two", 70, Some(80)), "\n    one two");
        check(None, "one two three four five six");
    }
}
