//! Who may hint: whoever knows a secret.

use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use http::HeaderMap;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

use crate::Error;

/// How far a signature's time may be from ours, in seconds: Standard Webhooks' own tolerance.
const TOLERANCE_SECONDS: i64 = 300;
/// What marks a base64 secret in Standard Webhooks.
const ENCODED_PREFIX: &str = "whsec_";
/// The shortest secret that is taken, in bytes.
const SHORTEST: usize = 16;
const MOST: usize = 2;

/// The secrets that are valid now: two while one takes the other's place.
#[derive(Clone, Debug)]
pub struct Secrets(Vec<SecretString>);

impl Secrets {
    /// Reads a secret, or two separated by a comma, as the variable `name` holds them.
    pub fn parse(name: &'static str, text: &SecretString) -> Result<Self, Error> {
        let refuse = |reason| Err(Error::Secret { name, reason });
        let secrets: Vec<SecretString> = text
            .expose_secret()
            .split(',')
            .map(|secret| SecretString::from(secret.trim()))
            .collect();
        if secrets.len() > MOST {
            return refuse("at most two secrets, separated by a comma");
        }
        if secrets.iter().any(|secret| secret.expose_secret().len() < SHORTEST) {
            return refuse("each secret needs 16 characters or more");
        }
        Ok(Self(secrets))
    }

    /// Checks a request by its bearer secret or, where it has one, by its Standard Webhooks
    /// signature over the raw body. The error says what is missing, never how near it was.
    pub fn check(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: DateTime<Utc>,
    ) -> Result<(), &'static str> {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        if let Some(signatures) = text("webhook-signature") {
            let id = text("webhook-id").ok_or("webhook-id is missing")?;
            let timestamp = text("webhook-timestamp").ok_or("webhook-timestamp is missing")?;
            let sent: i64 = timestamp.parse().map_err(|_| "webhook-timestamp is not a number")?;
            if sent.abs_diff(now.timestamp()) > TOLERANCE_SECONDS.unsigned_abs() {
                return Err("webhook-timestamp is too far from now");
            }
            let valid = self.any(|secret| signed(secret, id, timestamp, body, signatures));
            return valid.then_some(()).ok_or("no signature is valid");
        }
        self.check_bearer(headers)
    }

    /// Checks a request by its bearer secret.
    fn check_bearer(&self, headers: &HeaderMap) -> Result<(), &'static str> {
        let bearer = headers
            .get(http::header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "))
            .ok_or("no bearer secret was given")?;
        let given = Sha256::digest(bearer.as_bytes());
        let valid = self.any(|secret| Sha256::digest(secret.as_bytes()).as_slice().ct_eq(&given));
        valid.then_some(()).ok_or("the bearer secret is not known")
    }

    /// Whether `check` holds for any secret; takes as long whichever it is.
    fn any(&self, check: impl Fn(&str) -> Choice) -> bool {
        self.0
            .iter()
            .fold(Choice::from(0), |found, secret| found | check(secret.expose_secret()))
            .into()
    }
}

/// Whether one of the space-separated `signatures` (`v1,<base64>`) is `secret`'s.
fn signed(secret: &str, id: &str, timestamp: &str, body: &[u8], signatures: &str) -> Choice {
    let key = match secret.strip_prefix(ENCODED_PREFIX).map(|encoded| STANDARD.decode(encoded)) {
        Some(Ok(key)) => key,
        _ => secret.as_bytes().to_vec(),
    };
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&key) else { return Choice::from(0) };
    mac.update(format!("{id}.{timestamp}.").as_bytes());
    mac.update(body);
    let expected = STANDARD.encode(mac.finalize().into_bytes());
    signatures
        .split(' ')
        .filter_map(|signature| signature.strip_prefix("v1,"))
        .fold(Choice::from(0), |found, given| found | given.as_bytes().ct_eq(expected.as_bytes()))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const BODY: &[u8] = br#"{"event":"properties.items.update","keys":["1"]}"#;

    fn secrets(text: &str) -> Secrets {
        Secrets::parse("SECRET", &text.into()).expect("the secrets are long enough")
    }

    fn bearer(secret: &str) -> HeaderMap {
        let value = HeaderValue::from_str(&format!("Bearer {secret}")).expect("plain letters");
        HeaderMap::from_iter([(http::header::AUTHORIZATION, value)])
    }

    /// Headers as the reference implementation of Standard Webhooks signs them.
    fn signed_headers(secret: &str, sent: i64) -> HeaderMap {
        let signature = standardwebhooks::Webhook::new(secret)
            .and_then(|webhook| webhook.sign("msg_1", sent, BODY))
            .expect("the reference signs");
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("webhook-id", "msg_1"),
            ("webhook-timestamp", &sent.to_string()),
            ("webhook-signature", &signature),
        ] {
            headers.insert(
                http::HeaderName::from_bytes(name.as_bytes()).expect("a name"),
                HeaderValue::from_str(value).expect("plain letters"),
            );
        }
        headers
    }

    #[test]
    fn both_secrets_are_valid_at_once_and_no_other() {
        let secrets = secrets("the-secret-of-before,the-secret-of-after");
        for secret in ["the-secret-of-before", "the-secret-of-after"] {
            assert_eq!(secrets.check(&bearer(secret), BODY, Utc::now()), Ok(()));
        }
        for secret in ["the-secret-of-befor", "the-secret-of-before,the-secret-of-after", ""] {
            assert!(secrets.check(&bearer(secret), BODY, Utc::now()).is_err(), "{secret}");
        }
        assert!(secrets.check(&HeaderMap::new(), BODY, Utc::now()).is_err());
    }

    #[test]
    fn the_reference_implementation_signs_what_is_taken_here() {
        let (secrets, now) = (secrets(SECRET), Utc::now());
        let headers = signed_headers(SECRET, now.timestamp());
        assert_eq!(secrets.check(&headers, BODY, now), Ok(()));
        assert!(secrets.check(&headers, b"another body", now).is_err());
        let stale = signed_headers(SECRET, now.timestamp() - TOLERANCE_SECONDS - 1);
        assert!(secrets.check(&stale, BODY, now).is_err());
        let other = signed_headers("whsec_C2FVsBQIhrscChlQIMV5b5sSYspob7oD", now.timestamp());
        assert!(secrets.check(&other, BODY, now).is_err());
    }

    #[test]
    fn short_or_too_many_secrets_are_refused() {
        assert!(Secrets::parse("SECRET", &"short".into()).is_err());
        assert!(
            Secrets::parse("SECRET", &"sixteen-letters-,sixteen-letters-,sixteen-letters-".into())
                .is_err()
        );
    }
}
