//! The folded match key of one record (rules M1 to M6).

use alloc::vec::Vec;

use smol_str::SmolStr;

use crate::client::ClientFields;

use super::{
    fold::{fold_into, fold_name, text},
    street::{StreetParts, unit_of_line2},
};

/// Separates the first name from the last. No folded name contains a control character.
pub(super) const BETWEEN_NAMES: u8 = b'\x1f';

/// The folded match key of one record, for comparing only. Two keys may be the same person's though they are not
/// equal: [`same_person`] says.
///
/// Its `Debug` form shows client data: never log it.
#[doc(alias = "blocking key")]
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MatchKey {
    /// First and last name, each folded, in their own places; `None` when both fold to nothing.
    pub name: Option<SmolStr>,
    /// The street in its USPS Publication 28 form, without the units at its end; `None` when it folds to nothing.
    pub street: Option<SmolStr>,
    /// The identifier of the unit at the end of line 1, as [`StreetParts`] has it.
    pub unit: Option<SmolStr>,
    /// The identifier of the unit in line 2, where line 1 has none.
    pub line2_unit: Option<SmolStr>,
    /// The first five digits of the ZIP.
    pub zip5: Option<SmolStr>,
}

impl MatchKey {
    /// The match key of a client's normalized fields.
    ///
    /// ```
    /// use matterbook_rules::{client::ClientFields, matching::MatchKey};
    /// let fields = |last_name: &str, street: &str| ClientFields {
    ///     last_name: Some(last_name.into()),
    ///     address_line1: Some(street.into()),
    ///     zip: Some("02134-1001".into()),
    ///     ..ClientFields::default()
    /// };
    /// let match_key = MatchKey::of(&fields("O’Brien", "123 North Main Street"));
    /// assert_eq!(match_key, MatchKey::of(&fields("OBRIEN", "123 N. Main St")));
    /// assert_ne!(match_key, MatchKey::of(&fields("O’Brien Jr", "123 North Main Street")));
    /// ```
    #[must_use]
    pub fn of(fields: &ClientFields) -> Self {
        let mut name = Vec::new();
        fold_into(fields.first_name.as_deref().unwrap_or_default(), &mut name);
        name.push(BETWEEN_NAMES);
        fold_into(fields.last_name.as_deref().unwrap_or_default(), &mut name);
        let StreetParts { street, unit } = fields.address_line1.as_deref().map(StreetParts::of).unwrap_or_default();
        let street = Some(street).filter(|street| !street.is_empty());
        let line2 = fields.address_line2.as_deref().filter(|_| street.is_some() && unit.is_none());
        let line2_unit = line2.and_then(unit_of_line2);
        let zip5 = fields.zip.as_deref().and_then(|zip| zip.get(..5)).map(SmolStr::from);
        Self { name: (name.len() > 1).then(|| text(&name)), street, unit, line2_unit, zip5 }
    }

    /// Whether both have a street, and it is the same. A unit at the end of line 1 is compared with that of the
    /// other's line 1, or else with that of its line 2. Where neither has one, line 2 is not compared (rules M37
    /// and M38).
    ///
    /// ```
    /// use matterbook_rules::{client::ClientFields, matching::MatchKey};
    /// let key = |line1: &str, line2: Option<&str>| MatchKey::of(&ClientFields {
    ///     address_line1: Some(line1.into()),
    ///     address_line2: line2.map(Into::into),
    ///     ..ClientFields::default()
    /// });
    /// let apartment = key("600 Canal St Apt 4", None);
    /// assert!(apartment.has_same_street(&key("600 Canal Street", Some("#4"))));
    /// assert!(!apartment.has_same_street(&key("600 Canal Street", Some("#5"))));
    /// assert!(!apartment.has_same_street(&key("600 Canal Street", None)));
    /// assert!(key("600 Canal St", Some("#4")).has_same_street(&key("600 Canal St", Some("#5"))));
    /// ```
    #[must_use]
    pub fn has_same_street(&self, other: &Self) -> bool {
        let has_same_unit = match (&self.unit, &other.unit) {
            (None, None) => true,
            (None, Some(unit)) => self.line2_unit.as_ref() == Some(unit),
            (Some(unit), None) => other.line2_unit.as_ref() == Some(unit),
            (Some(unit), Some(other)) => unit == other,
        };
        self.street.is_some() && self.street == other.street && has_same_unit
    }

    /// Whether the record has a name, a street and a ZIP. Only such records match by them.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.name.is_some() && self.street.is_some() && self.zip5.is_some()
    }
}

/// Whether two records have the same name, street and ZIP, and have all three.
///
/// ```
/// use matterbook_rules::matching::{MatchKey, same_person};
/// let nobody = MatchKey::default();
/// assert!(!same_person(&nobody, &nobody));
/// ```
#[must_use]
#[doc(alias = "record linkage")]
#[doc(alias = "entity resolution")]
#[doc(alias = "match")]
pub fn same_person(one: &MatchKey, other: &MatchKey) -> bool {
    one.is_complete() && one.name == other.name && one.has_same_street(other) && one.zip5 == other.zip5
}

