//! Proxies `/api` to the query service.
//!
//! What is forwarded is an allow-list: the paths, the methods and the request's headers. The change
//! stream and visits are not part of it: see [`crate::calls::change_feed`] and [`crate::calls::visits`].

use std::{io, sync::Arc, time::Duration};

use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use contracts::MIN_SEQUENCE_HEADER;
use futures::{Stream, TryStreamExt, stream};
use http::{HeaderMap, HeaderName, Method, StatusCode, header, request::Parts};
use runtime::{error_text, problem::Problem};
use tokio::time::timeout;
use url::Url;

use crate::{
    door::Door,
    request_span::traced,
    security::AnswerKind,
    upstream::{Limits, Upstream},
};

const CONNECT_LIMIT: Duration = Duration::from_secs(1);
/// The limit for the head of an answer, and for each part of its body, from when there is room for it.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);
/// The limit for a complete answer: property portals read the feed of all homes at the speed of their
/// line.
const TOTAL_LIMIT: Duration = Duration::from_hours(1);
/// How long an idle connection is kept.
const IDLE_LIMIT: Duration = Duration::from_secs(90);
const RETRY_AFTER: Duration = Duration::from_secs(2);
/// The maximum length of a call's address, in characters: enough for fifty values of one or two
/// parameters.
const MAX_ADDRESS_LENGTH: usize = 8_000;

/// The statuses of a query node that can't answer now, when another node may.
const RETRY_STATUSES: [StatusCode; 3] =
    [StatusCode::BAD_GATEWAY, StatusCode::SERVICE_UNAVAILABLE, StatusCode::GATEWAY_TIMEOUT];

/// The public calls of the read API, except the change stream. These are complete paths: no other path
/// reaches the query service.
pub const PUBLIC_CALLS: [&str; 19] = [
    "/api/articles",
    "/api/articles/{slug}",
    "/api/cards",
    "/api/docs",
    "/api/docs/{*slugPath}",
    "/api/figures",
    "/api/locations",
    "/api/locations/{slug}",
    "/api/moved",
    "/api/pages/{slug}",
    "/api/properties",
    "/api/properties/map",
    "/api/properties/{ref}",
    "/api/properties/{ref}/comparable",
    "/api/site",
    "/api/sitemap",
    "/api/suggest",
    "/api/team",
    "/feeds/kyero.xml",
];

/// The request headers that are forwarded to the query service.
const REQUEST_HEADERS: [HeaderName; 5] = [
    header::ACCEPT,
    header::ACCEPT_ENCODING,
    header::ACCEPT_LANGUAGE,
    header::IF_NONE_MATCH,
    HeaderName::from_static(MIN_SEQUENCE_HEADER),
];

