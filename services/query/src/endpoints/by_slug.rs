//! Helpers for calls that find one item by its slug: a page, an article, the text of a place.

use axum::response::{IntoResponse, Response};
use contracts::{Locale, Sequence, Slug, Tag};
use serde::Serialize;

use search_parameters::Parameters;

use crate::{
    answer::{Answer, Missing},
    error::ApiError,
};

/// Returns the language that `query` requests, or an error if `query` or `slug` is invalid.
pub(crate) fn locale_for(slug: &str, query: Option<&str>) -> Result<Locale, ApiError> {
    let mut given = Parameters::parse(query);
    if !Slug::is_valid(slug) {
        given.refuse("slug", Slug::DESCRIPTION);
    }
    Ok(given.only_locale()?)
}

/// Answers with `found`, as it is at the position `sequence`, or with a 404 that says no such `what` exists.
pub(crate) fn answer<T: Serialize>(
    found: Option<T>,
    sequence: Sequence,
    what: &str,
    slug: &str,
    tags: Vec<Tag>,
) -> Response {
    match found {
        Some(body) => Answer { body, sequence, tags }.into_response(),
        None => {
            Missing { detail: format!("there is no {what} {slug}"), sequence, tags }.into_response()
        }
    }
}
