//! Why a record is refused, for programs and for people (rules N8 to N10).

use alloc::vec::Vec;
use core::{error::Error, fmt};

use super::Field;
use crate::normalize::{Problem, ProblemKind};

/// A part of a record that a problem is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Member {
    /// The whole record, such as a client that is no JSON object.
    Record,
    /// A field of a client.
    Field(Field),
    /// A member that is no field of a client, such as `new_settlement`.
    Other(&'static str),
}

/// Why a record is refused: each of its problems, in the order of an input.
///
/// It displays as one sentence for the caller, which names every refused member, says what to fix, and repeats
/// no value.
///
/// ```
/// use matterbook_rules::{client::{ClientFields, Field, Member}, normalize::ProblemKind};
/// let error = ClientFields::builder().first_name(7).zip("021").build().unwrap_err();
/// assert_eq!(error.problem_of(Field::Zip).unwrap().kind(), ProblemKind::ZipFormat);
/// assert_eq!(error.problems()[0].0, Member::Field(Field::FirstName));
/// let sentence = "first_name must be a string; zip must have 5 or 9 digits, but has 3; \
///                 leading zeros may have been lost: send it as text.";
/// assert_eq!(error.to_string(), sentence);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    problems: Vec<(Member, Problem)>,
    /// It asked for `do_not_mail`, which was not turned on.
    asked_do_not_mail: bool,
}

impl ParseError {
    /// The error of a record with these problems.
    #[must_use]
    pub const fn new(problems: Vec<(Member, Problem)>) -> Self {
        Self { problems, asked_do_not_mail: false }
    }

    /// The error of a record that cannot be read at all. The problem is a whole sentence.
    #[must_use]
    pub fn of_record(kind: ProblemKind, sentence: &'static str) -> Self {
        Self::new(alloc::vec![(Member::Record, Problem::fixed(kind, sentence))])
    }

    /// The same error of a client that asked for `do_not_mail`. The sentence says that it was not turned on
    /// (rule U18).
    #[must_use]
    pub fn of_do_not_mail(self, asked: bool) -> Self {
        Self { asked_do_not_mail: asked, ..self }
    }

    /// Each refused member and its problem, in the order of an input.
    #[must_use]
    pub fn problems(&self) -> &[(Member, Problem)] {
        &self.problems
    }

    /// The problem of a field, if it was refused.
    #[must_use]
    pub fn problem_of(&self, field: Field) -> Option<&Problem> {
        let is_of = |member: &Member| *member == Member::Field(field);
        self.problems.iter().find_map(|(member, problem)| is_of(member).then_some(problem))
    }

    /// Whether the client asked for `do_not_mail`, which is not turned on for a refused client.
    #[must_use]
    pub const fn asked_do_not_mail(&self) -> bool {
        self.asked_do_not_mail
    }
}

/// Ends the sentence of a client that asked for `do_not_mail` and is not saved (rule U18).
pub const DO_NOT_MAIL_NOT_SAVED: &str = " do_not_mail was not turned on.";

impl fmt::Display for ParseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ends_with_dot = false;
        for (place, (member, problem)) in self.problems.iter().enumerate() {
            if place > 0 {
                formatter.write_str("; ")?;
            }
            if let Some(name) = member.name() {
                formatter.write_str(name)?;
                formatter.write_str(" ")?;
            }
            formatter.write_str(problem.sentence())?;
            ends_with_dot = member.name().is_none();
        }
        if !ends_with_dot {
            formatter.write_str(".")?;
        }
        formatter.write_str(if self.asked_do_not_mail { DO_NOT_MAIL_NOT_SAVED } else { "" })
    }
}

impl Error for ParseError {}

impl Member {
    /// The name of the member; `None` for the whole record.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Record => None,
            Self::Field(field) => Some(field.name()),
            Self::Other(name) => Some(name),
        }
    }

    /// The member of that name.
    #[must_use]
    pub fn named(name: &'static str) -> Self {
        Field::from_name(name).map_or(Self::Other(name), Self::Field)
    }

    /// The field of a client that it is.
    #[must_use]
    pub const fn field(self) -> Option<Field> {
        match self {
            Self::Field(field) => Some(field),
            Self::Record | Self::Other(_) => None,
        }
    }
}
