//! Security headers for every response, and protection against cross-site requests.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use runtime::problem::Problem;

use crate::console::Console;

/// Allows only the console's own files, and requests to itself.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      font-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; \
                      base-uri 'none'";
const HSTS: &str = "max-age=31536000";
const PERMISSIONS: &str = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

/// Sets the security headers of a response, and `no-store` unless it has a `Cache-Control` header.
pub async fn set_security_headers(
    State(console): State<Arc<Console>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("permissions-policy"), PERMISSIONS),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if console.is_https {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HSTS));
    }
    let no_store = HeaderValue::from_static("no-store");
    headers.entry(header::CACHE_CONTROL).or_insert(no_store);
    response
}

/// Refuses requests that change something unless they come from the console's own pages.
pub async fn require_same_origin(
    State(console): State<Arc<Console>>,
    request: Request,
    next: Next,
) -> Response {
    let is_safe = matches!(*request.method(), Method::GET | Method::HEAD);
    if is_safe || is_from_the_console(&console.origin, request.headers()) {
        return next.run(request).await;
    }
    let title = "This is only accepted from the console's own pages";
    Problem::new(StatusCode::FORBIDDEN, "other-origin", title).into_response()
}

/// Whether the console's own page sent the request: by `Sec-Fetch-Site`, or by `Origin` if that is
/// missing. A request with neither is not from one of our pages.
fn is_from_the_console(origin: &str, headers: &HeaderMap) -> bool {
    let mut sites = headers.get_all("sec-fetch-site").iter();
    if let Some(site) = sites.next() {
        return site == "same-origin" && sites.next().is_none();
    }
    let mut origins = headers.get_all(header::ORIGIN).iter();
    origins.next().is_some_and(|value| value == origin) && origins.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_requests_from_the_consoles_own_pages_are_accepted() {
        let is_ours = |headers: &[(&'static str, &'static str)]| {
            let headers = headers.iter().map(|(name, value)| {
                (HeaderName::from_static(name), HeaderValue::from_static(value))
            });
            is_from_the_console("https://console.example", &headers.collect())
        };
        assert!(is_ours(&[("sec-fetch-site", "same-origin")]));
        assert!(is_ours(&[("origin", "https://console.example")]));
        assert!(!is_ours(&[]), "neither header");
        for origin in ["https://evil.example", "null", "https://console.example.evil", ""] {
            assert!(!is_ours(&[("origin", origin)]), "{origin}");
        }
        for site in ["cross-site", "same-site", "none", ""] {
            let both = [("sec-fetch-site", site), ("origin", "https://console.example")];
            assert!(!is_ours(&both), "{site}");
        }
    }
}
