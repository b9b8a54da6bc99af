//! How a case says what went wrong: one sentence, with both sides where two things differ.

use matterbook_core::store::StoreError;

/// What a case found: nothing, or why the store does not hold the rule.
pub type CaseResult<Found = ()> = Result<Found, Failure>;

/// Why a store does not hold a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(pub String);

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self(format!("the store failed: {error}"))
    }
}

/// Fails the case with a sentence unless a condition holds.
macro_rules! ensure {
    ($condition:expr, $($sentence:tt)+) => {
        if !$condition {
            return Err($crate::store_suite::Failure(format!($($sentence)+)));
        }
    };
}

/// Fails the case with a sentence and both sides unless they are equal.
macro_rules! ensure_eq {
    ($found:expr, $expected:expr, $($sentence:tt)+) => {
        match (&$found, &$expected) {
            (found, expected) => {
                if found != expected {
                    let sentence = format!($($sentence)+);
                    return Err($crate::store_suite::Failure(format!(
                        "{sentence}\n  found:    {found:?}\n  expected: {expected:?}"
                    )));
                }
            }
        }
    };
}

pub(super) use {ensure, ensure_eq};
