//! `GET /api/pages/{slug}`: a guide, legal text or landing page.

use axum::{extract::State, response::Response};
use contracts::{Locale, Sequence, Slug, Tag};
use read_models::PageRow;
use runtime::problem::Problem;
use sqlx::{query, types::Json};

use super::by_slug;
use crate::{
    Node, addressed::Addressed, answer::Fresh, error::ApiError, schema::Page, spans::read_rows,
};

/// Returns a page by its slug.
#[utoipa::path(
    get,
    path = "/api/pages/{slug}",
    tag = "editorial",
    params(
        ("slug" = Slug, Path, example = "buying-a-property",
            description = "The page's path, without the leading slash"),
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
    Addressed { address: slug, locale }: Addressed<Slug>,
) -> Result<Response, ApiError> {
    let statement = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select to_jsonb(p) from read.page as p where slug = $1 and locale = $2 limit 1)
                   as "page: Json<PageRow>""#,
        slug.as_str(),
        locale.code(),
    );
    let row = read_rows("SELECT read.page", statement.fetch_one(&node.pool)).await?;
    let page = row.page.map(|Json(page)| Page::from(page));
    let tags = vec![Tag::Page(slug.to_string())];
    Ok(by_slug::answer(page, Sequence::from_i64(row.sequence), "page", &slug, tags))
}
