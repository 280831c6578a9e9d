//! An answer that is made once and served many times, with prepared headers and a shared body in several
//! encodings.

use axum::{body::Body, response::Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

use crate::{
    negotiate::{Accepted, Encoding, etag_matches},
    unpack,
};

/// A complete answer. Serving it does not copy the body.
#[derive(Debug)]
pub struct Reply {
    status: StatusCode,
    etag: HeaderValue,
    /// The headers that all encodings of the body have.
    headers: HeaderMap,
    body: StoredBody,
}

/// How the body is stored.
#[derive(Debug)]
enum StoredBody {
    /// Uncompressed, and with compressed forms if there are any.
    Plain { identity: Bytes, packed: Packed },
    /// Compressed with Brotli only. It is decompressed for a client that does not accept Brotli, and
    /// recompressed for one that accepts gzip.
    Brotli { packed: Bytes, length: usize },
}

/// The compressed forms. One that would not be smaller is missing.
#[derive(Clone, Debug, Default)]
pub struct Packed {
    pub brotli: Option<Bytes>,
    pub gzip: Option<Bytes>,
}

impl Reply {
    /// Creates an answer with `body` and `headers` (without those that describe the encoding). `etag`
    /// has to change whenever the body does.
    pub fn new(status: StatusCode, etag: HeaderValue, headers: HeaderMap, body: Bytes) -> Self {
        let mut headers = headers;
        headers.insert(header::ETAG, etag.clone());
        let body = StoredBody::Plain { identity: body, packed: Packed::default() };
        Self { status, etag, headers, body }
    }

    /// Returns the answer's status.
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the same answer with the compressed forms `smaller` of its body.
    pub fn with_packed(mut self, smaller: Packed) -> Self {
        if let StoredBody::Plain { packed, .. } = &mut self.body {
            *packed = smaller;
        }
        self
    }

    /// Returns the same answer with only a Brotli-compressed body, if that is smaller. CPU-bound: not
    /// for async threads.
    pub fn brotli_only(&self) -> Option<Self> {
        let StoredBody::Plain { identity, .. } = &self.body else { return None };
        let packed = packing::brotli(identity)?;
        Some(Self {
            status: self.status,
            etag: self.etag.clone(),
            headers: self.headers.clone(),
            body: StoredBody::Brotli { packed, length: identity.len() },
        })
    }

    /// Returns its weight in a cache that is bounded by bytes.
    pub fn weight(&self) -> u32 {
        u32::try_from(self.memory_bytes()).unwrap_or(u32::MAX)
    }

    /// Returns the memory that it takes, in bytes.
    pub fn memory_bytes(&self) -> usize {
        /// The overhead of a header in the map.
        const PER_HEADER: usize = 144;
        let headers = self.headers.iter();
        let headers = headers.map(|(_, value)| value.len() + PER_HEADER).sum::<usize>();
        let size = |form: &Option<Bytes>| form.as_ref().map_or(0, Bytes::len);
        let body = match &self.body {
            StoredBody::Plain { identity, packed } => {
                identity.len() + size(&packed.brotli) + size(&packed.gzip)
            }
            StoredBody::Brotli { packed, .. } => packed.len(),
        };
        size_of::<Self>() + headers + body
    }

    /// Answers a GET or HEAD with the given request headers.
    pub fn respond_to(&self, method: &Method, request: &HeaderMap) -> Response {
        if self.status.is_success()
            && request.contains_key(header::IF_NONE_MATCH)
            && etag_matches(request, &self.etag)
        {
            return respond(StatusCode::NOT_MODIFIED, self.headers.clone(), Body::empty());
        }
        let sent = self.body_for(Accepted::from_headers(request));
        let length = sent.length();
        let mut headers = self.headers.clone();
        if let Some(length) = length {
            headers.insert(header::CONTENT_LENGTH, length.into());
        }
        if let Some(name) = sent.encoding().name() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
        }
        // For HEAD with an unknown length the streaming body is kept, because an empty one would imply a
        // wrong length. It is never read.
        let omit_body = method == Method::HEAD && length.is_some();
        let body = if omit_body { Body::empty() } else { sent.into_body() };
        respond(self.status, headers, body)
    }

    /// Chooses the body for a client that accepts these encodings.
    fn body_for(&self, accepted: Accepted) -> SentBody<'_> {
        match &self.body {
            StoredBody::Plain { identity, packed } => {
                let brotli = packed.brotli.as_ref().filter(|_| accepted.brotli);
                let gzip = packed.gzip.as_ref().filter(|_| accepted.gzip);
                match (brotli, gzip) {
                    (Some(brotli), _) => SentBody::Stored(Encoding::Brotli, brotli),
                    (None, Some(gzip)) => SentBody::Stored(Encoding::Gzip, gzip),
                    (None, None) => SentBody::Stored(Encoding::Identity, identity),
                }
            }
            StoredBody::Brotli { packed, .. } if accepted.brotli => {
                SentBody::Stored(Encoding::Brotli, packed)
            }
            StoredBody::Brotli { packed, .. } if accepted.gzip => SentBody::Gzipped(packed),
            StoredBody::Brotli { packed, length } => SentBody::Unpacked { packed, length: *length },
        }
    }
}

