//! What a figure has to be, and whether it is.

use serde::Serialize;

/// What a figure must be, and what it aims at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Goal {
    /// It must be this.
    pub must: f64,
    /// It aims at this.
    pub aim: f64,
}

/// How far a figure came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reached {
    /// What it aims at.
    Aim,
    /// What it must be.
    Must,
    /// Neither.
    Short,
}

impl Goal {
    /// A goal.
    #[must_use]
    pub const fn new(must: f64, aim: f64) -> Self {
        Self { must, aim }
    }

    /// Less is better: the aim lies below what must be.
    #[must_use]
    pub fn is_at_most(&self) -> bool {
        self.aim < self.must
    }

    /// How far this figure came. What is no number is short of everything.
    ///
    /// ```
    /// use matterbook_bench::report::{Goal, Reached};
    /// let at_least = Goal::new(1.1, 1.4);
    /// assert_eq!([1.0, 1.1, 1.4].map(|figure| at_least.reached(figure)), [Reached::Short, Reached::Must, Reached::Aim]);
    /// let at_most = Goal::new(5.0, 3.0);
    /// assert_eq!([5.1, 5.0, 3.0].map(|figure| at_most.reached(figure)), [Reached::Short, Reached::Must, Reached::Aim]);
    /// assert_eq!(at_least.reached(f64::NAN), Reached::Short);
    /// ```
    #[must_use]
    pub fn reached(&self, figure: f64) -> Reached {
        let reaches = |mark: f64| if self.is_at_most() { figure <= mark } else { figure >= mark };
        if reaches(self.aim) {
            Reached::Aim
        } else if reaches(self.must) {
            Reached::Must
        } else {
            Reached::Short
        }
    }
}

impl std::fmt::Display for Reached {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Aim => "aim",
            Self::Must => "must",
            Self::Short => "no",
        })
    }
}
