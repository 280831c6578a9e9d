//! `GET /api/properties/map`: the results of the list, as pins and clusters.

use axum::extract::{RawQuery, State};
use contracts::Tag;
use search_index::{Cell, PropertyQuery};

use super::{card_cache::CardCache, understood};
use search_parameters::{FilterParameters, Parameters, filters, today};

use crate::{
    Node,
    answer::{Answer, Fresh},
    error::ApiError,
    query_context::QueryContextCache,
    schema::{MapBounds, MapCluster, MapPin, PropertyMap},
};

const DEFAULT_ZOOM: u8 = 10;
const MAX_ZOOM: u8 = 20;
/// The maximum number of pins and clusters together: more can't be told apart, and are slow to draw.
const MAX_MARKERS: usize = 400;

/// Returns the properties that match the filters as pins and clusters on a map.
#[utoipa::path(
    get,
    path = "/api/properties/map",
    tag = "properties",
    params(
        FilterParameters,
        ("zoom" = Option<u8>, Query, minimum = 0, maximum = 20,
            description = "The zoom level: each step doubles the scale. Defaults to 10"),
    ),
    responses((status = 200, body = PropertyMap))
)]
pub(crate) async fn map_properties(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Answer<PropertyMap>, ApiError> {
    let (mut query, zoom) = parse(query.as_deref(), today())?;
    let (context, context_at) = QueryContextCache::get(&node, query.locale).await?;
    let view = node.view()?;
    let locale = query.locale;
    let found = node
        .compute("map", move || {
            let mut interpreted = understood::narrow(&context, &view, &mut query)?;
            let found = view.map(&query, zoom, MAX_MARKERS)?;
            // As the list does.
            if found.total == 0 && interpreted.drop_words(&mut query) {
                return view.map(&query, zoom, MAX_MARKERS);
            }
            Ok(found)
        })
        .await??;
    let (single, clustered): (Vec<_>, Vec<_>) =
        found.cells.into_iter().partition(|cell| cell.reference.is_some());
    let single: Vec<(String, Cell)> =
        single.into_iter().filter_map(|mut cell| Some((cell.reference.take()?, cell))).collect();
    let references: Vec<String> = single.iter().map(|(reference, _)| reference.clone()).collect();
    let (cards, sequence) = CardCache::get(&node, locale, &references).await?;
    // The cards are in the order of the cells. A home that the read models no longer have is omitted, as in
    // the list.
    let mut cards = cards.into_iter().peekable();
    let pins: Vec<_> = single
        .into_iter()
        .filter_map(|(reference, cell)| {
            let card = &cards.next_if(|card| card.item.reference == reference)?.item;
            Some(MapPin {
                url: card.url.clone(),
                reference,
                title: card.title.clone(),
                lat: cell.lat,
                lng: cell.lng,
                price: card.price,
                status: card.status,
            })
        })
        .collect();
    let gone = references.len() - pins.len();
    let sequence = sequence.min(found.sequence).min(context_at);
    let body = PropertyMap {
        total: found.total.saturating_sub(gone as u64),
        unplaced: found.unplaced,
        clusters: clustered.iter().map(cluster).collect(),
        pins,
        sequence,
    };
    Ok(Answer {
        body,
        sequence,
        tags: vec![Tag::PropertyList, Tag::LocationList, Tag::Site, Tag::Day],
    })
}

fn cluster(cell: &Cell) -> MapCluster {
    let bounds = cell.bounds;
    MapCluster {
        lat: cell.lat,
        lng: cell.lng,
        count: cell.count,
        bounds: MapBounds {
            west: bounds.west,
            south: bounds.south,
            east: bounds.east,
            north: bounds.north,
        },
    }
}

/// Parses the parameters into the query of the index for the day `today`, and the zoom.
fn parse(query: Option<&str>, today: i64) -> Result<(PropertyQuery, u8), ApiError> {
    let mut given = Parameters::parse(query);
    let filters = filters(&mut given, today);
    let zoom = given.number("zoom", &(0..=MAX_ZOOM)).unwrap_or(DEFAULT_ZOOM);
    given.finish()?;
    Ok((filters, zoom))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zoom_is_a_whole_number_up_to_the_maximum() {
        let zoom = |query| parse(Some(query), 0).map(|(_, zoom)| zoom).ok();
        assert_eq!(zoom(""), Some(10));
        assert_eq!(zoom("zoom=0&kind=villa"), Some(0));
        assert_eq!(zoom("zoom=20"), Some(20));
        assert_eq!(zoom("zoom=21"), None);
        assert_eq!(zoom("zoom=10.5"), None);
    }

    #[test]
    fn a_map_accepts_no_paging_or_sorting() {
        for query in ["page=1", "perPage=10", "sort=newest"] {
            assert!(parse(Some(query), 0).is_err(), "{query}");
        }
    }
}
