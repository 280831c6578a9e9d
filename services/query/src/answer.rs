//! Answers with their position and tags.

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

/// What was found, from where and of what.
#[derive(Debug)]
pub(crate) struct Answer<T> {
    pub body: T,
    pub sequence: Sequence,
    pub tags: Vec<Tag>,
}

/// Nothing was found; the tags say what would change that.
#[derive(Debug)]
pub(crate) struct Missing {
    pub detail: String,
    pub sequence: Sequence,
    pub tags: Vec<Tag>,
}

/// What there was is gone for good; the body is a problem that says so.
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
        labelled(response, self.sequence, &self.tags)
    }
}

impl<T: Serialize> IntoResponse for Answer<T> {
    fn into_response(self) -> Response {
        labelled(Json(self.body).into_response(), self.sequence, &self.tags)
    }
}

impl IntoResponse for Missing {
    fn into_response(self) -> Response {
        labelled(Problem::not_found(self.detail).into_response(), self.sequence, &self.tags)
    }
}

/// `response` with the headers that every answer has.
pub(crate) fn labelled(mut response: Response, sequence: Sequence, tags: &[Tag]) -> Response {
    let tags: Vec<String> = tags.iter().map(ToString::to_string).collect();
    let Ok(tags) = HeaderValue::from_str(&tags.join(" ")) else {
        // A slug that can't stand in a header: better no answer than one that is never purged.
        return Problem::internal().into_response();
    };
    let found = response.status() == StatusCode::OK;
    let headers = response.headers_mut();
    headers.insert(SEQUENCE_HEADER, sequence.get().into());
    headers.insert(SURROGATE_KEY_HEADER, tags);
    // Ours are the caches: browsers and proxies ask again.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if found {
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
    response
}

/// The request's least position has been reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fresh;

impl FromRequestParts<Node> for Fresh {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, node: &Node) -> Result<Self, ApiError> {
        if !parts.headers.contains_key(MIN_SEQUENCE_HEADER) {
            return Ok(Self);
        }
        let least = position(&parts.headers, MIN_SEQUENCE_HEADER);
        let least = least.filter(|least| *least <= Sequence::LAST).ok_or_else(|| {
            let right = format!("a position, a number up to {}", Sequence::LAST);
            ApiError::Invalid(vec![FieldError::new(MIN_SEQUENCE_HEADER, right)])
        })?;
        node.wait_for(least).await?;
        Ok(Self)
    }
}

/// Nothing is answered from before the position that was asked for. The address of the read models may lead
/// to several servers: the node has come so far by one of them, and may then have asked another.
pub(crate) async fn none_from_before(request: Request, next: Next) -> Response {
    let least = position(request.headers(), MIN_SEQUENCE_HEADER);
    let response = next.run(request).await;
    let made_from = position(response.headers(), SEQUENCE_HEADER);
    if made_from.zip(least).is_some_and(|(made_from, least)| made_from < least) {
        return ApiError::Behind.into_response();
    }
    response
}

/// The position in the header `name`, where it is one.
fn position(headers: &HeaderMap, name: &str) -> Option<Sequence> {
    headers.get(name)?.to_str().ok()?.parse().ok()
}
