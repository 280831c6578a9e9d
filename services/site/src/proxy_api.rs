//! Handing `/api` on to the query service.
//!
//! What is handed on is listed, not what isn't: the paths, the methods and the request's headers.
//! The change stream is none of it, nor are visits: see [`crate::change_feed`], [`crate::visits`].

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
use runtime::problem::Problem;
use tokio::time::timeout;
use url::Url;

use crate::{
    door::Door,
    security::AnswerKind,
    upstream::{Limits, Upstream},
};

const CONNECT_LIMIT: Duration = Duration::from_secs(1);
/// For the head of an answer, and for each part of its body from when there is room for it.
const ANSWER_LIMIT: Duration = Duration::from_secs(15);
/// For a whole answer: portals read a feed of all homes as slowly as their line is.
const WHOLE_LIMIT: Duration = Duration::from_hours(1);
/// How long a connection without calls is kept.
const IDLE_LIMIT: Duration = Duration::from_secs(90);
const RETRY_AFTER: Duration = Duration::from_secs(2);
/// The longest address of a call, in characters: fifty values of a name or two have room.
const MAX_ADDRESS_LENGTH: usize = 8_000;

/// What a query node says that can't answer at the moment, where another one may.
const CANNOT_ANSWER: [StatusCode; 3] =
    [StatusCode::BAD_GATEWAY, StatusCode::SERVICE_UNAVAILABLE, StatusCode::GATEWAY_TIMEOUT];

