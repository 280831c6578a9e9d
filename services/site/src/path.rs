//! Normalises paths, before anything is decided by them.
//!
//! A path that this role and a service behind it could read differently (dot segments, empty segments,
//! escaped slashes and dots, double escapes, backslashes) is rejected and not repaired: no address of
//! this site has one.

use std::borrow::Cow;

use contracts::address::ESCAPED_IN_PATHS;
use http::{Uri, uri::PathAndQuery};
use percent_encoding::{percent_decode_str, utf8_percent_encode};

/// A path that can't be one of this site's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the path has dot segments, empty segments, or escapes that hide something")]
pub struct MalformedPath;

/// Returns `uri` with its path normalised. Borrows if the path is normal already, as most are.
pub fn normalise(uri: &Uri) -> Result<Cow<'_, Uri>, MalformedPath> {
    let path = match normal_path(uri.path())? {
        Cow::Borrowed(_) => return Ok(Cow::Borrowed(uri)),
        Cow::Owned(path) => path,
    };
    let path_and_query = match uri.query() {
        Some(query) => PathAndQuery::try_from(format!("{path}?{query}")),
        None => PathAndQuery::try_from(path),
    };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(path_and_query.map_err(|_| MalformedPath)?);
    Uri::from_parts(parts).map(Cow::Owned).map_err(|_| MalformedPath)
}

/// Returns `path` without unneeded escapes, and with the needed ones in one form. A trailing slash
/// stays: pages redirect from it.
fn normal_path(path: &str) -> Result<Cow<'_, str>, MalformedPath> {
    if !path.starts_with('/') || path.contains("//") {
        return Err(MalformedPath);
    }
    let path = if let Cow::Borrowed(path) = percent_encode(path) {
        Cow::Borrowed(path)
    } else {
        let decoded = percent_decode(path).ok_or(MalformedPath)?;
        Cow::Owned(percent_encode(&decoded).into_owned())
    };
    let dots = |segment: &str| matches!(segment.split(';').next(), Some("." | ".."));
    if path.split('/').any(dots) { Err(MalformedPath) } else { Ok(path) }
}

/// Returns `path` with all that has to be escaped. Borrows if that is nothing: `%` is escaped as well.
fn percent_encode(path: &str) -> Cow<'_, str> {
    utf8_percent_encode(path, ESCAPED_IN_PATHS).into()
}

/// Decodes the escapes in `path`. Returns none if one is invalid, or hides a character that could be
/// read differently elsewhere.
fn percent_decode(path: &str) -> Option<Cow<'_, str>> {
    if !path.split('%').skip(1).all(begins_with_plain_escape) {
        return None;
    }
    let decoded = percent_decode_str(path).decode_utf8().ok()?;
    let hidden = decoded.chars().any(|char| char.is_control() || char == '\\');
    (!hidden).then_some(decoded)
}

/// Returns whether `text`, which follows a `%`, begins with the code of a character other than `%`, `.`
/// and `/`.
fn begins_with_plain_escape(text: &str) -> bool {
    text.get(..2).is_some_and(|code| {
        code.bytes().all(|byte| byte.is_ascii_hexdigit())
            && !["25", "2E", "2F"].iter().any(|hidden| code.eq_ignore_ascii_case(hidden))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn normal_of(uri: &str) -> Result<String, MalformedPath> {
        normalise(&uri.parse().expect("a URI")).map(|uri| uri.to_string())
    }

    #[test]
    fn equivalent_paths_have_one_form() {
        for (path, expected) in [
            ("/", "/"),
            ("/es/property-for-sale", "/es/property-for-sale"),
            ("/%70rivacy?q=%70", "/privacy?q=%70"),
            ("/c%C3%B3mpeta", "/c%C3%B3mpeta"),
            ("/c%c3%b3mpeta", "/c%C3%B3mpeta"),
            ("/%61pi/properties", "/api/properties"),
            ("/a%2Cb,c", "/a,b,c"),
            ("/.well-known/security.txt", "/.well-known/security.txt"),
            ("/a/", "/a/"),
        ] {
            assert_eq!(normal_of(path).as_deref(), Ok(expected), "{path}");
        }
    }

    #[test]
    fn ambiguous_paths_are_rejected() {
        for path in [
            "/../etc/passwd",
            "/api/site/../changes",
            "/api/site/./../changes",
            "/api/site/..",
            "/api/site/.",
            "/api/site/%2e%2e/changes",
            "/api/site/.%2E/changes",
            "/api/site/..%2fchanges",
            "/api/site%2F..%2Fchanges",
            "/api/site/%252e%252e/changes",
            "/api/site/..%5cchanges",
            "/api/site/..;/changes",
            "/api//changes",
            "//evil.example/",
            "/a//",
            "/%00",
            "/a%0d%0ab",
            "/%",
            "/%zz",
            "/a%2",
            "/%ff",
            "/a%5c..",
        ] {
            assert_eq!(normal_of(path), Err(MalformedPath), "{path}");
        }
        assert_eq!(normal_path("*"), Err(MalformedPath), "a request for the server itself");
        assert_eq!(normal_path("/a%é"), Err(MalformedPath));
    }

    proptest! {
        #[test]
        fn normalising_twice_changes_nothing(path in "/[ -~é]{0,40}") {
            if let Ok(once) = normal_path(&path) {
                prop_assert_eq!(normal_path(&once), Ok(Cow::Borrowed(once.as_ref())));
                let mut segments = once.split('/').skip(1).peekable();
                while let Some(segment) = segments.next() {
                    let last = segments.peek().is_none();
                    prop_assert!(last || !segment.is_empty());
                    prop_assert!(segment != "." && segment != "..");
                }
            }
        }
    }
}
