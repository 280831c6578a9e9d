//! `GET /api/articles` and `GET /api/articles/{slug}`: the news.

use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use contracts::{Locale, Sequence, Slug, Tag};
use read_models::ArticleRow;
use runtime::problem::Problem;
use sqlx::{query, types::Json};
use utoipa::IntoParams;

use super::by_slug;
use search_parameters::{InvalidParameters, Parameters};

use crate::{
    Node,
    answer::{Answer, Fresh},
    error::ApiError,
    path_part::PathPart,
    schema::{Article, ArticleList},
    spans::read_rows,
};

/// One article across the full width, and 24 more, which fill rows of two and of three.
const DEFAULT_PER_PAGE: u32 = 25;
const MAX_PER_PAGE: u32 = 100;
/// The last page that is served, the same as for lists of homes.
const LAST_PAGE: u32 = 400;

/// The parameters of the list, for the document; [`parse`] reads them.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the parameters, which are read one by one")]
pub(crate) struct ListParameters {
    /// The language of the texts.
    locale: Option<Locale>,
    /// From 1.
    #[param(minimum = 1, maximum = 400)]
    page: Option<u32>,
    /// Defaults to 25.
    #[param(minimum = 1, maximum = 100)]
    per_page: Option<u32>,
}

/// Returns the news articles, newest first.
#[utoipa::path(
    get,
    path = "/api/articles",
    tag = "editorial",
    params(ListParameters),
    responses((status = 200, body = ArticleList))
)]
pub(crate) async fn articles(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Answer<ArticleList>, ApiError> {
    let (locale, page, per_page) = parse(query.as_deref())?;
    let statement = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select count(*) from read.article where locale = $1) as "total!",
               array(select to_jsonb(a) - array['body', 'headings'] from read.article as a where locale = $1
                     order by published_at desc nulls last, slug, key limit $2 offset $3)
                   as "articles!: Vec<Json<ArticleRow>>""#,
        locale.code(),
        i64::from(per_page),
        i64::from((page - 1) * per_page),
    );
    let row = read_rows("SELECT read.article", statement.fetch_one(&node.pool)).await?;
    let sequence = Sequence::from_i64(row.sequence);
    let items = row.articles.into_iter().map(|Json(article)| article.into()).collect();
    let total = row.total.unsigned_abs();
    let body = ArticleList { items, total, page, per_page, sequence };
    Ok(Answer { body, sequence, tags: vec![Tag::ArticleList] })
}

/// Parses the parameters: the language, the page number and the page size.
fn parse(query: Option<&str>) -> Result<(Locale, u32, u32), InvalidParameters> {
    let mut given = Parameters::parse(query);
    let page = given.number("page", &(1..=LAST_PAGE)).unwrap_or(1);
    let per_page = given.number("perPage", &(1..=MAX_PER_PAGE)).unwrap_or(DEFAULT_PER_PAGE);
    Ok((given.only_locale()?, page, per_page))
}

/// Returns an article by its slug.
#[utoipa::path(
    get,
    path = "/api/articles/{slug}",
    tag = "editorial",
    params(
        ("slug" = Slug, Path, example = "a-finca-in-five-papers", description = "The last part of its path"),
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
    let statement = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select to_jsonb(a) from read.article as a where slug = $1 and locale = $2 limit 1)
                   as "article: Json<ArticleRow>""#,
        slug,
        locale.code(),
    );
    let row = read_rows("SELECT read.article", statement.fetch_one(&node.pool)).await?;
    let article = row.article.map(|Json(article)| Article::from(article));
    let tags = vec![Tag::Article(slug.clone())];
    Ok(by_slug::answer(article, Sequence::from_i64(row.sequence), "article", &slug, tags))
}
