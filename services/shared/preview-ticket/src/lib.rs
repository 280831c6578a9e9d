//! Tickets: signed tokens that let an editor see drafts on the site for a limited time.
//!
//! The Studio's extension `almijara-preview` knows who is signed in there. It signs a ticket that is valid
//! for a minute and travels in one URL back to the site ([`Purpose::Handover`]). The door exchanges it for
//! the ticket that the editor's browser stores for an hour ([`Purpose::Preview`]). Both name one editor. A
//! ticket is `<payload>.<signature>`, each in base64url; the signature is an HMAC-SHA-256 over [`DOMAIN`]
//! and the encoded payload.
//!
//! Only this crate decides whether a ticket is valid. It returns why a ticket is refused, but not how close
//! a signature was, and compares signatures in constant time.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use uuid::Uuid;

/// The prefix of everything that is signed, so that no other use of the secret produces a ticket.
pub const DOMAIN: &str = "almijara-preview.";
/// The minimum length of the secret, in bytes.
pub const MIN_SECRET_LENGTH: usize = 32;
/// How long an editor sees drafts before a new ticket from the Studio is needed.
pub const LIFETIME: TimeDelta = TimeDelta::hours(1);
/// The maximum lifetime of a handover ticket.
const HANDOVER_LIFE: TimeDelta = TimeDelta::minutes(1);
/// The maximum difference between the clocks of the Studio and the site.
const MAX_CLOCK_SKEW: TimeDelta = TimeDelta::seconds(30);
/// The maximum length of a ticket, in bytes.
const MAX_LENGTH: usize = 512;

/// The purpose of a ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// To be exchanged at the door for a preview ticket.
    Handover,
    /// To see drafts.
    Preview,
}

/// The payload of a ticket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claims {
    #[serde(rename = "for")]
    purpose: Purpose,
    user: Uuid,
    /// The expiry, in seconds since the Unix epoch.
    exp: i64,
}

/// A valid ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The editor, by their id in the content service.
    pub editor: Uuid,
    /// When it expires.
    pub ends: DateTime<Utc>,
}

/// Why a ticket is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It is malformed, not signed with this secret, or was changed.
    #[error("the ticket is not valid")]
    Forged,
    /// It has expired.
    #[error("the ticket has ended")]
    Expired,
    /// It is for another purpose.
    #[error("the ticket is good for something else")]
    OtherPurpose,
}

/// The secret is too short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("PREVIEW_SECRET needs {MIN_SECRET_LENGTH} characters or more")]
pub struct ShortSecret;

/// Signs and checks tickets.
#[derive(Clone, Debug)]
pub struct Signer {
    secret: SecretString,
}

impl Signer {
    /// Returns a signer with `secret`, which it shares with the Studio's extension.
    pub fn new(secret: SecretString) -> Result<Self, ShortSecret> {
        if secret.expose_secret().len() < MIN_SECRET_LENGTH {
            return Err(ShortSecret);
        }
        Ok(Self { secret })
    }

