//! Shared secrets that authorise callers.

use axum::http::{HeaderMap, header};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

/// The minimum length of a secret, in bytes.
const MIN_BYTES: usize = 16;
/// The maximum number of secrets valid at once.
const MAX_SECRETS: usize = 2;

/// The secrets that are valid now: two during a rotation.
#[derive(Clone, Debug)]
pub struct Secrets(Vec<SecretString>);

/// Why a secret was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {reason}")]
pub struct InvalidSecret {
    /// The environment variable that holds it.
    pub name: &'static str,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl Secrets {
    /// Parses the value of the environment variable `name`: a secret, or two separated by a comma.
    pub fn parse(name: &'static str, text: &SecretString) -> Result<Self, InvalidSecret> {
        let refuse = |reason| Err(InvalidSecret { name, reason });
        let secrets: Vec<SecretString> = text
            .expose_secret()
            .split(',')
            .map(|secret| SecretString::from(secret.trim()))
            .collect();
        if secrets.len() > MAX_SECRETS {
            return refuse("at most two, separated by a comma");
        }
        if secrets.iter().any(|secret| secret.expose_secret().len() < MIN_BYTES) {
            return refuse("each needs 16 characters or more");
        }
        Ok(Self(secrets))
    }

    /// Checks that `headers` contain a valid secret as `Authorization: Bearer …`. The error says what is
    /// missing, never how close a wrong secret was.
    pub fn check_bearer(&self, headers: &HeaderMap) -> Result<(), &'static str> {
        let bearer = headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "))
            .ok_or("no bearer secret was given")?;
        let given = Sha256::digest(bearer.as_bytes());
        let is_known = self.any(|secret| Sha256::digest(secret).as_slice().ct_eq(&given));
        is_known.then_some(()).ok_or("the bearer secret is not known")
    }

    /// Whether `check` holds for any secret. Takes the same time whichever one it is.
    pub fn any(&self, check: impl Fn(&str) -> Choice) -> bool {
        self.0
            .iter()
            .fold(Choice::from(0), |found, secret| found | check(secret.expose_secret()))
            .into()
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn bearer(secret: &str) -> HeaderMap {
        let value = HeaderValue::from_str(&format!("Bearer {secret}")).expect("plain letters");
        HeaderMap::from_iter([(header::AUTHORIZATION, value)])
    }

    #[test]
    fn two_secrets_are_valid_during_a_rotation() {
        let both = "the-secret-of-before, the-secret-of-after";
        let secrets = Secrets::parse("SECRET", &both.into()).expect("they are long enough");
        for known in ["the-secret-of-before", "the-secret-of-after"] {
            assert_eq!(secrets.check_bearer(&bearer(known)), Ok(()));
        }
        for other in ["the-secret-of-befor", both, ""] {
            assert!(secrets.check_bearer(&bearer(other)).is_err(), "{other}");
        }
        assert!(secrets.check_bearer(&HeaderMap::new()).is_err());
        assert!(!format!("{secrets:?}").contains("the-secret"), "{secrets:?}");
    }

    #[test]
    fn short_or_too_many_secrets_are_refused() {
        let three = "sixteen-letters-,sixteen-letters-,sixteen-letters-";
        for wrong in ["short", "", "sixteen-letters-,short", "sixteen-letters-,", three] {
            let refusal = Secrets::parse("SECRET", &wrong.into()).expect_err(wrong).to_string();
            assert!(refusal.starts_with("SECRET: "), "{refusal}");
        }
    }
}
