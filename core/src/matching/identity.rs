//! Digests of an erased client's identity (rules D2 and D3). A client that is created again keeps its
//! `do_not_mail`, and the digests do not reveal who it was.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::MatchKey;
use crate::store::IdentityDigest;

/// The digests of an erased client's identities within an account: one for its external id, and one for
/// its person (name, and street and ZIP as far as they are known) if it has a name. A person with a unit in
/// line 2 only has a second one, by which a client with that unit in line 1 finds it. The account's id salts
/// them, so the digests of one person in two accounts differ.
///
/// They are stored: another way to compute them would lose the erased clients.
///
/// ```
/// use matterbook_core::{matching::{MatchKey, identities}, uuid::Uuid};
/// let account = Uuid::from_u128(1);
/// let match_key = MatchKey { name: Some("jane\u{1f}doe".into()), ..MatchKey::default() };
/// assert_eq!(identities(account, Some("A-1"), &match_key).len(), 2);
/// assert_eq!(identities(account, None, &MatchKey::default()), []);
/// ```
#[must_use]
pub fn identities(account: Uuid, external_id: Option<&str>, match_key: &MatchKey) -> Vec<IdentityDigest> {
    let digest = Digests { account, match_key };
    let line2 = match_key.line2_unit.as_deref().map(Unit::Line2);
    digest.of(external_id, [match_key.unit.as_deref().map_or(Unit::None, Unit::Line1)].into_iter().chain(line2))
}

/// The digests under which an erased client with the same identity left its [`identities`].
///
/// ```
/// use matterbook_core::{client::ClientFields, matching::{MatchKey, erased_identities, identities}, uuid::Uuid};
/// let key = |line1: &str, line2: Option<&str>| MatchKey::of(&ClientFields {
///     last_name: Some("Li".into()),
///     address_line1: Some(line1.into()),
///     address_line2: line2.map(Into::into),
///     ..ClientFields::default()
/// });
/// let stored = identities(Uuid::nil(), None, &key("600 Canal St", Some("Apt 4")));
/// let finds = |key: &MatchKey| erased_identities(Uuid::nil(), None, key).iter().any(|digest| stored.contains(digest));
/// assert!(finds(&key("600 Canal St #4", None)) && finds(&key("600 Canal St", None)));
/// assert!(!finds(&key("600 Canal St #5", None)));
/// ```
#[must_use]
pub fn erased_identities(account: Uuid, external_id: Option<&str>, match_key: &MatchKey) -> Vec<IdentityDigest> {
    let digest = Digests { account, match_key };
    match (match_key.unit.as_deref(), match_key.line2_unit.as_deref()) {
        (Some(unit), _) => digest.of(external_id, [Unit::Line1(unit), Unit::Line2(unit)].into_iter()),
        (None, line2) => digest.of(external_id, [Unit::None].into_iter().chain(line2.map(Unit::Line1))),
    }
}

/// What a digest of a person says of its unit.
#[derive(Clone, Copy)]
enum Unit<'a> {
    /// Line 1 has none.
    None,
    /// Line 1 has this one.
    Line1(&'a str),
    /// Line 1 has none, and line 2 has this one.
    Line2(&'a str),
}

struct Digests<'a> {
    account: Uuid,
    match_key: &'a MatchKey,
}

impl Digests<'_> {
    fn of<'u>(&self, external_id: Option<&str>, units: impl Iterator<Item = Unit<'u>>) -> Vec<IdentityDigest> {
        let external_id = external_id.map(|id| digest(self.account, "external_id", &[id]));
        let persons = units.filter_map(|unit| self.of_person(unit));
        external_id.into_iter().chain(persons).collect()
    }

    fn of_person(&self, unit: Unit<'_>) -> Option<IdentityDigest> {
        let MatchKey { name, street, zip5, .. } = self.match_key;
        let (street, zip5) = (street.as_deref().unwrap_or_default(), zip5.as_deref().unwrap_or_default());
        let (line1, line2) = match unit {
            Unit::None => ("", ""),
            Unit::Line1(unit) => (unit, ""),
            Unit::Line2(unit) => ("", unit),
        };
        Some(digest(self.account, "person", &[name.as_deref()?, street, line1, line2, zip5]))
    }
}

/// SHA-256 of the account's id, the kind and the parts, each followed by a character that none of them
/// contains.
fn digest(account: Uuid, kind: &str, parts: &[&str]) -> IdentityDigest {
    let mut hasher = Sha256::new_with_prefix(account.as_bytes());
    for part in std::iter::once(&kind).chain(parts) {
        hasher.update(part.as_bytes());
        hasher.update(b"\x1e");
    }
    IdentityDigest(hasher.finalize().into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::client::ClientFields;

    const ACCOUNT: Uuid = Uuid::from_u128(1);

    fn person(name: &str, street: Option<&str>, zip5: Option<&str>) -> MatchKey {
        let (street, zip5) = (street.map(Into::into), zip5.map(Into::into));
        MatchKey { name: Some(name.into()), street, zip5, ..MatchKey::default() }
    }

    #[test]
    fn stored_digests_do_not_change() {
        let match_key = person("jane\u{1f}doe", Some("123 main st"), Some("02134"));
        let hex = |digest: &IdentityDigest| digest.0.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let digests: Vec<String> = identities(ACCOUNT, Some("A-1"), &match_key).iter().map(hex).collect();
        assert_eq!(
            digests,
            [
                "8c4adc200eb3bd4d4411c338ea71d44e3103fd7ceb67aee1ad5ac8754afa0787",
                "59e995f8e8e5ad31bf11f91b70462eee94d9989630c9019d6f5932ba3daa17e7",
            ]
        );
    }

    #[test]
    fn the_same_identity_has_the_same_digest_in_one_account_only() {
        let match_key = person("jane\u{1f}doe", Some("123 main st"), Some("02134"));
        let here = identities(ACCOUNT, Some("A-1"), &match_key);
        assert_eq!(here, identities(ACCOUNT, Some("A-1"), &match_key));
        let there = identities(Uuid::from_u128(2), Some("A-1"), &match_key);
        assert!(here.iter().all(|digest| !there.contains(digest)));
    }

    proptest! {
        #[test]
        fn equal_facts_have_equal_identities(first in any::<String>(), last in any::<String>(), street in any::<String>()) {
            let fields = ClientFields {
                first_name: Some(first.to_lowercase().into()),
                last_name: Some(last.into()),
                address_line1: Some(street.into()),
                zip: Some("02134".into()),
                ..ClientFields::default()
            };
            let (match_key, again) = (MatchKey::of(&fields), MatchKey::of(&fields));
            prop_assert_eq!(identities(ACCOUNT, None, &match_key), identities(ACCOUNT, None, &again));
            prop_assert_eq!(identities(ACCOUNT, None, &match_key).len(), usize::from(match_key.name.is_some()));
        }
    }

    #[test]
    fn different_identities_have_different_digests() {
        let mut digests = Vec::new();
        for match_key in [
            person("a", None, None),
            person("a", Some("b"), None),
            person("a", None, Some("b")),
            person("b", None, None),
            person("a", Some("b"), Some("c")),
            person("b", Some("a"), Some("c")),
            person("person", None, None),
        ] {
            digests.extend(identities(ACCOUNT, None, &match_key));
        }
        for id in ["a", "A", "person", "1"] {
            digests.extend(identities(ACCOUNT, Some(id), &MatchKey::default()));
        }
        assert_eq!(digests.len(), 11);
        digests.sort();
        digests.dedup();
        assert_eq!(digests.len(), 11);
    }
}
