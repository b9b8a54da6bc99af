//! The folded match key of one record (rules M1 to M6).

use smol_str::SmolStr;

use crate::client::ClientFields;

use super::{
    fold::{fold_into, text},
    street::fold_street,
};

/// Separates the first name from the last. No folded name contains a control character.
pub(super) const BETWEEN_NAMES: u8 = b'\x1f';

/// The folded match key of one record, for comparing only.
///
/// Its `Debug` form shows client data: never log it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MatchKey {
    /// First and last name, each folded, in their own places; `None` when both fold to nothing.
    pub name: Option<SmolStr>,
    /// The street in its USPS Publication 28 form; `None` when it folds to nothing.
    pub street: Option<SmolStr>,
    /// The first five digits of the ZIP.
    pub zip5: Option<SmolStr>,
}

impl MatchKey {
    /// The match key of a client's normalized fields.
    ///
    /// ```
    /// use matterbook_core::{client::ClientFields, matching::MatchKey};
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
        let street = fields.address_line1.as_deref().map(fold_street).filter(|street| !street.is_empty());
        let zip5 = fields.zip.as_deref().and_then(|zip| zip.get(..5)).map(SmolStr::from);
        Self { name: (name.len() > 1).then(|| text(&name)), street, zip5 }
    }

    /// Whether the record has a name, a street and a ZIP. Only such records match by them.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.name.is_some() && self.street.is_some() && self.zip5.is_some()
    }
}

/// Whether two records have equal names, streets and ZIPs, and have all three.
///
/// ```
/// use matterbook_core::matching::{MatchKey, same_person};
/// let nobody = MatchKey::default();
/// assert!(!same_person(&nobody, &nobody));
/// ```
#[must_use]
pub fn same_person(one: &MatchKey, other: &MatchKey) -> bool {
    one.is_complete() && one == other
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
}
