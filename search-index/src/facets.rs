//! Facets: how many properties each further choice would leave.

use contracts::content::{EnergyRating, ListingStatus, PropertyKind, PropertyType};
use fixedbitset::FixedBitSet;

use crate::{
    catalogue::{Catalogue, Segment},
    code_column::{Counts, DocumentSet, no_counts},
    columns::Columns,
    filter::Filter,
    histogram::{BUILT_AREA, Histogram, PLOT_AREA, PRICE},
    query::{PropertyQuery, days_ago},
};

/// Room counts are listed up to this number; larger homes are included in all of them.
const MAX_ROOMS: usize = 10;
/// The periods, in days, for which new listings are counted.
const DAYS: [i64; 3] = [7, 30, 90];
/// The number of energy ratings that are letters; they come first.
const LETTERS: usize = 7;

/// One choice and the number of properties that it would leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetCount {
    /// The value, as it is written in a query.
    pub value: String,
    /// How many properties match if this is the only value of its filter.
    pub count: u64,
}

/// All facets. Each is counted among the properties that match all *other* filters, and lists every value
/// in the index, even one that would leave nothing. Since all features of a query have to hold, features
/// are counted among the properties that match every filter: how many are left with this feature too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facets {
    /// By type, every type in display order.
    pub property_type: Vec<FacetCount>,
    /// By kind, every kind that the index holds, in display order.
    pub kind: Vec<FacetCount>,
    /// By energy rating, A to G.
    pub energy: Vec<FacetCount>,
    /// By days since it was first offered, at most: 7, 30, 90.
    pub listed_within: Vec<FacetCount>,
    /// By price in euros.
    pub price: Histogram,
    /// By built size in m².
    pub built_area: Histogram,
    /// By plot in m².
    pub plot_area: Histogram,
    /// By status, every status in display order.
    pub status: Vec<FacetCount>,
    /// By place, in order of slug, each with the places that are part of it.
    pub location: Vec<FacetCount>,
    /// By feature, most frequent first.
    pub features: Vec<FacetCount>,
    /// By minimum number of bedrooms, from one up to the maximum in the index.
    pub bedrooms: Vec<FacetCount>,
    /// By minimum number of bathrooms, from one up to the maximum in the index.
    pub bathrooms: Vec<FacetCount>,
    /// How many are reduced.
    pub reduced: u64,
    /// How many are featured.
    pub featured: u64,
    /// How many are new builds.
    pub new_build: u64,
}

/// Counts in all segments, by position in the view's vocabulary.
pub(crate) struct Sums {
    statuses: Counts,
    property_types: Counts,
    kinds: Counts,
    energy: Counts,
    bedrooms: Counts,
    bathrooms: Counts,
    prices: Counts,
    built_areas: Counts,
    plot_areas: Counts,
    places: Vec<u64>,
    features: Vec<u64>,
    listed_within: [u64; DAYS.len()],
    reduced: u64,
    featured: u64,
    new_build: u64,
    /// How many properties fail only this filter, by filter.
    failed: [u64; Filter::CHECKED.len()],
    /// How many properties match.
    pub total: u64,
}

impl Sums {
    pub fn new(catalogue: &Catalogue) -> Self {
        Self {
            statuses: no_counts(),
            property_types: no_counts(),
            kinds: no_counts(),
            energy: no_counts(),
            bedrooms: no_counts(),
            bathrooms: no_counts(),
            prices: no_counts(),
            built_areas: no_counts(),
            plot_areas: no_counts(),
            places: vec![0; catalogue.vocabulary.places.len()],
            features: vec![0; catalogue.vocabulary.features.len()],
            listed_within: [0; DAYS.len()],
            reduced: 0,
            featured: 0,
            new_build: 0,
            failed: [0; Filter::CHECKED.len()],
            total: 0,
        }
    }

    /// Counts the filter results of `segment`: matching documents in every facet, and documents that fail
    /// only one filter in that filter's facet, except for features.
    pub fn add(
        &mut self,
        query: &PropertyQuery,
        segment: &Segment,
        fits: &DocumentSet,
        near_misses: Vec<(Filter, FixedBitSet)>,
    ) {
        self.total += fits.len() as u64;
        for filter in Filter::CHECKED {
            self.count(filter, query, segment, fits);
        }
        for (filter, documents) in near_misses {
            let documents = DocumentSet::new(documents);
            self.failed[filter as usize] += documents.len() as u64;
            // A further feature is added to the others, and does not replace one.
            if filter != Filter::Features {
                self.count(filter, query, segment, &documents);
            }
        }
    }

