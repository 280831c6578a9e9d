//! `GET /api/docs` and `GET /api/docs/{slug…}`: the documentation.

use axum::{
    extract::{RawQuery, State},
    response::{IntoResponse, Response},
};
use contracts::{Locale, Sequence, Slug, SlugPath, Tag};
use read_models::DocRow;
use runtime::problem::Problem;
use sqlx::{query, types::Json};

use search_parameters::Parameters;

use crate::{
    Node,
    addressed::Addressed,
    answer::{Answer, Fresh, Missing},
    error::ApiError,
    schema::{Doc, DocLink},
    spans::read_rows,
};

/// Returns the index of the documentation.
#[utoipa::path(
    get,
    path = "/api/docs",
    tag = "editorial",
    params(("locale" = Option<Locale>, Query, description = "The language of the texts")),
    responses(
        (status = 200, body = Doc),
        (status = 404, body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn docs_index(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let locale = Parameters::parse(query.as_deref()).only_locale()?;
    find(&node, "", locale).await
}

/// Returns a page of the documentation by its path.
///
/// The path may contain slashes, which OpenAPI cannot express: `/api/docs/buying/nie-number`.
#[utoipa::path(
    get,
    path = "/api/docs/{*slugPath}",
    tag = "editorial",
    params(
        ("slugPath" = Slug, Path, example = "buying",
            description = "The page's path under `/docs`, which may contain slashes"),
        ("locale" = Option<Locale>, Query, description = "The language of the texts"),
    ),
    responses(
        (status = 200, body = Doc),
        (status = 404, body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn doc(
    State(node): State<Node>,
    _: Fresh,
    Addressed { address: slug, locale }: Addressed<SlugPath>,
) -> Result<Response, ApiError> {
    find(&node, slug.as_str(), locale).await
}

async fn find(node: &Node, slug: &str, locale: Locale) -> Result<Response, ApiError> {
    let statement = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select to_jsonb(d) from read.doc as d where slug = $1 and locale = $2 limit 1)
                   as "doc: Json<DocRow>",
               array(select jsonb_build_object('slug', slug, 'title', title) from read.doc
                     where locale = $2 order by sort nulls last, slug)
                   as "contents!: Vec<Json<DocLink>>""#,
        slug,
        locale.code(),
    );
    let row = read_rows("SELECT read.doc", statement.fetch_one(&node.pool)).await?;
    let sequence = Sequence::from_i64(row.sequence);
    let tags = vec![Tag::Doc(slug.to_owned()), Tag::DocList];
    Ok(match row.doc {
        Some(Json(doc)) => {
            let contents = row.contents.into_iter().map(|Json(link)| link).collect();
            Answer { body: Doc::of(doc, contents), sequence, tags }.into_response()
        }
        None => {
            Missing { detail: format!("there is no page {slug}"), sequence, tags }.into_response()
        }
    })
}
