//! An answer made once and given many times: its headers built, its body shared and packed.

use axum::{body::Body, response::Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

use crate::{
    negotiate::{Accepted, Encoding, has_already},
    unpack,
};

/// A whole answer. Giving it copies no body.
#[derive(Debug)]
pub struct Reply {
    status: StatusCode,
    etag: HeaderValue,
    /// Those that all forms of the body have.
    headers: HeaderMap,
    body: Forms,
}

/// How the body is held.
#[derive(Debug)]
enum Forms {
    /// As it is, and beside that smaller.
    All { identity: Bytes, packed: Packed },
    /// Packed alone, and unpacked for each who can't read that: as gzip for who can read that.
    Brotli { packed: Bytes, length: usize },
}

/// The smaller forms. One that would not be smaller is not there.
#[derive(Clone, Debug, Default)]
pub struct Packed {
    pub brotli: Option<Bytes>,
    pub gzip: Option<Bytes>,
}

impl Reply {
    /// An answer of `body` with `headers` (without those that describe its form), which changes
    /// whenever `etag` does.
    pub fn new(status: StatusCode, etag: HeaderValue, headers: HeaderMap, body: Bytes) -> Self {
        let mut headers = headers;
        headers.insert(header::ETAG, etag.clone());
        let body = Forms::All { identity: body, packed: Packed::default() };
        Self { status, etag, headers, body }
    }

    /// The answer's status.
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// The same answer with `smaller` forms of its body beside it.
    pub fn with_packed(mut self, smaller: Packed) -> Self {
        if let Forms::All { packed, .. } = &mut self.body {
            *packed = smaller;
        }
        self
    }

    /// The same answer with its body packed alone, if that is smaller. It takes a while: not for
    /// async threads.
    pub fn packed_alone(&self) -> Option<Self> {
        let Forms::All { identity, .. } = &self.body else { return None };
        let packed = packing::brotli(identity)?;
        Some(Self {
            status: self.status,
            etag: self.etag.clone(),
            headers: self.headers.clone(),
            body: Forms::Brotli { packed, length: identity.len() },
        })
    }

    /// What it weighs in a cache that is bounded by bytes.
    pub fn weight(&self) -> u32 {
        u32::try_from(self.held_bytes()).unwrap_or(u32::MAX)
    }

    /// The memory that it takes, in bytes.
    pub fn held_bytes(&self) -> usize {
        /// A header's place in its map, and what its value is kept in.
        const PER_HEADER: usize = 144;
        let headers = self.headers.iter();
        let headers = headers.map(|(_, value)| value.len() + PER_HEADER).sum::<usize>();
        let size = |form: &Option<Bytes>| form.as_ref().map_or(0, Bytes::len);
        let body = match &self.body {
            Forms::All { identity, packed } => {
                identity.len() + size(&packed.brotli) + size(&packed.gzip)
            }
            Forms::Brotli { packed, .. } => packed.len(),
        };
        size_of::<Self>() + headers + body
    }

    /// The answer to a GET or HEAD with these headers.
    pub fn give(&self, method: &Method, request: &HeaderMap) -> Response {
        if self.status.is_success()
            && request.contains_key(header::IF_NONE_MATCH)
            && has_already(request, &self.etag)
        {
            return respond(StatusCode::NOT_MODIFIED, self.headers.clone(), Body::empty());
        }
        let form = self.form(Accepted::by(request));
        let length = form.length();
        let mut headers = self.headers.clone();
        if let Some(length) = length {
            headers.insert(header::CONTENT_LENGTH, length.into());
        }
        if let Some(name) = form.encoding().name() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
        }
        // An empty body would tell a length that the whole has not. Of the other nothing is read.
        let is_left_out = method == Method::HEAD && length.is_some();
        let body = if is_left_out { Body::empty() } else { form.into_body() };
        respond(self.status, headers, body)
    }

    /// The body for who takes these encodings.
    fn form(&self, accepted: Accepted) -> Form<'_> {
        match &self.body {
            Forms::All { identity, packed } => {
                let brotli = packed.brotli.as_ref().filter(|_| accepted.brotli);
                let gzip = packed.gzip.as_ref().filter(|_| accepted.gzip);
                match (brotli, gzip) {
                    (Some(brotli), _) => Form::Held(Encoding::Brotli, brotli),
                    (None, Some(gzip)) => Form::Held(Encoding::Gzip, gzip),
                    (None, None) => Form::Held(Encoding::Identity, identity),
                }
            }
            Forms::Brotli { packed, .. } if accepted.brotli => Form::Held(Encoding::Brotli, packed),
            Forms::Brotli { packed, .. } if accepted.gzip => Form::PackedAgain(packed),
            Forms::Brotli { packed, length } => Form::Unpacked { packed, length: *length },
        }
    }
}

