//! Authenticates the senders of webhooks by a shared secret.

use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use http::HeaderMap;
use secrecy::SecretString;
use sha2::Sha256;
use subtle::{Choice, ConstantTimeEq};

use crate::Error;

/// The tolerated distance of a signature's timestamp from now, in seconds: that of Standard Webhooks.
const TOLERANCE_SECONDS: i64 = 300;
/// The prefix of base64 secrets in Standard Webhooks.
const ENCODED_PREFIX: &str = "whsec_";

/// The secrets that authorize a sender.
#[derive(Clone, Debug)]
pub struct Secrets(runtime::Secrets);

impl Secrets {
    /// Parses one secret, or two separated by a comma, from the variable `name`.
    pub fn parse(name: &'static str, text: &SecretString) -> Result<Self, Error> {
        Ok(Self(runtime::Secrets::parse(name, text)?))
    }

    /// Checks a request by its Standard Webhooks signature over the raw body or, if it has none, by its
    /// bearer secret. The error names what is missing, but never how close a wrong secret was.
    pub fn check(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: DateTime<Utc>,
    ) -> Result<(), &'static str> {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let Some(signatures) = text("webhook-signature") else {
            return self.0.check_bearer(headers);
        };
        let id = text("webhook-id").ok_or("webhook-id is missing")?;
        let timestamp = text("webhook-timestamp").ok_or("webhook-timestamp is missing")?;
        let sent: i64 = timestamp.parse().map_err(|_| "webhook-timestamp is not a number")?;
        if sent.abs_diff(now.timestamp()) > TOLERANCE_SECONDS.unsigned_abs() {
            return Err("webhook-timestamp is too far from now");
        }
        let is_valid = self.0.any(|secret| signed(secret, id, timestamp, body, signatures));
        is_valid.then_some(()).ok_or("no signature is valid")
    }
}

/// Returns whether one of the space-separated `signatures` (`v1,<base64>`) was made with `secret`.
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
    fn both_secrets_are_valid_and_no_other() {
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
    fn a_signature_of_the_reference_implementation_is_accepted() {
        let (secrets, now) = (secrets(SECRET), Utc::now());
        let headers = signed_headers(SECRET, now.timestamp());
        assert_eq!(secrets.check(&headers, BODY, now), Ok(()));
        assert!(secrets.check(&headers, b"another body", now).is_err());
        let stale = signed_headers(SECRET, now.timestamp() - TOLERANCE_SECONDS - 1);
        assert!(secrets.check(&stale, BODY, now).is_err());
        let other = signed_headers("whsec_C2FVsBQIhrscChlQIMV5b5sSYspob7oD", now.timestamp());
        assert!(secrets.check(&other, BODY, now).is_err());
    }
}