/// Headers that apply to one connection only (RFC 9110, 7.6.1).
const HOP_BY_HOP: [HeaderName; 8] = [
    header::CONNECTION,
    HeaderName::from_static("keep-alive"),
    header::PROXY_AUTHENTICATE,
    HeaderName::from_static("proxy-connection"),
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// A proxy to the query service.
#[derive(Debug)]
pub struct ApiProxy {
    upstream: Upstream,
    /// How long the query service may be silent.
    limit: Duration,
}

impl ApiProxy {
    /// Creates a proxy to the query service at `query_url`.
    pub fn new(query_url: &Url) -> Result<Self, reqwest::Error> {
        Self::within(query_url, ANSWER_TIMEOUT)
    }

    fn within(query_url: &Url, limit: Duration) -> Result<Self, reqwest::Error> {
        let limits = Limits { connect: CONNECT_LIMIT, answer: TOTAL_LIMIT, idle: IDLE_LIMIT };
        Ok(Self { upstream: Upstream::new(query_url, limits)?, limit })
    }

    async fn forward(&self, request: &Parts) -> Result<Response, Problem> {
        let address = request.uri.path_and_query().map_or("/", |address| address.as_str());
        if address.len() > MAX_ADDRESS_LENGTH {
            return Err(too_long());
        }
        let request_to = |client: &reqwest::Client, base: &str| {
            let mut forwarded = client.request(request.method.clone(), format!("{base}{address}"));
            for name in REQUEST_HEADERS {
                for value in request.headers.get_all(&name) {
                    forwarded = forwarded.header(&name, value);
                }
            }
            forwarded
        };
        let slow = || service_unavailable("the search took too long");
        let answer =
            timeout(self.limit, self.upstream.call_safe(&RETRY_STATUSES, request_to)).await;
        let answer = answer.map_err(|_| slow())?.map_err(|error| {
            tracing::debug!(error = error_text(&error), "the query service is unavailable");
            if error.is_timeout() {
                slow()
            } else {
                service_unavailable("the search is unavailable")
            }
        })?;

        let status = answer.status();
        let headers = end_to_end(answer.headers());
        let mut response = Response::new(Body::from_stream(body_parts(answer, self.limit)));
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        Ok(response)
    }
}

/// Handles one of [`PUBLIC_CALLS`].
pub async fn api(State(door): State<Arc<Door>>, request: Request) -> Response {
    // These calls have no body. If a client sends one, it is not read.
    let (request, _body) = request.into_parts();
    if let Err(limited) = door.admit(&request) {
        return with_security_headers(&door, Err(limited.into()));
    }
    let response = traced(&request, door.api.forward(&request)).await;
    if request.method == Method::GET && response.status().is_success() {
        door.searches.record_call(&request.uri, &request.headers);
    }
    with_security_headers(&door, Ok(response))
}

/// Handles every other path under `/api`.
pub async fn no_such_call(State(door): State<Arc<Door>>) -> Response {
    with_security_headers(
        &door,
        Err(Problem::not_found("there is no such call; /api/openapi.json lists them")),
    )
}

/// Adds the security headers to an answer.
pub fn with_security_headers(door: &Door, answer: Result<Response, Problem>) -> Response {
    let mut response = answer.unwrap_or_else(IntoResponse::into_response);
    door.security.apply(response.headers_mut(), AnswerKind::Data);
    response
}

/// Returns the problem for a service that is temporarily unavailable.
pub fn service_unavailable(detail: &str) -> Problem {
    Problem::unavailable(detail, RETRY_AFTER)
}

fn too_long() -> Problem {
    Problem::new(StatusCode::URI_TOO_LONG, "uri-too-long", "The address is too long")
        .with_detail(format!("{MAX_ADDRESS_LENGTH} characters are read"))
}

/// Streams the body of `answer`. Each part has to arrive within `limit` of being awaited. How long the
/// client may stop reading is limited by [`crate::listen`].
fn body_parts(answer: reqwest::Response, limit: Duration) -> impl Stream<Item = io::Result<Bytes>> {
    stream::try_unfold(answer, move |mut answer| async move {
        let part = timeout(limit, answer.chunk()).await?.map_err(io::Error::other)?;
        Ok::<_, io::Error>(part.map(|part| (part, answer)))
    })
    .inspect_err(|error| {
        tracing::warn!(error = error_text(error), "an answer of the query service was interrupted");
    })
}

fn end_to_end(headers: &HeaderMap) -> HeaderMap {
    let named: Vec<String> = headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|name| name.trim().to_ascii_lowercase())
        .collect();
    headers
        .iter()
        .filter(|(name, _)| {
            !HOP_BY_HOP.contains(name) && !named.iter().any(|named| named == name.as_str())
        })
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use futures::StreamExt;
    use http::HeaderValue;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    #[test]
    fn hop_by_hop_headers_are_not_forwarded() {
        let given = HeaderMap::from_iter([
            (header::CONNECTION, HeaderValue::from_static("close, x-private")),
            (HeaderName::from_static("x-private"), HeaderValue::from_static("1")),
            (header::TRANSFER_ENCODING, HeaderValue::from_static("chunked")),
            (header::ETAG, HeaderValue::from_static("\"e\"")),
        ]);
        let kept = end_to_end(&given);
        assert_eq!(kept.keys().collect::<Vec<_>>(), [header::ETAG]);
    }

    /// Returns what a visitor gets from a query service that sends `response_text` and then nothing
    /// more.
    async fn forwarded_answer(response_text: &'static str, limit: Duration) -> Response {
        runtime::install_crypto_provider();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async move {
            let (mut taken, _) = listener.accept().await.expect("a connection");
            let mut request = [0; 1_000];
            let _read = taken.read(&mut request).await.expect("a request");
            taken.write_all(response_text.as_bytes()).await.expect("it is sent");
            pending::<()>().await;
        });
        let api = ApiProxy::within(&url.parse().expect("a URL"), limit).expect("a client");
        let (request, _) = Request::new(Body::empty()).into_parts();
        api.forward(&request).await.expect("an answer")
    }

    #[tokio::test]
    async fn a_feed_may_be_read_slowly() {
        let limit = Duration::from_secs(1);
        let response_text = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\
                    4\r\nhalf\r\n4\r\nmore\r\n";
        let mut body = forwarded_answer(response_text, limit).await.into_body().into_data_stream();
        let mut read = async || body.next().await.expect("the body has not ended");
        assert_eq!(read().await.expect("a part"), "half");
        // Like a portal on a slow line.
        tokio::time::sleep(limit).await;
        assert_eq!(read().await.expect("the next part"), "more");
        assert!(read().await.is_err(), "a silent service is not waited for");
    }
}
