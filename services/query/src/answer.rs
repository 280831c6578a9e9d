//! Answers, with the position and the tags they were made from.

use axum::{
    Json,
    extract::{FromRequestParts, Request},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use contracts::{MIN_SEQUENCE_HEADER, SEQUENCE_HEADER, SURROGATE_KEY_HEADER, Sequence, Tag};
use runtime::problem::{FieldError, Problem};
use serde::Serialize;

use crate::{Node, error::ApiError};

/// A successful answer: the body, the log position it was made from, and the tags of what it is made of.
#[derive(Debug)]
pub(crate) struct Answer<T> {
    pub body: T,
    pub sequence: Sequence,
    pub tags: Vec<Tag>,
}

/// A 404; the tags cover the changes after which something would be found.
#[derive(Debug)]
pub(crate) struct Missing {
    pub detail: String,
    pub sequence: Sequence,
    pub tags: Vec<Tag>,
}

/// A 410 for what is gone for good; the body is a problem that explains it.
#[derive(Debug)]
pub(crate) struct Gone<T> {
    pub body: T,
    pub sequence: Sequence,
    pub tags: Vec<Tag>,
}

impl<T: Serialize> IntoResponse for Gone<T> {
    fn into_response(self) -> Response {
        let mut response = (StatusCode::GONE, Json(self.body)).into_response();
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        with_common_headers(response, self.sequence, &self.tags)
    }
}

impl<T: Serialize> IntoResponse for Answer<T> {
    fn into_response(self) -> Response {
        with_common_headers(Json(self.body).into_response(), self.sequence, &self.tags)
    }
}

impl IntoResponse for Missing {
    fn into_response(self) -> Response {
        with_common_headers(
            Problem::not_found(self.detail).into_response(),
            self.sequence,
            &self.tags,
        )
    }
}

/// Adds the headers that every answer has: the position, the surrogate keys and the cache policy.
pub(crate) fn with_common_headers(
    mut response: Response,
    sequence: Sequence,
    tags: &[Tag],
) -> Response {
    let tags: Vec<String> = tags.iter().map(ToString::to_string).collect();
    let Ok(tags) = HeaderValue::from_str(&tags.join(" ")) else {
        // A slug that is not valid in a header: better no answer than one that is never purged.
        return Problem::internal().into_response();
    };
    let found = response.status() == StatusCode::OK;
    let headers = response.headers_mut();
    headers.insert(SEQUENCE_HEADER, sequence.get().into());
    headers.insert(SURROGATE_KEY_HEADER, tags);
    // Only the site's own caches store answers; browsers and other proxies have to revalidate.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if found {
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
    response
}

/// An extractor that waits until the node has reached the request's minimum position, if it names one.
/// Rejects the request if the node does not reach it in time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fresh;

impl FromRequestParts<Node> for Fresh {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, node: &Node) -> Result<Self, ApiError> {
        if !parts.headers.contains_key(MIN_SEQUENCE_HEADER) {
            return Ok(Self);
        }
        let min = position(&parts.headers, MIN_SEQUENCE_HEADER);
        let min = min.filter(|min| *min <= Sequence::LAST).ok_or_else(|| {
            let right = format!("a position, a number up to {}", Sequence::LAST);
            ApiError::Invalid(vec![FieldError::new(MIN_SEQUENCE_HEADER, right)])
        })?;
        node.wait_for(min).await?;
        Ok(Self)
    }
}

/// Replaces an answer that was made from before the request's minimum position with a 503. The database
/// address may lead to several servers: the node may have seen the position on one of them, and then read
/// from another that lags.
pub(crate) async fn reject_stale(request: Request, next: Next) -> Response {
    let min = position(request.headers(), MIN_SEQUENCE_HEADER);
    let response = next.run(request).await;
    let made_from = position(response.headers(), SEQUENCE_HEADER);
    if made_from.zip(min).is_some_and(|(made_from, min)| made_from < min) {
        return ApiError::Behind.into_response();
    }
    response
}

/// Returns the position in the header `name`, if it is a valid one.
fn position(headers: &HeaderMap, name: &str) -> Option<Sequence> {
    headers.get(name)?.to_str().ok()?.parse().ok()
}
