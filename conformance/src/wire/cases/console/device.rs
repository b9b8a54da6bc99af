//! A device that makes passkeys and signs with them, in place of a fingerprint reader.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use p256::ecdsa::{Signature, SigningKey, signature::Signer as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Somebody was there, and was recognized.
const PRESENT: u8 = 0x01;
const VERIFIED: u8 = 0x04;
/// The passkey itself is told.
const WITH_PASSKEY: u8 = 0x40;

/// A device with one passkey.
pub(super) struct Device {
    key: SigningKey,
    id: Vec<u8>,
    /// The login that the passkey is for.
    pub(super) login: Vec<u8>,
    /// The origin of the page, which the browser tells.
    pub(super) origin: String,
    /// The host that the passkey is for.
    pub(super) host: String,
    /// Whether it asks for a fingerprint.
    pub(super) verifies: bool,
    /// How often it has signed.
    pub(super) counter: u32,
}

impl Device {
    /// A device for a login. Another `number` is another device.
    pub(super) fn new(origin: &str, host: &str, login: &[u8], number: u8) -> Option<Self> {
        let id = Sha256::new().chain_update(login).chain_update([number]).finalize().to_vec();
        Some(Self {
            key: SigningKey::from_slice(&Sha256::digest(&id)).ok()?,
            id,
            login: login.to_vec(),
            origin: origin.to_owned(),
            host: host.to_owned(),
            verifies: true,
            counter: 0,
        })
    }

    /// The form that adds its passkey under a name.
    pub(super) fn form_to_add(&self, challenge: &str, name: &str) -> String {
        let client_data = self.client_data("webauthn.create", challenge);
        let mut told = self.told(WITH_PASSKEY);
        // The kind of the device, which none tells; then the id and the public key.
        told.extend([0; 16]);
        told.extend(u16::try_from(self.id.len()).unwrap_or_default().to_be_bytes());
        told.extend(&self.id);
        told.extend(self.public_key());
        let mut attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        attestation.push(u8::try_from(told.len()).unwrap_or_default());
        attestation.extend(told);
        let response = json!({
            "clientDataJSON": URL_SAFE_NO_PAD.encode(client_data),
            "attestationObject": URL_SAFE_NO_PAD.encode(attestation),
        });
        format!("name={name}&{}", self.form(&response))
    }

    /// The form that signs in with its passkey.
    pub(super) fn form_to_sign_in(&self, challenge: &str) -> String {
        let client_data = self.client_data("webauthn.get", challenge);
        let told = self.told(0);
        let signature: Signature = self.key.sign(&[&told[..], &Sha256::digest(&client_data)].concat());
        self.form(&json!({
            "clientDataJSON": URL_SAFE_NO_PAD.encode(client_data),
            "authenticatorData": URL_SAFE_NO_PAD.encode(told),
            "signature": URL_SAFE_NO_PAD.encode(signature.to_der().as_bytes()),
            "userHandle": URL_SAFE_NO_PAD.encode(&self.login),
        }))
    }

    fn form(&self, response: &Value) -> String {
        let id = URL_SAFE_NO_PAD.encode(&self.id);
        let credential = json!({"rawId": id, "response": response}).to_string();
        let encoded: String = credential.bytes().map(|byte| format!("%{byte:02x}")).collect();
        format!("credential_id={id}&credential={encoded}")
    }

    fn client_data(&self, kind: &str, challenge: &str) -> Vec<u8> {
        json!({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false})
            .to_string()
            .into_bytes()
    }

    /// What the device tells of itself and of the person: "authenticator data".
    fn told(&self, more: u8) -> Vec<u8> {
        let verified = if self.verifies { VERIFIED } else { 0 };
        let mut told = Sha256::digest(self.host.as_bytes()).to_vec();
        told.push(PRESENT | verified | more);
        told.extend(self.counter.to_be_bytes());
        told
    }

    /// The public key in COSE's form: an elliptic curve of two coordinates, ES256, P-256.
    fn public_key(&self) -> Vec<u8> {
        let point = self.key.verifying_key().to_sec1_point(false);
        let mut key = b"\xa5\x01\x02\x03\x26\x20\x01".to_vec();
        for (label, coordinate) in [(0x21, point.x()), (0x22, point.y())] {
            key.extend([label, 0x58, 32]);
            key.extend(coordinate.into_iter().flatten());
        }
        key
    }
}
