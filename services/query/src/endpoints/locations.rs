//! `GET /api/locations`: the places, how many homes each has and what is asked for them;
//! `GET /api/locations/{slug}`: what is written of one, and its prices.

use std::collections::HashMap;

use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use chrono::Utc;
use contracts::{
    Locale, Sequence, Slug, Tag,
    content::{PropertyKind, PropertyType},
};
use read_models::LocationRow;
use runtime::{postgres::answered, problem::Problem};
use search_index::PropertyQuery;
use sqlx::{query, types::Json};

use super::{
    FEWEST_FOR_A_MEDIAN,
    by_slug::{self, Asked},
};
use search_parameters::Parameters;

use crate::{
    Node,
    answer::{Answer, Fresh},
    error::ApiError,
    path_part::PathPart,
    schema::{
        LocationItem, LocationList, LocationText, Median, PlaceMedians, PlacePrices, coordinates,
    },
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
                     order by sort nulls last, slug) as "places!: Vec<Json<LocationRow>>",
               (select coalesce(jsonb_object_agg(place, median), '{}')
                from (
                    select place,
                           jsonb_build_object(
                               'homes', count(*),
                               'euros', round((percentile_cont(0.5) within group
                                               (order by p.price))::numeric)) as median
                    from read.property as p
                    join read.location as l on l.slug = p.location_slug and l.locale = p.locale
                    cross join unnest(l.ancestors || l.slug) as place
                    where p.locale = $1 and p.kind = any($2) and p.status = 'for_sale'
                      and p.price is not null
                    group by place having count(*) >= $3
                ) as by_place) as "medians!: Json<HashMap<String, Median>>""#,
        locale.code(),
        &PropertyKind::names_of_homes() as &[&str],
        FEWEST_FOR_A_MEDIAN,
    );
    let row = answered(asked.fetch_one(&node.pool)).await?;
    let sequence = Sequence::from_i64(row.sequence).min(counted_at);
    let Json(mut medians) = row.medians;
    let items = row
        .places
        .into_iter()
        .map(|Json(place)| LocationItem {
            count: counts.get(&place.slug).copied().unwrap_or(0),
            median: medians.remove(&place.slug),
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
    // A price changes a median, and no count.
    Ok(Answer { body, sequence, tags: vec![Tag::LocationList, Tag::PropertyList] })
}

/// What is written of one place, by its slug, and what is asked for its homes.
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
        r#"with priced as materialized (
               select price, property_type, price::double precision / nullif(built_area, 0) as metre
               from read.property
               where locale = $2 and kind = any($3) and status = 'for_sale' and price is not null
                 and location_slug in (
                     select $1::text union
                     select slug from read.location where locale = $2 and $1 = any(ancestors))
           ), medians as (
               select count(*) as homes,
                      round((percentile_cont(0.5) within group (order by price))::numeric) as price,
                      count(metre) filter (where property_type = $4) as flats,
                      round((percentile_cont(0.5) within group (order by metre)
                             filter (where property_type = $4))::numeric) as metre_of_flats,
                      count(metre) filter (where property_type = $5) as houses,
                      round((percentile_cont(0.5) within group (order by metre)
                             filter (where property_type = $5))::numeric) as metre_of_houses
               from priced
           )
           select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select to_jsonb(l) from read.location as l where slug = $1 and locale = $2 limit 1)
                   as "place: Json<LocationRow>",
               (select jsonb_build_object(
                           'price', jsonb_build_object('homes', homes, 'euros', price),
                           'metreOfFlats', case when flats >= $6 then
                               jsonb_build_object('homes', flats, 'euros', metre_of_flats) end,
                           'metreOfHouses', case when houses >= $6 then
                               jsonb_build_object('homes', houses, 'euros', metre_of_houses) end)
                from medians where homes >= $6) as "medians: Json<PlaceMedians>""#,
        slug,
        locale.code(),
        &PropertyKind::names_of_homes() as &[&str],
        PropertyType::Apartment.name(),
        PropertyType::House.name(),
        FEWEST_FOR_A_MEDIAN,
    );
    let row = answered(asked.fetch_one(&node.pool)).await?;
    let prices = row.medians.map(|Json(medians)| PlacePrices { at: Utc::now(), medians });
    let place = row.place.map(|Json(place)| LocationText::of(place, prices));
    let tags = vec![Tag::Location(slug.clone()), Tag::Day];
    Ok(by_slug::answer(place, row.sequence, "place", &slug, tags))
}
