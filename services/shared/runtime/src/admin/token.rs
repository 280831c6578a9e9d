//! Who may call: whoever knows a token.

use axum::http::{HeaderMap, header};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

/// The shortest token that is taken, in bytes.
const SHORTEST: usize = 16;
/// How many are valid at once.
const MOST: usize = 2;

/// The tokens that are valid now: two while one takes the other's place. They are kept as hashes.
#[derive(Clone)]
pub struct AdminToken(Vec<[u8; 32]>);

/// A token that can't serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ADMIN_TOKEN: {0}")]
pub struct InvalidToken(&'static str);

impl AdminToken {
    /// Reads a token, or two separated by a comma.
    pub fn parse(text: &SecretString) -> Result<Self, InvalidToken> {
        let tokens: Vec<&str> = text.expose_secret().split(',').map(str::trim).collect();
        if tokens.len() > MOST {
            return Err(InvalidToken("at most two tokens, separated by a comma"));
        }
        if tokens.iter().any(|token| token.len() < SHORTEST) {
            return Err(InvalidToken("each token needs 16 characters or more"));
        }
        Ok(Self(tokens.into_iter().map(hash).collect()))
    }

    /// Checks that `headers` bring a token. The error says what is missing, never how near it was.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<(), &'static str> {
        let given = headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "))
            .map(hash)
            .ok_or("no bearer token was given")?;
        // It takes as long whichever it is.
        let known = self.0.iter().fold(Choice::from(0), |found, token| found | token.ct_eq(&given));
        bool::from(known).then_some(()).ok_or("the bearer token is not known")
    }
}

impl std::fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AdminToken")
    }
}

fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn bearer(token: &str) -> HeaderMap {
        let value = HeaderValue::from_str(&format!("Bearer {token}")).expect("plain letters");
        HeaderMap::from_iter([(header::AUTHORIZATION, value)])
    }

    #[test]
    fn two_tokens_are_valid_while_one_takes_the_others_place() {
        let both = "the-token-of-before, the-token-of-after";
        let tokens = AdminToken::parse(&both.into()).expect("they are long enough");
        for known in ["the-token-of-before", "the-token-of-after"] {
            assert_eq!(tokens.check(&bearer(known)), Ok(()));
        }
        for other in ["the-token-of-befor", both, ""] {
            assert!(tokens.check(&bearer(other)).is_err(), "{other}");
        }
        assert!(tokens.check(&HeaderMap::new()).is_err());
        assert_eq!(format!("{tokens:?}"), "AdminToken");
    }

    #[test]
    fn short_or_too_many_tokens_are_refused() {
        for wrong in ["short", "", "sixteen-letters-,short", "sixteen-letters-,,"] {
            assert!(AdminToken::parse(&wrong.into()).is_err(), "{wrong}");
        }
    }
}
