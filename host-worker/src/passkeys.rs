//! What verifies passkeys: a wasm module of its own (decision 0119). Its trap is an error of this call alone.

use matterbook_passkeys::{Ceremony, Credential, PasskeyVerifier};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

#[wasm_bindgen(raw_module = "passkeys")]
extern "C" {
    #[wasm_bindgen(catch)]
    fn register(
        origin: &str,
        challenge: &str,
        earlier_challenge: &str,
        login: &[u8],
        id: &[u8],
        answer: &str,
    ) -> Result<Option<Vec<u8>>, JsValue>;

    #[wasm_bindgen(catch, js_name = signIn)]
    fn sign_in(
        origin: &str,
        challenge: &str,
        earlier_challenge: &str,
        login: &[u8],
        id: &[u8],
        answer: &str,
        state: &[u8],
    ) -> Result<Option<Vec<u8>>, JsValue>;
}

/// The verifier of the second module.
pub(crate) struct ModuleVerifier;

impl PasskeyVerifier for ModuleVerifier {
    fn register(&self, ceremony: Ceremony<'_>, credential: Credential<'_>) -> Result<Option<Vec<u8>>, String> {
        let Ceremony { origin, challenges: [challenge, earlier], login } = ceremony;
        register(origin, challenge, earlier, login, credential.id, credential.answer).map_err(|error| cause(&error))
    }

    fn sign_in(
        &self,
        ceremony: Ceremony<'_>,
        credential: Credential<'_>,
        state: &[u8],
    ) -> Result<Option<Vec<u8>>, String> {
        let Ceremony { origin, challenges: [challenge, earlier], login } = ceremony;
        sign_in(origin, challenge, earlier, login, credential.id, credential.answer, state)
            .map_err(|error| cause(&error))
    }
}

fn cause(error: &JsValue) -> String {
    format!("the module of passkeys: {}", error.as_string().unwrap_or_default())
}
