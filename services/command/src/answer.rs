//! Uncacheable responses with data of a single visitor.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use http::{StatusCode, header};
use runtime::problem::Problem;
use serde::Serialize;

/// The result of a call.
pub type Answer = Result<Response, Problem>;

/// Returns `body` as JSON, with `no-store`.
pub fn answer(status: StatusCode, body: &impl Serialize) -> Response {
    (status, [(header::CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

/// Returns an empty body, with `no-store`.
pub fn empty(status: StatusCode) -> Response {
    (status, [(header::CACHE_CONTROL, "no-store")]).into_response()
}
