//! The queries that the index answers.

use std::hash::{Hash, Hasher};

use contracts::{
    Locale,
    content::{EnergyRating, ListingStatus, PropertyKind, PropertyType},
};

use crate::polygon::Polygon;

/// The order of the hits. In every order but relevance, homes come before garages, land and premises. Ties
/// are broken by reference, so that pages never repeat or skip a hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Most recently offered first.
    #[default]
    Newest,
    /// Earliest offered first.
    Oldest,
    /// Cheapest first; those without a price last.
    PriceAscending,
    /// Most expensive first; those without a price last.
    PriceDescending,
    /// Lowest price for each built m² first; those without a price or a built size last.
    PricePerMetre,
    /// Most recently reduced first; those that are not reduced last.
    ReducedLately,
    /// Best match of the words first; without words, the newest.
    Relevance,
}

/// A rectangle on the map, in degrees. One whose west is greater than its east crosses the
/// hundred-and-eightieth meridian.
/// Two are equal if their degrees have the same bits.
#[derive(Clone, Copy, Debug)]
pub struct BoundingBox {
    /// Western edge.
    pub west: f64,
    /// Southern edge.
    pub south: f64,
    /// Eastern edge.
    pub east: f64,
    /// Northern edge.
    pub north: f64,
}

impl BoundingBox {
    /// Returns whether the point is inside or on the edge.
    pub fn contains(&self, lat: f64, lng: f64) -> bool {
        let between_meridians = if self.west <= self.east {
            self.west <= lng && lng <= self.east
        } else {
            lng >= self.west || lng <= self.east
        };
        between_meridians && self.south <= lat && lat <= self.north
    }

    fn bits(&self) -> [u64; 4] {
        [self.west, self.south, self.east, self.north].map(f64::to_bits)
    }
}

impl PartialEq for BoundingBox {
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}

impl Eq for BoundingBox {}

impl Hash for BoundingBox {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits().hash(state);
    }
}

/// A query: filters that must all hold, an order and a window.
///
/// A filter with several values holds if any of them does, but all of the features must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PropertyQuery {
    /// The language of the words.
    pub locale: Locale,
    /// Words that must all match. A text without a word is no filter.
    pub text: Option<String>,
    /// The exact reference of a home, as the agency writes it. If set, it is searched instead of the words.
    pub reference: Option<String>,
    /// Types; any where empty.
    pub property_types: Vec<PropertyType>,
    /// Kinds; any where empty.
    pub kinds: Vec<PropertyKind>,
    /// Slugs of places, each with the places that are part of it; any where empty.
    pub locations: Vec<String>,
    /// Slugs of excluded places, each with the places that are part of it.
    pub not_locations: Vec<String>,
    /// Statuses; all but sold where empty.
    pub statuses: Vec<ListingStatus>,
    /// Whether the statuses were derived from the text, which is a reference. They are dropped together with
    /// it.
    pub statuses_from_text: bool,
    /// Euros at least. A property without a price meets no price limit.
    pub min_price: Option<i64>,
    /// Euros at most.
    pub max_price: Option<i64>,
    /// Bedrooms at least.
    pub min_bedrooms: Option<i64>,
    /// Bedrooms at most. A property without the figure meets no limit.
    pub max_bedrooms: Option<i64>,
    /// Bathrooms at least.
    pub min_bathrooms: Option<i64>,
    /// Built size at least, m². A property without the figure meets no size limit.
    pub min_built: Option<i64>,
    /// Built size at most, m².
    pub max_built: Option<i64>,
    /// Plot at least, m².
    pub min_plot: Option<i64>,
    /// Plot at most, m².
    pub max_plot: Option<i64>,
    /// Features, all of which must be there.
    pub features: Vec<String>,
    /// Features, none of which may be there.
    pub without_features: Vec<String>,
    /// Energy ratings; where empty, any rating or none.
    pub energy: Vec<EnergyRating>,
    /// First offered within so many days before [`Self::today`].
    pub listed_within: Option<i64>,
    /// The current day, from which days are counted back: days since 1970 in UTC.
    pub today: i64,
    /// Whether it must be reduced, or must not.
    pub reduced: Option<bool>,
    /// Whether it must be featured, or must not.
    pub featured: Option<bool>,
    /// Whether it must be a new build, or must not.
    pub new_build: Option<bool>,
    /// A rectangle in which it must be.
    pub bounds: Option<BoundingBox>,
    /// A drawn area in which it must be.
    pub area: Option<Polygon>,
    /// The order.
    pub sort: Sort,
    /// How many hits to skip.
    pub offset: usize,
    /// How many hits to return.
    pub limit: usize,
}

impl PropertyQuery {
    /// Returns a query without filters, newest first, whose `today` is the first of January 1970.
    pub fn newest(locale: Locale, limit: usize) -> Self {
        Self { locale, limit, ..Self::default() }
    }
}

/// Returns the start of the day `days` before `today`, in microseconds since 1970.
pub(crate) const fn days_ago(today: i64, days: i64) -> i64 {
    const DAY: i64 = 86_400_000_000;
    today.saturating_sub(days).saturating_mul(DAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_may_cross_the_date_line() {
        let pacific = BoundingBox { west: 170.0, south: -10.0, east: -170.0, north: 10.0 };
        assert!(pacific.contains(0.0, 175.0) && pacific.contains(0.0, -175.0));
        assert!(!pacific.contains(0.0, 0.0));
    }
}
