//! Answers the same queries by checking every property, independently of the index.

use std::{
    cmp::{Ordering, Reverse},
    collections::{BTreeMap, BTreeSet},
};

use chrono::{Days, NaiveDate};
use contracts::{
    Locale,
    content::{Coordinates, EnergyRating, ListingStatus, Property, PropertyKind, PropertyType},
};
use search_index::{BoundingBox, Filter, PropertyQuery, Sort};

use crate::catalogue::{first_offered, is_reduced, reduced_at};

/// A property with all its words.
pub struct Listed {
    pub property: Property,
    words: [BTreeSet<String>; 2],
}

impl Listed {
    pub fn of(property: Property) -> Self {
        let words = Locale::ALL.map(|locale| all_words(&property, locale));
        Self { property, words }
    }
}

/// A property that fails at most one filter of a query, with that filter.
pub struct Judged<'a> {
    pub property: &'a Property,
    failed: Option<Filter>,
}

/// Every filter.
pub const FILTERS: [Filter; 21] = [
    Filter::Words,
    Filter::PropertyType,
    Filter::Kind,
    Filter::Location,
    Filter::Status,
    Filter::Price,
    Filter::Bedrooms,
    Filter::MaxBedrooms,
    Filter::Bathrooms,
    Filter::BuiltArea,
    Filter::PlotArea,
    Filter::Features,
    Filter::Energy,
    Filter::ListedWithin,
    Filter::Reduced,
    Filter::Featured,
    Filter::NewBuild,
    Filter::NotLocation,
    Filter::WithoutFeatures,
    Filter::Bounds,
    Filter::Area,
];

/// Returns all properties that fail at most one filter, in the query's order.
pub fn judge<'a>(catalogue: &'a [Listed], query: &PropertyQuery) -> Vec<Judged<'a>> {
    let mut judged: Vec<_> = catalogue
        .iter()
        .filter_map(|listed| {
            let mut failed = FILTERS.iter().filter(|filter| !holds(**filter, query, listed));
            let (first, second) = (failed.next().copied(), failed.next());
            second.is_none().then_some(Judged { property: &listed.property, failed: first })
        })
        .collect();
    judged.sort_by(|a, b| {
        let (a, b) = (a.property, b.property);
        order(query.sort, a, b).then(a.reference.cmp(&b.reference))
    });
    judged
}

/// Returns the properties that match all filters except for `ignored`.
pub fn fitting<'a>(judged: &[Judged<'a>], ignored: Option<Filter>) -> Vec<&'a Property> {
    let fits = judged.iter().filter(|it| it.failed.is_none() || it.failed == ignored);
    fits.map(|it| it.property).collect()
}

