//! How many properties each further choice would leave.

use contracts::content::{EnergyRating, ListingStatus, PropertyKind, PropertyType};
use tantivy::DocId;

use crate::{
    catalogue::{Catalogue, Segment},
    filter::{Failure, Filter},
    histogram::{BUILT_AREA, Histogram, PLOT_AREA, PRICE},
    query::PropertyQuery,
    rows::{Row, Rows, ordinals},
};

/// Counts of rooms go up to here; larger homes count among all of them.
const MOST_ROOMS: usize = 10;
/// What is new is counted over so many days.
const DAYS: [i64; 3] = [7, 30, 90];
/// The letters of the energy ratings are the first so many.
const LETTERS: usize = 7;
/// As many as a byte can tell apart, so that no count is beside its list.
const BYTES: usize = 256;

/// One choice and what it would leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetCount {
    /// The value as it stands in a question.
    pub value: String,
    /// How many properties fit when this is the only value asked for in its filter.
    pub count: u64,
}

/// Every facet. Each is counted among what fits all *other* filters, and lists whatever the index
/// holds, also what would leave nothing.
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
    /// By place, in order of slug; a municipality counts its parts.
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
}

/// Counts in one segment, by ordinal.
pub(crate) struct Tally {
    statuses: Counts,
    property_types: Counts,
    kinds: Counts,
    energy: Counts,
    bedrooms: Counts,
    bathrooms: Counts,
    price: Counts,
    built_area: Counts,
    plot_area: Counts,
    places: Vec<u32>,
    features: Vec<u32>,
    listed_within: [u32; DAYS.len()],
    reduced: u32,
    featured: u32,
    /// Since when the days are counted.
    since: [i64; DAYS.len()],
    /// How many fail one filter alone, by filter.
    pub failed: [u32; Filter::CHECKED.len()],
    /// How many fit.
    pub total: u32,
}

/// Counts by a byte.
struct Counts(Box<[u32; BYTES]>);

impl Tally {
    pub fn new(query: &PropertyQuery, rows: &Rows) -> Self {
        Self {
            statuses: Counts::default(),
            property_types: Counts::default(),
            kinds: Counts::default(),
            energy: Counts::default(),
            bedrooms: Counts::default(),
            bathrooms: Counts::default(),
            price: Counts::default(),
            built_area: Counts::default(),
            plot_area: Counts::default(),
            places: vec![0; rows.places.len()],
            features: vec![0; rows.features.len()],
            listed_within: [0; DAYS.len()],
            reduced: 0,
            featured: 0,
            since: DAYS.map(|days| query.days_ago(days)),
            failed: [0; Filter::CHECKED.len()],
            total: 0,
        }
    }

    /// Counts `doc` in every facet that counts it: in all if it fits, else only in the facet of the
    /// one filter that it fails.
    pub fn count(&mut self, rows: &Rows, doc: DocId, row: &Row, failure: Failure) {
        let filter = match failure {
            Failure::None => {
                self.total += 1;
                return self.count_everywhere(rows, doc, row);
            }
            Failure::One(filter) => filter,
            Failure::Several => return,
        };
        self.failed[filter as usize] += 1;
        match filter {
            Filter::Status => self.statuses.add(row.status),
            Filter::PropertyType => self.property_types.add(row.property_type),
            Filter::Kind => self.kinds.add(row.kind),
            Filter::Energy => self.energy.add(row.energy),
            Filter::Price => self.price.add(row.price_bar),
            Filter::BuiltArea => self.built_area.add(row.built_bar),
            Filter::PlotArea => self.plot_area.add(row.plot_bar),
            Filter::Bedrooms => self.bedrooms.add(row.bedrooms),
            Filter::Bathrooms => self.bathrooms.add(row.bathrooms),
            Filter::ListedWithin => self.count_days(row),
            Filter::Reduced => self.reduced += u32::from(row.reduced),
            Filter::Featured => self.featured += u32::from(row.featured),
            Filter::Location => self.count_place(row),
            Filter::Features => self.count_features(rows, doc),
            Filter::Bounds | Filter::Area | Filter::Words => {}
        }
    }

    fn count_everywhere(&mut self, rows: &Rows, doc: DocId, row: &Row) {
        self.statuses.add(row.status);
        self.property_types.add(row.property_type);
        self.kinds.add(row.kind);
        self.energy.add(row.energy);
        self.price.add(row.price_bar);
        self.built_area.add(row.built_bar);
        self.plot_area.add(row.plot_bar);
        self.bedrooms.add(row.bedrooms);
        self.bathrooms.add(row.bathrooms);
        self.count_days(row);
        self.reduced += u32::from(row.reduced);
        self.featured += u32::from(row.featured);
        self.count_place(row);
        self.count_features(rows, doc);
    }

