//! What the terminal is like.

use std::{io::Write as _, os::fd::AsFd};

/// Fewer characters than these a line are not worth breaking a text for.
const LEAST_ROOM: usize = 20;

/// How many characters a line of the terminal on this stream has; `None` where it is none.
pub(super) fn width(stream: impl AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    Some(usize::from(size.ws_col)).filter(|width| *width > 0)
}

/// A text on several lines where it is longer than a terminal of this width has room for behind `lead`
/// characters, each further one under the first.
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

/// A sentence for the person at the terminal, on stderr.
pub(super) fn print_wrapped(sentence: &str) {
    // Who has no stderr goes on without it.
    let _ = writeln!(std::io::stderr(), "{}", wrapped(sentence, 0, width(std::io::stderr())));
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
