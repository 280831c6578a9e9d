//! How many properties each further choice would leave.

use contracts::content::{EnergyRating, ListingStatus, PropertyKind, PropertyType};
use fixedbitset::FixedBitSet;

use crate::{
    catalogue::{Catalogue, Segment},
    coded::{Among, Counts, none},
    columns::Columns,
    filter::Filter,
    histogram::{BUILT_AREA, Histogram, PLOT_AREA, PRICE},
    query::{PropertyQuery, days_ago},
};

/// Counts of rooms go up to here; larger homes count among all of them.
const MAX_ROOMS: usize = 10;
/// What is new is counted over so many days.
const DAYS: [i64; 3] = [7, 30, 90];
/// The letters of the energy ratings are the first so many.
const LETTERS: usize = 7;

/// One choice and what it would leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetCount {
    /// The value as it stands in a question.
    pub value: String,
    /// How many properties fit when this is the only value asked for in its filter.
    pub count: u64,
}

/// Every facet. Each is counted among what fits all *other* filters, and lists whatever the index
/// holds, also what would leave nothing. Features all have to hold, so theirs are counted among what
/// fits: how many are left with this one too.
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
    /// By bedrooms at least, from one up to the most there are.
    pub bedrooms: Vec<FacetCount>,
    /// By bathrooms at least, from one up to the most there are.
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
    /// How many fail one filter alone, by filter.
    failed: [u64; Filter::CHECKED.len()],
    /// How many fit.
    pub total: u64,
}

impl Sums {
    pub fn new(catalogue: &Catalogue) -> Self {
        Self {
            statuses: none(),
            property_types: none(),
            kinds: none(),
            energy: none(),
            bedrooms: none(),
            bathrooms: none(),
            prices: none(),
            built_areas: none(),
            plot_areas: none(),
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

    /// Counts what was sifted of `segment`: what fits in every facet, what would fit but for one
    /// filter in that filter's facet, features excepted.
    pub fn add(
        &mut self,
        query: &PropertyQuery,
        segment: &Segment,
        fits: &Among,
        but_for: Vec<(Filter, FixedBitSet)>,
    ) {
        self.total += fits.len() as u64;
        for filter in Filter::CHECKED {
            self.count(filter, query, segment, fits);
        }
        for (filter, documents) in but_for {
            let documents = Among::new(documents);
            self.failed[filter as usize] += documents.len() as u64;
            // One feature more is asked for beside the others, and takes the place of none.
            if filter != Filter::Features {
                self.count(filter, query, segment, &documents);
            }
        }
    }

    /// Counts `among` in the facet of `filter`.
    fn count(&mut self, filter: Filter, query: &PropertyQuery, segment: &Segment, among: &Among) {
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
            | Filter::ExcludedLocation
            | Filter::ExcludedFeatures
            | Filter::Bounds
            | Filter::Area
            | Filter::Words => {}
        }
    }

    fn count_days(&mut self, query: &PropertyQuery, columns: &Columns, among: &Among) {
        for (count, days) in self.listed_within.iter_mut().zip(DAYS) {
            let since = days_ago(query.today, days);
            let lately = columns.listed_at.at_least(since);
            // Whichever are fewer.
            *count += if among.len() < lately.len() {
                let documents = among.documents().iter();
                documents.filter(|doc| columns.listed_at.values[**doc] >= since).count() as u64
            } else {
                lately.iter().filter(|doc| among.set().contains(**doc as usize)).count() as u64
            };
        }
    }

    fn count_places(&mut self, segment: &Segment, among: &Among) {
        let counts = segment.columns.places.count(among);
        for (position, count) in segment.places.iter().zip(counts) {
            if let Some(position) = position {
                self.places[*position] += count;
            }
        }
    }

    /// How many fail `filter` alone.
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
        // A stable sort of what comes in order of name: equal counts stay in that order.
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

/// From counts by rooms, each one too high, to counts of at least so many, up to `most` rooms,
/// also one too high.
fn at_least(counts: &[u64], most: u8) -> Vec<FacetCount> {
    let most = usize::from(most).saturating_sub(1).min(MAX_ROOMS);
    (1..=most).map(|rooms| facet(&rooms, counts[rooms + 1..].iter().sum())).collect()
}
