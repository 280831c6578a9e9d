//! `GET /api/suggest`: what completes what is being typed.

use axum::extract::{RawQuery, State};
use contracts::{Locale, Tag};
use runtime::problem::Problem;
use serde::Deserialize;

use super::cards::property_path;
use crate::{
    Node,
    answer::{Answer, Fresh},
    database::{fetch, statement},
    error::ApiError,
    parameters::Parameters,
    schema::{Suggestion, Suggestions},
};

const LONGEST_TEXT: usize = 100;
const MOST_PROPERTIES: usize = 6;

#[derive(Deserialize)]
struct Rows {
    places: Vec<Place>,
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct Place {
    slug: String,
    name: String,
}

#[derive(Deserialize)]
struct Property {
    reference: String,
    title: String,
    location_slug: String,
}

/// Places, references and titles that begin as `q` does.
#[utoipa::path(
    get,
    path = "/api/suggest",
    tag = "properties",
    params(
        ("q" = String, Query, max_length = 100, description = "What was typed so far"),
        ("locale" = Option<Locale>, Query, description = "The language of the texts"),
    ),
    responses(
        (status = 200, body = Suggestions),
        (status = 400, body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn suggest(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Answer<Suggestions>, ApiError> {
    let mut given = Parameters::parse(query.as_deref());
    let locale = given.locale();
    let text = given.text("q", LONGEST_TEXT).unwrap_or_default();
    given.finish()?;
    let view = node.view()?;
    let indexed_at = view.sequence();
    let typed = text.clone();
    let hits = tokio::task::spawn_blocking(move || view.suggest(locale, &typed, MOST_PROPERTIES))
        .await??;
    let references: Vec<String> = hits.into_iter().map(|hit| hit.reference).collect();
    let sql = "select json_build_object(
        'places', (select coalesce(json_agg(l order by l.sort nulls last), '[]') from (
            select slug, name, sort from read.location where locale = $1) as l),
        'properties', (select coalesce(json_agg(p), '[]') from (
            select reference, title, location_slug from read.property
            where locale = $1 and reference = any($2)) as p))";
    let asked = statement(sql).bind(locale.code()).bind(references.clone());
    let (rows, sequence): (Rows, _) = fetch(&node.pool, asked).await?;
    let beginning = folded(text.trim());
    let places = rows
        .places
        .into_iter()
        .filter(|place| !beginning.is_empty() && folded(&place.name).starts_with(&beginning))
        .map(|place| Suggestion {
            kind: "location".to_owned(),
            label: place.name,
            url: format!("{}/property-for-sale/{}", locale.path_prefix(), place.slug),
            count: None,
        });
    let properties = references.iter().filter_map(|reference| {
        let row = rows.properties.iter().find(|row| row.reference == *reference)?;
        Some(Suggestion {
            kind: "property".to_owned(),
            label: format!("{} · {}", row.reference, row.title),
            url: property_path(locale, &row.location_slug, &row.reference),
            count: None,
        })
    });
    let sequence = sequence.min(indexed_at);
    let body = Suggestions { items: places.chain(properties).collect(), sequence };
    Ok(Answer { body, sequence, tags: vec![Tag::PropertyList, Tag::LocationList] })
}

/// In small letters, without the accents of Spanish.
fn folded(text: &str) -> String {
    text.to_lowercase()
        .chars()
        .map(|letter| match letter {
            'á' => 'a',
            'é' => 'e',
            'í' => 'i',
            'ó' => 'o',
            'ú' | 'ü' => 'u',
            'ñ' => 'n',
            other => other,
        })
        .collect()
}
