//! Who may call a webhook: whoever knows its secret.

use http::{HeaderMap, StatusCode, header};
use runtime::problem::Problem;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// Whether `headers` bring `secret`.
///
/// # Errors
/// They don't, or bring another.
pub fn check(headers: &HeaderMap, secret: &SecretString) -> Result<(), Problem> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let given = bearer.and_then(|value| value.strip_prefix("Bearer "));
    let known = Sha256::digest(secret.expose_secret());
    let is_known =
        given.is_some_and(|given| known.as_slice().ct_eq(Sha256::digest(given).as_slice()).into());
    if is_known {
        return Ok(());
    }
    let title = "The bearer secret is not known";
    Err(Problem::new(StatusCode::UNAUTHORIZED, "unknown-secret", title))
}
