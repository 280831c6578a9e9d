//! Handing `/api` on to the query service.
//!
//! What is handed on is listed, not what isn't: the paths, the methods and the request's headers.
//! The answer streams through, so that the change stream reaches open pages event by event.

use std::{sync::Arc, time::Duration};

use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use contracts::MIN_SEQUENCE_HEADER;
use futures::StreamExt;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts};
use runtime::problem::Problem;
use tokio::{sync::Semaphore, time::timeout};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::{door::Door, security::Kind};

const CONNECT_LIMIT: Duration = Duration::from_secs(1);
/// For a whole answer that is no stream.
const ANSWER_LIMIT: Duration = Duration::from_secs(15);
/// For the silence within an answer; the change stream has a heartbeat each 10 s.
const SILENCE_LIMIT: Duration = Duration::from_secs(30);
const RETRY_AFTER: Duration = Duration::from_secs(2);
/// The most open change streams.
const MOST_STREAMS: usize = 5_000;
/// The longest query.
const LONGEST_QUERY: usize = 2_000;

/// What is public of the read API, by the first part of the path under `/api/`.
const PUBLIC: [&str; 13] = [
    "articles",
    "changes",
    "docs",
    "figures",
    "locations",
    "moved",
    "openapi.json",
    "pages",
    "properties",
    "site",
    "sitemap",
    "suggest",
    "team",
];

/// What the query service learns of a request.
const REQUEST_HEADERS: [HeaderName; 6] = [
    header::ACCEPT,
    header::ACCEPT_ENCODING,
    header::ACCEPT_LANGUAGE,
    header::IF_NONE_MATCH,
    HeaderName::from_static("last-event-id"),
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
    client: reqwest::Client,
    base: String,
    streams: Arc<Semaphore>,
    shutdown: CancellationToken,
}

impl ApiProxy {
    /// To the query service at `query_url`. Change streams end with `shutdown`.
    pub fn new(query_url: &Url, shutdown: CancellationToken) -> Result<Self, reqwest::Error> {
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_LIMIT)
            .read_timeout(SILENCE_LIMIT)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()?;
        let base = query_url.as_str().trim_end_matches('/').to_owned();
        Ok(Self { client, base, streams: Arc::new(Semaphore::new(MOST_STREAMS)), shutdown })
    }

    async fn hand_on(&self, request: &Parts) -> Result<Response, Problem> {
        let first = request.uri.path().trim_start_matches("/api/").split('/').next();
        let Some(name) = first.filter(|name| PUBLIC.contains(name)) else {
            return Err(Problem::not_found("there is no such call; /api/openapi.json lists them"));
        };
        if request.method != Method::GET && request.method != Method::HEAD {
            return Err(method_not_allowed());
        }
        let asked = request.uri.path_and_query().map_or("/", |asked| asked.as_str());
        if asked.len() > LONGEST_QUERY {
            return Err(too_long());
        }
        let streaming = name == "changes";
        let place = if streaming {
            let place = self.streams.clone().try_acquire_owned();
            Some(place.map_err(|_| away("too many change streams are open"))?)
        } else {
            None
        };

        let mut onward = self.client.request(request.method.clone(), self.base.clone() + asked);
        for name in REQUEST_HEADERS {
            for value in request.headers.get_all(&name) {
                onward = onward.header(&name, value);
            }
        }
        if !streaming {
            onward = onward.timeout(ANSWER_LIMIT);
        }
        let answer = timeout(ANSWER_LIMIT, onward.send())
            .await
            .map_err(|_| away("the search took too long"))?
            .map_err(|error| {
                tracing::debug!(%error, "the query service is away");
                away("the search is away")
            })?;

        let status = answer.status();
        let headers = end_to_end(answer.headers());
        let chunks = answer.bytes_stream();
        let body = match place {
            Some(place) => {
                let end = self.shutdown.clone().cancelled_owned();
                let held = chunks.take_until(end).map(move |chunk| {
                    let _place = &place;
                    chunk
                });
                Body::from_stream(held)
            }
            None => Body::from_stream(chunks),
        };
        let mut response = Response::new(body);
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        Ok(response)
    }
}

/// `/api/…`.
pub async fn api(State(door): State<Arc<Door>>, request: Request) -> Response {
    // Its calls have no body; one that comes all the same is not read.
    let (request, _body) = request.into_parts();
    let visitor = door.rate.address_of(&request.headers, &request.extensions);
    let mut response = if door.rate.allows(visitor) {
        door.api.hand_on(&request).await.unwrap_or_else(IntoResponse::into_response)
    } else {
        door.counters.limited.increment(1);
        too_many().into_response()
    };
    door.security.apply(response.headers_mut(), Kind::Data);
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    response
}

/// Who asks too much is told when to come back.
pub fn too_many() -> Problem {
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", "Too many requests")
        .with_retry_after(RETRY_AFTER)
}

fn away(detail: &str) -> Problem {
    Problem::unavailable(detail, RETRY_AFTER)
}

fn method_not_allowed() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method-not-allowed",
        "This call answers GET and HEAD only",
    )
}

fn too_long() -> Problem {
    Problem::new(StatusCode::URI_TOO_LONG, "uri-too-long", "The address is too long")
        .with_detail(format!("{LONGEST_QUERY} characters are read"))
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
    use super::*;

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
}
