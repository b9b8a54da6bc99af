//! Why a case failed: what was sent, what was expected, what came.

/// A broken expectation. It holds no key and no token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The request, its secrets left out; or what was done.
    pub sent: String,
    /// What the documents say.
    pub expected: String,
    /// What the service did.
    pub came: String,
}

/// What a case comes to.
pub type CaseResult = Result<(), Failure>;

impl Failure {
    /// A failure with these three parts.
    pub fn new(sent: impl Into<String>, expected: impl Into<String>, came: impl Into<String>) -> Self {
        Self { sent: sent.into(), expected: expected.into(), came: came.into() }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "  sent:     {}\n  expected: {}\n  came:     {}", self.sent, self.expected, self.came)
    }
}

/// Holds two values to be equal; `what` says which.
///
/// # Errors
/// When they differ.
pub fn equal<T: PartialEq + std::fmt::Debug>(what: &str, came: &T, expected: &T) -> CaseResult {
    if came == expected {
        Ok(())
    } else {
        Err(Failure::new(what, shorten(&format!("{expected:?}")), shorten(&format!("{came:?}"))))
    }
}

/// Holds something to be true; `what` says what was done, `expected` what is true then.
///
/// # Errors
/// When it is not.
pub fn holds(truth: bool, what: &str, expected: &str, came: impl FnOnce() -> String) -> CaseResult {
    if truth { Ok(()) } else { Err(Failure::new(what, expected, shorten(&came()))) }
}

/// A text cut to what a person reads in a table.
pub fn shorten(text: &str) -> String {
    const LONGEST: usize = 1_500;
    if text.chars().count() <= LONGEST {
        text.to_owned()
    } else {
        let start: String = text.chars().take(LONGEST).collect();
        format!("{start}… ({} bytes in all)", text.len())
    }
}
