//! Secrets by which a person gets into the console: sign-in links and sessions (rules of group G, decision 0098).
//!
//! Each is 32 random bytes, shown to one browser. A store keeps the SHA-256 alone.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use http::HeaderMap;
use sha2::{Digest as _, Sha256};

use crate::settings::Settings;

/// How long a sign-in link works (rule G2).
pub const LINK_SECONDS: i64 = 24 * 60 * 60;
/// A session ends after so long without a recorded use (rule G6).
pub const SESSION_UNUSED_SECONDS: i64 = 12 * 60 * 60;
/// A session ends so long after it began (rule G6).
pub const SESSION_SECONDS: i64 = 30 * 24 * 60 * 60;
/// The use of a session is recorded this often (rule G7).
pub const SESSION_USE_RECORDED_EVERY_SECONDS: i64 = 10 * 60;

/// The text of 32 random bytes: 43 characters of base64url.
///
/// ```
/// use matterbook_core::sign_in::new_token;
/// assert_eq!(new_token([0; 32]), "A".repeat(43));
/// ```
#[must_use]
pub fn new_token(random: [u8; 32]) -> String {
    URL_SAFE_NO_PAD.encode(random)
}

/// The origin at which people open the console: `MATTERBOOK_PUBLIC_URL`, or else the host that the request was sent
/// to. Without TLS, sign-in works only on the machine itself, so another host's origin is `https` (rule G3).
///
/// ```
/// use http::{HeaderMap, header::HOST};
/// use matterbook_core::{http, settings::Settings, sign_in::console_origin};
/// let origin = |host: &'static str| {
///     let headers = HeaderMap::from_iter([(HOST, http::HeaderValue::from_static(host))]);
///     console_origin(&Settings::default(), &headers)
/// };
/// assert_eq!(origin("matterbook.example.com"), Some("https://matterbook.example.com".to_owned()));
/// assert_eq!(origin("localhost:8080"), Some("http://localhost:8080".to_owned()));
/// assert_eq!(origin("user@example.com"), None);
/// ```
#[must_use]
pub fn console_origin(settings: &Settings, headers: &HeaderMap) -> Option<String> {
    if let Some(public_url) = &settings.public_url {
        return Some(public_url.clone());
    }
    let host = headers.get(http::header::HOST)?.to_str().ok().filter(|host| is_host(host))?;
    let scheme = if is_loopback(host) { "http" } else { "https" };
    Some(format!("{scheme}://{host}"))
}

/// Whether a text is a host, perhaps with a port, and nothing else.
pub(crate) fn is_host(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte))
}

/// Whether a host, perhaps with a port, is this machine.
///
/// ```
/// use matterbook_core::sign_in::is_loopback;
/// assert!(is_loopback("localhost:8080") && is_loopback("127.0.0.1") && is_loopback("[::1]:80"));
/// assert!(!is_loopback("127.0.0.1.example.com") && !is_loopback("example.com:8080"));
/// ```
#[must_use]
pub fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    // Without a parser of addresses, which the Worker would carry for this alone. A name never ends in a number.
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    name.eq_ignore_ascii_case("localhost") || name == "[::1]" || is_number && name.starts_with("127.")
}

/// The address of a sign-in link.
///
/// ```
/// use matterbook_core::sign_in::link_url;
/// assert_eq!(link_url("https://matterbook.example.com", "TOKEN"), "https://matterbook.example.com/app/link/TOKEN");
/// ```
#[must_use]
pub fn link_url(public_url: &str, token: &str) -> String {
    format!("{public_url}/app/link/{token}")
}

/// Declares the digest of one kind of token, so that one kind is never taken for the other.
macro_rules! digest {
    ($(#[$comment:meta])* $name:ident) => {
        $(#[$comment])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name([u8; 32]);

        impl $name {
            /// The digest of a whole token.
            #[must_use]
            pub fn of(token: &str) -> Self {
                Self(Sha256::digest(token.as_bytes()).into())
            }

            /// The digest as it is stored: 43 characters of base64url.
            #[must_use]
            pub fn to_text(self) -> String {
                URL_SAFE_NO_PAD.encode(self.0)
            }
        }

        impl std::fmt::Debug for $name {
            /// Never shows the digest: it identifies a secret.
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(concat!(stringify!($name), "(…)"))
            }
        }
    };
}

digest! {
    /// The SHA-256 of a sign-in link's token. It is all by which a store knows the link again.
    LinkDigest
}

digest! {
    /// The SHA-256 of a session's token, which is in the browser's cookie.
    SessionDigest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_never_shown() {
        let token = new_token([7; 32]);
        let shown = format!("{:?} {:?}", LinkDigest::of(&token), SessionDigest::of(&token));
        assert_eq!(shown, "LinkDigest(…) SessionDigest(…)");
        assert_eq!(LinkDigest::of(&token).to_text(), SessionDigest::of(&token).to_text());
        assert_ne!(LinkDigest::of(&token), LinkDigest::of(&new_token([8; 32])));
    }
}
