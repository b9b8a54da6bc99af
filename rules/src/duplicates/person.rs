//! A client as hashes of the fields by which people are told apart.

use smol_str::SmolStr;
use xxhash_rust::xxh3::xxh3_64;

use super::group::{Group, Place, Units};
use crate::{
    client::ClientFields,
    matching::{StreetParts, fold_line2, fold_name, unit_of_line2},
};

/// Hashes of the compared fields; 0 for a missing one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Person {
    pub(super) number: u64,
    pub(super) external_id: u64,
    pub(super) first_name: u64,
    pub(super) last_name: u64,
    /// Without its unit.
    pub(super) street: u64,
    /// The unit at the end of line 1.
    pub(super) unit: u64,
    /// The unit in line 2. It counts where line 1 has none.
    pub(super) line2_unit: u64,
    /// All of line 2.
    pub(super) line2: u64,
    /// The digit 1 and the first five digits.
    pub(super) zip5: u32,
}

impl Person {
    pub(super) fn of(number: u64, fields: &ClientFields) -> Self {
        let folded =
            |text: &Option<SmolStr>, fold: fn(&str) -> SmolStr| text.as_deref().map_or(0, |text| hash(&fold(text)));
        let digits = fields.zip.as_deref().and_then(|zip| zip.get(..5));
        let StreetParts { street, unit } = fields.address_line1.as_deref().map(StreetParts::of).unwrap_or_default();
        let line2_unit = fields.address_line2.as_deref().and_then(unit_of_line2);
        Self {
            number,
            external_id: fields.external_id.as_deref().map_or(0, hash),
            first_name: folded(&fields.first_name, fold_name),
            last_name: folded(&fields.last_name, fold_name),
            street: hash(&street),
            unit: unit.as_deref().map_or(0, hash),
            line2_unit: line2_unit.as_deref().map_or(0, hash),
            line2: folded(&fields.address_line2, fold_line2),
            zip5: digits.and_then(|digits| digits.parse::<u32>().ok()).map_or(0, |digits| 100_000 + digits),
        }
    }

    /// The sets of units that it is in.
    pub(super) const fn units(&self) -> [Option<Units>; 2] {
        match (self.unit, self.line2_unit) {
            (0, 0) => [Some(Units::NotInLine1), None],
            (0, line2_unit) => [Some(Units::NotInLine1), Some(Units::Line2(line2_unit))],
            (unit, _) => [Some(Units::Line1(unit)), None],
        }
    }

    /// The sets of units that have all clients with the same unit.
    pub(super) const fn same_units(&self) -> [Option<Units>; 2] {
        match (self.unit, self.line2_unit) {
            (0, 0) => [Some(Units::NotInLine1), None],
            (0, line2_unit) => [Some(Units::NotInLine1), Some(Units::Line1(line2_unit))],
            (unit, _) => [Some(Units::Line1(unit)), Some(Units::Line2(unit))],
        }
    }

    /// The groups that it is in.
    pub(super) fn groups(&self) -> impl Iterator<Item = Group> + use<> {
        let (name, has_external_id, street) = (self.name(), self.external_id != 0, self.street);
        let streets = match street {
            0 => [Some(Place::Street(0, Units::NotInLine1)), None],
            _ => self.units().map(|units| units.map(|units| Place::Street(street, units))),
        };
        let places = [Place::Any, Place::Zip(self.zip5)].into_iter().chain(streets.into_iter().flatten());
        places.map(move |place| Group { name, has_external_id, place })
    }

    /// The groups that conflict with it, where it lacks a street or a ZIP.
    pub(super) fn conflicting_groups(&self) -> impl Iterator<Item = Group> + use<> {
        let (name, external_id) = (self.name(), self.external_id);
        let places = match (self.street, self.zip5) {
            (0, 0) => [Some(Place::Any), None, None],
            (street, 0) => {
                let [one, other] = self.same_units().map(|units| units.map(|units| Place::Street(street, units)));
                [one, other, Some(Place::Street(0, Units::NotInLine1))]
            }
            (_, zip5) => [Some(Place::Zip(zip5)), Some(Place::Zip(0)), None],
        };
        places.into_iter().flatten().flat_map(move |place| {
            let group = move |has_external_id| Group { name, has_external_id, place };
            [Some(group(false)), (external_id == 0).then(|| group(true))].into_iter().flatten()
        })
    }

    pub(super) const fn has_name(&self) -> bool {
        self.first_name != 0 || self.last_name != 0
    }

    pub(super) const fn has_key(&self) -> bool {
        self.has_name() && self.street != 0 && self.zip5 != 0
    }

    pub(super) fn same_name(&self, other: Self) -> bool {
        (self.first_name, self.last_name) == (other.first_name, other.last_name)
    }

    pub(super) fn same_person(&self, other: Self) -> bool {
        self.has_key() && self.same_name(other) && self.same_street(other) && self.zip5 == other.zip5
    }

    /// Whether both have a line 2, in which they differ, and no unit in line 1.
    pub(super) const fn line2_differs(&self, other: Self) -> bool {
        let has_unit = self.unit != 0 || other.unit != 0;
        !has_unit && self.line2 != 0 && other.line2 != 0 && self.line2 != other.line2
    }

    pub(super) const fn same_street(&self, other: Self) -> bool {
        let same_unit = match (self.unit, other.unit) {
            (0, 0) => true,
            (0, unit) => self.line2_unit == unit,
            (unit, 0) => other.line2_unit == unit,
            (unit, other) => unit == other,
        };
        self.street == other.street && same_unit
    }

    /// Whether both have a street or a ZIP, and they differ.
    pub(super) const fn lives_elsewhere(&self, other: Self) -> bool {
        (self.street != 0 && other.street != 0 && !self.same_street(other))
            || (self.zip5 != 0 && other.zip5 != 0 && self.zip5 != other.zip5)
    }

    pub(super) const fn name(&self) -> u64 {
        self.first_name.rotate_left(1) ^ self.last_name
    }

    /// A key of the index, where it has a name, a street and a ZIP.
    pub(super) fn key(&self, units: Units) -> u64 {
        let key = self.name().rotate_left(1) ^ self.street.rotate_left(7) ^ u64::from(self.zip5);
        (key ^ units.key().rotate_left(13)).max(1)
    }
}

/// 0 for an empty text only.
pub(super) fn hash(text: &str) -> u64 {
    if text.is_empty() { 0 } else { xxh3_64(text.as_bytes()).max(1) }
}
