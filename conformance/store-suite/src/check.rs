//! How a case says what went wrong: one sentence, with both sides where two things differ.

use std::fmt::Debug;

use matterbook_core::store::{Position, StoreError};

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
            return Err($crate::Failure(format!($($sentence)+)));
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
                    return Err($crate::Failure(format!(
                        "{sentence}\n  found:    {found:?}\n  expected: {expected:?}"
                    )));
                }
            }
        }
    };
}

pub(super) use {ensure, ensure_eq};

/// Whether rows and place to go on are a page of what is expected: a beginning of it, at most the
/// limit, that goes on exactly after its last row wherever it does not reach the end (S10).
pub(super) fn is_page_of<Row: PartialEq + Debug>(
    rows: &[Row],
    next: Option<Position>,
    expected: &[Row],
    place_of: impl Fn(&Row) -> Position,
    after: Option<Position>,
    limit: u32,
) -> CaseResult {
    ensure!(rows.len() <= limit as usize, "a page of {limit} has {} rows", rows.len());
    ensure_eq!(Some(rows), expected.get(..rows.len()), "a page does not show what the model does: {expected:?}");
    let left = expected.get(rows.len()..).unwrap_or_default();
    match next {
        None => ensure!(left.is_empty(), "a page ends the walk, but there is more: {left:?}"),
        Some(next) => {
            ensure!(Some(next) > after, "a page goes on from {next:?}, where it began: {after:?}");
            ensure!(left.iter().all(|row| place_of(row) > next), "a page goes on after what it did not show: {left:?}");
            ensure!(rows.iter().all(|row| place_of(row) <= next), "a page goes on before what it showed: {rows:?}");
        }
    }
    Ok(())
}
