//! The answer of calls that find one item by its slug: a page, an article, the text of a place.

use axum::response::{IntoResponse, Response};
use contracts::{Sequence, Slug, Tag};
use serde::Serialize;

use crate::answer::{Answer, Missing};

/// Answers with `found`, as it is at the position `sequence`, or with a 404 that says no such `what` exists.
pub(crate) fn answer<T: Serialize>(
    found: Option<T>,
    sequence: Sequence,
    what: &str,
    slug: &Slug,
    tags: Vec<Tag>,
) -> Response {
    match found {
        Some(body) => Answer { body, sequence, tags }.into_response(),
        None => {
            Missing { detail: format!("there is no {what} {slug}"), sequence, tags }.into_response()
        }
    }
}