/// What is public of the read API, but for the change stream. Whole paths: what is not here does not
/// reach the query service.
pub const PUBLIC_CALLS: [&str; 20] = [
    "/api/articles",
    "/api/articles/{slug}",
    "/api/cards",
    "/api/docs",
    "/api/docs/{*slugPath}",
    "/api/figures",
    "/api/locations",
    "/api/locations/{slug}",
    "/api/moved",
    "/api/openapi.json",
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

/// What the query service learns of a request.
const REQUEST_HEADERS: [HeaderName; 5] = [
    header::ACCEPT,
    header::ACCEPT_ENCODING,
    header::ACCEPT_LANGUAGE,
    header::IF_NONE_MATCH,
    HeaderName::from_static(MIN_SEQUENCE_HEADER),
];

/// What concerns one connection only (RFC 9110, 7.6.1).
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

/// The way to the query service.
#[derive(Debug)]
pub struct ApiProxy {
    upstream: Upstream,
    /// How long it may say nothing.
    limit: Duration,
}

impl ApiProxy {
    /// To the query service at `query_url`.
    pub fn new(query_url: &Url) -> Result<Self, reqwest::Error> {
        Self::within(query_url, ANSWER_LIMIT)
    }

    fn within(query_url: &Url, limit: Duration) -> Result<Self, reqwest::Error> {
        let limits = Limits { connect: CONNECT_LIMIT, answer: WHOLE_LIMIT, idle: IDLE_LIMIT };
        Ok(Self { upstream: Upstream::new(query_url, limits)?, limit })
    }

    async fn hand_on(&self, request: &Parts) -> Result<Response, Problem> {
        if request.method != Method::GET && request.method != Method::HEAD {
            return Err(Problem::method_not_allowed("GET, HEAD"));
        }
        let asked = request.uri.path_and_query().map_or("/", |asked| asked.as_str());
        if asked.len() > MAX_ADDRESS_LENGTH {
            return Err(too_long());
        }
        let onward = |client: &reqwest::Client, base: &str| {
            let mut onward = client.request(request.method.clone(), format!("{base}{asked}"));
            for name in REQUEST_HEADERS {
                for value in request.headers.get_all(&name) {
                    onward = onward.header(&name, value);
                }
            }
            onward
        };
        let slow = || away("the search took too long");
        let answer = timeout(self.limit, self.upstream.ask(&CANNOT_ANSWER, onward)).await;
        let answer = answer.map_err(|_| slow())?.map_err(|error| {
            tracing::debug!(%error, "the query service is away");
            if error.is_timeout() { slow() } else { away("the search is away") }
        })?;

        let status = answer.status();
        let headers = end_to_end(answer.headers());
        let mut response = Response::new(Body::from_stream(parts(answer, self.limit)));
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        Ok(response)
    }
}

/// One of [`PUBLIC_CALLS`].
pub async fn api(State(door): State<Arc<Door>>, request: Request) -> Response {
    // Its calls have no body; one that comes all the same is not read.
    let (request, _body) = request.into_parts();
    let visitor = door.rate.address_of(&request.headers, &request.extensions);
    let answer = if door.rate.allows(visitor) {
        let answer = door.api.hand_on(&request).await;
        if request.method == Method::GET && answer.as_ref().is_ok_and(|it| it.status().is_success())
        {
            door.searches.answered(&request.uri, &request.headers);
        }
        answer
    } else {
        door.counters.limited.increment(1);
        Err(too_many())
    };
    secured(&door, answer)
}

/// What is under `/api` and is no call.
pub async fn no_such_call(State(door): State<Arc<Door>>) -> Response {
    secured(&door, Err(Problem::not_found("there is no such call; /api/openapi.json lists them")))
}

/// The answer with the headers that everything has.
pub fn secured(door: &Door, answer: Result<Response, Problem>) -> Response {
    let mut response = answer.unwrap_or_else(IntoResponse::into_response);
    door.security.apply(response.headers_mut(), AnswerKind::Data);
    response
}

/// Who asks too much is told when to come back.
pub fn too_many() -> Problem {
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", "Too many requests")
        .with_retry_after(RETRY_AFTER)
}

/// What is asked for can't be had at the moment.
pub fn away(detail: &str) -> Problem {
    Problem::unavailable(detail, RETRY_AFTER)
}

fn too_long() -> Problem {
    Problem::new(StatusCode::URI_TOO_LONG, "uri-too-long", "The address is too long")
        .with_detail(format!("{MAX_ADDRESS_LENGTH} characters are read"))
}

/// The body of `answer`, of which each part has to come within `limit` of being waited for. For how
/// long whoever reads it may take nothing is bounded where they are listened to.
fn parts(answer: reqwest::Response, limit: Duration) -> impl Stream<Item = io::Result<Bytes>> {
    stream::try_unfold(answer, move |mut answer| async move {
        let part = timeout(limit, answer.chunk()).await?.map_err(io::Error::other)?;
        Ok::<_, io::Error>(part.map(|part| (part, answer)))
    })
    .inspect_err(|error| tracing::warn!(%error, "an answer of the query service broke off"))
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
    use std::{collections::BTreeSet, fs, future::pending, iter, path::Path};

    use futures::StreamExt;
    use http::HeaderValue;
    use serde_json::Value;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    #[test]
    fn what_is_public_is_what_the_description_of_the_calls_has() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../query/openapi.json");
        let described = fs::read_to_string(file).expect("the description");
        let described: Value = serde_json::from_str(&described).expect("JSON");
        let calls = described["paths"].as_object().expect("paths").keys().cloned();
        let described: BTreeSet<String> = calls.chain(["/api/openapi.json".to_owned()]).collect();
        // The site follows the feed of changes itself and answers this one call from it.
        let answered_here = iter::once("/api/changes".to_owned());
        let handed_on = PUBLIC_CALLS.iter().map(|call| call.replace("{*", "{"));
        let public: BTreeSet<String> = handed_on.chain(answered_here).collect();
        assert_eq!(public, described);
    }

    #[test]
    fn headers_of_one_connection_stay_there() {
        let given = HeaderMap::from_iter([
            (header::CONNECTION, HeaderValue::from_static("close, x-private")),
            (HeaderName::from_static("x-private"), HeaderValue::from_static("1")),
            (header::TRANSFER_ENCODING, HeaderValue::from_static("chunked")),
            (header::ETAG, HeaderValue::from_static("\"e\"")),
        ]);
        let kept = end_to_end(&given);
        assert_eq!(kept.keys().collect::<Vec<_>>(), [header::ETAG]);
    }

    /// What a visitor is handed of a query service that says `said` and then nothing more.
    async fn handed_on(said: &'static str, limit: Duration) -> Response {
        runtime::install_crypto_provider();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async move {
            let (mut taken, _) = listener.accept().await.expect("a connection");
            let mut request = [0; 1_000];
            let _read = taken.read(&mut request).await.expect("a request");
            taken.write_all(said.as_bytes()).await.expect("it is sent");
            pending::<()>().await;
        });
        let api = ApiProxy::within(&url.parse().expect("a URL"), limit).expect("a client");
        let (request, _) = Request::new(Body::empty()).into_parts();
        api.hand_on(&request).await.expect("an answer")
    }

    #[tokio::test]
    async fn a_feed_may_be_read_slowly_as_long_as_it_comes() {
        let limit = Duration::from_secs(1);
        let said = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\
                    4\r\nhalf\r\n4\r\nmore\r\n";
        let mut body = handed_on(said, limit).await.into_body().into_data_stream();
        let mut read = async || body.next().await.expect("the end is not said");
        assert_eq!(read().await.expect("a part"), "half");
        // As a portal does on its slow line.
        tokio::time::sleep(limit).await;
        assert_eq!(read().await.expect("the next part"), "more");
        assert!(read().await.is_err(), "a service that says nothing more is not waited for");
    }
}
