//! Tickets: who may see drafts on the site, and until when.
//!
//! The Studio's extension `almijara-preview` knows who is signed in there. It signs a ticket that
//! lives a minute and stands in one address, on its way back to the site ([`Purpose::Handover`]). The
//! door makes of it the one that the editor's browser keeps, for an hour ([`Purpose::Preview`]). Both
//! name one editor. A ticket is `<payload>.<signature>`, each in base64url; the signature is an
//! HMAC-SHA-256 over [`DOMAIN`] and the payload as it is written.
//!
//! This is the only place that decides whether a ticket holds. It says that it does not and why, never
//! how near it was, and compares in constant time.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use uuid::Uuid;

/// What every signature begins over, so that no other use of the secret makes a ticket.
pub const DOMAIN: &str = "almijara-preview.";
/// The shortest secret that is taken, in bytes.
pub const MIN_SECRET_LENGTH: usize = 32;
/// How long an editor sees drafts before the Studio is asked again.
pub const LIFE: TimeDelta = TimeDelta::hours(1);
/// The longest that a ticket on its way to the site may live.
const HANDOVER_LIFE: TimeDelta = TimeDelta::minutes(1);
/// How far the clocks of the Studio and of the site may be apart.
const CLOCKS_APART: TimeDelta = TimeDelta::seconds(30);
/// The longest ticket that is read, in bytes.
const LONGEST: usize = 512;

/// What a ticket is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// To be exchanged at the door.
    Handover,
    /// To see drafts.
    Preview,
}

/// What a ticket says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claims {
    #[serde(rename = "for")]
    purpose: Purpose,
    user: Uuid,
    /// Seconds of the Unix epoch.
    exp: i64,
}

/// A ticket that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The editor, by their id in the content service.
    pub editor: Uuid,
    /// Until when.
    pub ends: DateTime<Utc>,
}

/// Why a ticket does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It is none, or not signed with this secret, or was changed.
    #[error("this is no ticket of ours")]
    Forged,
    /// It was one.
    #[error("the ticket has ended")]
    Ended,
    /// It is one for something else.
    #[error("the ticket is good for something else")]
    OtherPurpose,
}

/// The secret is too short to be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("PREVIEW_SECRET needs {MIN_SECRET_LENGTH} characters or more")]
pub struct ShortSecret;

/// What tickets are signed with.
#[derive(Clone, Debug)]
pub struct Signer {
    secret: SecretString,
}

impl Signer {
    /// With `secret`, which the Studio's extension has too.
    pub fn new(secret: SecretString) -> Result<Self, ShortSecret> {
        if secret.expose_secret().len() < MIN_SECRET_LENGTH {
            return Err(ShortSecret);
        }
        Ok(Self { secret })
    }

    /// The ticket that `text` is, if it holds `now` for `purpose`.
    pub fn check(
        &self,
        text: &str,
        purpose: Purpose,
        now: DateTime<Utc>,
    ) -> Result<Ticket, Refused> {
        if text.len() > LONGEST {
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
        // Whoever signs for longer than was agreed does not get it.
        let longest = match purpose {
            Purpose::Handover => HANDOVER_LIFE,
            Purpose::Preview => LIFE,
        };
        if ends > now + longest + CLOCKS_APART {
            return Err(Refused::Forged);
        }
        if ends <= now {
            return Err(Refused::Ended);
        }
        Ok(Ticket { editor: claims.user, ends })
    }

    /// What the browser of the editor of `handover` keeps, from `now` on.
    pub fn exchange(&self, handover: &Ticket, now: DateTime<Utc>) -> String {
        self.sign(Purpose::Preview, handover.editor, now + LIFE)
    }

    /// A ticket.
    pub fn sign(&self, purpose: Purpose, user: Uuid, ends: DateTime<Utc>) -> String {
        let claims = Claims { purpose, user, exp: ends.timestamp() };
        // Two words and a number: they always can be written.
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
    fn a_ticket_holds_for_one_editor_until_it_ends() {
        let (signer, now) = (signer(SECRET), Utc::now());
        let text = signer.sign(Purpose::Preview, editor(1), now + LIFE);
        let ticket = signer.check(&text, Purpose::Preview, now).expect("it holds");
        assert_eq!(ticket.editor, editor(1));
        let nearly = now + LIFE - TimeDelta::seconds(2);
        assert!(signer.check(&text, Purpose::Preview, nearly).is_ok());
        // The same again, after its end.
        for late in [now + LIFE, now + TimeDelta::days(30)] {
            assert_eq!(signer.check(&text, Purpose::Preview, late), Err(Refused::Ended));
        }
    }

    #[test]
    fn nothing_but_the_secret_makes_one() {
        let (signer, now) = (signer(SECRET), Utc::now());
        let text = signer.sign(Purpose::Preview, editor(1), now + LIFE);
        let (payload, signature) = text.split_once('.').expect("two parts");
        let other = self::signer("another-secret-of-more-than-32-characters");
        let of_other_secret = other.sign(Purpose::Preview, editor(1), now + LIFE);
        let other_editor = signer.sign(Purpose::Preview, editor(2), now + LIFE);
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
            // Another editor's name over this one's signature.
            format!("{other_payload}.{signature}"),
            of_other_secret,
            "a".repeat(LONGEST + 1),
        ] {
            let refused = signer.check(&forged, Purpose::Preview, now);
            assert_eq!(refused, Err(Refused::Forged), "{forged}");
        }
    }

    #[test]
    fn what_stands_in_an_address_shows_no_draft_and_lives_a_minute() {
        let (signer, now) = (signer(SECRET), Utc::now());
        let text = signer.sign(Purpose::Handover, editor(1), now + HANDOVER_LIFE);
        assert_eq!(signer.check(&text, Purpose::Preview, now), Err(Refused::OtherPurpose));
        let handover = signer.check(&text, Purpose::Handover, now).expect("it holds");
        let kept = signer.exchange(&handover, now);
        let ticket = signer.check(&kept, Purpose::Preview, now).expect("it holds");
        assert_eq!(ticket.editor, editor(1));
        assert_eq!(signer.check(&kept, Purpose::Handover, now), Err(Refused::OtherPurpose));
        let late = now + HANDOVER_LIFE;
        assert_eq!(signer.check(&text, Purpose::Handover, late), Err(Refused::Ended));
        let for_long = signer.sign(Purpose::Handover, editor(1), now + LIFE);
        assert_eq!(signer.check(&for_long, Purpose::Handover, now), Err(Refused::Forged));
    }

    #[test]
    fn what_the_studios_extension_signs_is_read() {
        // Made with Node's `createHmac`, as the extension does.
        let signer = signer("0123456789abcdef0123456789abcdef");
        let text = include_str!("../of-the-extension.txt").trim();
        let now = DateTime::from_timestamp(1_790_000_000, 0).expect("a moment");
        let ticket = signer.check(text, Purpose::Handover, now).expect("it holds");
        assert_eq!(ticket.editor.to_string(), "0f8470da-8519-4420-8d5d-ae4d58b58e5f");
    }

    #[test]
    fn a_secret_has_some_length() {
        assert_eq!(Signer::new("short".into()).err(), Some(ShortSecret));
    }
}
