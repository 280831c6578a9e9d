//! Rejects unknown query parameters instead of ignoring them.

use axum::{
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use runtime::problem::Problem;
use search_parameters::{InvalidParameters, Parameters};

use crate::receive_picture::PICTURES;

/// The path prefix of visitors' calls.
const VISITOR_CALLS: &str = "/api/";
/// Calls that mails link to: mail programs may add parameters of their own to a link.
const LINKED_BY_MAILS: &str = "/api/alerts/unsubscribe/";

/// Refuses query parameters that a visitor's call does not read. No call reads any, except for
/// [`PICTURES`].
pub async fn refuse_unknown_parameters(request: Request, next: Next) -> Response {
    let uri = request.uri();
    let reads_none = uri.path().starts_with(VISITOR_CALLS)
        && !uri.path().starts_with(LINKED_BY_MAILS)
        && uri.path() != PICTURES;
    if reads_none && let Err(InvalidParameters(wrong)) = Parameters::parse(uri.query()).finish() {
        return Problem::invalid(wrong).into_response();
    }
    next.run(request).await
}
