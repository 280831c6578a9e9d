//! Random secrets that are sent to one browser or one mailbox, and stored as hashes.

use std::fmt;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use rand::Rng as _;
use sha2::{Digest as _, Sha256};

/// A secret of 256 random bits in base64, for a cookie or a link.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    /// Generates a secret.
    pub fn random() -> Self {
        let bytes: [u8; 32] = rand::rng().random();
        Self(BASE64_URL_SAFE_NO_PAD.encode(bytes))
    }

    /// Parses a secret received from a client, if it has the right format.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        (bytes.len() == 32).then(|| Self(text.to_owned()))
    }

    /// Returns the text to be sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the hash to be stored. It needs no salt, since the secret is random.
    pub fn hash(&self) -> Vec<u8> {
        Sha256::digest(&self.0).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_well_formed_secrets_are_parsed() {
        let secret = Secret::random();
        assert_eq!(Secret::parse(secret.as_str()), Some(secret.clone()));
        assert_ne!(secret, Secret::random());
        for text in ["", "short", &format!("{}A", secret.as_str()), "\u{e9}"] {
            assert_eq!(Secret::parse(text), None, "{text}");
        }
        assert_eq!(format!("{secret:?}"), "Secret");
    }
}
