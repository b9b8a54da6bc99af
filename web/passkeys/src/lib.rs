//! What verifies passkeys for the console (rule G28, decisions 0103 and 0119).
//!
//! [`PasskeyVerifier`] is what the console asks. With the feature `passki` there is [`PasskiVerifier`], which answers by the
//! library of that name. The Worker answers by a wasm module of its own, which contains the same verifier.
#![deny(missing_debug_implementations)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic))]

#[cfg(feature = "passki")]
mod library;

#[cfg(feature = "passki")]
pub use library::PasskiVerifier;

/// What a passkey has to have signed, for whom and where.
///
/// ```
/// use matterbook_passkeys::Ceremony;
/// let ceremony = Ceremony { origin: "https://firm.example", challenges: ["AAAA", "AAAB"], login: &[7; 16] };
/// assert_eq!(ceremony.origin, "https://firm.example");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ceremony<'c> {
    /// The origin of the console. It has a host for which there are passkeys ([`host_of`]).
    pub origin: &'c str,
    /// The challenges of which one is signed, in base64url.
    pub challenges: [&'c str; 2],
    /// The id of the login: at least 16 bytes.
    pub login: &'c [u8],
}

/// What a browser answered.
///
/// ```
/// use matterbook_passkeys::Credential;
/// let credential = Credential { id: &[1, 2, 3], answer: r#"{"rawId":"AQID","response":{}}"# };
/// assert_eq!(credential.id.len(), 3);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Credential<'c> {
    /// The id of the passkey.
    pub id: &'c [u8],
    /// The browser's `PublicKeyCredential` in JSON, whose bytes are base64url.
    pub answer: &'c str,
}

/// What verifies passkeys.
pub trait PasskeyVerifier: Sync {
    /// The state of a new passkey, for later sign-ins. `None` if the credential is not one of this ceremony.
    ///
    /// # Errors
    /// A sentence for the log, if the verifier itself failed.
    fn register(&self, ceremony: Ceremony<'_>, credential: Credential<'_>) -> Result<Option<Vec<u8>>, String>;

    /// The state of a passkey after it signed somebody in. `None` if the credential is not one of this ceremony, or not
    /// of the passkey and the login that the state is of.
    ///
    /// # Errors
    /// A sentence for the log, if the verifier itself failed.
    fn sign_in(
        &self,
        ceremony: Ceremony<'_>,
        credential: Credential<'_>,
        state: &[u8],
    ) -> Result<Option<Vec<u8>>, String>;
}

/// The name by which passkeys know an origin: its host, without a port. `None` for an address of numbers, for which
/// browsers make no passkey.
///
/// ```
/// use matterbook_passkeys::host_of;
/// assert_eq!(host_of("https://firm.example:8443"), Some("firm.example"));
/// assert_eq!(host_of("http://127.0.0.1:8080"), None);
/// assert_eq!(host_of("http://[::1]:8080"), None);
/// ```
#[must_use]
pub fn host_of(origin: &str) -> Option<&str> {
    let (_, host) = origin.split_once("://")?;
    let name = host.split(':').next().unwrap_or(host);
    let is_name = !host.starts_with('[') && name.parse::<std::net::IpAddr>().is_err();
    is_name.then_some(name)
}
