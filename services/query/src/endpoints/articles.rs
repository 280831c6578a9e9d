//! `GET /api/articles` and `GET /api/articles/{slug}`: the news.

use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use contracts::{Locale, Sequence, Slug, Tag};
use read_models::ArticleRow;
use runtime::problem::Problem;
use sqlx::{query, types::Json};

use super::by_slug;
use search_parameters::{InvalidParameters, Parameters};

use crate::{
    Node,
    addressed::Addressed,
    answer::{Answer, Fresh},
    error::ApiError,
    schema::{Article, ArticleList},
    spans::read_rows,
};

/// One article across the full width, and 24 more, which fill rows of two and of three.
const DEFAULT_PER_PAGE: u32 = 25;
const MAX_PER_PAGE: u32 = 100;
/// The last page that is served, the same as for lists of homes.
const LAST_PAGE: u32 = 400;

/// Returns the news articles, newest first.
#[utoipa::path(
    get,
    path = "/api/articles",
    tag = "editorial",
    params(
        ("locale" = Option<Locale>, Query, description = "The language of the texts."),
        ("page" = Option<u32>, Query, description = "From 1.", minimum = 1, maximum = 400),
        ("perPage" = Option<u32>, Query, description = "Defaults to 25.", minimum = 1, maximum = 100),
    ),
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
    Addressed { address: slug, locale }: Addressed<Slug>,
) -> Result<Response, ApiError> {
    let statement = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select to_jsonb(a) from read.article as a where slug = $1 and locale = $2 limit 1)
                   as "article: Json<ArticleRow>""#,
        slug.as_str(),
        locale.code(),
    );
    let row = read_rows("SELECT read.article", statement.fetch_one(&node.pool)).await?;
    let article = row.article.map(|Json(article)| Article::from(article));
    let tags = vec![Tag::Article(slug.to_string())];
    Ok(by_slug::answer(article, Sequence::from_i64(row.sequence), "article", &slug, tags))
}
