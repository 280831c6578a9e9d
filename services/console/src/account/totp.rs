//! Time-based one-time codes (RFC 6238) with the defaults of all authenticators: SHA-1, six digits,
//! steps of 30 seconds. The codes of the steps before and after are valid too, because of clock skew.

use chrono::{DateTime, Utc};
use rand::Rng as _;
use totp_rs::{Builder, Totp};

use crate::Error;

/// The issuer that authenticators show next to the operator.
const ISSUER: &str = "Almijara console";

/// Generates a secret of 160 bits, as the RFC recommends.
pub fn new_secret() -> [u8; 20] {
    rand::rng().random()
}

/// Returns the code generator of the operator `name` with `secret`.
pub fn codes(name: &str, secret: &[u8]) -> Result<Totp, Error> {
    let totp = Builder::new()
        .with_secret(secret.to_vec())
        .with_account_name(name)
        .with_issuer(Some(ISSUER))
        .build()?;
    Ok(totp)
}

/// Returns the time step that `code` belongs to, if the code is currently valid.
pub fn matching_step(totp: &Totp, code: &str, now: DateTime<Utc>) -> Option<i64> {
    // Authenticators show the code with a space in the middle.
    let code: String = code.chars().filter(|char| !char.is_whitespace()).collect();
    let seconds = u64::try_from(now.timestamp()).ok()?;
    totp.check(&code, seconds).and_then(|step| i64::try_from(step).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_valid_in_its_step_and_the_adjacent_ones() {
        // From RFC 6238, appendix B: the last six digits of 94287082, at 59 s.
        let totp = codes("ann", b"12345678901234567890").expect("a secret");
        let at = |seconds| DateTime::from_timestamp(seconds, 0).expect("a time");
        assert_eq!(matching_step(&totp, "287082", at(59)), Some(1));
        assert_eq!(matching_step(&totp, "287 082", at(89)), Some(1));
        assert_eq!(matching_step(&totp, "287082", at(0)), Some(1));
        assert_eq!(matching_step(&totp, "287082", at(90)), None);
        for wrong in ["", "28708", "2870821", "abcdef", "287083"] {
            assert_eq!(matching_step(&totp, wrong, at(59)), None, "{wrong}");
        }
    }

    #[test]
    fn the_otpauth_url_has_the_issuer_and_the_name() {
        let secret = new_secret();
        let url = codes("ann", &secret).and_then(|totp| Ok(totp.to_url()?)).expect("an address");
        assert!(url.starts_with("otpauth://totp/Almijara%20console:ann?"), "{url}");
        assert!(url.contains("secret="), "{url}");
    }
}
