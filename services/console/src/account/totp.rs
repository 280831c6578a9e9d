//! One-time codes by the clock (RFC 6238), as every authenticator makes them: SHA-1, six digits, half a
//! minute, and the one before and after for clocks that differ.

use chrono::{DateTime, Utc};
use rand::Rng as _;
use totp_rs::{Builder, Totp};

use crate::Error;

/// Whom an authenticator names beside the operator.
const ISSUER: &str = "Almijara console";

/// A new secret: 160 bits, as the RFC recommends.
pub fn new_secret() -> [u8; 20] {
    rand::rng().random()
}

/// The codes of the operator called `name`, made of `secret`.
pub fn codes(name: &str, secret: &[u8]) -> Result<Totp, Error> {
    let totp = Builder::new()
        .with_secret(secret.to_vec())
        .with_account_name(name)
        .with_issuer(Some(ISSUER))
        .build()?;
    Ok(totp)
}

/// The half minute that `code` is of, if it is one of now.
pub fn step_of(totp: &Totp, code: &str, now: DateTime<Utc>) -> Option<i64> {
    // Authenticators show a space in the middle.
    let code: String = code.chars().filter(|letter| !letter.is_whitespace()).collect();
    let seconds = u64::try_from(now.timestamp()).ok()?;
    totp.check(&code, seconds).and_then(|step| i64::try_from(step).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_of_its_half_minute_and_those_beside_it() {
        // Of RFC 6238, appendix B: the last six digits of 94287082, at 59 s.
        let totp = codes("ann", b"12345678901234567890").expect("a secret");
        let at = |seconds| DateTime::from_timestamp(seconds, 0).expect("a time");
        assert_eq!(step_of(&totp, "287082", at(59)), Some(1));
        assert_eq!(step_of(&totp, "287 082", at(89)), Some(1));
        assert_eq!(step_of(&totp, "287082", at(0)), Some(1));
        assert_eq!(step_of(&totp, "287082", at(90)), None);
        for wrong in ["", "28708", "2870821", "abcdef", "287083"] {
            assert_eq!(step_of(&totp, wrong, at(59)), None, "{wrong}");
        }
    }

    #[test]
    fn an_authenticator_reads_whose_codes_they_are() {
        let secret = new_secret();
        let url = codes("ann", &secret).and_then(|totp| Ok(totp.to_url()?)).expect("an address");
        assert!(url.starts_with("otpauth://totp/Almijara%20console:ann?"), "{url}");
        assert!(url.contains("secret="), "{url}");
    }
}