    /// Parses `text`, and returns the ticket if it is valid `now` for `purpose`.
    pub fn check(
        &self,
        text: &str,
        purpose: Purpose,
        now: DateTime<Utc>,
    ) -> Result<Ticket, Refused> {
        if text.len() > MAX_LENGTH {
            return Err(Refused::Forged);
        }
        let (payload, signature) = text.split_once('.').ok_or(Refused::Forged)?;
        let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| Refused::Forged)?;
        self.mac(payload).verify_slice(&signature).map_err(|_| Refused::Forged)?;
        let claims = URL_SAFE_NO_PAD.decode(payload).map_err(|_| Refused::Forged)?;
        let claims: Claims = serde_json::from_slice(&claims).map_err(|_| Refused::Forged)?;
        if claims.purpose != purpose {
            return Err(Refused::OtherPurpose);
        }
        let ends = DateTime::from_timestamp(claims.exp, 0).ok_or(Refused::Forged)?;
        // A ticket signed for longer than allowed is not accepted.
        let max_life = match purpose {
            Purpose::Handover => HANDOVER_LIFE,
            Purpose::Preview => LIFETIME,
        };
        if ends > now + max_life + MAX_CLOCK_SKEW {
            return Err(Refused::Forged);
        }
        if ends <= now {
            return Err(Refused::Expired);
        }
        Ok(Ticket { editor: claims.user, ends })
    }

    /// Returns the preview ticket for the editor of `handover`, valid from `now`.
    pub fn exchange(&self, handover: &Ticket, now: DateTime<Utc>) -> String {
        self.sign(Purpose::Preview, handover.editor, now + LIFETIME)
    }

    /// Returns a signed ticket.
    pub fn sign(&self, purpose: Purpose, user: Uuid, ends: DateTime<Utc>) -> String {
        let claims = Claims { purpose, user, exp: ends.timestamp() };
        // Two strings and a number always serialize.
        let claims = serde_json::to_vec(&claims).unwrap_or_default();
        let payload = URL_SAFE_NO_PAD.encode(claims);
        let signature = self.mac(&payload).finalize().into_bytes();
        format!("{payload}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    fn mac(&self, payload: &str) -> Hmac<Sha256> {
        let key = self.secret.expose_secret().as_bytes();
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
            unreachable!("HMAC takes a key of any length")
        };
        mac.update(DOMAIN.as_bytes());
        mac.update(payload.as_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "a-secret-of-more-than-32-characters";

    fn signer(secret: &str) -> Signer {
        Signer::new(secret.into()).expect("a secret")
    }

    fn editor(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    #[test]
    fn a_ticket_is_valid_for_one_editor_until_it_expires() {
        let (signer, now) = (signer(SECRET), Utc::now());
        let text = signer.sign(Purpose::Preview, editor(1), now + LIFETIME);
        let ticket = signer.check(&text, Purpose::Preview, now).expect("a valid ticket");
        assert_eq!(ticket.editor, editor(1));
        let nearly = now + LIFETIME - TimeDelta::seconds(2);
        assert!(signer.check(&text, Purpose::Preview, nearly).is_ok());
        // The same ticket, after it has expired.
        for late in [now + LIFETIME, now + TimeDelta::days(30)] {
            assert_eq!(signer.check(&text, Purpose::Preview, late), Err(Refused::Expired));
        }
    }

    #[test]
    fn a_ticket_can_not_be_forged_without_the_secret() {
        let (signer, now) = (signer(SECRET), Utc::now());
        let text = signer.sign(Purpose::Preview, editor(1), now + LIFETIME);
        let (payload, signature) = text.split_once('.').expect("two parts");
        let other = self::signer("another-secret-of-more-than-32-characters");
        let of_other_secret = other.sign(Purpose::Preview, editor(1), now + LIFETIME);
        let other_editor = signer.sign(Purpose::Preview, editor(2), now + LIFETIME);
        let (other_payload, _) = other_editor.split_once('.').expect("two parts");
        let mut flipped = signature.as_bytes().to_vec();
        flipped[0] = if flipped[0] == b'A' { b'B' } else { b'A' };
        for forged in [
            String::new(),
            "draft".to_owned(),
            ".".to_owned(),
            payload.to_owned(),
            format!("{payload}."),
            format!("{payload}.{}", &signature[..20]),
            format!("{payload}.{}", String::from_utf8_lossy(&flipped)),
            // Another editor's payload with this editor's signature.
            format!("{other_payload}.{signature}"),
            of_other_secret,
            "a".repeat(MAX_LENGTH + 1),
        ] {
            let refused = signer.check(&forged, Purpose::Preview, now);
            assert_eq!(refused, Err(Refused::Forged), "{forged}");
        }
    }

    #[test]
    fn a_handover_ticket_shows_no_draft_and_is_valid_for_a_minute() {
        let (signer, now) = (signer(SECRET), Utc::now());
        let text = signer.sign(Purpose::Handover, editor(1), now + HANDOVER_LIFE);
        assert_eq!(signer.check(&text, Purpose::Preview, now), Err(Refused::OtherPurpose));
        let handover = signer.check(&text, Purpose::Handover, now).expect("a valid ticket");
        let exchanged = signer.exchange(&handover, now);
        let ticket = signer.check(&exchanged, Purpose::Preview, now).expect("a valid ticket");
        assert_eq!(ticket.editor, editor(1));
        assert_eq!(signer.check(&exchanged, Purpose::Handover, now), Err(Refused::OtherPurpose));
        let late = now + HANDOVER_LIFE;
        assert_eq!(signer.check(&text, Purpose::Handover, late), Err(Refused::Expired));
        let for_long = signer.sign(Purpose::Handover, editor(1), now + LIFETIME);
        assert_eq!(signer.check(&for_long, Purpose::Handover, now), Err(Refused::Forged));
    }

    #[test]
    fn a_ticket_of_the_studios_extension_is_valid() {
        // Made with Node's `createHmac`, as the extension does.
        let signer = signer("0123456789abcdef0123456789abcdef");
        let text = include_str!("../of-the-extension.txt").trim();
        let now = DateTime::from_timestamp(1_790_000_000, 0).expect("a moment");
        let ticket = signer.check(text, Purpose::Handover, now).expect("a valid ticket");
        assert_eq!(ticket.editor.to_string(), "0f8470da-8519-4420-8d5d-ae4d58b58e5f");
    }

    #[test]
    fn a_short_secret_is_refused() {
        assert_eq!(Signer::new("short".into()).err(), Some(ShortSecret));
    }
}
