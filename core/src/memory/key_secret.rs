//! A key secret for tests.

use crate::key::KeySecrets;

/// A published key secret: for tests only. Everybody can make keys with it.
pub const TEST_KEY_SECRET: &str = "a-published-key-secret-of-Matterbooks-tests";

/// Key secrets of [`TEST_KEY_SECRET`]: for tests only.
///
/// # Panics
/// Never: the secret is well-formed.
#[expect(clippy::expect_used, reason = "the secret is a constant")]
#[must_use]
pub fn test_key_secrets() -> KeySecrets {
    KeySecrets::parse(TEST_KEY_SECRET).expect("a key secret")
}