    fn count_days(&mut self, row: &Row) {
        for (count, since) in self.listed_within.iter_mut().zip(self.since) {
            *count += u32::from(since <= row.listed_at);
        }
    }

    fn count_place(&mut self, row: &Row) {
        if let Some(count) = self.places.get_mut(row.place as usize) {
            *count += 1;
        }
    }

    fn count_features(&mut self, rows: &Rows, doc: DocId) {
        for feature in ordinals(rows.features_of(doc)) {
            self.features[feature] += 1;
        }
    }
}

impl Default for Counts {
    fn default() -> Self {
        Self(Box::new([0; BYTES]))
    }
}

impl Counts {
    fn add(&mut self, position: u8) {
        self.0[usize::from(position)] += 1;
    }
}

/// Counts in all segments, by position in the view's vocabulary.
pub(crate) struct Sums {
    statuses: Vec<u64>,
    property_types: Vec<u64>,
    kinds: Vec<u64>,
    energy: Vec<u64>,
    bedrooms: Vec<u64>,
    bathrooms: Vec<u64>,
    price: Vec<u64>,
    built_area: Vec<u64>,
    plot_area: Vec<u64>,
    places: Vec<u64>,
    features: Vec<u64>,
    listed_within: Vec<u64>,
    reduced: u64,
    featured: u64,
    failed: Vec<u64>,
    pub total: u64,
}

impl Sums {
    pub fn new(catalogue: &Catalogue) -> Self {
        let bytes = || vec![0; BYTES];
        Self {
            statuses: bytes(),
            property_types: bytes(),
            kinds: bytes(),
            energy: bytes(),
            bedrooms: bytes(),
            bathrooms: bytes(),
            price: bytes(),
            built_area: bytes(),
            plot_area: bytes(),
            places: vec![0; catalogue.vocabulary.places.len()],
            features: vec![0; catalogue.vocabulary.features.len()],
            listed_within: vec![0; DAYS.len()],
            reduced: 0,
            featured: 0,
            failed: vec![0; Filter::CHECKED.len()],
            total: 0,
        }
    }

    pub fn add(&mut self, tally: &Tally, segment: &Segment) {
        add_all(&mut self.statuses, &*tally.statuses.0);
        add_all(&mut self.property_types, &*tally.property_types.0);
        add_all(&mut self.kinds, &*tally.kinds.0);
        add_all(&mut self.energy, &*tally.energy.0);
        add_all(&mut self.bedrooms, &*tally.bedrooms.0);
        add_all(&mut self.bathrooms, &*tally.bathrooms.0);
        add_all(&mut self.price, &*tally.price.0);
        add_all(&mut self.built_area, &*tally.built_area.0);
        add_all(&mut self.plot_area, &*tally.plot_area.0);
        add_all(&mut self.listed_within, &tally.listed_within);
        add_all(&mut self.failed, &tally.failed);
        add_at(&mut self.places, &segment.places, &tally.places);
        add_at(&mut self.features, &segment.features, &tally.features);
        self.reduced += u64::from(tally.reduced);
        self.featured += u64::from(tally.featured);
        self.total += u64::from(tally.total);
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
            price: PRICE.histogram(&self.price),
            built_area: BUILT_AREA.histogram(&self.built_area),
            plot_area: PLOT_AREA.histogram(&self.plot_area),
            status: named(ListingStatus::ALL, &self.statuses),
            location: self.places(catalogue),
            features: self.features(catalogue),
            bedrooms: at_least(&self.bedrooms, vocabulary.bedrooms),
            bathrooms: at_least(&self.bathrooms, vocabulary.bathrooms),
            reduced: self.reduced,
            featured: self.featured,
        }
    }

    fn places(&self, catalogue: &Catalogue) -> Vec<FacetCount> {
        let places = catalogue.vocabulary.places.iter().zip(&catalogue.vocabulary.covered);
        places
            .map(|(slug, covered)| {
                facet(slug, covered.iter().map(|place| self.places[*place]).sum())
            })
            .collect()
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

fn add_all(sums: &mut [u64], counts: &[u32]) {
    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += u64::from(*count));
}

fn add_at(sums: &mut [u64], positions: &[Option<usize>], counts: &[u32]) {
    for (position, count) in positions.iter().zip(counts) {
        if let Some(position) = position {
            sums[*position] += u64::from(*count);
        }
    }
}

/// From counts by rooms, each one too high, to counts of at least so many, up to `most` rooms,
/// also one too high.
fn at_least(counts: &[u64], most: u8) -> Vec<FacetCount> {
    let most = usize::from(most).saturating_sub(1).min(MOST_ROOMS);
    (1..=most).map(|rooms| facet(&rooms, counts[rooms + 1..].iter().sum())).collect()
}
