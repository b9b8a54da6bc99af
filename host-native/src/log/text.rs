//! An event as text for people: its time, level and message, then its fields.

use std::fmt::{Debug, Write as _};

use matterbook_core::time::Timestamp;
use tracing::{
    Event,
    field::{Field, Visit},
};

use super::LINE_BYTES;

/// The line of an event.
pub(super) fn line(now: Timestamp, event: &Event<'_>) -> Vec<u8> {
    let mut words = Words(String::with_capacity(LINE_BYTES));
    // Writing to memory cannot fail.
    let _ = write!(words.0, "{now} {:>5}", event.metadata().level().as_str());
    event.record(&mut words);
    words.0.push('\n');
    words.0.into_bytes()
}

/// The words of a line under way.
struct Words(String);

impl Words {
    /// What stands before a field's value; the message has no name.
    fn begin(&mut self, field: &Field) {
        self.0.push(' ');
        if field.name() != "message" {
            self.0.push_str(field.name());
            self.0.push('=');
        }
    }
}

impl Visit for Words {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.begin(field);
        push_quoted(&mut self.0, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.begin(field);
        let _ = write!(self.0, "{value:?}");
    }
}

/// A value between quotes. Nearly every one is copied: a request's line has two, and a formatter looks at
/// each character by itself.
fn push_quoted(words: &mut String, value: &str) {
    if value.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\') {
        words.push('"');
        words.push_str(value);
        words.push('"');
    } else {
        let _ = write!(words, "{value:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::push_quoted;

    #[test]
    fn a_value_is_escaped_where_it_has_to_be() {
        for value in ["", "/api/v1/me", "it's ~", "a \"b\"", "a\\b", "a\nb", "a\u{7f}b", "Zoë", "a\u{200b}b"] {
            let mut words = String::new();
            push_quoted(&mut words, value);
            assert_eq!(words, format!("{value:?}"));
        }
    }
}
