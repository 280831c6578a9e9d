//! What is found by its slug: a page, an article, the text of a place.

use axum::response::{IntoResponse, Response};
use contracts::{Slug, Tag};
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
    if !Slug::is(&slug) {
        given.refuse("slug", Slug::WORDS);
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
