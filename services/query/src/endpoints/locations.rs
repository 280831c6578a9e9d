//! `GET /api/locations`: the places, and how many homes each has; `GET /api/locations/{slug}`: what
//! is written of one.

use std::collections::HashMap;

use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use contracts::{Locale, Sequence, Slug, Tag};
use read_models::LocationRow;
use runtime::{postgres::answered, problem::Problem};
use search_index::PropertyQuery;
use sqlx::{query, types::Json};

use super::by_slug::{self, Asked};
use search_parameters::Parameters;

use crate::{
    Node,
    answer::{Answer, Fresh},
    error::ApiError,
    path_part::PathPart,
    schema::{LocationItem, LocationList, LocationText, coordinates},
};

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

/// The places.
#[utoipa::path(
    get,
    path = "/api/locations",
    tag = "site",
    params(("locale" = Option<Locale>, Query, description = "The language of the texts")),
    responses((status = 200, body = LocationList))
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
    let asked = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               array(select to_jsonb(l) - 'description' from read.location as l where locale = $1
                     order by sort nulls last, slug) as "places!: Vec<Json<LocationRow>>""#,
        locale.code(),
    );
    let row = answered(asked.fetch_one(&node.pool)).await?;
    let sequence = Sequence::from_i64(row.sequence).min(counted_at);
    let items = row
        .places
        .into_iter()
        .map(|Json(place)| LocationItem {
            count: counts.get(&place.slug).copied().unwrap_or(0),
            slug: place.slug,
            part_of: place.ancestors.into_iter().next(),
            name: place.name,
            intro: place.intro,
            language: place.language,
            locales: place.locales,
            coordinates: coordinates(place.lat, place.lng),
            image: place.image,
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
        ("slug" = Slug, Path, example = "nerja", description = "Its part of the path"),
        ("locale" = Option<Locale>, Query, description = "The language of the texts"),
    ),
    responses(
        (status = 200, body = LocationText),
        (status = 404, body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn location(
    State(node): State<Node>,
    _: Fresh,
    PathPart(slug): PathPart,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let Asked { slug, locale } = Asked::parse(slug, query.as_deref())?;
    let asked = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select to_jsonb(l) from read.location as l where slug = $1 and locale = $2 limit 1)
                   as "place: Json<LocationRow>""#,
        slug,
        locale.code(),
    );
    let row = answered(asked.fetch_one(&node.pool)).await?;
    let place = row.place.map(|Json(place)| LocationText::from(place));
    Ok(by_slug::answer(place, row.sequence, "place", &slug, Tag::Location(slug.clone())))
}
