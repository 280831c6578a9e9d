//! `GET /api/docs` and `GET /api/docs/{slug…}`: the documentation.

use axum::{
    extract::{Path, RawQuery, State},
    response::{IntoResponse, Response},
};
use contracts::{Locale, SlugPath, Tag};
use runtime::problem::Problem;
use serde::Deserialize;

use crate::{
    Node,
    answer::{Answer, Fresh, Missing},
    database::{fetch, statement},
    error::ApiError,
    parameters::Parameters,
    schema::{Doc, DocLink},
};

#[derive(Deserialize)]
struct Rows {
    doc: Option<Doc>,
    contents: Vec<DocLink>,
}

/// The index of the documentation.
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
    find(&node, String::new(), query.as_deref()).await
}

/// A page of the documentation, by its path.
#[utoipa::path(
    get,
    path = "/api/docs/{*slug}",
    tag = "editorial",
    params(
        ("slug" = String, Path, description = "Its path under `/docs`"),
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
    Path(slug): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    find(&node, slug, query.as_deref()).await
}

async fn find(node: &Node, slug: String, query: Option<&str>) -> Result<Response, ApiError> {
    let mut given = Parameters::parse(query);
    let locale = given.locale();
    if !SlugPath::is(&slug) {
        given.refuse("slug", SlugPath::WORDS);
    }
    given.finish()?;
    let sql = "select json_build_object(
        'doc', (select row_to_json(d) from read.doc as d where d.slug = $1 and d.locale = $2 limit 1),
        'contents', (select coalesce(json_agg(c order by c.sort nulls last, c.slug), '[]') from (
            select slug, title, sort from read.doc where locale = $2) as c))";
    let asked = statement(sql).bind(slug.clone()).bind(locale.code());
    let (rows, sequence): (Rows, _) = fetch(&node.pool, asked).await?;
    let tags = vec![Tag::Doc(slug.clone()), Tag::DocList];
    Ok(match rows.doc {
        Some(doc) => {
            Answer { body: Doc { contents: rows.contents, ..doc }, sequence, tags }.into_response()
        }
        None => {
            Missing { detail: format!("there is no page {slug}"), sequence, tags }.into_response()
        }
    })
}
