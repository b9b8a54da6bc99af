//! Writes JSON piece by piece. `serde_json` checks each byte of every name and value for escapes, and a
//! page has thousands of both.

use std::fmt::Write as _;

use super::text::plain_end;

/// Writes a text as a JSON string. Runs without escapes are copied at once.
///
/// ```
/// let mut json = String::new();
/// matterbook_core::json::push_text(&mut json, "12 \"Oak\" St");
/// assert_eq!(json, r#""12 \"Oak\" St""#);
/// ```
pub fn push_text(json: &mut String, text: &str) {
    json.push('"');
    push_escaped(json, text);
    json.push('"');
}

/// Writes a text as a JSON string without its quotes.
pub(crate) fn push_escaped(json: &mut String, text: &str) {
    if plain_end(text.as_bytes(), 0) == text.len() {
        // Nearly every text.
        json.push_str(text);
        return;
    }
    let mut rest = text;
    while let Some((plain, after)) = rest.split_at_checked(plain_end(rest.as_bytes(), 0)) {
        json.push_str(plain);
        let mut characters = after.chars();
        match characters.next() {
            None => break,
            Some(character @ ('"' | '\\')) => json.extend(['\\', character]),
            Some('\n') => json.push_str("\\n"),
            Some('\t') => json.push_str("\\t"),
            Some('\r') => json.push_str("\\r"),
            // Writing to a text cannot fail.
            Some(control) => drop(write!(json, "\\u{:04x}", u32::from(control))),
        }
        rest = characters.as_str();
    }
}

/// Writes a text as a JSON string, and `None` as `null`.
pub(crate) fn push_optional_text(json: &mut String, text: Option<&str>) {
    match text {
        Some(text) => push_text(json, text),
        None => json.push_str("null"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_read_back(text in prop::collection::vec(prop::sample::select(vec!["a", "é", "\u{0}", "\u{1f}", " ", "\"", "\\", "\n", "\r", "\t", "\u{7f}", "\u{1F600}"]), 0..40)) {
            let text = text.concat();
            let mut json = String::new();
            push_text(&mut json, &text);
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
    }
}
