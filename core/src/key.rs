//! API keys: their form, the MAC that tells a forged one, what a store keeps, and what a key is limited to (rules
//! K1 to K4 and K8 to K13, decisions 0065 and 0097).

mod secret;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use smol_str::SmolStr;

use crate::{jurisdiction::Jurisdiction, time::Timestamp};

pub(crate) use secret::PREVIEW_TAG_BYTES;
pub use secret::{KEY_SECRET, KeySecretCheck, KeySecrets, new_secret};

/// The number of characters after the prefix: 32 bytes in base64url without padding.
const KEY_BODY_LENGTH: usize = 43;

/// The number of a key's last characters that are kept, so that people tell keys apart.
const LAST_CHARACTERS: usize = 4;

/// The SHA-256 of an API key. It is all by which a store knows the key again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyDigest([u8; 32]);

impl KeyDigest {
    /// The digest of a whole key, prefix included.
    #[must_use]
    pub fn of(key: &str) -> Self {
        Self(Sha256::digest(key.as_bytes()).into())
    }

    /// The digest as it is stored: 43 characters of base64url.
    #[must_use]
    pub fn to_text(self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }
}

impl std::fmt::Debug for KeyDigest {
    /// Never shows the digest: it identifies a secret.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("KeyDigest(…)")
    }
}

/// What a key is limited to (rule K12). A key without a scope opens everything that its account may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyScope {
    /// Clients: `GET` and `POST /clients`, `GET /clients/{client}`, `POST /cases/settled`.
    Clients,
    /// Prospects: `GET /prospects`.
    Prospects,
}

impl KeyScope {
    /// Every scope, in the order of the documentation.
    pub const ALL: [Self; 2] = [Self::Clients, Self::Prospects];

    /// The name in JSON, in the database and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clients => "clients",
            Self::Prospects => "prospects",
        }
    }

    /// The scope of that exact name.
    ///
    /// ```
    /// use matterbook_core::key::KeyScope;
    /// assert_eq!(KeyScope::from_name("prospects"), Some(KeyScope::Prospects));
    /// assert_eq!(KeyScope::from_name("Prospects"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

/// What a new key is limited to, and from when on it is refused (rules K12 and K13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyLimits {
    /// `None` for everything.
    pub scope: Option<KeyScope>,
    /// `None` for a key without an end.
    pub ends_at: Option<Timestamp>,
}

/// What a store keeps of a key (rule K4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredKey {
    /// By which the key is found.
    pub digest: KeyDigest,
    /// Its last four characters, for people.
    pub last_four: SmolStr,
    /// Which key secret made it.
    pub secret: KeySecretCheck,
}

impl StoredKey {
    fn new(key: &str, secret: KeySecretCheck) -> Self {
        let start = key.char_indices().rev().nth(LAST_CHARACTERS - 1).map_or(0, |(start, _)| start);
        Self { digest: KeyDigest::of(key), last_four: key.get(start..).unwrap_or_default().into(), secret }
    }
}

/// The number of an account within a deployment, the first six bytes of each of its keys (rule K8): two bits for its
/// jurisdiction, and 46 random ones. It is shown nowhere else.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccountNumber([u8; 6]);

/// The bits of a number's first byte that say the jurisdiction.
const JURISDICTION_BITS: u8 = 0b1100_0000;

impl AccountNumber {
    /// The number of these bytes, the most significant first.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 6]) -> Self {
        Self(bytes)
    }

    /// A number of these random bytes, for an account of this jurisdiction (rule O41).
    ///
    /// ```
    /// use matterbook_core::{jurisdiction::Jurisdiction, key::AccountNumber};
    /// let number = AccountNumber::new([0xff; 6], Some(Jurisdiction::EuropeanUnion));
    /// assert_eq!(number.jurisdiction(), Some(Jurisdiction::EuropeanUnion));
    /// ```
    #[must_use]
    pub const fn new(random: [u8; 6], jurisdiction: Option<Jurisdiction>) -> Self {
        let [first, b, c, d, e, f] = random;
        let mark = match jurisdiction {
            None => 0,
            Some(Jurisdiction::EuropeanUnion) => 1,
            Some(Jurisdiction::UnitedStates) => 2,
        };
        Self([first & !JURISDICTION_BITS | mark << JURISDICTION_BITS.trailing_zeros(), b, c, d, e, f])
    }

    /// Where the clients of the account have to stay, if that was asked for (rule O41).
    #[must_use]
    pub const fn jurisdiction(self) -> Option<Jurisdiction> {
        match self.0[0] >> JURISDICTION_BITS.trailing_zeros() {
            1 => Some(Jurisdiction::EuropeanUnion),
            2 => Some(Jurisdiction::UnitedStates),
            _ => None,
        }
    }

    /// The number, if it is from 0 to 2^48 − 1.
    ///
    /// ```
    /// use matterbook_core::key::AccountNumber;
    /// assert_eq!(AccountNumber::from_value(7).map(AccountNumber::value), Some(7));
    /// assert_eq!(AccountNumber::from_value(1 << 48), None);
    /// ```
    #[must_use]
    pub const fn from_value(value: i64) -> Option<Self> {
        match value.to_be_bytes() {
            [0, 0, bytes @ ..] => Some(Self(bytes)),
            _ => None,
        }
    }

    /// The number, from 0 to 2^48 − 1.
    #[must_use]
    pub const fn value(self) -> i64 {
        let [a, b, c, d, e, f] = self.0;
        i64::from_be_bytes([0, 0, a, b, c, d, e, f])
    }
}

impl std::fmt::Debug for AccountNumber {
    /// Never shows the number: it is part of each key of the account.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("AccountNumber(…)")
    }
}

/// Whether `text` has the form of a key: the prefix, then 43 letters, digits, `-` and `_` (rule K1).
///
/// ```
/// use matterbook_core::key::is_well_formed;
/// assert!(is_well_formed("mtb_", &format!("mtb_{}", "a".repeat(43))));
/// assert!(!is_well_formed("mtb_", "mtb_short"));
/// ```
#[must_use]
pub fn is_well_formed(prefix: &str, text: &str) -> bool {
    text.strip_prefix(prefix).is_some_and(|body| {
        body.len() == KEY_BODY_LENGTH
            && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    })
}
