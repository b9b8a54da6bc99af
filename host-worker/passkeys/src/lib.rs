//! The Worker's second wasm module: what verifies passkeys (decision 0119).
//!
//! The first module calls both functions through JavaScript (`host-worker/src/passkeys.rs`).
#![cfg(target_arch = "wasm32")]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use matterbook_passkeys::{Ceremony, Credential, PasskeyVerifier as _, PasskiVerifier};
use wasm_bindgen::prelude::wasm_bindgen;

/// The state of a new passkey; `None` if the credential is not one of this ceremony.
///
/// # Errors
/// A sentence for the log, if the verifier itself failed.
#[wasm_bindgen]
pub fn register(
    origin: &str,
    challenge: &str,
    earlier_challenge: &str,
    login: &[u8],
    id: &[u8],
    answer: &str,
) -> Result<Option<Vec<u8>>, String> {
    #[cfg(feature = "test-hooks")]
    if answer == "trap" {
        core::arch::wasm32::unreachable();
    }
    let ceremony = Ceremony { origin, challenges: [challenge, earlier_challenge], login };
    PasskiVerifier.register(ceremony, Credential { id, answer })
}

/// The state of a passkey after it signed somebody in; `None` if the credential is not one of this ceremony.
///
/// # Errors
/// A sentence for the log, if the verifier itself failed.
#[wasm_bindgen(js_name = signIn)]
pub fn sign_in(
    origin: &str,
    challenge: &str,
    earlier_challenge: &str,
    login: &[u8],
    id: &[u8],
    answer: &str,
    state: &[u8],
) -> Result<Option<Vec<u8>>, String> {
    let ceremony = Ceremony { origin, challenges: [challenge, earlier_challenge], login };
    PasskiVerifier.sign_in(ceremony, Credential { id, answer }, state)
}
