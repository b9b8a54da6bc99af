//! The key secrets of a deployment: they make keys and tell a forged one without storage (rules K8 to K11,
//! decision 0065).

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use smol_str::SmolStr;

use super::{AccountNumber, StoredKey};
use crate::settings::SettingError;

/// The name of the setting that holds the secrets.
pub const KEY_SECRET: &str = "MATTERBOOK_KEY_SECRET";

/// What is authenticated besides the bytes themselves. None begins with another.
const KEY_DOMAIN: &[u8] = b"matterbook key\0";
const CHECK_DOMAIN: &[u8] = b"matterbook key secret check\0";
const PREVIEW_DOMAIN: &[u8] = b"matterbook preview\0";

const NUMBER_BYTES: usize = 6;
const RANDOM_BYTES: usize = 20;
const MAC_BYTES: usize = 6;
const KEY_BYTES: usize = NUMBER_BYTES + RANDOM_BYTES + MAC_BYTES;
const SECRET_BYTES: usize = 32;
const CHECK_BYTES: usize = 9;

/// The length of a signature of [`KeySecrets::preview_tag`].
pub(crate) const PREVIEW_TAG_BYTES: usize = 16;

/// The key secrets of a deployment, one or two. The first makes keys, each verifies them.
///
/// ```
/// use matterbook_core::key::{AccountNumber, KeySecrets, new_secret};
///
/// let (old, new) = (new_secret([1; 32]), new_secret([2; 32]));
/// let [before, during, after] = [old.clone(), format!("{new},{old}"), new].map(|text| KeySecrets::parse(&text));
/// let (before, during, after) = (before?, during?, after?);
///
/// let number = AccountNumber::from_bytes([0, 0, 0, 0, 0, 7]);
/// let key = before.new_key("mtb_", number, [9; 20]);
/// assert_eq!(during.account_number("mtb_", &key), Some(number));
/// assert_eq!(after.account_number("mtb_", &key), None);
/// # Ok::<(), matterbook_core::settings::SettingError>(())
/// ```
#[derive(Clone)]
pub struct KeySecrets {
    first: KeySecret,
    second: Option<KeySecret>,
}

#[derive(Clone)]
struct KeySecret {
    /// Keyed and fed with the domain of keys.
    mac: Hmac<Sha256>,
    /// Keyed and fed with the domain of previews.
    preview_mac: Hmac<Sha256>,
    check: KeySecretCheck,
}

/// A value that tells key secrets apart and reveals nothing of them: what is stored of a secret.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeySecretCheck(SmolStr);

impl KeySecretCheck {
    /// A check value as it was stored.
    #[must_use]
    pub fn from_text(text: SmolStr) -> Self {
        Self(text)
    }

    /// The value as it is stored: 12 characters of base64url.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A new key secret from 32 random bytes: 43 characters of base64url.
#[must_use]
pub fn new_secret(random: [u8; SECRET_BYTES]) -> String {
    URL_SAFE_NO_PAD.encode(random)
}

impl KeySecrets {
    /// The secrets of a setting or a file: one or two, separated by a comma or white space.
    ///
    /// # Errors
    /// When it is not that. The sentence repeats nothing of it.
    pub fn parse(text: &str) -> Result<Self, SettingError> {
        let mut secrets =
            text.split([',', ' ', '\t', '\r', '\n']).filter(|part| !part.is_empty()).map(KeySecret::parse);
        match (secrets.next().flatten(), secrets.next(), secrets.next()) {
            (Some(first), None, None) => Ok(Self { first, second: None }),
            (Some(first), Some(Some(second)), None) => Ok(Self { first, second: Some(second) }),
            _ => Err(SettingError(format!(
                "{KEY_SECRET} must be one key secret, or the new and the old one with a comma between them; \
                 `matterbook secret` makes one."
            ))),
        }
    }

    /// A new key of an account, made with the first secret. It is shown once and never stored.
    #[must_use]
    pub fn new_key(&self, prefix: &str, account: AccountNumber, random: [u8; RANDOM_BYTES]) -> String {
        let mac = self.first.mac.clone().chain_update(account.0).chain_update(random).finalize().into_bytes();
        let bytes = account.0.iter().chain(&random).chain(mac.iter().take(MAC_BYTES));
        format!("{prefix}{}", URL_SAFE_NO_PAD.encode(bytes.copied().collect::<Vec<_>>()))
    }

    /// What a store keeps of a key that [`KeySecrets::new_key`] made.
    #[must_use]
    pub fn stored(&self, key: &str) -> StoredKey {
        StoredKey::new(key, self.first.check.clone())
    }

    /// The account's number of a key that one of the secrets made; `None` for every other text.
    #[must_use]
    pub fn account_number(&self, prefix: &str, key: &str) -> Option<AccountNumber> {
        let body = key.strip_prefix(prefix)?;
        let mut bytes = [0; KEY_BYTES];
        // The decoder refuses the unused bits of the last character unless they are zero: a key has one form.
        let length = URL_SAFE_NO_PAD.decode_slice(body, &mut bytes).ok()?;
        let (signed, mac) = bytes.split_at_checked(NUMBER_BYTES + RANDOM_BYTES)?;
        // The comparison takes the same time whatever differs.
        let is_made_here =
            |secret: &KeySecret| secret.mac.clone().chain_update(signed).verify_truncated_left(mac).is_ok();
        let is_known = is_made_here(&self.first) || self.second.as_ref().is_some_and(is_made_here);
        let number = signed.first_chunk().filter(|_| length == KEY_BYTES && is_known)?;
        Some(AccountNumber(*number))
    }

