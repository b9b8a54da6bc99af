//! The hashes by which a store looks a person up.

use alloc::{format, vec::Vec};

use smol_str::SmolStr;
use xxhash_rust::xxh3::xxh3_64;

use super::{MatchKey, match_key::BETWEEN_NAMES};

/// What a store looks a record up by: three hashes and a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PersonHash {
    /// Hash of the name, 0 to 2^53 − 1; `None` without a name.
    pub name: Option<i64>,
    /// Hash of the folded street without its unit, 0 to 2^53 − 1; `None` without a street.
    pub street: Option<i64>,
    /// Hash of the unit: that at the end of line 1 is 1 to 2^53 − 1, that in line 2, where line 1 has none, is
    /// the same number below zero; 0 without a unit.
    pub unit: i64,
    /// The first five digits of the ZIP as a number; `None` without a ZIP.
    pub zip5: Option<i64>,
}

impl PersonHash {
    /// Whether the record has a name, a street and a ZIP. Only such records match by them.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.name.is_some() && self.street.is_some() && self.zip5.is_some()
    }

    /// Whether a client matches this key of a request by its name. A complete key matches clients with the same
    /// name, street and ZIP. Another one matches those of its name with no other street and no other ZIP: what
    /// one of the two lacks tells nothing apart (rule M29).
    ///
    /// ```
    /// use matterbook_rules::matching::PersonHash;
    /// let client = PersonHash { name: Some(1), street: Some(2), unit: 3, zip5: Some(2134) };
    /// assert!(client.matches(&client));
    /// assert!(PersonHash { street: None, unit: 0, ..client }.matches(&client));
    /// assert!(!client.matches(&PersonHash { street: None, unit: 0, ..client }));
    /// let elsewhere = PersonHash { street: None, unit: 0, zip5: Some(60614), ..client };
    /// assert!(!elsewhere.matches(&client));
    /// ```
    #[must_use]
    pub fn matches(&self, client: &Self) -> bool {
        let differ = |one: Option<i64>, other: Option<i64>| one.is_some() && other.is_some() && one != other;
        if self.is_complete() {
            self.name == client.name && self.has_same_street(client) && self.zip5 == client.zip5
        } else {
            self.name.is_some()
                && self.name == client.name
                && (self.street.is_none() || client.street.is_none() || self.has_same_street(client))
                && !differ(self.zip5, client.zip5)
        }
    }

    /// Whether both have a street, and its hashes are those of one street ([`MatchKey::has_same_street`]).
    ///
    /// ```
    /// use matterbook_rules::matching::PersonHash;
    /// let unit = |unit| PersonHash { street: Some(2), unit, ..PersonHash::default() };
    /// assert!(unit(7).has_same_street(&unit(-7)));
    /// assert!(!unit(7).has_same_street(&unit(0)) && !unit(7).has_same_street(&unit(-8)));
    /// assert!(unit(-7).has_same_street(&unit(-8)));
    /// ```
    #[must_use]
    pub fn has_same_street(&self, other: &Self) -> bool {
        let has_same_unit = self.unit <= 0 && other.unit <= 0 || self.unit.unsigned_abs() == other.unit.unsigned_abs();
        self.street.is_some() && self.street == other.street && has_same_unit
    }
}

impl MatchKey {
    /// The hashes of this match key. They are stored: another way to compute them needs a migration.
    #[must_use]
    pub fn hash(&self) -> PersonHash {
        let zip5 = self.zip5.as_deref().map(|zip5| {
            zip5.bytes().fold(0, |number: i64, digit| number.wrapping_mul(10).wrapping_add((digit & 0x0f).into()))
        });
        let unit = |unit: &Option<SmolStr>| unit.as_deref().map_or(0, |unit| hash53(unit).max(1));
        PersonHash {
            name: self.name.as_deref().map(hash53),
            street: self.street.as_deref().map(hash53),
            unit: if self.unit.is_some() { unit(&self.unit) } else { -unit(&self.line2_unit) },
            zip5,
        }
    }
}

/// The hashes that a client has whose first and last name, each folded, are this text with a space between
/// them. The text does not tell where the last name begins, so there is one for each space, and one each for
/// a first name alone and a last name alone.
#[must_use]
pub fn hashes_of_full_name(folded: &str) -> Vec<i64> {
    let between = char::from(BETWEEN_NAMES);
    let spaces =
        folded.match_indices(' ').filter_map(|(space, _)| Some((folded.get(..space)?, folded.get(space + 1..)?)));
    let names = spaces.chain([("", folded), (folded, "")]);
    names.map(|(first, last)| hash53(&format!("{first}{between}{last}"))).collect()
}

fn hash53(text: &str) -> i64 {
    /// Integers up to 2^53 − 1 are exact in a JavaScript number.
    const MASK: u64 = (1 << 53) - 1;
    (xxh3_64(text.as_bytes()) & MASK).cast_signed()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{client::ClientFields, matching::same_person};

    fn match_key(name: Option<&str>, street: Option<&str>, zip5: Option<&str>) -> MatchKey {
        let (name, street, zip5) = (name.map(Into::into), street.map(Into::into), zip5.map(Into::into));
        MatchKey { name, street, zip5, ..MatchKey::default() }
    }

    #[test]
    fn a_hash_is_there_when_its_facts_are() {
        let hash = |name, street, zip5| match_key(name, street, zip5).hash();
        let whole = hash(Some("a"), Some("b"), Some("02134"));
        assert!(whole.is_complete());
        assert_eq!(whole.zip5, Some(2_134));
        assert_eq!(hash(Some("a"), Some("b"), None), PersonHash { zip5: None, ..whole });
        assert_eq!(hash(Some("a"), None, Some("02134")), PersonHash { street: None, ..whole });
        assert_eq!(hash(None, Some("b"), Some("02134")), PersonHash { name: None, ..whole });
    }

    #[test]
    fn a_full_name_has_the_hash_of_each_way_to_part_it() {
        let hashes = hashes_of_full_name("ana maria li");
        for name in ["ana\u{1f}maria li", "ana maria\u{1f}li", "\u{1f}ana maria li", "ana maria li\u{1f}"] {
            let hash = match_key(Some(name), None, None).hash().name;
            assert!(hash.is_some_and(|hash| hashes.contains(&hash)), "{name:?}");
        }
        assert_eq!(hashes.len(), 4);
    }

    #[test]
    fn stored_hashes_do_not_change() {
        let hash = match_key(Some("jane\u{1f}doe"), Some("123 main st"), Some("02134")).hash();
        let street = Some(7_103_793_447_137_238);
        assert_eq!(hash, PersonHash { name: Some(5_228_539_211_494_791), street, unit: 0, zip5: Some(2_134) });
        let unit = |unit, line2_unit| MatchKey { unit, line2_unit, ..MatchKey::default() }.hash().unit;
        assert_eq!(unit(Some("4".into()), None), 2_551_977_222_307_903);
        assert_eq!(unit(None, Some("4".into())), -2_551_977_222_307_903);
    }

    proptest! {
        #[test]
        fn hashes_match_where_match_keys_do(lines in prop::array::uniform2(("(12|9) Oak( Apt 4| #5)?", "((Apt |#)[45])?"))) {
            let [one, other] = lines.map(|(line1, line2)| MatchKey::of(&ClientFields {
                last_name: Some("Li".into()),
                address_line1: Some(line1.into()),
                address_line2: Some(line2).filter(|line2| !line2.is_empty()).map(Into::into),
                zip: Some("02134".into()),
                ..ClientFields::default()
            }));
            prop_assert_eq!(one.hash().matches(&other.hash()), same_person(&one, &other));
        }
    }
}
