//! Digests of an erased client's identity (rules D2 and D3). A client that is created again keeps its
//! `do_not_mail`, and the digests do not reveal who it was.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::MatchKey;
use crate::store::IdentityDigest;

/// The digests of a record's identities within an account: one for its external id, and one for
/// its person (name, and street and ZIP as far as they are known) if it has a name. The account's
/// id salts them, so the digests of one person in two accounts differ.
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
    let external_id = external_id.map(|id| digest(account, "external_id", &[id]));
    let person = match_key.name.as_deref().map(|name| {
        let street = match_key.street.as_deref().unwrap_or_default();
        digest(account, "person", &[name, street, match_key.zip5.as_deref().unwrap_or_default()])
    });
    external_id.into_iter().chain(person).collect()
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
    use super::*;

    const ACCOUNT: Uuid = Uuid::from_u128(1);

    fn person(name: &str, street: Option<&str>, zip5: Option<&str>) -> MatchKey {
        MatchKey { name: Some(name.into()), street: street.map(Into::into), zip5: zip5.map(Into::into) }
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
                "3db7947f5a2912eb40f490f1e26344b5be9be86d36015c6cf9788e4f68ed9427",
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