    /// Signs what a preview showed, with the first secret (rule X14).
    pub(crate) fn preview_tag(&self, parts: [&[u8]; 2]) -> [u8; PREVIEW_TAG_BYTES] {
        let mac = parts.iter().fold(self.first.preview_mac.clone(), |mac, part| mac.chain_update(part));
        let mut tag = [0; PREVIEW_TAG_BYTES];
        tag.iter_mut().zip(mac.finalize().into_bytes()).for_each(|(to, from)| *to = from);
        tag
    }

    /// Whether one of the secrets signed this, in the same time whatever differs.
    pub(crate) fn is_preview_tag(&self, parts: [&[u8]; 2], tag: &[u8]) -> bool {
        let is_made_here = |secret: &KeySecret| {
            let mac = parts.iter().fold(secret.preview_mac.clone(), |mac, part| mac.chain_update(part));
            tag.len() == PREVIEW_TAG_BYTES && mac.verify_truncated_left(tag).is_ok()
        };
        is_made_here(&self.first) || self.second.as_ref().is_some_and(is_made_here)
    }

    /// The check value of each secret, the making one first.
    pub fn checks(&self) -> impl Iterator<Item = &KeySecretCheck> {
        [&self.first].into_iter().chain(&self.second).map(|secret| &secret.check)
    }

    /// Whether a deployment whose keys were made with `recorded` can use these secrets: one of them is known,
    /// or there are no keys yet.
    #[must_use]
    pub fn fit(&self, recorded: &[KeySecretCheck]) -> bool {
        recorded.is_empty() || self.checks().any(|check| recorded.contains(check))
    }
}

impl std::fmt::Debug for KeySecrets {
    /// Never shows a secret.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("KeySecrets(…)")
    }
}

impl PartialEq for KeySecrets {
    fn eq(&self, other: &Self) -> bool {
        self.checks().eq(other.checks())
    }
}

impl Eq for KeySecrets {}

impl KeySecret {
    fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; SECRET_BYTES];
        let length = URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).ok()?;
        if length != SECRET_BYTES {
            return None;
        }
        let keyed = Hmac::<Sha256>::new_from_slice(&bytes).ok()?;
        let check = keyed.clone().chain_update(CHECK_DOMAIN).finalize().into_bytes();
        let check: Vec<u8> = check.iter().take(CHECK_BYTES).copied().collect();
        let check = KeySecretCheck(URL_SAFE_NO_PAD.encode(check).into());
        let preview_mac = keyed.clone().chain_update(PREVIEW_DOMAIN);
        Some(Self { mac: keyed.chain_update(KEY_DOMAIN), preview_mac, check })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PREFIX: &str = "mtb_";
    const NUMBER: AccountNumber = AccountNumber::from_bytes([0xff, 0, 1, 2, 3, 0xfe]);

    fn secrets(text: &str) -> KeySecrets {
        KeySecrets::parse(text).unwrap()
    }

    fn one(byte: u8) -> String {
        new_secret([byte; 32])
    }

    #[test]
    fn a_key_names_its_account_and_has_the_form_of_before() {
        let secrets = secrets(&one(1));
        let key = secrets.new_key(PREFIX, NUMBER, [7; 20]);
        assert!(super::super::is_well_formed(PREFIX, &key));
        assert_eq!(secrets.account_number(PREFIX, &key), Some(NUMBER));
        // From HMAC-SHA-256 of the standard library of another language.
        assert_eq!(key, "mtb__wABAgP-BwcHBwcHBwcHBwcHBwcHBwcHBwdLQa6_7rU");
        assert_eq!(secrets.stored(&key).last_four, key[43..]);
    }

    #[test]
    fn a_key_with_any_other_character_is_refused() {
        let secrets = secrets(&one(1));
        let key = secrets.new_key(PREFIX, NUMBER, [7; 20]);
        for position in PREFIX.len()..key.len() {
            for other in ["A", "B", "z", "9", "-", "_", " ", "=", "é"] {
                let mut changed = key.clone();
                changed.replace_range(position..=position, other);
                if changed != key {
                    assert_eq!(secrets.account_number(PREFIX, &changed), None, "character {position} is {other}");
                }
            }
        }
        for text in ["", PREFIX, &key[..46], &format!("{key}A"), &key.replace(PREFIX, "abc_")] {
            assert_eq!(secrets.account_number(PREFIX, text), None, "{text}");
        }
    }

    #[test]
    fn the_first_secret_makes_keys_and_both_verify_them() {
        let (old, new) = (secrets(&one(1)), secrets(&one(2)));
        let both = secrets(&format!("{},\n{}\n", one(2), one(1)));
        let [before, during] = [&old, &both].map(|secrets| secrets.new_key(PREFIX, NUMBER, [7; 20]));
        let opens = |secrets: &KeySecrets, key: &str| secrets.account_number(PREFIX, key).is_some();
        assert_eq!([&old, &both, &new].map(|secrets| opens(secrets, &before)), [true, true, false]);
        assert_eq!([&old, &both, &new].map(|secrets| opens(secrets, &during)), [false, true, true]);
    }

    #[test]
    fn secrets_fit_a_deployment_that_knows_one_of_them() {
        let both = secrets(&format!("{},{}", one(2), one(1)));
        let check = |byte| secrets(&one(byte)).checks().next().unwrap().clone();
        assert!(both.fit(&[]) && both.fit(&[check(1)]) && both.fit(&[check(3), check(2)]));
        assert!(!both.fit(&[check(3)]));
    }

    #[test]
    fn what_is_no_secret_is_refused_without_being_repeated() {
        let three = [one(1), one(2), one(3)].join(",");
        for text in ["", "word", &one(1)[..42], &format!("{}A", one(1)), &three, &format!("{},word", one(1))] {
            let refused = KeySecrets::parse(text).unwrap_err().to_string();
            assert!(refused.starts_with(KEY_SECRET) && !refused.contains("word"), "{refused}");
        }
    }
}
