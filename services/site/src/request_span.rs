//! Traces the requests that are forwarded, or rendered for one client: each begins a trace, whatever
//! `traceparent` the client sent. Answers from the cache and from files have no span, which would cost a
//! good part of their time. Shared renders have traces of their own ([`crate::pages::flights`]).

use axum::{
    extract::MatchedPath,
    response::{IntoResponse, Response},
};
use http::request::Parts;
use runtime::http::{answer_in, request_span};

use crate::{pages::private_page::private_route, requests::PAGE_ROUTE};

/// Makes the `answer` to `request` within a span.
pub async fn traced(request: &Parts, answer: impl Future<Output: IntoResponse>) -> Response {
    let route = request.extensions.get::<MatchedPath>();
    let route = route.map_or_else(
        || private_route(request.uri.path()).unwrap_or(PAGE_ROUTE),
        MatchedPath::as_str,
    );
    let span = request_span(&request.method, route);
    let answer = Box::pin(async { answer.await.into_response() });
    let mut response = answer_in(&span, answer).await;
    // The door measures the request within it.
    response.extensions_mut().insert(span);
    response
}
