//! The hashes by which a store looks a person up.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::MatchKey;

/// The two hashes by which a store looks a record up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PersonHash {
    /// Hash of the name, 0 to 2^53 − 1; `None` without a name.
    pub name: Option<i64>,
    /// Hash of street and ZIP, 0 to 2^53 − 1; `None` when either is missing.
    pub place: Option<i64>,
}

impl PersonHash {
    /// Whether the record has a name, a street and a ZIP. Only such records match by them.
    pub(crate) const fn is_complete(&self) -> bool {
        self.name.is_some() && self.place.is_some()
    }
}

impl MatchKey {
    /// The hashes of this match key. They are stored: another way to compute them needs a migration.
    #[must_use]
    pub fn hash(&self) -> PersonHash {
        let name = self.name.as_deref().map(|name| hash53(name, 0));
        // A ZIP is five digits, so it has a number of its own.
        let place = self.street.as_deref().zip(self.zip5.as_deref()).map(|(street, zip5)| {
            let number = zip5.bytes().fold(1, |number: u64, digit| number.wrapping_mul(10).wrapping_add(digit.into()));
            hash53(street, number)
        });
        PersonHash { name, place }
    }
}

fn hash53(text: &str, seed: u64) -> i64 {
    /// Integers up to 2^53 − 1 are exact in a JavaScript number.
    const MASK: u64 = (1 << 53) - 1;
    (xxh3_64_with_seed(text.as_bytes(), seed) & MASK).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn match_key(name: Option<&str>, street: Option<&str>, zip5: Option<&str>) -> MatchKey {
        MatchKey { name: name.map(Into::into), street: street.map(Into::into), zip5: zip5.map(Into::into) }
    }

    #[test]
    fn a_hash_is_there_when_its_facts_are() {
        let hash = |name, street, zip5| match_key(name, street, zip5).hash();
        let whole = hash(Some("a"), Some("b"), Some("c"));
        assert!(whole.name.is_some() && whole.place.is_some());
        assert_eq!(hash(Some("a"), Some("b"), None), PersonHash { place: None, ..whole });
        assert_eq!(hash(Some("a"), None, Some("c")), PersonHash { place: None, ..whole });
        assert_eq!(hash(None, Some("b"), Some("c")), PersonHash { name: None, ..whole });
    }

    #[test]
    fn stored_hashes_do_not_change() {
        let hash = match_key(Some("jane\u{1f}doe"), Some("123 main st"), Some("02134")).hash();
        assert_eq!(hash, PersonHash { name: Some(5_228_539_211_494_791), place: Some(2_077_038_170_613_486) });
    }
}
