//! What a column can be used as.

use matterbook_core::normalize::Field;

/// What a column can be used as: a field of a client, or something that becomes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// The field of that name.
    Field(Field),
    /// `new_settlement`, which is not kept but says what a different settled date means.
    NewSettlement,
    /// A whole name written `Last, First`, which is taken apart at its comma. Only where it is asked for.
    LastCommaFirst,
}

impl Target {
    /// Everything that `--map` takes, in the reference's order.
    pub fn all() -> impl Iterator<Item = Self> {
        Field::ALL.into_iter().map(Self::Field).chain([Self::NewSettlement, Self::LastCommaFirst])
    }

    /// The name by which `--map` takes it; of a field that of its JSON member.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Field(field) => field.name(),
            Self::NewSettlement => "new_settlement",
            Self::LastCommaFirst => "last_comma_first",
        }
    }

    /// The target of that exact name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|target| target.name() == name)
    }

    /// Whether of several columns the first that is not empty counts, row by row. Of other fields one
    /// column is used for the whole file: halves of two addresses are no address.
    pub(super) const fn takes_several(self) -> bool {
        matches!(self, Self::Field(Field::Phone | Field::Email))
    }
}
