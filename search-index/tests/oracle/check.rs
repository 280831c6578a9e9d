//! Compares the index's answers with those of brute force.

use std::cmp::Reverse;

use contracts::content::{ListingStatus, Property, PropertyKind};
use search_index::{FacetCount, Filter, Histogram, PropertyQuery, SimilarityCriteria, Sort, View};

use crate::{
    brute_force::{FILTERS, Judged, Listed, bars, cells, count, edges, fitting, is_within, judge},
    catalogue::is_reduced,
};

/// The maximum size of a catalogue for which every feature is added to each query.
const MAX_CATALOGUE: usize = 100;

/// Fails unless `view` answers `query` like brute force over `catalogue`.
pub fn check(view: &View, catalogue: &[Listed], query: &PropertyQuery) {
    let judged = judge(catalogue, query);
    let fits = fitting(&judged, None);
    let answer = view.search(query).expect("the search succeeds");
    assert_eq!(answer.total, fits.len() as u64, "total of {query:?}");
    let found: Vec<_> = answer.hits.iter().map(|hit| hit.reference.as_str()).collect();
    assert_eq!(found, references(&fits, query), "hits of {query:?}");
    let again = view.search(query).expect("the search succeeds");
    assert_eq!(answer, again, "the same query again: {query:?}");
    facets(view, catalogue, query, &judged);
    loosening(view, query, &judged);
}

fn references<'a>(fits: &[&'a Property], query: &PropertyQuery) -> Vec<&'a str> {
    let window = fits.iter().skip(query.offset).take(query.limit);
    window.map(|property| property.reference.as_str()).collect()
}

