//! Who may call a webhook: whoever knows one of its secrets.

use http::{HeaderMap, StatusCode};
use runtime::{Secrets, problem::Problem};

/// Whether `headers` bring one of `secrets`.
///
/// # Errors
/// They don't, or bring another.
pub fn check(headers: &HeaderMap, secrets: &Secrets) -> Result<(), Problem> {
    secrets.check_bearer(headers).map_err(|refusal| {
        let title = "The call needs the webhook's secret";
        Problem::new(StatusCode::UNAUTHORIZED, "unknown-secret", title).with_detail(refusal)
    })
}
