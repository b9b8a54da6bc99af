//! The verifier of the library `passki`.

use passki::{
    AuthenticationCredential, AuthenticationOptions, Passki, RegistrationCredential, RegistrationOptions,
    StoredPasskey, UserVerificationRequirement,
};

use super::{Ceremony, Credential, PasskeyVerifier, host_of};

/// Verifies passkeys by the library `passki`. A state is its `StoredPasskey` in JSON.
///
/// ```
/// use matterbook_passkeys::{Ceremony, Credential, PasskeyVerifier as _, PasskiVerifier};
/// let ceremony = Ceremony { origin: "https://firm.example", challenges: ["AAAA", "AAAB"], login: &[7; 16] };
/// let credential = Credential { id: &[1, 2, 3], answer: "{}" };
/// assert_eq!(PasskiVerifier.register(ceremony, credential), Ok(None));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PasskiVerifier;

impl PasskeyVerifier for PasskiVerifier {
    fn register(&self, ceremony: Ceremony<'_>, credential: Credential<'_>) -> Result<Option<Vec<u8>>, String> {
        registered(ceremony, credential).map(|stored| text(&stored)).transpose()
    }

    fn sign_in(
        &self,
        ceremony: Ceremony<'_>,
        credential: Credential<'_>,
        state: &[u8],
    ) -> Result<Option<Vec<u8>>, String> {
        let stored = serde_json::from_slice(state).map_err(|error| format!("the state of a passkey: {error}"))?;
        signed_in(ceremony, credential, stored).map(|stored| text(&stored)).transpose()
    }
}

fn text(stored: &StoredPasskey) -> Result<Vec<u8>, String> {
    serde_json::to_vec(stored).map_err(|error| format!("the state of a passkey: {error}"))
}

fn library(origin: &str) -> Option<Passki> {
    let host = host_of(origin)?;
    // Only a browser shows the name of the service, and the console's own page names it there.
    Some(Passki::new(host, &[origin], host))
}

fn registered(ceremony: Ceremony<'_>, credential: Credential<'_>) -> Option<StoredPasskey> {
    let answer: RegistrationCredential = serde_json::from_str(credential.answer).ok()?;
    let passki = library(ceremony.origin)?;
    let options = RegistrationOptions::default();
    let (_, mut state) = passki.start_passkey_registration(ceremony.login, "", "", options).ok()?;
    state.user_verification = UserVerificationRequirement::Required;
    let stored = ceremony.challenges.into_iter().find_map(|challenge| {
        state.challenge = Passki::base64_decode(challenge).ok()?;
        passki.finish_passkey_registration(&answer, &state).ok()
    })?;
    (stored.credential_id == credential.id).then_some(stored)
}

fn signed_in(ceremony: Ceremony<'_>, credential: Credential<'_>, mut stored: StoredPasskey) -> Option<StoredPasskey> {
    let answer: AuthenticationCredential = serde_json::from_str(credential.answer).ok()?;
    let passki = library(ceremony.origin)?;
    let (_, mut state) = passki.start_passkey_authentication(&[], AuthenticationOptions::default()).ok()?;
    state.allowed_credentials = vec![credential.id.to_vec()];
    state.user_verification = UserVerificationRequirement::Required;
    let verified = ceremony.challenges.into_iter().find_map(|challenge| {
        state.challenge = Passki::base64_decode(challenge).ok()?;
        passki.finish_passkey_authentication(&answer, &state, &stored).ok()
    })?;
    // A discoverable passkey names its login.
    let is_of_login = verified.user_handle.is_none_or(|handle| handle == ceremony.login);
    stored.counter = verified.counter;
    is_of_login.then_some(stored)
}
