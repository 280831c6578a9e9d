//! `GET /api/pages/{slug}`: a guide, legal text or landing page.

use axum::{
    extract::{Path, RawQuery, State},
    response::{IntoResponse, Response},
};
use contracts::{Locale, Tag};
use runtime::problem::Problem;

use crate::{
    Node,
    answer::{Answer, Fresh, Missing},
    database::{fetch, statement},
    error::ApiError,
    parameters::Parameters,
    schema::Page,
};

/// One page, by its slug.
#[utoipa::path(
    get,
    path = "/api/pages/{slug}",
    tag = "editorial",
    params(
        ("slug" = String, Path, description = "Its path without the leading slash"),
        ("locale" = Option<Locale>, Query, description = "The language of the texts"),
    ),
    responses(
        (status = 200, body = Page),
        (status = 404, body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn page(
    State(node): State<Node>,
    _: Fresh,
    Path(slug): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let mut given = Parameters::parse(query.as_deref());
    let locale = given.locale();
    if !is_slug(&slug) {
        given.refuse("slug", "small letters, digits, `-` and `/`, 200 at most");
    }
    given.finish()?;
    let sql =
        "select row_to_json(p) from read.page as p where p.slug = $1 and p.locale = $2 limit 1";
    let asked = statement(sql).bind(slug.clone()).bind(locale.code());
    let (page, sequence): (Option<Page>, _) = fetch(&node.pool, asked).await?;
    let tags = vec![Tag::Page(slug.clone())];
    Ok(match page {
        Some(body) => Answer { body, sequence, tags }.into_response(),
        None => {
            Missing { detail: format!("there is no page {slug}"), sequence, tags }.into_response()
        }
    })
}

/// Whether `text` can be a slug, and so stand in a tag.
pub(crate) fn is_slug(text: &str) -> bool {
    text.len() <= 200
        && text.bytes().all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'/' | b'_')
        })
}
