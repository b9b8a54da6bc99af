//! The hashes under which a store finds a person again.

use xxhash_rust::xxh3::xxh3_64;

use super::Facts;

/// The two hashes under which a store finds a record again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PersonHash {
    /// Hash of the name, 0 to 2^53 − 1; `None` without a name.
    pub name: Option<i64>,
    /// Hash of street and ZIP, 0 to 2^53 − 1; `None` when either is missing.
    pub place: Option<i64>,
}

/// Stands between street and ZIP; no folded street holds it.
const BETWEEN_STREET_AND_ZIP: char = '\u{1f}';

impl Facts {
    /// The hashes of these facts. They are stored: another way to make them needs a migration.
    #[must_use]
    pub fn hash(&self) -> PersonHash {
        let place = self.street.as_ref().zip(self.zip5.as_ref()).map(|(street, zip5)| {
            let mut place = String::with_capacity(street.len() + 1 + zip5.len());
            place.push_str(street);
            place.push(BETWEEN_STREET_AND_ZIP);
            place.push_str(zip5);
            hash53(&place)
        });
        PersonHash { name: self.name.as_deref().map(hash53), place }
    }
}

fn hash53(text: &str) -> i64 {
    /// Integers up to 2^53 − 1 are exact in a JavaScript number.
    const MASK: u64 = (1 << 53) - 1;
    (xxh3_64(text.as_bytes()) & MASK).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(name: Option<&str>, street: Option<&str>, zip5: Option<&str>) -> Facts {
        Facts { name: name.map(str::to_owned), street: street.map(str::to_owned), zip5: zip5.map(str::to_owned) }
    }

    #[test]
    fn a_hash_is_there_when_its_facts_are() {
        let hash = |name, street, zip5| facts(name, street, zip5).hash();
        let whole = hash(Some("a"), Some("b"), Some("c"));
        assert!(whole.name.is_some() && whole.place.is_some());
        assert_eq!(hash(Some("a"), Some("b"), None), PersonHash { place: None, ..whole });
        assert_eq!(hash(Some("a"), None, Some("c")), PersonHash { place: None, ..whole });
        assert_eq!(hash(None, Some("b"), Some("c")), PersonHash { name: None, ..whole });
    }

    #[test]
    fn stored_hashes_do_not_change() {
        let hash = facts(Some("jane\u{1f}doe"), Some("123 main st"), Some("02134")).hash();
        assert_eq!(hash, PersonHash { name: Some(5_228_539_211_494_791), place: Some(8_835_834_381_095_747) });
    }
}
