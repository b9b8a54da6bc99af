//! API keys: their form, and the digest that a store keeps (rules K1 to K4).

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};

/// The number of characters after the prefix: 32 bytes in base64url without padding.
const KEY_BODY_LENGTH: usize = 43;

/// The SHA-256 of an API key. A store keeps nothing else of it.
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

/// A new key from 32 random bytes. It is shown once and never stored.
///
/// ```
/// use matterbook_core::key::{is_well_formed, new_key};
/// assert!(is_well_formed("mtb_", &new_key("mtb_", [7; 32])));
/// ```
#[must_use]
pub fn new_key(prefix: &str, random: [u8; 32]) -> String {
    format!("{prefix}{}", URL_SAFE_NO_PAD.encode(random))
}
