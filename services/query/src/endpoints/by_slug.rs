//! What is found by its slug: a page, an article, the text of a place.

use axum::response::{IntoResponse, Response};
use contracts::Tag;
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    Node,
    answer::{Answer, Missing},
    database::{fetch, statement},
    error::ApiError,
    parameters::Parameters,
};

/// Answers with the row that `sql` gives as JSON for a slug (`$1`) and a language (`$2`), under the
/// tag that `tag` makes of the slug; 404 where there is none, whose text calls it a `what`.
pub(crate) async fn answer<T: DeserializeOwned + Serialize>(
    node: &Node,
    slug: String,
    query: Option<&str>,
    (what, sql, tag): (&str, &str, fn(String) -> Tag),
) -> Result<Response, ApiError> {
    let mut given = Parameters::parse(query);
    let locale = given.locale();
    if !is_slug(&slug) {
        given.refuse("slug", SLUG);
    }
    given.finish()?;
    let asked = statement(sql).bind(slug.clone()).bind(locale.code());
    let (found, sequence): (Option<T>, _) = fetch(&node.pool, asked).await?;
    let tags = vec![tag(slug.clone())];
    Ok(match found {
        Some(body) => Answer { body, sequence, tags }.into_response(),
        None => {
            Missing { detail: format!("there is no {what} {slug}"), sequence, tags }.into_response()
        }
    })
}

/// What a slug is made of, for whoever sent none.
pub(crate) const SLUG: &str = "small letters, digits, `-`, `_` and `/`, 200 at most";

/// Whether `text` can be a slug, and so stand in a tag.
pub(crate) fn is_slug(text: &str) -> bool {
    text.len() <= 200
        && text.bytes().all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'/' | b'_')
        })
}
