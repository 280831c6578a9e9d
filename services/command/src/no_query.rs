//! What stands behind the `?` of a call: nothing that would be passed over in silence.

use axum::{
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use runtime::problem::Problem;
use search_parameters::{InvalidParameters, Parameters};

use crate::receive_picture::PICTURES;

/// Visitors' calls.
const CALLS: &str = "/api/";
/// Where mails lead: programs of mail may add words of their own to an address.
const LINKED_BY_MAILS: &str = "/api/alerts/unsubscribe/";

/// Refuses each name that a visitor's call does not read, which is all of them but those of [`PICTURES`].
pub async fn refuse_unknown_names(request: Request, next: Next) -> Response {
    let uri = request.uri();
    let reads_none = uri.path().starts_with(CALLS)
        && !uri.path().starts_with(LINKED_BY_MAILS)
        && uri.path() != PICTURES;
    if reads_none && let Err(InvalidParameters(wrong)) = Parameters::parse(uri.query()).finish() {
        return Problem::invalid(wrong).into_response();
    }
    next.run(request).await
}
