//! The possible uses of a column.

use matterbook_core::normalize::Field;

use super::{ListKind, ProspectField};

/// A possible use of a column: a field of a client or a prospect, or a value that becomes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// This field of a client; a prospect has those of a person too.
    Field(Field),
    /// `new_settlement`: not stored; it tells how to treat a different settled date (rule T1).
    NewSettlement,
    /// A whole name written `Last, First`, split at its comma. Used only with `--map`, as all that are split.
    LastCommaFirst,
    /// This field, which only prospects have.
    Prospect(ProspectField),
    /// A whole name of two words, `First Last`.
    FirstLast,
    /// `City, State ZIP`.
    CityStateZip,
    /// Street, city, state and ZIP.
    WholeAddress,
}

const NAMES: [Field; 2] = [Field::FirstName, Field::LastName];
const PLACE: [Field; 3] = [Field::City, Field::State, Field::Zip];
const ADDRESS: [Field; 5] = [Field::AddressLine1, Field::AddressLine2, Field::City, Field::State, Field::Zip];

impl Target {
    /// All targets that `--map` accepts for such a file, fields first.
    pub fn all(kind: ListKind) -> impl Iterator<Item = Self> {
        let fields = Field::ALL.into_iter().filter(move |field| is_of(kind, *field)).map(Self::Field);
        let (settlement, prospect) = match kind {
            ListKind::Clients => (Some(Self::NewSettlement), &[][..]),
            ListKind::Prospects => (None, &ProspectField::ALL[..]),
        };
        fields.chain(settlement).chain(prospect.iter().copied().map(Self::Prospect)).chain(Self::SPLIT)
    }

    /// The targets that are split into several fields.
    pub(super) const SPLIT: [Self; 4] = [Self::LastCommaFirst, Self::FirstLast, Self::CityStateZip, Self::WholeAddress];

    /// The fields that it is split into; empty if it is not split.
    #[must_use]
    pub const fn parts(self) -> &'static [Field] {
        match self {
            Self::LastCommaFirst | Self::FirstLast => &NAMES,
            Self::CityStateZip => &PLACE,
            Self::WholeAddress => &ADDRESS,
            _ => &[],
        }
    }

    /// Whether it gives a value to this field.
    #[must_use]
    pub fn fills(self, field: Field) -> bool {
        self == Self::Field(field) || self.parts().contains(&field)
    }

    /// Whether columns can be joined to it: a day or a yes is one cell.
    #[must_use]
    pub fn can_be_joined(self) -> bool {
        self != Self::NewSettlement && !self.is_date() && !self.is_flag()
    }

    /// The name that `--map` accepts; for a field, its JSON member.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Field(field) => field.name(),
            Self::NewSettlement => "new_settlement",
            Self::LastCommaFirst => "last_comma_first",
            Self::Prospect(field) => field.name(),
            Self::FirstLast => "first_last",
            Self::CityStateZip => "city_state_zip",
            Self::WholeAddress => "whole_address",
        }
    }

    /// The target with exactly this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let mut targets = Self::all(ListKind::Clients).chain(Self::all(ListKind::Prospects));
        targets.find(|target| target.name() == name)
    }

    /// Whether it is a calendar date.
    pub(crate) const fn is_date(self) -> bool {
        matches!(self, Self::Field(Field::OpenedOn | Field::SettledOn) | Self::Prospect(ProspectField::CrashDate))
    }

    /// Whether it is a yes or a no.
    pub(crate) const fn is_flag(self) -> bool {
        matches!(
            self,
            Self::Field(Field::DoNotMail)
                | Self::Prospect(ProspectField::Transported | ProspectField::VehicleTowed | ProspectField::HitAndRun)
        )
    }

    /// Whether it is an id, whose digits all count.
    pub(crate) const fn is_id(self) -> bool {
        matches!(
            self,
            Self::Field(Field::ExternalId) | Self::Prospect(ProspectField::SourceId | ProspectField::CrashReportNumber)
        )
    }

    /// Whether the first column that is not empty is used, row by row. Other fields use one column for the
    /// whole file, because mixing two addresses makes an invalid one.
    pub(super) const fn takes_several(self) -> bool {
        matches!(self, Self::Field(Field::Phone | Field::Email))
    }
}

/// Whether such a file has this field of a client.
pub(super) const fn is_of(kind: ListKind, field: Field) -> bool {
    use Field::{CaseType, DoNotMail, ExternalId, OpenedOn, SettledOn};
    matches!(kind, ListKind::Clients) || !matches!(field, CaseType | DoNotMail | ExternalId | OpenedOn | SettledOn)
}
