//! Which language a visitor of `/` is shown: the address decides everywhere else, but for what the Studio
//! frames ([`crate::preview_language`]).
//!
//! Who chose a language is led to it, who comes for the first time to what their browser prefers; only
//! a choice is remembered. Crawlers see what they ask for, and so does whoever came by a link of the
//! site's own.

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use crate::headers::{cookie, text};

/// The cookie that says what was chosen; the frontend writes the same one.
const COOKIE: &str = "language";
const SPANISH_HOME: &str = "/es";
/// What the names of programs have in common that read the site for others.
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

/// The answer that leads a visitor with these headers from `/` to their language, if it is another. What
/// the address asked for, as `query`, goes with them: where a visit is counted, it says what led there.
pub fn redirect(request: &HeaderMap, query: Option<&str>) -> Option<(StatusCode, HeaderMap)> {
    if comes_from_within(request) || is_crawler(request) {
        return None;
    }
    let chosen = cookie(request, COOKIE);
    if !chosen.map_or_else(|| prefers_spanish(request), |language| language == "es") {
        return None;
    }
    let mut headers = HeaderMap::new();
    let asked = query.filter(|query| !query.is_empty());
    let home =
        asked.and_then(|query| HeaderValue::try_from(format!("{SPANISH_HOME}?{query}")).ok());
    headers.insert(header::LOCATION, home.unwrap_or(HeaderValue::from_static(SPANISH_HOME)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Some((StatusCode::FOUND, headers))
}

/// Whether a link of the site led here: then the language of the address was meant.
pub fn comes_from_within(request: &HeaderMap) -> bool {
    let site = request.get(HeaderName::from_static("sec-fetch-site"));
    if let Some(site) = site {
        return site == "same-origin";
    }
    let host = text(request, header::HOST);
    let from = text(request, header::REFERER).and_then(|from| from.split("//").nth(1));
    host.zip(from).is_some_and(|(host, from)| from.split('/').next() == Some(host))
}

/// Whether the page at `path` is in Spanish.
pub fn is_spanish(path: &str) -> bool {
    path.strip_prefix(SPANISH_HOME).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a program asks that reads the site for others.
pub fn is_crawler(request: &HeaderMap) -> bool {
    let name = text(request, header::USER_AGENT).unwrap_or_default().to_ascii_lowercase();
    name.is_empty() || CRAWLERS.iter().any(|crawler| name.contains(crawler))
}

/// Whether `Accept-Language` (RFC 9110, 12.5.4) puts Spanish before English.
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

    /// Whether a request with `headers` is led to the Spanish home.
    fn is_led(headers: &[(&'static str, &str)]) -> bool {
        let Some((status, headers)) = redirect(&request(headers), None) else { return false };
        assert_eq!(status, StatusCode::FOUND);
        assert_eq!(headers[header::LOCATION], SPANISH_HOME);
        assert!(!headers.contains_key(header::SET_COOKIE), "nobody chose anything");
        true
    }

    #[test]
    fn a_first_visit_goes_by_the_browser() {
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
            assert_eq!(is_led(&[BROWSER, ("accept-language", accepted)]), expected, "{accepted}");
        }
    }

    #[test]
    fn the_first_part_of_a_path_is_its_language() {
        for (path, expected) in
            [("/es", true), ("/es/docs", true), ("/estepona", false), ("/", false)]
        {
            assert_eq!(is_spanish(path), expected, "{path}");
        }
    }

    #[test]
    fn what_the_address_says_goes_with_the_visitor() {
        let spaniard = request(&[BROWSER, ("accept-language", "es")]);
        for (query, to) in [
            (None, "/es"),
            (Some(""), "/es"),
            (Some("utm_source=x&page=2"), "/es?utm_source=x&page=2"),
            (Some("a=%C3%B1%0A"), "/es?a=%C3%B1%0A"),
            (Some("a\nb"), "/es"),
        ] {
            let (_, headers) = redirect(&spaniard, query).expect("they are led");
            assert_eq!(headers[header::LOCATION], to, "{query:?}");
        }
    }

    #[test]
    fn a_choice_comes_before_the_browser() {
        let spanish = ("accept-language", "es");
        assert!(!is_led(&[BROWSER, spanish, ("cookie", "a=b; language=en")]));
        assert!(is_led(&[BROWSER, ("cookie", "language=es")]));
        assert!(is_led(&[BROWSER, spanish, ("cookie", "language=")]), "nothing was chosen");
    }

    #[test]
    fn crawlers_and_the_sites_own_links_are_left_alone() {
        let spanish = ("accept-language", "es");
        assert!(!is_led(&[("user-agent", "Mozilla/5.0 (compatible; Googlebot/2.1)"), spanish]));
        assert!(!is_led(&[spanish]));
        assert!(!is_led(&[BROWSER, spanish, ("sec-fetch-site", "same-origin")]));
        assert!(is_led(&[BROWSER, spanish, ("sec-fetch-site", "none")]));
        let within =
            [("host", "almijara.example"), ("referer", "https://almijara.example/es/docs")];
        assert!(!is_led(&[BROWSER, spanish, within[0], within[1]]));
    }
}
