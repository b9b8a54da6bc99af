//! The text of a query's file without its comments and indentation, made while compiling: they would be a hundredth
//! of the Worker's module, and D1 receives the text with every request.

/// The length in bytes of a text without indentation and the lines that begin with `--`.
pub(crate) const fn length(text: &str) -> usize {
    bare::<0>(text).1
}

/// The bytes of a text without indentation and the lines that begin with `--`. `LENGTH` is its [`length`].
pub(crate) const fn bytes<const LENGTH: usize>(text: &str) -> [u8; LENGTH] {
    bare(text).0
}

/// The first `LENGTH` bytes of what is neither indentation nor in a comment line, and how many bytes that is.
#[expect(clippy::indexing_slicing, reason = "evaluated while compiling; `get` is not const")]
const fn bare<const LENGTH: usize>(text: &str) -> ([u8; LENGTH], usize) {
    let text = text.as_bytes();
    let mut kept = [0; LENGTH];
    let (mut length, mut at, mut is_comment, mut is_indentation) = (0, 0, false, true);
    while at < text.len() {
        if at == 0 || text[at - 1] == b'\n' {
            is_comment = at + 1 < text.len() && text[at] == b'-' && text[at + 1] == b'-';
            is_indentation = true;
        }
        is_indentation &= text[at] == b' ';
        if !is_comment && !is_indentation {
            if length < LENGTH {
                kept[length] = text[at];
            }
            length += 1;
        }
        at += 1;
    }
    (kept, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_are_dropped() {
        const TEXT: &str = "-- the owner's :b\n-- {each}\nselect 'ä--' - -1\n  from t -- as t\n--";
        const BYTES: [u8; length(TEXT)] = bytes(TEXT);
        assert_eq!(str::from_utf8(&BYTES), Ok("select 'ä--' - -1\nfrom t -- as t\n"));
        assert_eq!(length("--"), 0);
        assert_eq!(length("-"), 1);
    }
}