/// The body as one visitor gets it.
enum Form<'r> {
    /// As it is held.
    Held(Encoding, &'r Bytes),
    /// As it was before it was packed.
    Unpacked { packed: &'r Bytes, length: usize },
    /// The same as gzip, packed on its way.
    PackedAgain(&'r Bytes),
}

impl Form<'_> {
    const fn encoding(&self) -> Encoding {
        match self {
            Self::Held(encoding, _) => *encoding,
            Self::Unpacked { .. } => Encoding::Identity,
            Self::PackedAgain(_) => Encoding::Gzip,
        }
    }

    /// None where nobody knows it beforehand.
    const fn length(&self) -> Option<usize> {
        match self {
            Self::Held(_, body) => Some(body.len()),
            Self::Unpacked { length, .. } => Some(*length),
            Self::PackedAgain(_) => None,
        }
    }

    fn into_body(self) -> Body {
        match self {
            Self::Held(_, body) => Body::from(body.clone()),
            Self::Unpacked { packed, .. } => unpack::brotli(packed.clone()),
            Self::PackedAgain(packed) => unpack::brotli_to_gzip(packed.clone()),
        }
    }
}

fn respond(status: StatusCode, headers: HeaderMap, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// A weak tag over `body`: weak, because one tag stands for every form of it.
pub fn etag_of(body: &[u8]) -> HeaderValue {
    let hash = blake3::hash(body).to_hex();
    HeaderValue::from_str(&format!("W/\"{}\"", &hash[..24]))
        .unwrap_or_else(|_| HeaderValue::from_static("W/\"\""))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use axum::body::{HttpBody, to_bytes};
    use flate2::read::GzDecoder;

    use super::*;

    fn reply() -> Reply {
        let body = Bytes::from("word ".repeat(2_000));
        let mut headers = HeaderMap::new();
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        Reply::new(StatusCode::OK, etag_of(&body), headers, body)
    }

    fn asking(name: header::HeaderName, value: &HeaderValue) -> HeaderMap {
        HeaderMap::from_iter([(name, value.clone())])
    }

    #[test]
    fn the_smallest_form_that_is_read_goes_out() {
        let wants =
            |encodings| asking(header::ACCEPT_ENCODING, &HeaderValue::from_static(encodings));
        let plain = reply().give(&Method::GET, &wants("br, gzip"));
        assert!(!plain.headers().contains_key(header::CONTENT_ENCODING));
        assert_eq!(plain.headers()[header::CONTENT_LENGTH], "10000");
        let form = |bytes: usize| Some(Bytes::from(vec![0; bytes]));
        let packed = reply().with_packed(Packed { brotli: form(10), gzip: form(20) });
        for (encodings, encoding, length) in [
            ("br, gzip", Some("br"), "10"),
            ("gzip", Some("gzip"), "20"),
            ("deflate", None, "10000"),
        ] {
            let given = packed.give(&Method::GET, &wants(encodings));
            let given_encoding = given.headers().get(header::CONTENT_ENCODING);
            assert_eq!(given_encoding.map(HeaderValue::as_bytes), encoding.map(str::as_bytes));
            assert_eq!(given.headers()[header::CONTENT_LENGTH], length);
            assert_eq!(given.headers()[header::ETAG], plain.headers()[header::ETAG]);
        }
    }

    #[tokio::test]
    async fn what_is_held_packed_alone_is_read_by_all() {
        let whole = reply();
        let packed = whole.packed_alone().expect("a smaller form");
        assert!(packed.held_bytes() < whole.held_bytes() / 4);
        for (accepted, encoding) in [("br, gzip", Some("br")), ("br;q=0", None), ("", None)] {
            let wants = asking(header::ACCEPT_ENCODING, &HeaderValue::from_static(accepted));
            let given = packed.give(&Method::GET, &wants);
            let headers = given.headers().clone();
            let given_encoding = headers.get(header::CONTENT_ENCODING);
            assert_eq!(given_encoding.map(HeaderValue::as_bytes), encoding.map(str::as_bytes));
            assert_eq!(headers[header::ETAG], whole.etag);
            let body = to_bytes(given.into_body(), usize::MAX).await.expect("a body");
            assert_eq!(headers[header::CONTENT_LENGTH], body.len().to_string().as_str());
            if encoding.is_none() {
                assert_eq!(body, "word ".repeat(2_000));
            }
            let head = packed.give(&Method::HEAD, &wants);
            assert_eq!(head.headers(), &headers);
        }
    }

    #[tokio::test]
    async fn what_is_held_packed_alone_is_packed_again_for_who_reads_gzip() {
        // More than is unpacked at a time.
        let text = "word ".repeat(20_000);
        let body = Bytes::from(text.clone());
        let whole = Reply::new(StatusCode::OK, etag_of(&body), HeaderMap::new(), body);
        let packed = whole.packed_alone().expect("a smaller form");
        let wants = asking(header::ACCEPT_ENCODING, &HeaderValue::from_static("gzip, br;q=0.1"));
        let given = packed.give(&Method::GET, &wants);
        let headers = given.headers().clone();
        assert_eq!(headers[header::CONTENT_ENCODING], "gzip");
        assert_eq!(headers[header::ETAG], whole.etag);
        assert!(!headers.contains_key(header::CONTENT_LENGTH));
        let body = to_bytes(given.into_body(), usize::MAX).await.expect("a body");
        assert!(body.len() < text.len() / 2);
        let mut read = String::new();
        GzDecoder::new(&body[..]).read_to_string(&mut read).expect("gzip to its end");
        assert_eq!(read, text);

        let head = packed.give(&Method::HEAD, &wants);
        assert_eq!(head.headers(), &headers);
        assert_eq!(head.body().size_hint().exact(), None, "no length is made of it");
        let has = HeaderMap::from_iter([
            (header::ACCEPT_ENCODING, HeaderValue::from_static("gzip")),
            (header::IF_NONE_MATCH, whole.etag.clone()),
        ]);
        let known = packed.give(&Method::GET, &has);
        assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
        assert!(!known.headers().contains_key(header::CONTENT_ENCODING));
    }

    #[test]
    fn who_has_it_is_not_sent_it() {
        let reply = reply();
        let has = asking(header::IF_NONE_MATCH, &reply.etag);
        let response = reply.give(&Method::GET, &has);
        assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(response.headers()[header::VARY], "accept-encoding");
        assert!(!response.headers().contains_key(header::CONTENT_LENGTH));
    }
}