fn holds(filter: Filter, query: &PropertyQuery, listed: &Listed) -> bool {
    let property = &listed.property;
    let within = |min: Option<i64>, max: Option<i64>, figure: Option<i64>| match figure {
        None => min.is_none() && max.is_none(),
        Some(figure) => min.is_none_or(|it| figure >= it) && max.is_none_or(|it| figure <= it),
    };
    let spot = property.coordinates.map(Coordinates::rounded);
    match filter {
        Filter::Words => {
            let known = &listed.words[query.locale.index()];
            words(query.text.as_deref().unwrap_or(""))
                .iter()
                .all(|word| known.contains(word) || known.iter().any(|other| is_typo(word, other)))
        }
        Filter::PropertyType => any(&query.property_types, Some(property.property_type)),
        Filter::Kind => any(&query.kinds, Some(property.kind)),
        Filter::Energy => any(&query.energy, property.energy.as_ref().map(|it| it.rating)),
        Filter::Location => query.locations.is_empty() || lies_in_any(property, &query.locations),
        Filter::NotLocation => !lies_in_any(property, &query.not_locations),
        Filter::Status if query.statuses.is_empty() => property.status != ListingStatus::Sold,
        Filter::Status => query.statuses.contains(&property.status),
        Filter::Price => within(query.min_price, query.max_price, property.price),
        Filter::BuiltArea => within(query.min_built, query.max_built, property.built_area),
        Filter::PlotArea => within(query.min_plot, query.max_plot, property.plot_area),
        Filter::Bedrooms => within(query.min_bedrooms, None, property.bedrooms),
        Filter::MaxBedrooms => within(None, query.max_bedrooms, property.bedrooms),
        Filter::Bathrooms => within(query.min_bathrooms, None, property.bathrooms),
        Filter::ListedWithin => {
            query.listed_within.is_none_or(|days| is_within(property, query, days))
        }
        Filter::Reduced => query.reduced.is_none_or(|asked| asked == is_reduced(property)),
        Filter::Featured => query.featured.is_none_or(|asked| asked == property.featured),
        Filter::NewBuild => query.new_build.is_none_or(|asked| asked == property.new_build),
        Filter::Features => query.features.iter().all(|asked| property.features.contains(asked)),
        Filter::WithoutFeatures => {
            property.features.iter().all(|has| !query.without_features.contains(has))
        }
        Filter::Bounds => query.bounds.is_none_or(|area| {
            spot.is_some_and(|point| {
                (area.south..=area.north).contains(&point.lat)
                    && (area.west..=area.east).contains(&point.lng)
            })
        }),
        Filter::Area => query
            .area
            .as_ref()
            .is_none_or(|area| spot.is_some_and(|point| is_inside(area.corners(), point))),
    }
}

fn lies_in_any(property: &Property, places: &[String]) -> bool {
    property.location.self_and_ancestors().any(|place| places.iter().any(|asked| asked == place))
}

fn any<T: PartialEq>(asked: &[T], value: Option<T>) -> bool {
    asked.is_empty() || value.is_some_and(|value| asked.contains(&value))
}

/// Returns whether it was first offered at most so many days before the query's day.
pub fn is_within(property: &Property, query: &PropertyQuery, days: i64) -> bool {
    let today = NaiveDate::from_ymd_opt(1970, 1, 1).expect("a date")
        + Days::new(query.today.unsigned_abs());
    today.signed_duration_since(first_offered(property).date_naive()).num_days() <= days
}

/// Returns whether the numbers of edges going east and west differ among those that a ray to the north
/// crosses.
fn is_inside(corners: &[(f64, f64)], point: Coordinates) -> bool {
    let edges = (0..corners.len()).map(|at| (corners[at], corners[(at + 1) % corners.len()]));
    let crossed = edges.filter(|((west, at_west), (east, at_east))| {
        if (*west <= point.lng) == (*east <= point.lng) {
            return false;
        }
        let along = (point.lng - west) / (east - west);
        at_west * (1.0 - along) + at_east * along > point.lat
    });
    let turns = crossed.map(|((west, _), (east, _))| if west < east { 1 } else { -1 });
    turns.sum::<i32>() != 0
}

fn all_words(property: &Property, locale: Locale) -> BTreeSet<String> {
    let written = property.text.get_or_fallback(locale).map(|(_, text)| {
        format!("{} {} {}", text.title, text.summary, text.description.replace(['<', '>'], " "))
    });
    let place = property.location.name.get_or_fallback(locale).map(|(_, name)| name);
    let all = format!(
        "{} {} {} {} {}",
        written.unwrap_or_default(),
        place.cloned().unwrap_or_default(),
        property.location.slug,
        property.reference,
        property.reference.replace('-', ""),
    );
    words(&all).into_iter().collect()
}

