//! The result of a command: a text to print, or a sentence and an exit status.

use serde_json::Value;

use super::table::Text;

/// What a successful command prints.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// The output with `--json`; null if there is none.
    pub(super) json: Value,
    /// The output without `--json`: whole lines.
    pub(super) text: Text,
    /// A sentence for the person at the terminal; it goes to stderr, never into the output.
    pub(super) hint: Option<String>,
    /// The command did only a part: exit status 1, with this sentence.
    pub(super) refusal: Option<String>,
    /// The command did only a part, and its text says so: exit status 1.
    pub(super) is_partial: bool,
}

impl Shown {
    pub(super) fn new(json: Value, text: impl Into<Text>) -> Self {
        Self { json, text: text.into(), ..Self::default() }
    }
}

/// Why a command failed: one sentence.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It was refused or failed: exit status 1.
    Refused(String),
    /// A usage error: exit status 2.
    Usage(String),
}

impl Failure {
    pub(super) fn refused(sentence: impl ToString) -> Self {
        Self::Refused(sentence.to_string())
    }

    pub(super) fn usage(sentence: impl ToString) -> Self {
        Self::Usage(sentence.to_string())
    }
}
