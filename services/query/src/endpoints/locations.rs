//! `GET /api/locations`: the places, with the number of homes and the median price of each.
//! `GET /api/locations/{slug}`: the text of one place, and its prices.

use std::collections::HashMap;

use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use chrono::Utc;
use contracts::{Locale, Sequence, Slug, Tag};
use read_models::LocationRow;
use runtime::problem::Problem;
use search_index::{Medians, PropertyQuery};
use sqlx::{query, types::Json};

use super::{MIN_FOR_A_MEDIAN, by_slug};
use search_parameters::Parameters;

use crate::{
    Node,
    addressed::Addressed,
    answer::{Answer, Fresh},
    error::ApiError,
    schema::{
        LocationItem, LocationList, LocationText, Median, PlaceMedians, PlacePrices, coordinates,
    },
    spans::read_rows,
};

/// Statistics of all places from the index, by slug, at a position.
struct PlaceStats {
    /// The number of homes that lists show in each place.
    homes: HashMap<String, u64>,
    medians: HashMap<String, Medians>,
    sequence: Sequence,
}

impl PlaceStats {
    async fn compute(node: &Node) -> Result<Self, ApiError> {
        let view = node.view()?;
        let counted = move || -> Result<Self, search_index::Error> {
            // The counts are the same in both languages.
            let found = view.search(&PropertyQuery::newest(Locale::En, 0))?;
            let homes = found.facets.location.iter();
            let homes = homes.map(|facet| (facet.value.clone(), facet.count)).collect();
            Ok(Self { homes, medians: view.medians().clone(), sequence: found.sequence })
        };
        Ok(node.compute("count by place", counted).await??)
    }
}

/// Returns all places, with the number of homes for sale in each.
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
    let locale = Parameters::parse(query.as_deref()).only_locale()?;
    let stats = PlaceStats::compute(&node).await?;
    let statement = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               array(select to_jsonb(l) - 'description' from read.location as l where locale = $1
                     order by sort nulls last, slug) as "places!: Vec<Json<LocationRow>>""#,
        locale.code(),
    );
    let row = read_rows("SELECT read.location", statement.fetch_one(&node.pool)).await?;
    let sequence = Sequence::from_i64(row.sequence).min(stats.sequence);
    let items = row
        .places
        .into_iter()
        .map(|Json(place)| LocationItem {
            count: stats.homes.get(&place.slug).copied().unwrap_or(0),
            median: stats.medians.get(&place.slug).and_then(|medians| if_published(medians.price)),
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
    // The list of properties as well: a changed price changes a median, but no count.
    Ok(Answer { body, sequence, tags: vec![Tag::LocationList, Tag::PropertyList] })
}

/// Returns the text about a place by its slug, and the asking prices of its homes.
#[utoipa::path(
    get,
    path = "/api/locations/{slug}",
    tag = "site",
    params(
        ("slug" = Slug, Path, example = "nerja", description = "The last part of its path"),
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
    Addressed { address: slug, locale }: Addressed<Slug>,
) -> Result<Response, ApiError> {
    let PlaceStats { medians, sequence: counted_at, .. } = PlaceStats::compute(&node).await?;
    let statement = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select to_jsonb(l) from read.location as l where slug = $1 and locale = $2 limit 1)
                   as "place: Json<LocationRow>",
               (select min(slug) from read.page where location = $1 and locale = $2) as page"#,
        slug.as_str(),
        locale.code(),
    );
    let row = read_rows("SELECT read.location", statement.fetch_one(&node.pool)).await?;
    let sequence = Sequence::from_i64(row.sequence).min(counted_at);
    let medians = medians.get(slug.as_str()).and_then(|medians| {
        Some(PlaceMedians {
            price: if_published(medians.price)?,
            metre_of_flats: if_published(medians.metre_of_flats),
            metre_of_houses: if_published(medians.metre_of_houses),
        })
    });
    let prices = medians.map(|medians| PlacePrices { at: Utc::now(), medians });
    let place = row.place.map(|Json(place)| LocationText::of(place, prices, row.page));
    let tags = vec![Tag::Location(slug.to_string()), Tag::Day];
    Ok(by_slug::answer(place, sequence, "place", &slug, tags))
}

/// Returns `median`, unless it is of fewer than [`MIN_FOR_A_MEDIAN`] homes.
fn if_published(median: Option<search_index::Median>) -> Option<Median> {
    let median = median.filter(|median| median.homes >= u64::from(MIN_FOR_A_MEDIAN))?;
    Some(Median { homes: median.homes, euros: median.euros })
}