    /// Counts the documents of `among` in the facet of `filter`.
    fn count(
        &mut self,
        filter: Filter,
        query: &PropertyQuery,
        segment: &Segment,
        among: &DocumentSet,
    ) {
        let columns = &segment.columns;
        match filter {
            Filter::Status => columns.statuses.count(among, &mut self.statuses),
            Filter::PropertyType => columns.property_types.count(among, &mut self.property_types),
            Filter::Kind => columns.kinds.count(among, &mut self.kinds),
            Filter::Energy => columns.energy.count(among, &mut self.energy),
            Filter::Price => columns.prices.bars.count(among, &mut self.prices),
            Filter::BuiltArea => columns.built_areas.bars.count(among, &mut self.built_areas),
            Filter::PlotArea => columns.plot_areas.bars.count(among, &mut self.plot_areas),
            Filter::Bedrooms => columns.bedrooms.count(among, &mut self.bedrooms),
            Filter::Bathrooms => columns.bathrooms.count(among, &mut self.bathrooms),
            Filter::ListedWithin => self.count_days(query, columns, among),
            Filter::Reduced => self.reduced += among.count(&columns.reduced),
            Filter::Featured => self.featured += among.count(&columns.featured),
            Filter::NewBuild => self.new_build += among.count(&columns.new_build),
            Filter::Location => self.count_places(segment, among),
            Filter::Features => {
                for (position, (_, documents)) in segment.features.iter().zip(&columns.features) {
                    if let Some(position) = position {
                        self.features[*position] += among.count(documents);
                    }
                }
            }
            Filter::MaxBedrooms
            | Filter::NotLocation
            | Filter::WithoutFeatures
            | Filter::Bounds
            | Filter::Area
            | Filter::Words => {}
        }
    }

    fn count_days(&mut self, query: &PropertyQuery, columns: &Columns, among: &DocumentSet) {
        for (count, days) in self.listed_within.iter_mut().zip(DAYS) {
            let since = days_ago(query.today, days);
            let lately = columns.listed_at.at_least(since);
            // Iterates over the smaller of the two sets.
            *count += if among.len() < lately.len() {
                let documents = among.documents().iter();
                documents.filter(|doc| columns.listed_at.values[**doc] >= since).count() as u64
            } else {
                lately.iter().filter(|doc| among.set().contains(**doc as usize)).count() as u64
            };
        }
    }

    fn count_places(&mut self, segment: &Segment, among: &DocumentSet) {
        let counts = segment.columns.places.count(among);
        for (position, count) in segment.places.iter().zip(counts) {
            if let Some(position) = position {
                self.places[*position] += count;
            }
        }
    }

    /// Returns how many properties fail only `filter`.
    pub fn failing(&self, filter: Filter) -> u64 {
        self.failed.get(filter as usize).copied().unwrap_or(0)
    }

    pub fn facets(&self, catalogue: &Catalogue) -> Facets {
        let vocabulary = &catalogue.vocabulary;
        let kinds = named(PropertyKind::ALL, &self.kinds).into_iter().enumerate();
        let kinds = kinds.filter(|(kind, _)| vocabulary.kinds >> kind & 1 == 1);
        let days = DAYS.iter().zip(&self.listed_within);
        Facets {
            property_type: named(PropertyType::ALL, &self.property_types),
            kind: kinds.map(|(_, facet)| facet).collect(),
            energy: named(&EnergyRating::ALL[..LETTERS], &self.energy),
            listed_within: days.map(|(days, count)| facet(days, *count)).collect(),
            price: PRICE.histogram(&self.prices),
            built_area: BUILT_AREA.histogram(&self.built_areas),
            plot_area: PLOT_AREA.histogram(&self.plot_areas),
            status: named(ListingStatus::ALL, &self.statuses),
            location: named(&vocabulary.places, &self.places),
            features: self.features(catalogue),
            bedrooms: at_least(&self.bedrooms, vocabulary.bedrooms),
            bathrooms: at_least(&self.bathrooms, vocabulary.bathrooms),
            reduced: self.reduced,
            featured: self.featured,
            new_build: self.new_build,
        }
    }

    fn features(&self, catalogue: &Catalogue) -> Vec<FacetCount> {
        let features = catalogue.vocabulary.features.iter().zip(&self.features);
        let mut features: Vec<_> = features.map(|(name, count)| facet(name, *count)).collect();
        // The sort is stable, so equal counts stay in the order of their names.
        features.sort_by_key(|facet| std::cmp::Reverse(facet.count));
        features
    }
}

fn facet(value: &impl ToString, count: u64) -> FacetCount {
    FacetCount { value: value.to_string(), count }
}

fn named<T: ToString>(all: &[T], counts: &[u64]) -> Vec<FacetCount> {
    all.iter().zip(counts).map(|(member, count)| facet(member, *count)).collect()
}

/// Converts counts by room code into counts of at least so many rooms, up to the room code `max`. A room
/// code is one more than the number of rooms.
fn at_least(counts: &[u64], max: u8) -> Vec<FacetCount> {
    let max = usize::from(max).saturating_sub(1).min(MAX_ROOMS);
    (1..=max).map(|rooms| facet(&rooms, counts[rooms + 1..].iter().sum())).collect()
}
