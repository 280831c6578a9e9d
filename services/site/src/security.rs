//! The headers that keep a visitor's browser from being used against them.

use http::{HeaderMap, HeaderName, HeaderValue, header};
use url::Url;

use crate::headers::text;

/// A year, and for every subdomain: the least that browsers' own lists ask for.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000; includeSubDomains");
/// For a page that came without a policy of its own.
const STRICT_PAGE_POLICY: &str = "default-src 'self'; object-src 'none'; base-uri 'none'";
/// Nobody frames the site.
const FRAME_POLICY: &str = "frame-ancestors 'none'";
const PERMISSIONS: HeaderValue = HeaderValue::from_static(
    "accelerometer=(), browsing-topics=(), camera=(), geolocation=(), gyroscope=(), \
     magnetometer=(), microphone=(), payment=(), usb=()",
);

/// What kind of thing an answer is; they differ in what a document made of them may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    /// A page: the renderer's policy is kept.
    Page,
    /// A file of the frontend's build. A worker's script takes its policy from here, so it may load.
    Asset,
    /// A picture, which other sites may show.
    Picture,
    /// Data.
    Data,
}

/// The security headers of this site.
#[derive(Clone, Debug)]
pub struct Security {
    https: bool,
}

impl Security {
    /// The headers for a site at `public_url`.
    pub fn new(public_url: &Url) -> Self {
        Self { https: public_url.scheme() == "https" }
    }

    /// Puts them on.
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

/// Whether no other site's page asks. A browser says whose page it is; what is no browser need not,
/// unless it brings a cookie.
///
/// The site is where it was told to be, or where the visitor asks: a browser lets no page choose
/// `Host`.
pub fn is_from_this_site(origin: &str, headers: &HeaderMap) -> bool {
    let said = headers.get("sec-fetch-site");
    if said.is_some_and(|site| site != "same-origin") {
        return false;
    }
    let says_nothing = said.is_none() && !headers.contains_key(header::ORIGIN);
    if says_nothing && headers.contains_key(header::COOKIE) {
        return false;
    }
    let host = text(headers, header::HOST);
    headers.get_all(header::ORIGIN).iter().all(|said| {
        let Ok(said) = said.to_str() else { return false };
        let authority = said.split_once("://").map(|(_, authority)| authority);
        said == origin || (authority.is_some() && authority == host)
    })
}

/// The content security policy: the page's own with who may frame it, or the strictest that works.
fn policy(given: Option<&HeaderValue>, kind: AnswerKind) -> HeaderValue {
    let fallback = match kind {
        AnswerKind::Page => STRICT_PAGE_POLICY,
        AnswerKind::Asset => "object-src 'none'; base-uri 'none'",
        AnswerKind::Picture | AnswerKind::Data => "default-src 'none'",
    };
    let given = given.filter(|_| kind == AnswerKind::Page).and_then(|value| value.to_str().ok());
    let policy = given.unwrap_or(fallback).trim_end_matches([';', ' ']);
    let whole = if policy.contains("frame-ancestors") {
        policy.to_owned()
    } else {
        format!("{policy}; {FRAME_POLICY}")
    };
    HeaderValue::from_str(&whole).unwrap_or_else(|_| HeaderValue::from_static(STRICT_PAGE_POLICY))
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
    fn no_other_sites_page_acts_for_a_visitor() {
        let is_ours = |headers: &[(&'static str, &'static str)]| {
            let headers = headers.iter().map(|(name, value)| {
                (HeaderName::from_static(name), HeaderValue::from_static(value))
            });
            is_from_this_site("https://homes.example", &headers.collect())
        };
        assert!(is_ours(&[("origin", "https://homes.example"), ("cookie", "a=1")]));
        assert!(is_ours(&[("sec-fetch-site", "same-origin"), ("cookie", "a=1")]));
        assert!(is_ours(&[]), "what is no browser");
        assert!(!is_ours(&[("origin", "https://evil.example")]));
        assert!(!is_ours(&[("origin", "null")]));
        for site in ["cross-site", "same-site", "none"] {
            assert!(!is_ours(&[("sec-fetch-site", site)]), "{site}");
        }
        let both = [("sec-fetch-site", "same-origin"), ("origin", "https://evil.example")];
        assert!(!is_ours(&both));
        assert!(!is_ours(&[("cookie", "a=1")]), "a browser that hides whose page it is");
    }

    #[test]
    fn hsts_only_over_https() {
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
