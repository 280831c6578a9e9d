//! The same questions answered by looking at every property, knowing nothing of the index.

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

/// A property with all that words can find it by.
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

/// A property that fails at most one filter of a question, and which.
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
    Filter::ExcludedLocation,
    Filter::ExcludedFeatures,
    Filter::Bounds,
    Filter::Area,
];

/// All that fail at most one filter, in the question's order.
pub fn judge<'a>(catalogue: &'a [Listed], question: &PropertyQuery) -> Vec<Judged<'a>> {
    let mut judged: Vec<_> = catalogue
        .iter()
        .filter_map(|listed| {
            let mut failed = FILTERS.iter().filter(|filter| !holds(**filter, question, listed));
            let (first, second) = (failed.next().copied(), failed.next());
            second.is_none().then_some(Judged { property: &listed.property, failed: first })
        })
        .collect();
    judged.sort_by(|a, b| {
        let (a, b) = (a.property, b.property);
        order(question.sort, a, b).then(a.reference.cmp(&b.reference))
    });
    judged
}

/// What fits all filters but `but`.
pub fn fitting<'a>(judged: &[Judged<'a>], but: Option<Filter>) -> Vec<&'a Property> {
    let fits = judged.iter().filter(|it| it.failed.is_none() || it.failed == but);
    fits.map(|it| it.property).collect()
}

fn holds(filter: Filter, question: &PropertyQuery, listed: &Listed) -> bool {
    let property = &listed.property;
    let within = |least: Option<i64>, most: Option<i64>, figure: Option<i64>| match figure {
        None => least.is_none() && most.is_none(),
        Some(figure) => least.is_none_or(|it| figure >= it) && most.is_none_or(|it| figure <= it),
    };
    let spot = property.coordinates.map(Coordinates::roughly);
    match filter {
        Filter::Words => {
            let known = &listed.words[question.locale.index()];
            words(question.text.as_deref().unwrap_or(""))
                .iter()
                .all(|word| known.contains(word) || known.iter().any(|other| slipped(word, other)))
        }
        Filter::PropertyType => any(&question.property_types, Some(property.property_type)),
        Filter::Kind => any(&question.kinds, Some(property.kind)),
        Filter::Energy => any(&question.energy, property.energy.as_ref().map(|it| it.rating)),
        Filter::Location => {
            question.locations.is_empty() || lies_in_any(property, &question.locations)
        }
        Filter::ExcludedLocation => !lies_in_any(property, &question.excluded_locations),
        Filter::Status if question.statuses.is_empty() => property.status != ListingStatus::Sold,
        Filter::Status => question.statuses.contains(&property.status),
        Filter::Price => within(question.min_price, question.max_price, property.price),
        Filter::BuiltArea => within(question.min_built, question.max_built, property.built_area),
        Filter::PlotArea => within(question.min_plot, question.max_plot, property.plot_area),
        Filter::Bedrooms => within(question.min_bedrooms, None, property.bedrooms),
        Filter::MaxBedrooms => within(None, question.max_bedrooms, property.bedrooms),
        Filter::Bathrooms => within(question.min_bathrooms, None, property.bathrooms),
        Filter::ListedWithin => {
            question.listed_within.is_none_or(|days| is_within(property, question, days))
        }
        Filter::Reduced => question.reduced.is_none_or(|asked| asked == is_reduced(property)),
        Filter::Featured => question.featured.is_none_or(|asked| asked == property.featured),
        Filter::NewBuild => question.new_build.is_none_or(|asked| asked == property.new_build),
        Filter::Features => question.features.iter().all(|asked| property.features.contains(asked)),
        Filter::ExcludedFeatures => {
            property.features.iter().all(|has| !question.excluded_features.contains(has))
        }
        Filter::Bounds => question.bounds.is_none_or(|area| {
            spot.is_some_and(|point| {
                (area.south..=area.north).contains(&point.lat)
                    && (area.west..=area.east).contains(&point.lng)
            })
        }),
        Filter::Area => question
            .area
            .as_ref()
            .is_none_or(|area| spot.is_some_and(|point| is_inside(area.corners(), point))),
    }
}

