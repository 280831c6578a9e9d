//! Authenticates webhook calls by a shared secret.

use http::{HeaderMap, StatusCode};
use runtime::{Secrets, problem::Problem};

/// Checks that `headers` carry one of `secrets` as a bearer token.
///
/// # Errors
/// The token is missing or unknown.
pub fn check(headers: &HeaderMap, secrets: &Secrets) -> Result<(), Problem> {
    secrets.check_bearer(headers).map_err(|refusal| {
        let title = "The call needs the webhook's secret";
        Problem::new(StatusCode::UNAUTHORIZED, "unknown-secret", title).with_detail(refusal)
    })
}
