//! Decides which language a visitor of `/` gets. The address decides everywhere else, except in the
//! Studio's frame ([`crate::previews::language`]).
//!
//! A visitor who has chosen a language is redirected to it. A first-time visitor is redirected by their
//! browser's preference. Only an explicit choice is remembered. Crawlers, and visitors who followed a
//! link of this site, get the address they requested.

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use crate::headers::{cookie, text};

/// The cookie with the chosen language. The frontend writes the same cookie.
const COOKIE: &str = "language";
const SPANISH_HOME: &str = "/es";
/// Substrings of the user agents of crawlers and other programs that fetch pages for others.
const CRAWLERS: [&str; 9] = [
    "bot",
    "crawl",
    "spider",
    "slurp",
    "preview",
    "facebookexternalhit",
    "lighthouse",
    "curl",
    "wget",
];

/// Returns the redirect from `/` to the visitor's language, if it is another one. The `query` of the
/// address is kept: visit statistics read from it what led there.
pub fn redirect(request: &HeaderMap, query: Option<&str>) -> Option<(StatusCode, HeaderMap)> {
    if followed_internal_link(request) || is_crawler(request) {
        return None;
    }
    let chosen = cookie(request, COOKIE);
    if !chosen.map_or_else(|| prefers_spanish(request), |language| language == "es") {
        return None;
    }
    let mut headers = HeaderMap::new();
    let query = query.filter(|query| !query.is_empty());
    let home =
        query.and_then(|query| HeaderValue::try_from(format!("{SPANISH_HOME}?{query}")).ok());
    headers.insert(header::LOCATION, home.unwrap_or(HeaderValue::from_static(SPANISH_HOME)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Some((StatusCode::FOUND, headers))
}

/// Returns whether the visitor followed a link of this site. Then the language of the address is
/// intended.
pub fn followed_internal_link(request: &HeaderMap) -> bool {
    let site = request.get(HeaderName::from_static("sec-fetch-site"));
    if let Some(site) = site {
        return site == "same-origin";
    }
    let host = text(request, header::HOST);
    let from = text(request, header::REFERER).and_then(|from| from.split("//").nth(1));
    host.zip(from).is_some_and(|(host, from)| from.split('/').next() == Some(host))
}

/// Returns whether the page at `path` is in Spanish.
pub fn is_spanish(path: &str) -> bool {
    path.strip_prefix(SPANISH_HOME).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns whether the request comes from a crawler, or from another program that fetches pages for
/// others.
pub fn is_crawler(request: &HeaderMap) -> bool {
    let name = text(request, header::USER_AGENT).unwrap_or_default().to_ascii_lowercase();
    name.is_empty() || CRAWLERS.iter().any(|crawler| name.contains(crawler))
}

/// Returns whether `Accept-Language` (RFC 9110, 12.5.4) prefers Spanish to English.
pub fn prefers_spanish(request: &HeaderMap) -> bool {
    let accepted = text(request, header::ACCEPT_LANGUAGE).unwrap_or_default();
    let weight = |language: &str| {
        accepted
            .split(',')
            .filter_map(|range| {
                let (tag, parameters) = range.split_once(';').unwrap_or((range, ""));
                let primary = tag.trim().split('-').next()?;
                let weight =
                    parameters.trim().strip_prefix("q=").map_or(Some(1.0), |q| q.parse().ok());
                primary.eq_ignore_ascii_case(language).then_some(weight?)
            })
            .fold(0.0_f32, f32::max)
    };
    weight("es") > weight("en")
}

#[cfg(test)]
mod tests {
    use super::*;

    const BROWSER: (&str, &str) = ("user-agent", "Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0");

    fn request(headers: &[(&'static str, &str)]) -> HeaderMap {
        headers
            .iter()
            .map(|(name, value)| {
                (HeaderName::from_static(name), HeaderValue::from_str(value).expect("a value"))
            })
            .collect()
    }

    /// Returns whether a request with `headers` is redirected to the Spanish home page.
    fn is_redirected(headers: &[(&'static str, &str)]) -> bool {
        let Some((status, headers)) = redirect(&request(headers), None) else { return false };
        assert_eq!(status, StatusCode::FOUND);
        assert_eq!(headers[header::LOCATION], SPANISH_HOME);
        assert!(!headers.contains_key(header::SET_COOKIE), "nobody chose anything");
        true
    }

    #[test]
    fn a_first_visit_uses_the_browsers_preference() {
        for (accepted, expected) in [
            ("es-ES,es;q=0.9,en;q=0.8", true),
            ("es", true),
            ("de,es;q=0.5", true),
            ("en-GB,en;q=0.9,es;q=0.8", false),
            ("en;q=0.8,es;q=0.9", true),
            ("de,fr", false),
            ("es;q=nothing", false),
            ("", false),
        ] {
            assert_eq!(
                is_redirected(&[BROWSER, ("accept-language", accepted)]),
                expected,
                "{accepted}"
            );
        }
    }

    #[test]
    fn the_first_segment_of_a_path_is_its_language() {
        for (path, expected) in
            [("/es", true), ("/es/docs", true), ("/estepona", false), ("/", false)]
        {
            assert_eq!(is_spanish(path), expected, "{path}");
        }
    }

    #[test]
    fn a_redirect_keeps_the_query() {
        let spaniard = request(&[BROWSER, ("accept-language", "es")]);
        for (query, to) in [
            (None, "/es"),
            (Some(""), "/es"),
            (Some("utm_source=x&page=2"), "/es?utm_source=x&page=2"),
            (Some("a=%C3%B1%0A"), "/es?a=%C3%B1%0A"),
            (Some("a\nb"), "/es"),
        ] {
            let (_, headers) = redirect(&spaniard, query).expect("a redirect");
            assert_eq!(headers[header::LOCATION], to, "{query:?}");
        }
    }

    #[test]
    fn a_choice_overrides_the_browser() {
        let spanish = ("accept-language", "es");
        assert!(!is_redirected(&[BROWSER, spanish, ("cookie", "a=b; language=en")]));
        assert!(is_redirected(&[BROWSER, ("cookie", "language=es")]));
        assert!(is_redirected(&[BROWSER, spanish, ("cookie", "language=")]), "nothing was chosen");
    }

    #[test]
    fn crawlers_and_internal_links_are_not_redirected() {
        let spanish = ("accept-language", "es");
        assert!(!is_redirected(&[
            ("user-agent", "Mozilla/5.0 (compatible; Googlebot/2.1)"),
            spanish
        ]));
        assert!(!is_redirected(&[spanish]));
        assert!(!is_redirected(&[BROWSER, spanish, ("sec-fetch-site", "same-origin")]));
        assert!(is_redirected(&[BROWSER, spanish, ("sec-fetch-site", "none")]));
        let within =
            [("host", "almijara.example"), ("referer", "https://almijara.example/es/docs")];
        assert!(!is_redirected(&[BROWSER, spanish, within[0], within[1]]));
    }
}