/// The body as it is sent to one client.
enum SentBody<'r> {
    /// As it is stored.
    Stored(Encoding, &'r Bytes),
    /// Decompressed while it is sent.
    Unpacked { packed: &'r Bytes, length: usize },
    /// Decompressed, and recompressed with gzip while it is sent.
    Gzipped(&'r Bytes),
}

impl SentBody<'_> {
    const fn encoding(&self) -> Encoding {
        match self {
            Self::Stored(encoding, _) => *encoding,
            Self::Unpacked { .. } => Encoding::Identity,
            Self::Gzipped(_) => Encoding::Gzip,
        }
    }

    /// Returns the length in bytes; none if it is not known beforehand.
    const fn length(&self) -> Option<usize> {
        match self {
            Self::Stored(_, body) => Some(body.len()),
            Self::Unpacked { length, .. } => Some(*length),
            Self::Gzipped(_) => None,
        }
    }

    fn into_body(self) -> Body {
        match self {
            Self::Stored(_, body) => Body::from(body.clone()),
            Self::Unpacked { packed, .. } => unpack::brotli(packed.clone()),
            Self::Gzipped(packed) => unpack::brotli_to_gzip(packed.clone()),
        }
    }
}

fn respond(status: StatusCode, headers: HeaderMap, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// Returns a weak `ETag` of `body`: weak, because one tag stands for every encoding of it.
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

    fn request_with(name: header::HeaderName, value: &HeaderValue) -> HeaderMap {
        HeaderMap::from_iter([(name, value.clone())])
    }

    #[test]
    fn the_smallest_accepted_encoding_is_sent() {
        let wants =
            |encodings| request_with(header::ACCEPT_ENCODING, &HeaderValue::from_static(encodings));
        let plain = reply().respond_to(&Method::GET, &wants("br, gzip"));
        assert!(!plain.headers().contains_key(header::CONTENT_ENCODING));
        assert_eq!(plain.headers()[header::CONTENT_LENGTH], "10000");
        let form = |bytes: usize| Some(Bytes::from(vec![0; bytes]));
        let packed = reply().with_packed(Packed { brotli: form(10), gzip: form(20) });
        for (encodings, encoding, length) in [
            ("br, gzip", Some("br"), "10"),
            ("gzip", Some("gzip"), "20"),
            ("deflate", None, "10000"),
        ] {
            let given = packed.respond_to(&Method::GET, &wants(encodings));
            let given_encoding = given.headers().get(header::CONTENT_ENCODING);
            assert_eq!(given_encoding.map(HeaderValue::as_bytes), encoding.map(str::as_bytes));
            assert_eq!(given.headers()[header::CONTENT_LENGTH], length);
            assert_eq!(given.headers()[header::ETAG], plain.headers()[header::ETAG]);
        }
    }

    #[tokio::test]
    async fn a_brotli_only_body_is_readable_by_all_clients() {
        let whole = reply();
        let packed = whole.brotli_only().expect("a smaller form");
        assert!(packed.memory_bytes() < whole.memory_bytes() / 4);
        for (accepted, encoding) in [("br, gzip", Some("br")), ("br;q=0", None), ("", None)] {
            let wants = request_with(header::ACCEPT_ENCODING, &HeaderValue::from_static(accepted));
            let given = packed.respond_to(&Method::GET, &wants);
            let headers = given.headers().clone();
            let given_encoding = headers.get(header::CONTENT_ENCODING);
            assert_eq!(given_encoding.map(HeaderValue::as_bytes), encoding.map(str::as_bytes));
            assert_eq!(headers[header::ETAG], whole.etag);
            let body = to_bytes(given.into_body(), usize::MAX).await.expect("a body");
            assert_eq!(headers[header::CONTENT_LENGTH], body.len().to_string().as_str());
            if encoding.is_none() {
                assert_eq!(body, "word ".repeat(2_000));
            }
            let head = packed.respond_to(&Method::HEAD, &wants);
            assert_eq!(head.headers(), &headers);
        }
    }

    #[tokio::test]
    async fn a_brotli_only_body_is_recompressed_for_gzip_clients() {
        // More than one chunk of the decompression.
        let text = "word ".repeat(20_000);
        let body = Bytes::from(text.clone());
        let whole = Reply::new(StatusCode::OK, etag_of(&body), HeaderMap::new(), body);
        let packed = whole.brotli_only().expect("a smaller form");
        let wants =
            request_with(header::ACCEPT_ENCODING, &HeaderValue::from_static("gzip, br;q=0.1"));
        let given = packed.respond_to(&Method::GET, &wants);
        let headers = given.headers().clone();
        assert_eq!(headers[header::CONTENT_ENCODING], "gzip");
        assert_eq!(headers[header::ETAG], whole.etag);
        assert!(!headers.contains_key(header::CONTENT_LENGTH));
        let body = to_bytes(given.into_body(), usize::MAX).await.expect("a body");
        assert!(body.len() < text.len() / 2);
        let mut read = String::new();
        GzDecoder::new(&body[..]).read_to_string(&mut read).expect("gzip to its end");
        assert_eq!(read, text);

        let head = packed.respond_to(&Method::HEAD, &wants);
        assert_eq!(head.headers(), &headers);
        assert_eq!(head.body().size_hint().exact(), None, "no length is made of it");
        let has = HeaderMap::from_iter([
            (header::ACCEPT_ENCODING, HeaderValue::from_static("gzip")),
            (header::IF_NONE_MATCH, whole.etag.clone()),
        ]);
        let known = packed.respond_to(&Method::GET, &has);
        assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
        assert!(!known.headers().contains_key(header::CONTENT_ENCODING));
    }

    #[test]
    fn a_client_with_the_current_etag_gets_304() {
        let reply = reply();
        let has = request_with(header::IF_NONE_MATCH, &reply.etag);
        let response = reply.respond_to(&Method::GET, &has);
        assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(response.headers()[header::VARY], "accept-encoding");
        assert!(!response.headers().contains_key(header::CONTENT_LENGTH));
    }
}
