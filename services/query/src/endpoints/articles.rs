//! `GET /api/articles` and `GET /api/articles/{slug}`: the news.

use axum::{
    extract::{Path, RawQuery, State},
    response::Response,
};
use contracts::{Locale, Tag};
use runtime::problem::Problem;

use super::by_slug;
use crate::{
    Node,
    answer::{Answer, Fresh},
    database::{fetch, statement},
    error::ApiError,
    parameters::Parameters,
    schema::{Article, ArticleList},
};

/// How many articles a list has at the most.
const MOST: i64 = 200;

/// The news, the newest first.
#[utoipa::path(
    get,
    path = "/api/articles",
    tag = "editorial",
    params(("locale" = Option<Locale>, Query, description = "The language of the texts")),
    responses((status = 200, body = ArticleList))
)]
pub(crate) async fn articles(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Answer<ArticleList>, ApiError> {
    let mut given = Parameters::parse(query.as_deref());
    let locale = given.locale();
    given.finish()?;
    let sql = "select coalesce(json_agg(a), '[]') from (
        select slug, published_at, language, locales, image, title, summary
        from read.article where locale = $1
        order by published_at desc nulls last, slug limit $2) as a";
    let asked = statement(sql).bind(locale.code()).bind(MOST);
    let (items, sequence) = fetch(&node.pool, asked).await?;
    let body = ArticleList { items, sequence };
    Ok(Answer { body, sequence, tags: vec![Tag::ArticleList] })
}

/// One article, by its slug.
#[utoipa::path(
    get,
    path = "/api/articles/{slug}",
    tag = "editorial",
    params(
        ("slug" = String, Path, description = "Its part of the path"),
        ("locale" = Option<Locale>, Query, description = "The language of the texts"),
    ),
    responses(
        (status = 200, body = Article),
        (status = 404, body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn article(
    State(node): State<Node>,
    _: Fresh,
    Path(slug): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let sql =
        "select row_to_json(a) from read.article as a where a.slug = $1 and a.locale = $2 limit 1";
    by_slug::answer::<Article>(&node, slug, query.as_deref(), ("article", sql, Tag::Article)).await
}