/// Whether both records have a second line of the address, the two differ, and neither first line has a unit. Such
/// records may be one person, because their second lines are not compared (rule M38).
///
/// ```
/// use matterbook_rules::{client::ClientFields, matching::line2_differs};
/// let fields = |line2: &str| ClientFields {
///     address_line1: Some("600 Canal St".into()),
///     address_line2: Some(line2.into()),
///     ..ClientFields::default()
/// };
/// assert!(line2_differs(&fields("Apt 4"), &fields("Apt 5")));
/// assert!(!line2_differs(&fields("Apt 4"), &fields("#4")));
/// ```
#[must_use]
pub fn line2_differs(one: &ClientFields, other: &ClientFields) -> bool {
    let (Some(line2), Some(other_line2)) = (&one.address_line2, &other.address_line2) else { return false };
    let has_unit = |fields| MatchKey::of(fields).unit.is_some();
    fold_line2(line2) != fold_line2(other_line2) && !has_unit(one) && !has_unit(other)
}

/// The second line of an address as it is compared for a note: its unit, or else its words.
pub(crate) fn fold_line2(line2: &str) -> SmolStr {
    unit_of_line2(line2).unwrap_or_else(|| fold_name(line2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn match_key(first: Option<&str>, last: Option<&str>, street: Option<&str>, zip: Option<&str>) -> MatchKey {
        MatchKey::of(&ClientFields {
            first_name: first.map(Into::into),
            last_name: last.map(Into::into),
            address_line1: street.map(Into::into),
            zip: zip.map(Into::into),
            ..ClientFields::default()
        })
    }

    #[test]
    fn a_record_without_name_street_or_zip_has_no_match_key() {
        let (name, street, zip) = (Some("Jane"), Some("123 Main St"), Some("02134"));
        let whole = match_key(name, None, street, zip);
        assert!(whole.is_complete() && same_person(&whole, &whole));
        for part in [
            match_key(None, None, street, zip),
            match_key(name, None, None, zip),
            match_key(name, None, street, None),
            match_key(Some("-"), Some("."), street, zip),
            match_key(name, None, Some(" , "), zip),
        ] {
            assert!(!part.is_complete() && !same_person(&part, &part), "{part:?}");
        }
    }

    #[test]
    fn first_and_last_name_are_compared_in_their_own_places() {
        let of = |first, last| match_key(first, last, None, None).name;
        assert_ne!(of(Some("Jordan"), None), of(None, Some("Jordan")));
        assert_ne!(of(Some("James"), Some("Dean")), of(Some("Dean"), Some("James")));
        assert_ne!(of(Some("Mary Ann"), Some("Lee")), of(Some("Mary"), Some("Ann Lee")));
    }

    #[test]
    fn the_last_four_digits_of_a_zip_are_left_out() {
        let of = |zip| match_key(None, None, None, Some(zip)).zip5;
        assert_eq!(of("02134-1001"), Some("02134".into()));
        assert_eq!(of("02134"), Some("02134".into()));
    }

    fn address(line1: &str, line2: &str) -> MatchKey {
        MatchKey::of(&ClientFields {
            address_line1: Some(line1.into()),
            address_line2: Some(line2).filter(|line2| !line2.is_empty()).map(Into::into),
            ..ClientFields::default()
        })
    }

    #[test]
    fn a_unit_in_line_1_is_compared_with_one_in_line_2() {
        let apartment = address("600 Canal St Apt 4", "");
        for (line1, line2, same) in [
            ("600 Canal St", "Apt 4", true),
            ("600 Canal St", "#4", true),
            ("600 Canal St", "Unit 4", true),
            ("600 Canal St", "4", true),
            ("600 Canal Street #4", "", true),
            ("600 Canal Street #4", "Apt 5", true),
            ("600 Canal St", "Apt 5", false),
            ("600 Canal St", "Fl 4", false),
            ("600 Canal St", "c/o Ruiz", false),
            ("600 Canal St", "", false),
            ("600 Canal St Apt 5", "Apt 4", false),
            ("601 Canal St", "Apt 4", false),
        ] {
            let other = address(line1, line2);
            assert_eq!(apartment.has_same_street(&other), same, "{line1}, {line2}");
            assert_eq!(other.has_same_street(&apartment), same, "{line1}, {line2}");
        }
    }

    #[test]
    fn without_a_unit_in_line_1_line_2_is_not_compared() {
        let lines = ["", "Apt 4", "Apt 5", "c/o Ruiz"].map(|line2| address("600 Canal St", line2));
        assert!(lines.iter().all(|one| lines.iter().all(|other| one.has_same_street(other))));
        let no_street = address("-", "Apt 4");
        assert!(!no_street.has_same_street(&no_street));
    }
}