fn lies_in_any(property: &Property, places: &[String]) -> bool {
    property.location.and_around().any(|place| places.iter().any(|asked| asked == place))
}

fn any<T: PartialEq>(asked: &[T], value: Option<T>) -> bool {
    asked.is_empty() || value.is_some_and(|value| asked.contains(&value))
}

/// Whether it was listed on the day so many days before the question's, or later.
pub fn is_within(property: &Property, question: &PropertyQuery, days: i64) -> bool {
    let today = NaiveDate::from_ymd_opt(1970, 1, 1).expect("a date")
        + Days::new(question.today.unsigned_abs());
    today.signed_duration_since(first_offered(property).date_naive()).num_days() <= days
}

/// Whether the edges that a line to the north crosses do not go east as often as west.
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

/// Whether `typed` may be meant to be `word`: five letters and more, no digits, and what one letter
/// left out of either makes the same, or two neighbours swapped.
fn slipped(typed: &str, word: &str) -> bool {
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

/// How many of `found` each value of the facet of `filter` has, as text: every value that
/// `catalogue` holds.
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
            let mut counts: BTreeMap<&str, u64> =
                all().flat_map(|it| it.location.and_around()).map(|slug| (slug, 0)).collect();
            for slug in found.iter().flat_map(|it| it.location.and_around()) {
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
    most: Option<i64>,
    of: fn(&Property) -> Option<i64>,
) -> Vec<(String, u64)> {
    (1..=most.unwrap_or(0).min(10))
        .map(|least: i64| {
            let enough = found.iter().filter(|property| of(property) >= Some(least));
            (least.to_string(), enough.count() as u64)
        })
        .collect()
}

/// How many of `found` have a figure from each of `edges` to the next.
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

/// What lies in one cell of a grid: how many, their bounds, and the reference of a single one.
pub type Heap = (u64, [f64; 4], Option<String>);

/// What lies in each cell of the grid of `zoom`, or of the next coarser that has at most `most`.
pub fn cells(found: &[&Property], zoom: u8, most: usize) -> Vec<Heap> {
    let mut zoom = zoom;
    loop {
        let mut cells: BTreeMap<(i64, i64), Vec<(&Property, Coordinates)>> = BTreeMap::new();
        for property in found {
            if let Some(spot) = property.coordinates.map(Coordinates::roughly) {
                cells.entry(cell(spot, zoom)).or_default().push((property, spot));
            }
        }
        if cells.len() <= most || zoom == 0 {
            return cells.into_values().map(|heap| summary(&heap)).collect();
        }
        zoom -= 1;
    }
}

/// The quarter of a quarter tile of the usual web map that holds `spot`.
#[allow(clippy::cast_possible_truncation, reason = "the grid is not so fine")]
fn cell(spot: Coordinates, zoom: u8) -> (i64, i64) {
    let across = 4.0 * 2.0_f64.powi(zoom.into());
    let angle = spot.lat.to_radians();
    let north = (angle.tan() + 1.0 / angle.cos()).ln() / std::f64::consts::PI;
    let column = (spot.lng + 180.0) / 360.0 * across;
    ((column.floor()) as i64, ((1.0 - north) / 2.0 * across).floor() as i64)
}

fn summary(heap: &[(&Property, Coordinates)]) -> Heap {
    let least = |of: fn(&Coordinates) -> f64| {
        heap.iter().map(|(_, spot)| of(spot)).fold(f64::INFINITY, f64::min)
    };
    let most = |of: fn(&Coordinates) -> f64| {
        heap.iter().map(|(_, spot)| of(spot)).fold(f64::NEG_INFINITY, f64::max)
    };
    let bounds = [least(|s| s.lng), least(|s| s.lat), most(|s| s.lng), most(|s| s.lat)];
    let reference = (heap.len() == 1).then(|| heap[0].0.reference.clone());
    (heap.len() as u64, bounds, reference)
}

/// The rectangle as [`cells`] writes it.
pub fn edges(bounds: BoundingBox) -> [f64; 4] {
    [bounds.west, bounds.south, bounds.east, bounds.north]
}
