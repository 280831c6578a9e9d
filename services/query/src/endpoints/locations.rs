//! `GET /api/locations`: the places, and how many homes each has; `GET /api/locations/{slug}`: what
//! is written of one.

use std::collections::HashMap;

use axum::{
    extract::{Path, RawQuery, State},
    response::Response,
};
use contracts::{Locale, Sequence, Tag};
use runtime::problem::Problem;
use search_index::PropertyQuery;
use serde::Deserialize;

use super::{by_slug, cards::coordinates};
use crate::{
    Node,
    answer::{Answer, Fresh},
    database::{fetch, statement},
    error::ApiError,
    parameters::Parameters,
    schema::{LocationItem, LocationList, LocationText, Picture},
};

/// The subselect of every place in `$1`, in the editors' order.
pub(crate) const PLACES: &str =
    "select coalesce(json_agg(l order by l.sort nulls last, l.slug), '[]') from (
        select slug, name, intro, language, locales, lat, lng, image, sort
        from read.location where locale = $1) as l";

/// A row of [`PLACES`].
#[derive(Debug, Deserialize)]
pub(crate) struct LocationRow {
    pub slug: String,
    pub name: String,
    pub intro: String,
    language: Locale,
    locales: Vec<Locale>,
    lat: Option<f64>,
    lng: Option<f64>,
    image: Option<Picture>,
}

/// How many homes lists show in each place, by slug, and the position that this was counted at.
pub(crate) async fn counts(
    node: &Node,
    locale: Locale,
) -> Result<(HashMap<String, u64>, Sequence), ApiError> {
    let view = node.view()?;
    let found = node.compute(move || view.search(&PropertyQuery::newest(locale, 0))).await??;
    let counts = found.facets.location.iter().map(|facet| (facet.value.clone(), facet.count));
    Ok((counts.collect(), found.sequence))
}

/// How many are counted for `slug`: a municipality without a home of its own counts its parts.
pub(crate) fn count_of(counts: &HashMap<String, u64>, slug: &str) -> u64 {
    counts.get(slug).copied().unwrap_or_else(|| {
        counts
            .iter()
            .filter(|(part, _)| search_index::covers(slug, part))
            .map(|(_, count)| count)
            .sum()
    })
}

/// The places.
#[utoipa::path(
    get,
    path = "/api/locations",
    tag = "site",
    params(("locale" = Option<Locale>, Query, description = "The language of the texts")),
    responses(
        (status = 200, body = LocationList),
        (status = 400, body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn locations(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Answer<LocationList>, ApiError> {
    let mut given = Parameters::parse(query.as_deref());
    let locale = given.locale();
    given.finish()?;
    let (counts, counted_at) = counts(&node, locale).await?;
    let asked = statement(PLACES).bind(locale.code());
    let (rows, sequence): (Vec<LocationRow>, _) = fetch(&node.pool, asked).await?;
    let sequence = sequence.min(counted_at);
    let items = rows
        .into_iter()
        .map(|row| LocationItem {
            count: count_of(&counts, &row.slug),
            slug: row.slug,
            name: row.name,
            intro: row.intro,
            language: row.language,
            locales: row.locales,
            coordinates: coordinates(row.lat, row.lng),
            image: row.image,
        })
        .collect();
    let body = LocationList { items, sequence };
    Ok(Answer { body, sequence, tags: vec![Tag::LocationList] })
}

/// What is written of one place, by its slug.
#[utoipa::path(
    get,
    path = "/api/locations/{slug}",
    tag = "site",
    params(
        ("slug" = String, Path, description = "Its part of the path"),
        ("locale" = Option<Locale>, Query, description = "The language of the texts"),
    ),
    responses(
        (status = 200, body = LocationText),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn location(
    State(node): State<Node>,
    _: Fresh,
    Path(slug): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let sql = "select row_to_json(l) from (
        select slug, name, description, language from read.location
        where slug = $1 and locale = $2 limit 1) as l";
    by_slug::answer::<LocationText>(&node, slug, query.as_deref(), ("place", sql, Tag::Location))
        .await
}
