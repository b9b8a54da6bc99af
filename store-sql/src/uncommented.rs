//! Texts without their comments, which are for the reader of the file: taken out while compiling, so that no
//! program carries them.

/// The text of a file without the lines that begin with `--`.
macro_rules! uncommented {
    ($file:expr) => {{
        const TEXT: &str = include_str!($file);
        const BYTES: [u8; $crate::uncommented::length(TEXT)] = $crate::uncommented::bytes(TEXT);
        const KEPT: &str = match str::from_utf8(&BYTES) {
            Ok(kept) => kept,
            Err(_) => TEXT,
        };
        KEPT
    }};
}

pub(crate) use uncommented;

/// How many bytes are kept of a text.
pub(crate) const fn length(text: &str) -> usize {
    keep(text, &mut [])
}

/// The bytes that are kept of a text, as many as [`length`] says.
pub(crate) const fn bytes<const LENGTH: usize>(text: &str) -> [u8; LENGTH] {
    let mut kept = [0; LENGTH];
    keep(text, &mut kept);
    kept
}

/// Writes what is kept into `kept`, as far as there is room, and answers how much it is.
const fn keep(text: &str, kept: &mut [u8]) -> usize {
    let (mut rest, mut length) = (text.as_bytes(), 0);
    let (mut begins_line, mut is_comment) = (true, false);
    while let [byte, others @ ..] = rest {
        if begins_line {
            is_comment = matches!(rest, [b'-', b'-', ..]);
        }
        begins_line = *byte == b'\n';
        if !is_comment {
            if length < kept.len() {
                #[expect(clippy::indexing_slicing, reason = "below the length, and evaluated while compiling")]
                {
                    kept[length] = *byte;
                }
            }
            length += 1;
        }
        rest = others;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_comment_are_left_out_and_nothing_else() {
        const TEXT: &str = "-- what it is\n-- and why\nselect 'ä--' - -1\n  from t -- as t\n--";
        const KEPT: [u8; length(TEXT)] = bytes(TEXT);
        assert_eq!(str::from_utf8(&KEPT), Ok("select 'ä--' - -1\n  from t -- as t\n"));
    }

    #[test]
    fn no_query_carries_a_comment() {
        for query in crate::queries::all() {
            assert!(!query.row_sql.contains("--"), "{}: a comment takes a line of its own", query.name);
        }
    }
}
