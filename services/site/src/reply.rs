//! An answer made once and given many times: its headers built, its body shared and packed.

use std::sync::OnceLock;

use axum::{body::Body, response::Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

use crate::{
    negotiate::{Accepted, Encoding, has_already},
    pack,
};

/// A whole answer. Giving it copies no body and formats no header.
#[derive(Debug)]
pub struct Reply {
    status: StatusCode,
    etag: HeaderValue,
    /// What a 304 repeats.
    common: HeaderMap,
    identity: Variant,
    packed: OnceLock<Packed>,
}

/// One form of the body with its headers.
#[derive(Debug)]
struct Variant {
    headers: HeaderMap,
    body: Bytes,
}

/// The smaller forms. One that would not be smaller is not there.
#[derive(Debug, Default)]
struct Packed {
    brotli: Option<Variant>,
    gzip: Option<Variant>,
}

impl Reply {
    /// An answer of `body` with `headers` (without those that describe its form), which changes
    /// whenever `etag` does.
    pub fn new(status: StatusCode, etag: HeaderValue, headers: HeaderMap, body: Bytes) -> Self {
        let mut common = headers;
        common.insert(header::ETAG, etag.clone());
        let identity = Variant::new(&common, Encoding::Identity, body);
        Self { status, etag, common, identity, packed: OnceLock::new() }
    }

    /// The answer's status.
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// The body as it is.
    pub const fn body(&self) -> &Bytes {
        &self.identity.body
    }

    /// The headers that all forms have.
    pub const fn headers(&self) -> &HeaderMap {
        &self.common
    }

    /// Makes the packed forms and returns their size. It takes a while: not for async threads.
    /// Until it is done the body goes out as it is.
    pub fn pack(&self, effort: pack::Effort) -> usize {
        let variant = |encoding, body: Option<Bytes>| {
            body.map(|body| Variant::new(&self.common, encoding, body))
        };
        let packed = self.packed.get_or_init(|| Packed {
            brotli: variant(Encoding::Brotli, pack::brotli(self.body(), effort)),
            gzip: variant(Encoding::Gzip, pack::gzip(self.body(), effort)),
        });
        [&packed.brotli, &packed.gzip].into_iter().flatten().map(|form| form.body.len()).sum()
    }

    /// The answer to a GET or HEAD with these headers.
    pub fn give(&self, method: &Method, request: &HeaderMap) -> Response {
        if self.status.is_success()
            && request.contains_key(header::IF_NONE_MATCH)
            && has_already(request, &self.etag)
        {
            return respond(StatusCode::NOT_MODIFIED, self.common.clone(), Body::empty());
        }
        let variant = self.variant(Accepted::by(request));
        let body =
            if method == Method::HEAD { Body::empty() } else { Body::from(variant.body.clone()) };
        respond(self.status, variant.headers.clone(), body)
    }

    fn variant(&self, accepted: Accepted) -> &Variant {
        let Some(packed) = self.packed.get() else { return &self.identity };
        let brotli = packed.brotli.as_ref().filter(|_| accepted.brotli);
        let gzip = packed.gzip.as_ref().filter(|_| accepted.gzip);
        brotli.or(gzip).unwrap_or(&self.identity)
    }
}

impl Variant {
    fn new(common: &HeaderMap, encoding: Encoding, body: Bytes) -> Self {
        let mut headers = common.clone();
        headers.insert(header::CONTENT_LENGTH, body.len().into());
        let name = match encoding {
            Encoding::Identity => None,
            Encoding::Gzip => Some("gzip"),
            Encoding::Brotli => Some("br"),
        };
        if let Some(name) = name {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
        }
        Self { headers, body }
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
    fn the_body_goes_out_as_it_is_until_it_is_packed() {
        let reply = reply();
        let wants = asking(header::ACCEPT_ENCODING, &HeaderValue::from_static("br, gzip"));
        let before = reply.give(&Method::GET, &wants);
        assert!(!before.headers().contains_key(header::CONTENT_ENCODING));
        assert_eq!(before.headers()[header::CONTENT_LENGTH], "10000");
        assert!(reply.pack(pack::Effort::Once) > 0);
        let after = reply.give(&Method::GET, &wants);
        assert_eq!(after.headers()[header::CONTENT_ENCODING], "br");
        assert_eq!(after.headers()[header::ETAG], before.headers()[header::ETAG]);
    }

    #[test]
    fn who_has_it_is_not_sent_it() {
        let reply = reply();
        let has = asking(header::IF_NONE_MATCH, &etag_of(reply.body()));
        let response = reply.give(&Method::GET, &has);
        assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(response.headers()[header::VARY], "accept-encoding");
        assert!(!response.headers().contains_key(header::CONTENT_LENGTH));
    }
}
