//! Answers with what is one visitor's, which no cache keeps.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use http::{StatusCode, header};
use runtime::problem::Problem;
use serde::Serialize;

/// What a call answers.
pub type Answer = Result<Response, Problem>;

/// `body`, as JSON.
pub fn answer(status: StatusCode, body: &impl Serialize) -> Response {
    (status, [(header::CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

/// Nothing but that it is so.
pub fn bare(status: StatusCode) -> Response {
    (status, [(header::CACHE_CONTROL, "no-store")]).into_response()
}
