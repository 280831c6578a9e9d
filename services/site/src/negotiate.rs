//! Content negotiation: accepted encodings and conditional requests.

use http::{HeaderMap, HeaderValue, header};

/// The content encoding of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// No encoding.
    Identity,
    /// gzip.
    Gzip,
    /// Brotli.
    Brotli,
}

impl Encoding {
    /// Returns its name in `Content-Encoding`.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Brotli => Some("br"),
        }
    }
}

/// The encodings that a request accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// Brotli is accepted, and not less preferred than gzip.
    pub brotli: bool,
    /// gzip is accepted.
    pub gzip: bool,
}

impl Accepted {
    /// Parses `Accept-Encoding` (RFC 9110, 12.5.3).
    ///
    /// Identity is always treated as acceptable: a client that refuses it and accepts neither of the
    /// others is better served with the page than with a 406.
    pub fn from_headers(headers: &HeaderMap) -> Self {
        let (mut brotli, mut gzip, mut rest) = (None, None, None);
        for value in headers.get_all(header::ACCEPT_ENCODING) {
            for part in value.to_str().unwrap_or_default().split(',') {
                let mut fields = part.split(';');
                let name = fields.next().unwrap_or_default().trim();
                let weight = fields.find_map(quality).unwrap_or(1.0);
                if name.eq_ignore_ascii_case("br") {
                    brotli = Some(weight);
                } else if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") {
                    gzip = Some(weight);
                } else if name == "*" {
                    rest = Some(weight);
                }
            }
        }
        let weight = |named: Option<f32>| named.or(rest).unwrap_or(0.0);
        let (brotli, gzip) = (weight(brotli), weight(gzip));
        Self { brotli: brotli > 0.0 && brotli >= gzip, gzip: gzip > 0.0 }
    }
}

/// Returns the weight of a `q=` field. An invalid weight counts as a refusal.
fn quality(field: &str) -> Option<f32> {
    let (name, weight) = field.split_once('=')?;
    name.trim()
        .eq_ignore_ascii_case("q")
        .then(|| weight.trim().parse().ok().filter(|q| (0.0..=1.0).contains(q)).unwrap_or(0.0))
}

/// Returns whether `If-None-Match` contains `etag`, so that the client has the current version.
pub fn etag_matches(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let Ok(etag) = etag.to_str().map(opaque) else { return false };
    headers.get_all(header::IF_NONE_MATCH).iter().any(|value| {
        value
            .to_str()
            .is_ok_and(|tags| tags.trim() == "*" || tags.split(',').any(|tag| opaque(tag) == etag))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(value: &'static str) -> (bool, bool) {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
        let accepted = Accepted::from_headers(&headers);
        (accepted.brotli, accepted.gzip)
    }

    #[test]
    fn encodings_are_accepted_by_their_weight() {
        assert_eq!(accepted("gzip, deflate, br, zstd"), (true, true));
        assert_eq!(accepted("GZIP"), (false, true));
        assert_eq!(accepted("br;q=0, gzip"), (false, true));
        assert_eq!(accepted("br;q=0.5, gzip;q=0.8"), (false, true));
        assert_eq!(accepted("*"), (true, true));
        assert_eq!(accepted("*;q=0, gzip"), (false, true));
        assert_eq!(accepted("br; q = nonsense"), (false, false));
        assert_eq!(accepted("identity"), (false, false));
        assert_eq!(Accepted::from_headers(&HeaderMap::new()), Accepted::default());
    }

    #[test]
    fn an_etag_is_found_in_a_list_by_weak_comparison() {
        let etag = HeaderValue::from_static("W/\"abc\"");
        for (value, expected) in [
            ("\"abc\"", true),
            ("W/\"x\", W/\"abc\"", true),
            ("*", true),
            ("\"abcd\"", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, HeaderValue::from_static(value));
            assert_eq!(etag_matches(&headers, &etag), expected, "{value}");
        }
    }
}
