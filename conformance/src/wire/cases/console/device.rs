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
        format!("name={name}&{}", self.form(&new_passkey(&client_data, &attestation(&self.told_of_passkey()))))
    }

    /// The forms that add a passkey of another make: what each has in place of this device's, and the form.
    pub(super) fn harmful_forms_to_add(&self, challenge: &str) -> Vec<(&'static str, String)> {
        let client_data = self.client_data("webauthn.create", challenge);
        let told = self.told_of_passkey();
        let of_length = |length: u16| {
            let mut told = told.clone();
            told.splice(53..55, length.to_be_bytes());
            attestation(&told)
        };
        let by = |format: &str| {
            let mut bytes = b"\xa3\x63fmt".to_vec();
            bytes.push(0x60 + u8::try_from(format.len()).unwrap_or_default());
            bytes.extend(format.bytes());
            bytes.extend(attestation(&told).split_off(10));
            bytes
        };
        let made: [(&str, Vec<u8>); 16] = [
            ("nothing", Vec::new()),
            ("lists one in the other", vec![0x81; 8_000]),
            ("maps one in the other", [0xa1, 0].repeat(4_000)),
            ("tags one in the other", vec![0xc1; 8_000]),
            ("a list of more than any memory", b"\x9b\xff\xff\xff\xff\xff\xff\xff\xff".to_vec()),
            ("bytes of more than any memory", b"\xa1\x68authData\x5b\x3f\xff\xff\xff\xff\xff\xff\xff".to_vec()),
            ("a text without an end", [b"\x7f".as_slice(), &b"\x61a".repeat(4_000)].concat()),
            ("no device", attestation(&[])),
            ("half a device", attestation(told.get(..40).unwrap_or_default())),
            ("an id longer than the rest", of_length(u16::MAX)),
            ("an id of no length", of_length(0)),
            ("a certificate that is not there", by("packed")),
            ("a module that is not there", by("tpm")),
            ("a phone that is not there", by("android-key")),
            ("an old key that is not there", by("fido-u2f")),
            ("a form that nobody knows", by("x")),
        ];
        let form = |bytes: &[u8]| format!("name=x&{}", self.form(&new_passkey(&client_data, bytes)));
        let mut forms: Vec<_> = made.iter().map(|(name, bytes)| (*name, form(bytes))).collect();
        let deep = [b"[".repeat(5_000), client_data.clone()].concat();
        forms.push(("a page of brackets", format!("name=x&{}", self.form(&new_passkey(&deep, &attestation(&told))))));
        forms
    }

    /// The form that signs in with its passkey.
    pub(super) fn form_to_sign_in(&self, challenge: &str) -> String {
        let client_data = self.client_data("webauthn.get", challenge);
        let told = self.told(0);
        let signature: Signature = self.key.sign(&[&told[..], &Sha256::digest(&client_data)].concat());
        self.signed(&client_data, &told, signature.to_der().as_bytes())
    }

    /// Forms that sign in with what the device did not sign: what each has, and the form.
    pub(super) fn harmful_forms_to_sign_in(&self, challenge: &str) -> [(&'static str, String); 5] {
        let client_data = self.client_data("webauthn.get", challenge);
        let told = self.told(0);
        [
            ("no signature", self.signed(&client_data, &told, &[])),
            ("a signature of zeros", self.signed(&client_data, &told, b"\x30\x06\x02\x01\x00\x02\x01\x00")),
            ("a signature of 5 kB", self.signed(&client_data, &told, &[0x30; 5_000])),
            ("half a device", self.signed(&client_data, told.get(..20).unwrap_or_default(), &[1; 70])),
            ("a page of brackets", self.signed(&[b'['; 5_000], &told, &[1; 70])),
        ]
    }

    fn signed(&self, client_data: &[u8], told: &[u8], signature: &[u8]) -> String {
        self.form(&json!({
            "clientDataJSON": URL_SAFE_NO_PAD.encode(client_data),
            "authenticatorData": URL_SAFE_NO_PAD.encode(told),
            "signature": URL_SAFE_NO_PAD.encode(signature),
            "userHandle": URL_SAFE_NO_PAD.encode(&self.login),
        }))
    }

    /// What the device tells with a new passkey: its kind, which none tells, the id and the public key.
    fn told_of_passkey(&self) -> Vec<u8> {
        let mut told = self.told(WITH_PASSKEY);
        told.extend([0; 16]);
        told.extend(u16::try_from(self.id.len()).unwrap_or_default().to_be_bytes());
        told.extend(&self.id);
        told.extend(self.public_key());
        told
    }

    fn form(&self, response: &Value) -> String {
        let id = URL_SAFE_NO_PAD.encode(&self.id);
        let credential = json!({"rawId": id, "response": response}).to_string();
        let encoded: String = credential
            .bytes()
            .map(
                |byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02x}") },
            )
            .collect();
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

/// What a browser hands over of a new passkey.
fn new_passkey(client_data: &[u8], attestation: &[u8]) -> Value {
    json!({
        "clientDataJSON": URL_SAFE_NO_PAD.encode(client_data),
        "attestationObject": URL_SAFE_NO_PAD.encode(attestation),
    })
}

/// An attestation that attests nothing, with what the device tells.
fn attestation(told: &[u8]) -> Vec<u8> {
    let mut bytes = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
    bytes.push(u8::try_from(told.len()).unwrap_or_default());
    bytes.extend(told);
    bytes
}
