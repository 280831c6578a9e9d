//! What only one browser knows, or whoever reads one mailbox. Kept as a hash.

use std::fmt;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use rand::Rng as _;
use sha2::{Digest as _, Sha256};

/// 256 random bits, as cookies and links carry them.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    /// A new one.
    pub fn random() -> Self {
        let bytes: [u8; 32] = rand::rng().random();
        Self(BASE64_URL_SAFE_NO_PAD.encode(bytes))
    }

    /// One that was sent to us, if it can be one.
    pub fn read(text: &str) -> Option<Self> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        (bytes.len() == 32).then(|| Self(text.to_owned()))
    }

    /// As it is sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As it is kept. It is random itself, so it needs no salt.
    pub fn hash(&self) -> Vec<u8> {
        Sha256::digest(&self.0).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_secret_of_ours_is_told() {
        let secret = Secret::random();
        assert_eq!(Secret::read(secret.as_str()), Some(secret.clone()));
        assert_ne!(secret, Secret::random());
        for text in ["", "short", &format!("{}A", secret.as_str()), "\u{e9}"] {
            assert_eq!(Secret::read(text), None, "{text}");
        }
        assert_eq!(format!("{secret:?}"), "Secret");
    }
}