fn facets(view: &View, catalogue: &[Listed], query: &PropertyQuery, judged: &[Judged<'_>]) {
    let facets = view.search(query).expect("the search succeeds").facets.clone();
    let counted = [
        (Filter::PropertyType, facets.property_type),
        (Filter::Kind, facets.kind),
        (Filter::Status, facets.status),
        (Filter::Location, facets.location),
        (Filter::Features, facets.features),
        (Filter::Energy, facets.energy),
        (Filter::Bedrooms, facets.bedrooms),
        (Filter::Bathrooms, facets.bathrooms),
    ];
    for (filter, facet) in counted {
        let but = (filter != Filter::Features).then_some(filter);
        let expected = count(&fitting(judged, but), catalogue, filter);
        assert_eq!(pairs(facet), expected, "{filter:?} of {query:?}");
    }
    feature_counts(view, catalogue, query);
    let lately = fitting(judged, Some(Filter::ListedWithin));
    let expected = [7, 30, 90].map(|days: i64| {
        let number = lately.iter().filter(|property| is_within(property, query, days)).count();
        (days.to_string(), number as u64)
    });
    assert_eq!(pairs(facets.listed_within), expected, "days of {query:?}");
    let reduced = fitting(judged, Some(Filter::Reduced));
    let reduced = reduced.iter().filter(|property| is_reduced(property)).count() as u64;
    assert_eq!(facets.reduced, reduced, "reduced of {query:?}");
    let featured = fitting(judged, Some(Filter::Featured));
    let featured = featured.iter().filter(|property| property.featured).count() as u64;
    assert_eq!(facets.featured, featured, "featured of {query:?}");
    let new_builds = fitting(judged, Some(Filter::NewBuild));
    let new_builds = new_builds.iter().filter(|property| property.new_build).count() as u64;
    assert_eq!(facets.new_build, new_builds, "new builds of {query:?}");

    let thousands = [
        (0..16).map(|step| step * 25).collect::<Vec<_>>(),
        (8..16).map(|step| step * 50).collect(),
        (8..15).map(|step| step * 100).collect(),
        (6..10).map(|step| step * 250).collect(),
        vec![2_500, 3_000, 4_000, 5_000],
    ];
    let prices: Vec<i64> = thousands.concat().iter().map(|thousand| thousand * 1_000).collect();
    let small = (0..15).map(|step| step * 20);
    let sizes: Vec<i64> = small.chain([300, 350, 400, 450, 500, 600, 800, 1_000]).collect();
    let plots = [
        0, 100, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000, 20_000, 50_000,
        100_000,
    ];
    let expected = bars(&fitting(judged, Some(Filter::Price)), &prices, |it| it.price);
    assert_eq!(triples(&facets.price), expected, "prices of {query:?}");
    let expected = bars(&fitting(judged, Some(Filter::BuiltArea)), &sizes, |it| it.built_area);
    assert_eq!(triples(&facets.built_area), expected, "sizes of {query:?}");
    let expected = bars(&fitting(judged, Some(Filter::PlotArea)), &plots, |it| it.plot_area);
    assert_eq!(triples(&facets.plot_area), expected, "plots of {query:?}");
}

/// Fails unless the count of each feature is the number of hits after adding it to the query.
fn feature_counts(view: &View, catalogue: &[Listed], query: &PropertyQuery) {
    if catalogue.len() > MAX_CATALOGUE {
        return;
    }
    let answer = view.search(query).expect("the search succeeds");
    for FacetCount { value, count } in &answer.facets.features {
        let mut narrowed = query.clone();
        narrowed.features.push(value.clone());
        let found = fitting(&judge(catalogue, &narrowed), None).len() as u64;
        assert_eq!(*count, found, "{value} beside {query:?}");
    }
}

fn loosening(view: &View, query: &PropertyQuery, judged: &[Judged<'_>]) {
    let answer = view.search(query).expect("the search succeeds");
    let mut expected = Vec::new();
    if answer.total == 0 {
        for filter in FILTERS {
            let count = fitting(judged, Some(filter)).len() as u64;
            // Sold homes are excluded by default, not by a filter that could be dropped.
            let is_set = filter != Filter::Status || !query.statuses.is_empty();
            if is_set && count > 0 {
                expected.push((Reverse(count), filter));
            }
        }
    }
    expected.sort_unstable();
    let found: Vec<_> =
        answer.loosen.iter().map(|loosened| (Reverse(loosened.count), loosened.filter)).collect();
    assert_eq!(found, expected, "what to loosen of {query:?}");
}

/// Fails unless the map at `zoom` shows the same properties as the list, in at most `max_cells` cells.
pub fn check_map(
    view: &View,
    catalogue: &[Listed],
    query: &PropertyQuery,
    zoom: u8,
    max_cells: usize,
) {
    let judged = judge(catalogue, query);
    let fits = fitting(&judged, None);
    let map = view.map(query, zoom, max_cells).expect("the search succeeds");
    assert_eq!(map.total, fits.len() as u64, "total on the map of {query:?}");
    let placed: u64 = map.cells.iter().map(|cell| cell.count).sum();
    assert_eq!(placed + map.unplaced, map.total, "all are on the map of {query:?}");
    for cell in &map.cells {
        let [west, south, east, north] = edges(cell.bounds);
        let slack = 1e-9;
        assert!(west - slack <= cell.lng && cell.lng <= east + slack, "{cell:?}");
        assert!(south - slack <= cell.lat && cell.lat <= north + slack, "{cell:?}");
    }
    let mut found: Vec<_> = map
        .cells
        .into_iter()
        .map(|cell| (cell.count, edges(cell.bounds), cell.reference))
        .collect();
    let mut expected = cells(&fits, zoom, max_cells);
    let written = |cell: &(u64, [f64; 4], Option<String>)| format!("{cell:?}");
    found.sort_by_key(written);
    expected.sort_by_key(written);
    assert_eq!(found, expected, "cells at {zoom} of {query:?}");
}

/// Fails unless all pages of `query`, each of `size`, together show every match once, and in order unless the
/// order is relevance.
pub fn check_pages(view: &View, catalogue: &[Listed], query: &PropertyQuery, size: usize) {
    let judged = judge(catalogue, query);
    let mut seen = Vec::new();
    loop {
        let page = PropertyQuery { offset: seen.len(), limit: size, ..query.clone() };
        let found = view.search(&page).expect("the search succeeds");
        if found.hits.is_empty() {
            break;
        }
        assert!(found.hits.len() == size || seen.len() + found.hits.len() == judged_total(&judged));
        seen.extend(found.hits.iter().map(|hit| hit.reference.clone()));
    }
    let fits = fitting(&judged, None);
    let mut expected: Vec<_> = fits.iter().map(|property| property.reference.clone()).collect();
    if query.sort == Sort::Relevance {
        seen.sort_unstable();
        expected.sort_unstable();
    }
    assert_eq!(seen, expected, "pages of {query:?}");
}

/// Fails unless the homes similar to `one` are those with its kind, place and price range that brute force
/// finds, the most similar first; if there are none in the price range, the most similar outside it.
pub fn check_similar(view: &View, catalogue: &[Listed], one: &Property, limit: usize) {
    let like = SimilarityCriteria {
        reference: Some(one.reference.clone()),
        location: one.location.slug.clone(),
        kinds: vec![one.kind, PropertyKind::Villa],
        property_type: one.property_type,
        new_build: one.new_build,
        price: one.price,
    };
    let mut expected: Vec<_> = catalogue
        .iter()
        .map(|listed| &listed.property)
        .filter(|other| {
            other.reference != one.reference
                && like.kinds.contains(&other.kind)
                && other.status != ListingStatus::Sold
                && other.location.self_and_ancestors().any(|place| place == one.location.slug)
        })
        .collect();
    let is_priced_alike = |other: &&Property| {
        let prices = one.price.zip(other.price);
        prices.is_none_or(|(one, other)| one.max(other) <= 2 * one.min(other))
    };
    if expected.iter().any(is_priced_alike) {
        expected.retain(is_priced_alike);
    }
    expected.sort_by_key(|other| {
        let apart = one.price.zip(other.price).map(|(one, other)| (other - one).abs());
        (
            one.new_build && !other.new_build,
            one.property_type != other.property_type,
            other.status != ListingStatus::ForSale,
            apart.is_none(),
            apart,
            &other.reference,
        )
    });
    let expected: Vec<_> = expected.iter().take(limit).map(|it| it.reference.as_str()).collect();
    let found = view.similar(&like, limit);
    let found: Vec<_> = found.iter().map(|hit| hit.reference.as_str()).collect();
    assert_eq!(found, expected, "like {like:?}");
    let nothing = SimilarityCriteria { kinds: Vec::new(), ..like };
    assert!(view.similar(&nothing, limit).is_empty());
}

fn judged_total(judged: &[Judged<'_>]) -> usize {
    fitting(judged, None).len()
}

fn pairs(facet: Vec<FacetCount>) -> Vec<(String, u64)> {
    facet.into_iter().map(|facet| (facet.value, facet.count)).collect()
}

fn triples(histogram: &Histogram) -> Vec<(i64, Option<i64>, u64)> {
    histogram.buckets.iter().map(|bar| (bar.from, bar.to, bar.count)).collect()
}
