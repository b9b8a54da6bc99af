//! The result of one check: a severity, a message and a fix.

use crate::cli::terminal::wrapped;
use serde_json::{Value, json};

/// How severe a finding is, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    /// No problem.
    Ok,
    /// The service works, but an operator should know about it.
    Warn,
    /// The service does not start, does not work, or breaks one of its guarantees.
    Wrong,
}

impl Verdict {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Wrong => "wrong",
        }
    }
}

/// One finding of the examination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) verdict: Verdict,
    /// What was checked, in one or two words.
    pub(super) check: String,
    /// The result: a sentence.
    pub(super) message: String,
    /// How to fix it: a sentence, unless the result is ok.
    pub(super) fix: Option<String>,
}

impl Finding {
    pub(super) fn ok(check: impl ToString, message: impl ToString) -> Self {
        Self { verdict: Verdict::Ok, check: check.to_string(), message: message.to_string(), fix: None }
    }

    pub(super) fn warn(check: impl ToString, message: impl ToString, fix: impl ToString) -> Self {
        Self { verdict: Verdict::Warn, fix: Some(fix.to_string()), ..Self::ok(check, message) }
    }

    pub(super) fn wrong(check: impl ToString, message: impl ToString, fix: impl ToString) -> Self {
        Self { verdict: Verdict::Wrong, ..Self::warn(check, message, fix) }
    }

    /// Its lines for people, with the check's name padded to `width`, for a terminal of this width.
    pub(super) fn lines(&self, width: usize, terminal: Option<usize>) -> String {
        let Self { verdict, check, message, fix } = self;
        let fix = fix
            .as_ref()
            .map(|fix| format!("{:7}{:width$}  → {}\n", "", "", wrapped(fix, width + 11, terminal)))
            .unwrap_or_default();
        let message = wrapped(message, width + 9, terminal);
        format!("{:7}{check:width$}  {message}\n{fix}", verdict.name())
    }

    pub(super) fn json(&self) -> Value {
        json!({"check": self.check, "verdict": self.verdict.name(), "message": self.message, "fix": self.fix})
    }
}

/// `1 check`, `2 checks`.
pub(super) fn count(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A number of bytes in a readable unit.
pub(super) fn size(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match UNITS.into_iter().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) => format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_at_a_glance() {
        let sizes = [0, 1_023, 1_024, 1_536, 16 << 20, (5 << 30) + (1 << 29)].map(size);
        assert_eq!(sizes, ["0 bytes", "1023 bytes", "1.0 KiB", "1.5 KiB", "16.0 MiB", "5.5 GiB"]);
    }

    #[test]
    fn what_fixes_it_stands_below_what_is_wrong() {
        let finding = Finding::wrong("file mode", "Others may read it.", "Take that away.");
        assert_eq!(
            finding.lines(9, None),
            "wrong  file mode  Others may read it.\n                  → Take that away.\n"
        );
    }
}
