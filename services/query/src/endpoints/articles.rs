//! `GET /api/articles` and `GET /api/articles/{slug}`: the news.

use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use contracts::{Locale, Sequence, Slug, Tag};
use read_models::ArticleRow;
use runtime::{postgres::answered, problem::Problem};
use sqlx::{query, types::Json};

use super::by_slug;
use search_parameters::Parameters;

use crate::{
    Node,
    answer::{Answer, Fresh},
    error::ApiError,
    path_part::PathPart,
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
    let locale = Parameters::parse(query.as_deref()).only_locale()?;
    let asked = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               array(select to_jsonb(a) - array['body', 'headings'] from read.article as a where locale = $1
                     order by published_at desc nulls last, slug limit $2)
                   as "articles!: Vec<Json<ArticleRow>>""#,
        locale.code(),
        MOST,
    );
    let row = answered(asked.fetch_one(&node.pool)).await?;
    let sequence = Sequence::from_i64(row.sequence);
    let items = row.articles.into_iter().map(|Json(article)| article.into()).collect();
    let body = ArticleList { items, sequence };
    Ok(Answer { body, sequence, tags: vec![Tag::ArticleList] })
}

/// One article, by its slug.
#[utoipa::path(
    get,
    path = "/api/articles/{slug}",
    tag = "editorial",
    params(
        ("slug" = Slug, Path, example = "a-finca-in-five-papers", description = "Its part of the path"),
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
    PathPart(slug): PathPart,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let locale = by_slug::locale_for(&slug, query.as_deref())?;
    let asked = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select to_jsonb(a) from read.article as a where slug = $1 and locale = $2 limit 1)
                   as "article: Json<ArticleRow>""#,
        slug,
        locale.code(),
    );
    let row = answered(asked.fetch_one(&node.pool)).await?;
    let article = row.article.map(|Json(article)| Article::from(article));
    let tags = vec![Tag::Article(slug.clone())];
    Ok(by_slug::answer(article, Sequence::from_i64(row.sequence), "article", &slug, tags))
}
