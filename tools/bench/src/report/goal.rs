//! What a figure must be.

use serde::Serialize;

/// What a figure must be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// This or more.
    AtLeast(f64),
    /// This or less.
    AtMost(f64),
}

impl Goal {
    /// Whether a figure reaches the goal. NaN does not.
    ///
    /// ```
    /// use matterbook_bench::report::Goal;
    /// assert_eq!([1.0, 1.1, f64::NAN].map(|figure| Goal::AtLeast(1.1).is_reached(figure)), [false, true, false]);
    /// assert_eq!([6.1, 6.0, f64::NAN].map(|figure| Goal::AtMost(6.0).is_reached(figure)), [false, true, false]);
    /// ```
    #[must_use]
    pub fn is_reached(&self, figure: f64) -> bool {
        match self {
            Self::AtLeast(must) => figure >= *must,
            Self::AtMost(must) => figure <= *must,
        }
    }

    /// A figure in relation to the goal: 1 reaches it, and more is better for either kind.
    #[must_use]
    pub fn relation(&self, figure: f64) -> f64 {
        match self {
            Self::AtLeast(must) => figure / must,
            Self::AtMost(must) => must / figure,
        }
    }
}
