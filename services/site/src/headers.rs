//! Helpers for reading request headers.

use axum_extra::extract::cookie::Cookie;
use http::{
    HeaderMap,
    header::{self, AsHeaderName},
};

/// Returns the text of the header `name`; none if it is missing or not text.
pub fn text(headers: &HeaderMap, name: impl AsHeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Returns whether a browser requests a document to show in a frame.
pub fn is_framed(headers: &HeaderMap) -> bool {
    text(headers, "sec-fetch-dest") == Some("iframe")
}

/// Returns the value of the cookie `name`; none if it is empty.
pub fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|cookies| cookies.to_str().ok())
        .flat_map(Cookie::split_parse)
        .filter_map(|cookie| cookie.ok().filter(|cookie| cookie.name() == name)?.value_raw())
        .find(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn a_cookie_is_matched_by_its_full_name_and_an_empty_one_is_none() {
        let of = |text| HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_static(text))]);
        assert_eq!(cookie(&of("a=1; language=es"), "language"), Some("es"));
        assert_eq!(cookie(&of("ticket=x=y"), "ticket"), Some("x=y"));
        for none in ["languages=es; xlanguage=es", "language=", "language", ""] {
            assert_eq!(cookie(&of(none), "language"), None, "{none}");
        }
    }
}