/// Returns whether `typed` may be a typo of `word`: it has five or more letters, no digits, and becomes equal by
/// removing one letter from either or both, or by swapping two adjacent letters.
fn is_typo(typed: &str, word: &str) -> bool {
    let without = |word: &str, at: usize| -> String {
        word.chars().enumerate().filter(|(place, _)| *place != at).map(|(_, c)| c).collect()
    };
    let swapped = |at: usize| {
        let mut letters: Vec<char> = typed.chars().collect();
        letters.swap(at, at + 1);
        letters.into_iter().collect::<String>()
    };
    let (typed_length, length) = (typed.chars().count(), word.chars().count());
    typed_length >= 5
        && !typed.contains(|letter: char| letter.is_numeric())
        && ((0..length).any(|at| without(word, at) == typed)
            || (0..typed_length).any(|at| without(typed, at) == word)
            || (0..typed_length - 1).any(|at| swapped(at) == word)
            || (typed_length == length
                && (0..length).any(|at| without(word, at) == without(typed, at))))
}

fn words(text: &str) -> Vec<String> {
    text.to_lowercase()
        .replace('ó', "o")
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

fn order(sort: Sort, a: &Property, b: &Property) -> Ordering {
    let is_other = |it: &Property| it.property_type == PropertyType::Commercial;
    is_other(a).cmp(&is_other(b)).then_with(|| match sort {
        Sort::Newest | Sort::Relevance => first_offered(b).cmp(&first_offered(a)),
        Sort::Oldest => first_offered(a).cmp(&first_offered(b)),
        Sort::PriceAscending => (a.price.is_none(), a.price).cmp(&(b.price.is_none(), b.price)),
        Sort::PriceDescending => {
            (a.price.is_none(), Reverse(a.price)).cmp(&(b.price.is_none(), Reverse(b.price)))
        }
        Sort::PricePerMetre => {
            let cents = |it: &Property| Some(it.price? * 100 / it.built_area?);
            (cents(a).is_none(), cents(a)).cmp(&(cents(b).is_none(), cents(b)))
        }
        Sort::ReducedLately => reduced_at(b).cmp(&reduced_at(a)),
    })
}

/// Counts `found` by the values of the facet of `filter`, for every value in `catalogue`.
pub fn count(found: &[&Property], catalogue: &[Listed], filter: Filter) -> Vec<(String, u64)> {
    let all = || catalogue.iter().map(|listed| &listed.property);
    match filter {
        Filter::PropertyType => of_set(found, PropertyType::ALL, |it| Some(it.property_type)),
        Filter::Status => of_set(found, ListingStatus::ALL, |it| Some(it.status)),
        Filter::Kind => {
            let held: Vec<_> = PropertyKind::ALL
                .iter()
                .copied()
                .filter(|kind| all().any(|property| property.kind == *kind))
                .collect();
            of_set(found, &held, |it| Some(it.kind))
        }
        Filter::Energy => {
            let rating = |it: &Property| it.energy.as_ref().map(|label| label.rating);
            of_set(found, &EnergyRating::ALL[..7], rating)
        }
        Filter::Location => {
            let mut counts: BTreeMap<&str, u64> = all()
                .flat_map(|it| it.location.self_and_ancestors())
                .map(|slug| (slug, 0))
                .collect();
            for slug in found.iter().flat_map(|it| it.location.self_and_ancestors()) {
                *counts.entry(slug).or_default() += 1;
            }
            counts.into_iter().map(|(slug, count)| (slug.to_owned(), count)).collect()
        }
        Filter::Features => {
            let mut counts: BTreeMap<&String, u64> =
                all().flat_map(|it| &it.features).map(|feature| (feature, 0)).collect();
            for feature in found.iter().flat_map(|it| &it.features) {
                *counts.entry(feature).or_default() += 1;
            }
            let mut counts: Vec<_> =
                counts.into_iter().map(|(name, count)| (name.clone(), count)).collect();
            counts.sort_by_key(|(_, count)| Reverse(*count));
            counts
        }
        Filter::Bedrooms => {
            rooms(found, all().filter_map(|it| it.bedrooms).max(), |it| it.bedrooms)
        }
        Filter::Bathrooms => {
            rooms(found, all().filter_map(|it| it.bathrooms).max(), |it| it.bathrooms)
        }
        other => panic!("no facet of {other:?}"),
    }
}

fn of_set<T: Copy + ToString + PartialEq>(
    found: &[&Property],
    set: &[T],
    of: impl Fn(&Property) -> Option<T>,
) -> Vec<(String, u64)> {
    let number = |member: T| found.iter().filter(|it| of(it) == Some(member)).count() as u64;
    set.iter().map(|member| (member.to_string(), number(*member))).collect()
}

fn rooms(
    found: &[&Property],
    max: Option<i64>,
    of: fn(&Property) -> Option<i64>,
) -> Vec<(String, u64)> {
    (1..=max.unwrap_or(0).min(10))
        .map(|min: i64| {
            let enough = found.iter().filter(|property| of(property) >= Some(min));
            (min.to_string(), enough.count() as u64)
        })
        .collect()
}

/// Counts `found` by the bars between `edges`.
pub fn bars(
    found: &[&Property],
    edges: &[i64],
    of: fn(&Property) -> Option<i64>,
) -> Vec<(i64, Option<i64>, u64)> {
    let mut bars: Vec<_> =
        (0..edges.len()).map(|at| (edges[at], edges.get(at + 1).copied(), 0)).collect();
    for figure in found.iter().filter_map(|property| of(property)) {
        let bar = bars
            .iter_mut()
            .find(|(from, to, _)| *from <= figure && to.is_none_or(|to| figure < to));
        bar.expect("the bars leave no gap").2 += 1;
    }
    bars
}

/// The properties in a cell: their number, their bounds, and the reference if there is only one.
pub type CellSummary = (u64, [f64; 4], Option<String>);

/// Returns the cells of the grid of `zoom`, or of the next coarser one that has at most `max_cells` cells.
pub fn cells(found: &[&Property], zoom: u8, max_cells: usize) -> Vec<CellSummary> {
    let mut zoom = zoom;
    loop {
        let mut cells: BTreeMap<(i64, i64), Vec<(&Property, Coordinates)>> = BTreeMap::new();
        for property in found {
            if let Some(spot) = property.coordinates.map(Coordinates::rounded) {
                cells.entry(cell(spot, zoom)).or_default().push((property, spot));
            }
        }
        if cells.len() <= max_cells || zoom == 0 {
            return cells.into_values().map(|content| summary(&content)).collect();
        }
        zoom -= 1;
    }
}

/// Returns the cell of `spot`; there are four by four cells in a tile of the usual web map.
#[allow(clippy::cast_possible_truncation, reason = "the grid is not so fine")]
fn cell(spot: Coordinates, zoom: u8) -> (i64, i64) {
    let across = 4.0 * 2.0_f64.powi(zoom.into());
    let angle = spot.lat.to_radians();
    let north = (angle.tan() + 1.0 / angle.cos()).ln() / std::f64::consts::PI;
    let column = (spot.lng + 180.0) / 360.0 * across;
    ((column.floor()) as i64, ((1.0 - north) / 2.0 * across).floor() as i64)
}

fn summary(content: &[(&Property, Coordinates)]) -> CellSummary {
    let min = |of: fn(&Coordinates) -> f64| {
        content.iter().map(|(_, spot)| of(spot)).fold(f64::INFINITY, f64::min)
    };
    let max = |of: fn(&Coordinates) -> f64| {
        content.iter().map(|(_, spot)| of(spot)).fold(f64::NEG_INFINITY, f64::max)
    };
    let bounds = [min(|s| s.lng), min(|s| s.lat), max(|s| s.lng), max(|s| s.lat)];
    let reference = (content.len() == 1).then(|| content[0].0.reference.clone());
    (content.len() as u64, bounds, reference)
}

/// Returns the rectangle in the format of [`cells`].
pub fn edges(bounds: BoundingBox) -> [f64; 4] {
    [bounds.west, bounds.south, bounds.east, bounds.north]
}
