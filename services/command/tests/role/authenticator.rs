//! A fake authenticator that creates passkeys and signs with them.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use p256::ecdsa::{Signature, SigningKey, signature::Signer as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// The site's origin and relying party id, as the role is configured.
const ORIGIN: &str = "https://almijara.example";
const RP_ID: &str = "almijara.example";
/// Flags: the user is present and verified; attested credential data is included.
const USER_VERIFIED: u8 = 0x05;
const ATTESTED_CREDENTIAL: u8 = 0x40;

/// An authenticator with one passkey.
pub struct Authenticator {
    key: SigningKey,
    id: [u8; 16],
    /// The site's user id of the passkey's owner.
    owner: String,
}

fn encoded(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// Returns the client data, by which the browser reports the challenge.
fn client_data(kind: &str, options: &Value) -> Vec<u8> {
    let challenge = &options["challenge"];
    json!({ "type": kind, "challenge": challenge, "origin": ORIGIN, "crossOrigin": false })
        .to_string()
        .into_bytes()
}

/// Returns the start of the authenticator data.
fn authenticator_data(flags: u8) -> Vec<u8> {
    let mut head = Sha256::digest(RP_ID).to_vec();
    head.push(flags);
    head.extend([0; 4]);
    head
}

impl Authenticator {
    /// Creates a passkey for `options`. Returns the credential that the browser sends.
    pub fn make(seed: u8, options: &Value) -> (Self, Value) {
        let key = SigningKey::from_slice(&[seed; 32]).expect("a key");
        let owner = options["user"]["id"].as_str().expect("an owner").to_owned();
        let made = Self { key, id: [seed; 16], owner };
        let mut data = authenticator_data(USER_VERIFIED | ATTESTED_CREDENTIAL);
        data.extend([0; 16]);
        data.extend([0, 16]);
        data.extend(made.id);
        // COSE: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}.
        let point = made.key.verifying_key().to_sec1_point(false);
        let (x, y) = point.as_bytes()[1..].split_at(32);
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend(x);
        data.extend([0x22, 0x58, 0x20]);
        data.extend(y);
        // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}.
        let mut attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        attestation.push(data.len().try_into().expect("short"));
        attestation.extend(data);
        let credential = json!({
            "id": encoded(&made.id), "rawId": encoded(&made.id), "type": "public-key",
            "response": {
                "attestationObject": encoded(&attestation),
                "clientDataJSON": encoded(&client_data("webauthn.create", options)),
            },
        });
        (made, credential)
    }

    /// Signs the challenge of `options`.
    pub fn sign(&self, options: &Value) -> Value {
        self.sign_for(&self.owner, options)
    }

    /// Does the same, and claims that the passkey belongs to `owner`.
    pub fn sign_for(&self, owner: &str, options: &Value) -> Value {
        let data = authenticator_data(USER_VERIFIED);
        let client = client_data("webauthn.get", options);
        let signed = [data.clone(), Sha256::digest(&client).to_vec()].concat();
        let signature: Signature = self.key.sign(&signed);
        json!({
            "id": encoded(&self.id), "rawId": encoded(&self.id), "type": "public-key",
            "response": {
                "authenticatorData": encoded(&data),
                "clientDataJSON": encoded(&client),
                "signature": encoded(signature.to_der().as_bytes()),
                "userHandle": owner,
            },
        })
    }
}
