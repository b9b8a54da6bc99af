//! The possible uses of a column.

use matterbook_core::normalize::Field;

/// A possible use of a column: a field of a client, or a value that becomes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// This field.
    Field(Field),
    /// `new_settlement`: not stored; it tells how to treat a different settled date (rule T1).
    NewSettlement,
    /// A whole name written `Last, First`, split at its comma. Used only with `--map`.
    LastCommaFirst,
}

impl Target {
    /// All targets that `--map` accepts, fields first.
    pub fn all() -> impl Iterator<Item = Self> {
        Field::ALL.into_iter().map(Self::Field).chain([Self::NewSettlement, Self::LastCommaFirst])
    }

    /// The name that `--map` accepts; for a field, its JSON member.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Field(field) => field.name(),
            Self::NewSettlement => "new_settlement",
            Self::LastCommaFirst => "last_comma_first",
        }
    }

    /// The target with exactly this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|target| target.name() == name)
    }

    /// Whether the first column that is not empty is used, row by row. Other fields use one column for the
    /// whole file, because mixing two addresses makes an invalid one.
    pub(super) const fn takes_several(self) -> bool {
        matches!(self, Self::Field(Field::Phone | Field::Email))
    }
}
