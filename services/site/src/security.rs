//! Security headers, and the check for requests of other sites.

use http::{HeaderMap, HeaderName, HeaderValue, header};
use url::Url;

use crate::headers::text;

/// A year, with subdomains: the minimum for the browsers' preload lists.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000; includeSubDomains");
/// The policy of a page whose renderer gave none.
const STRICT_PAGE_POLICY: &str = "default-src 'self'; object-src 'none'; base-uri 'none'";
/// No site may frame this one.
const FRAME_POLICY: &str = "frame-ancestors 'none'";
const PERMISSIONS: HeaderValue = HeaderValue::from_static(
    "accelerometer=(), browsing-topics=(), camera=(), geolocation=(), gyroscope=(), \
     magnetometer=(), microphone=(), payment=(), usb=()",
);

/// The kind of an answer, which determines its content security policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    /// A page. The renderer's policy is kept.
    Page,
    /// A file of the frontend's build. The policy of a worker's script applies to the worker, so it must
    /// allow requests.
    Asset,
    /// A picture, which other sites may embed.
    Picture,
    /// Data, or plain text.
    Data,
}

/// Adds the security headers of this site.
#[derive(Clone, Debug)]
pub struct Security {
    https: bool,
}

impl Security {
    /// Creates the headers of a site at `public_url`.
    pub fn new(public_url: &Url) -> Self {
        Self { https: public_url.scheme() == "https" }
    }

    /// Adds the headers to an answer.
    pub fn apply(&self, headers: &mut HeaderMap, kind: AnswerKind) {
        let resource_policy =
            if kind == AnswerKind::Picture { "cross-origin" } else { "same-origin" };
        for (name, value) in [
            (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin")),
            (HeaderName::from_static("permissions-policy"), PERMISSIONS),
            (
                HeaderName::from_static("cross-origin-opener-policy"),
                HeaderValue::from_static("same-origin"),
            ),
            (
                HeaderName::from_static("cross-origin-resource-policy"),
                HeaderValue::from_static(resource_policy),
            ),
        ] {
            headers.insert(name, value);
        }
        if self.https {
            headers.insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
        }
        let policy = policy(headers.get(header::CONTENT_SECURITY_POLICY), kind);
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
}

/// Returns whether a request does not come from another site's page. A browser states the page's origin.
/// Other clients may omit it, unless they send a cookie.
///
/// The site's origin is either the configured one or the one in `Host`: browsers do not let a page
/// choose `Host`.
pub fn is_from_this_site(origin: &str, headers: &HeaderMap) -> bool {
    let fetch_site = headers.get("sec-fetch-site");
    if fetch_site.is_some_and(|site| site != "same-origin") {
        return false;
    }
    let has_no_origin = fetch_site.is_none() && !headers.contains_key(header::ORIGIN);
    if has_no_origin && headers.contains_key(header::COOKIE) {
        return false;
    }
    let host = text(headers, header::HOST);
    headers.get_all(header::ORIGIN).iter().all(|value| {
        let Ok(value) = value.to_str() else { return false };
        let authority = value.split_once("://").map(|(_, authority)| authority);
        value == origin || (authority.is_some() && authority == host)
    })
}

/// Returns the content security policy: the page's own with `frame-ancestors` added, or the strictest
/// that works.
fn policy(given: Option<&HeaderValue>, kind: AnswerKind) -> HeaderValue {
    let fallback = match kind {
        AnswerKind::Page => STRICT_PAGE_POLICY,
        AnswerKind::Asset => "object-src 'none'; base-uri 'none'",
        AnswerKind::Picture | AnswerKind::Data => "default-src 'none'",
    };
    let given = given.filter(|_| kind == AnswerKind::Page).and_then(|value| value.to_str().ok());
    let policy = given.unwrap_or(fallback).trim_end_matches([';', ' ']);
    let complete = if policy.contains("frame-ancestors") {
        policy.to_owned()
    } else {
        format!("{policy}; {FRAME_POLICY}")
    };
    HeaderValue::from_str(&complete)
        .unwrap_or_else(|_| HeaderValue::from_static(STRICT_PAGE_POLICY))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(public_url: &str, kind: AnswerKind, policy: Option<&'static str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if let Some(policy) = policy {
            headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
        }
        let url = public_url.parse().expect("a URL");
        Security::new(&url).apply(&mut headers, kind);
        headers
    }

    #[test]
    fn requests_of_other_sites_pages_are_rejected() {
        let is_allowed = |headers: &[(&'static str, &'static str)]| {
            let headers = headers.iter().map(|(name, value)| {
                (HeaderName::from_static(name), HeaderValue::from_static(value))
            });
            is_from_this_site("https://homes.example", &headers.collect())
        };
        assert!(is_allowed(&[("origin", "https://homes.example"), ("cookie", "a=1")]));
        assert!(is_allowed(&[("sec-fetch-site", "same-origin"), ("cookie", "a=1")]));
        assert!(is_allowed(&[]), "what is no browser");
        assert!(!is_allowed(&[("origin", "https://evil.example")]));
        assert!(!is_allowed(&[("origin", "null")]));
        for site in ["cross-site", "same-site", "none"] {
            assert!(!is_allowed(&[("sec-fetch-site", site)]), "{site}");
        }
        let both = [("sec-fetch-site", "same-origin"), ("origin", "https://evil.example")];
        assert!(!is_allowed(&both));
        assert!(!is_allowed(&[("cookie", "a=1")]), "a browser that hides whose page it is");
    }

    #[test]
    fn hsts_is_sent_only_over_https() {
        let name = header::STRICT_TRANSPORT_SECURITY;
        assert!(applied("https://almijara.example", AnswerKind::Page, None).contains_key(&name));
        assert!(!applied("http://127.0.0.1:8080", AnswerKind::Page, None).contains_key(&name));
    }

    #[test]
    fn a_page_keeps_its_policy_and_is_never_framed() {
        let policy = |given| {
            let headers = applied("http://localhost", AnswerKind::Page, given);
            headers[header::CONTENT_SECURITY_POLICY].to_str().expect("text").to_owned()
        };
        assert_eq!(
            policy(Some("script-src 'self' 'sha256-x';")),
            "script-src 'self' 'sha256-x'; frame-ancestors 'none'"
        );
        assert_eq!(policy(Some("frame-ancestors 'self'")), "frame-ancestors 'self'");
        assert_eq!(policy(None), format!("{STRICT_PAGE_POLICY}; {FRAME_POLICY}"));
    }
}
