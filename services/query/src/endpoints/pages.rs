//! `GET /api/pages/{slug}`: a guide, legal text or landing page.

use axum::{
    extract::{Path, RawQuery, State},
    response::Response,
};
use contracts::{Locale, Tag};
use runtime::problem::Problem;

use super::by_slug;
use crate::{Node, answer::Fresh, error::ApiError, schema::Page};

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
    let sql =
        "select row_to_json(p) from read.page as p where p.slug = $1 and p.locale = $2 limit 1";
    by_slug::answer::<Page>(&node, slug, query.as_deref(), ("page", sql, Tag::Page)).await
}
