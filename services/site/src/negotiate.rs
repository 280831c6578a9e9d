//! What a request's headers ask for: an encoding, or only to know whether something changed.

use http::{HeaderMap, HeaderValue, header};

/// How a body is encoded on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As it is.
    Identity,
    /// gzip.
    Gzip,
    /// Brotli.
    Brotli,
}

impl Encoding {
    /// Its name in `Content-Encoding`.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Brotli => Some("br"),
        }
    }
}

/// The encodings that a request takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// Brotli is taken, and no worse than gzip.
    pub brotli: bool,
    /// gzip is taken.
    pub gzip: bool,
}

impl Accepted {
    /// Reads `Accept-Encoding` (RFC 9110, 12.5.3).
    ///
    /// Identity is always held to be acceptable: a client that refuses it and takes neither of the
    /// others is better served with the page than with a 406.
    pub fn by(headers: &HeaderMap) -> Self {
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

/// The weight that a `q=` field gives; a broken one counts as a refusal.
fn quality(field: &str) -> Option<f32> {
    let (name, weight) = field.split_once('=')?;
    name.trim()
        .eq_ignore_ascii_case("q")
        .then(|| weight.trim().parse().ok().filter(|q| (0.0..=1.0).contains(q)).unwrap_or(0.0))
}

/// Whether `If-None-Match` names `etag`, so that the client need not be sent what it has.
pub fn has_already(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let Ok(ours) = etag.to_str().map(opaque) else { return false };
    headers.get_all(header::IF_NONE_MATCH).iter().any(|value| {
        value
            .to_str()
            .is_ok_and(|tags| tags.trim() == "*" || tags.split(',').any(|tag| opaque(tag) == ours))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(value: &'static str) -> (bool, bool) {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
        let accepted = Accepted::by(&headers);
        (accepted.brotli, accepted.gzip)
    }

    #[test]
    fn encodings_are_taken_by_their_weight() {
        assert_eq!(accepted("gzip, deflate, br, zstd"), (true, true));
        assert_eq!(accepted("GZIP"), (false, true));
        assert_eq!(accepted("br;q=0, gzip"), (false, true));
        assert_eq!(accepted("br;q=0.5, gzip;q=0.8"), (false, true));
        assert_eq!(accepted("*"), (true, true));
        assert_eq!(accepted("*;q=0, gzip"), (false, true));
        assert_eq!(accepted("br; q = nonsense"), (false, false));
        assert_eq!(accepted("identity"), (false, false));
        assert_eq!(Accepted::by(&HeaderMap::new()), Accepted::default());
    }

    #[test]
    fn a_tag_is_found_in_a_list_and_weakly() {
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
            assert_eq!(has_already(&headers, &etag), expected, "{value}");
        }
    }
}
