//! Writes results: `s` and a text, `t` and `f` for `true` and `false`, `-` for a blank value, and for a refused
//! one `p`, the kind of the problem, a space, and its sentence.

use std::fmt::Write as _;

use matterbook_rules::{client::StoredValue, normalize::Problem};

/// Results, with a NUL between two of them. No stored value has a NUL in it (rule N5).
#[derive(Default)]
pub(crate) struct Answer {
    text: String,
    has_items: bool,
}

impl Answer {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), has_items: false }
    }

    /// Adds the result of a rule.
    pub(crate) fn push(&mut self, result: &Result<Option<StoredValue>, Problem>) {
        match result {
            Ok(None) => self.push_text(None),
            Ok(Some(StoredValue::Text(text))) => self.push_text(Some(text)),
            Ok(Some(StoredValue::Bool(value))) => self.begin(if *value { 't' } else { 'f' }),
            Err(problem) => {
                self.begin('p');
                // Writing to a text cannot fail.
                let _ = write!(self.text, "{} {problem}", problem.kind().name());
            }
        }
    }

    /// Adds a text, or a blank.
    pub(crate) fn push_text(&mut self, text: Option<&str>) {
        self.begin(if text.is_some() { 's' } else { '-' });
        self.text.push_str(text.unwrap_or_default());
    }

    fn begin(&mut self, kind: char) {
        if self.has_items {
            self.text.push('\0');
        }
        self.has_items = true;
        self.text.push(kind);
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }
}
