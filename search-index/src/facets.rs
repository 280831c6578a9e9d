//! How many properties each further choice would leave.

use std::collections::BTreeMap;

use contracts::content::{ListingStatus, PropertyType};
use tantivy::{DocId, columnar::StrColumn};

use crate::{
    query::covers,
    segment::{Columns, failed, terms},
};

/// Counts of rooms go up to here; larger homes count among all of them.
const MOST_ROOMS: usize = 10;

/// One choice and what it would leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetCount {
    /// The value as it stands in a question.
    pub value: String,
    /// How many properties fit when this is the only value asked for in its filter.
    pub count: u64,
}

/// A histogram over fixed edges. What lacks the figure is in no bucket.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// The buckets in order, without a gap.
    pub buckets: Vec<Bucket>,
}

/// One bar of a [`Histogram`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// The least figure in it.
    pub from: i64,
    /// The least figure above it; none for the last, which is open.
    pub to: Option<i64>,
    /// How many properties have a figure in it.
    pub count: u64,
}

/// Every facet. Each is counted among what fits all *other* filters.
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
pub(crate) struct SegmentCounts {
    statuses: Vec<u64>,
    property_types: Vec<u64>,
    locations: Vec<u64>,
    features: Vec<u64>,
    bedrooms: Vec<u64>,
    bathrooms: Vec<u64>,
    reduced: u64,
    featured: u64,
}

impl SegmentCounts {
    pub fn new(columns: &Columns) -> Self {
        let terms =
            |column: &Option<StrColumn>| column.as_ref().map_or(0, |column| column.num_terms());
        Self {
            statuses: vec![0; ListingStatus::ALL.len()],
            property_types: vec![0; PropertyType::ALL.len()],
            locations: vec![0; terms(&columns.location)],
            features: vec![0; terms(&columns.features)],
            bedrooms: vec![0; MOST_ROOMS + 1],
            bathrooms: vec![0; MOST_ROOMS + 1],
            reduced: 0,
            featured: 0,
        }
    }

    /// Counts `doc`, which failed at most the one filter `failure`, in every facet that counts it:
    /// all of them if it failed none, else only the facet of that filter.
    pub fn count(&mut self, columns: &Columns, doc: DocId, status: u64, failure: u16) {
        let counts = |filter: u16| failure == failed::NONE || failure == filter;
        if counts(failed::STATUS) {
            add(&mut self.statuses, status);
        }
        if counts(failed::PROPERTY_TYPE)
            && let Some(property_type) = columns.property_type.first(doc)
        {
            add(&mut self.property_types, property_type);
        }
        if counts(failed::LOCATION)
            && let Some(location) = &columns.location
            && let Some(place) = location.ords().first(doc)
        {
            add(&mut self.locations, place);
        }
        if counts(failed::FEATURES)
            && let Some(features) = &columns.features
        {
            features.term_ords(doc).for_each(|feature| add(&mut self.features, feature));
        }
        if counts(failed::BEDROOMS) {
            add_rooms(&mut self.bedrooms, columns.bedrooms.first(doc));
        }
        if counts(failed::BATHROOMS) {
            add_rooms(&mut self.bathrooms, columns.bathrooms.first(doc));
        }
        if counts(failed::REDUCED) && columns.reduced.first(doc) == Some(true) {
            self.reduced += 1;
        }
        if counts(failed::FEATURED) && columns.featured.first(doc) == Some(true) {
            self.featured += 1;
        }
    }

    /// The counts by name.
    pub fn resolve(self, columns: &Columns) -> tantivy::Result<Counts> {
        Ok(Counts {
            statuses: self.statuses,
            property_types: self.property_types,
            locations: by_term(terms(columns.location.as_ref())?, self.locations),
            features: by_term(terms(columns.features.as_ref())?, self.features),
            bedrooms: self.bedrooms,
            bathrooms: self.bathrooms,
            reduced: self.reduced,
            featured: self.featured,
        })
    }
}

/// Counts in any number of segments, by name.
#[derive(Default)]
pub(crate) struct Counts {
    statuses: Vec<u64>,
    property_types: Vec<u64>,
    locations: BTreeMap<String, u64>,
    features: BTreeMap<String, u64>,
    bedrooms: Vec<u64>,
    bathrooms: Vec<u64>,
    reduced: u64,
    featured: u64,
}

impl Counts {
    pub fn merge(&mut self, other: Self) {
        add_all(&mut self.statuses, &other.statuses);
        add_all(&mut self.property_types, &other.property_types);
        add_all(&mut self.bedrooms, &other.bedrooms);
        add_all(&mut self.bathrooms, &other.bathrooms);
        for (slug, count) in other.locations {
            *self.locations.entry(slug).or_default() += count;
        }
        for (feature, count) in other.features {
            *self.features.entry(feature).or_default() += count;
        }
        self.reduced += other.reduced;
        self.featured += other.featured;
    }

    pub fn into_facets(self) -> Facets {
        let location = self.locations.keys().map(|slug| FacetCount {
            value: slug.clone(),
            count: self
                .locations
                .iter()
                .filter(|(part, _)| covers(slug, part))
                .map(|(_, count)| count)
                .sum(),
        });
        let mut features: Vec<_> = self
            .features
            .iter()
            .map(|(value, count)| FacetCount { value: value.clone(), count: *count })
            .collect();
        // A stable sort of what comes in order of name: equal counts stay in that order.
        features.sort_by_key(|facet| std::cmp::Reverse(facet.count));
        Facets {
            property_type: named(PropertyType::ALL, &self.property_types),
            status: named(ListingStatus::ALL, &self.statuses),
            location: location.filter(|facet| facet.count > 0).collect(),
            features: features.into_iter().filter(|facet| facet.count > 0).collect(),
            bedrooms: at_least(&self.bedrooms),
            bathrooms: at_least(&self.bathrooms),
            reduced: self.reduced,
            featured: self.featured,
            ..Facets::default()
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "ordinals count what is in memory")]
fn add(counts: &mut [u64], ordinal: u64) {
    if let Some(count) = counts.get_mut(ordinal as usize) {
        *count += 1;
    }
}

fn add_rooms(counts: &mut [u64], rooms: Option<i64>) {
    let rooms = rooms.and_then(|rooms| usize::try_from(rooms).ok()).unwrap_or(0).min(MOST_ROOMS);
    counts[rooms] += 1;
}

fn add_all(sums: &mut Vec<u64>, counts: &[u64]) {
    if sums.len() < counts.len() {
        sums.resize(counts.len(), 0);
    }
    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}

fn by_term(terms: Vec<String>, counts: Vec<u64>) -> BTreeMap<String, u64> {
    terms.into_iter().zip(counts).filter(|(_, count)| *count > 0).collect()
}

fn named<T: ToString>(all: &[T], counts: &[u64]) -> Vec<FacetCount> {
    all.iter()
        .enumerate()
        .map(|(position, member)| FacetCount {
            value: member.to_string(),
            count: counts.get(position).copied().unwrap_or(0),
        })
        .collect()
}

/// From counts of exactly so many rooms to counts of at least so many, without the empty end.
fn at_least(exactly: &[u64]) -> Vec<FacetCount> {
    let mut facets = Vec::new();
    let mut sum = 0;
    for (rooms, count) in exactly.iter().enumerate().skip(1).rev() {
        sum += count;
        if sum > 0 {
            facets.push(FacetCount { value: rooms.to_string(), count: sum });
        }
    }
    facets.reverse();
    facets
}
