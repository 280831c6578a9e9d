//! What can be asked of the index.

use contracts::{
    Locale,
    content::{EnergyRating, ListingStatus, PropertyKind, PropertyType},
};

use crate::polygon::Polygon;

/// The order of the answer. In every one but that by relevance, homes come before garages, land and
/// premises. Ties are broken by reference, so that pages never repeat or skip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Latest offered first.
    Newest,
    /// First offered first.
    Oldest,
    /// Cheapest first; what has no price last.
    PriceAscending,
    /// Dearest first; what has no price last.
    PriceDescending,
    /// Least euros for each built m² first; what has no price or no built size last.
    PricePerMetre,
    /// Latest reduced first; what is not reduced last.
    ReducedLately,
    /// What fits the words best first; without words, the newest.
    Relevance,
}

/// A rectangle on the map, in degrees. One whose west is greater than its east crosses the
/// hundred-and-eightieth meridian.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// Whether the point lies inside or on the edge.
    pub fn contains(&self, lat: f64, lng: f64) -> bool {
        let between_meridians = if self.west <= self.east {
            self.west <= lng && lng <= self.east
        } else {
            lng >= self.west || lng <= self.east
        };
        between_meridians && self.south <= lat && lat <= self.north
    }
}

/// A question: filters that must all hold, an order and a window.
///
/// Of the values within one filter any may hold, but all of the features must.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyQuery {
    /// The language of the words.
    pub locale: Locale,
    /// Words that must all be found. A text with no word in it asks for nothing.
    pub text: Option<String>,
    /// The reference of the home that is meant, as the agency writes it: looked for in place of the words.
    pub reference: Option<String>,
    /// Types; any where empty.
    pub property_types: Vec<PropertyType>,
    /// Kinds; any where empty.
    pub kinds: Vec<PropertyKind>,
    /// Slugs of places, each with the places that are part of it; any where empty.
    pub locations: Vec<String>,
    /// Slugs of places, in none of which it may be, nor in the places that are part of them.
    pub excluded_locations: Vec<String>,
    /// Statuses; all but sold where empty.
    pub statuses: Vec<ListingStatus>,
    /// Whether the statuses came of the text, which is a reference, and go with it.
    pub statuses_of_words: bool,
    /// Euros at least. A property without a price meets no limit of price.
    pub min_price: Option<i64>,
    /// Euros at most.
    pub max_price: Option<i64>,
    /// Bedrooms at least.
    pub min_bedrooms: Option<i64>,
    /// Bedrooms at most. What has no figure meets no limit.
    pub max_bedrooms: Option<i64>,
    /// Bathrooms at least.
    pub min_bathrooms: Option<i64>,
    /// Built size at least, m². A property without the figure meets no limit of size.
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
    pub excluded_features: Vec<String>,
    /// Energy ratings; any, or none at all, where empty.
    pub energy: Vec<EnergyRating>,
    /// Offered first within so many days before [`Self::today`].
    pub listed_within: Option<i64>,
    /// The day that days are counted back from: days since 1970 in UTC.
    pub today: i64,
    /// Whether it must be reduced, or must not.
    pub reduced: Option<bool>,
    /// Whether it must be put forward, or must not.
    pub featured: Option<bool>,
    /// Whether it must be a new build, or must not.
    pub new_build: Option<bool>,
    /// Where it must lie.
    pub bounds: Option<BoundingBox>,
    /// Where else it must lie.
    pub area: Option<Polygon>,
    /// The order.
    pub sort: Sort,
    /// How many to pass over.
    pub offset: usize,
    /// How many to give.
    pub limit: usize,
}

impl PropertyQuery {
    /// The newest of all that lists show by default, asked on the first of January 1970.
    pub const fn newest(locale: Locale, limit: usize) -> Self {
        Self {
            locale,
            text: None,
            reference: None,
            property_types: Vec::new(),
            kinds: Vec::new(),
            locations: Vec::new(),
            excluded_locations: Vec::new(),
            statuses: Vec::new(),
            statuses_of_words: false,
            min_price: None,
            max_price: None,
            min_bedrooms: None,
            max_bedrooms: None,
            min_bathrooms: None,
            min_built: None,
            max_built: None,
            min_plot: None,
            max_plot: None,
            features: Vec::new(),
            excluded_features: Vec::new(),
            energy: Vec::new(),
            listed_within: None,
            today: 0,
            reduced: None,
            featured: None,
            new_build: None,
            bounds: None,
            area: None,
            sort: Sort::Newest,
            offset: 0,
            limit,
        }
    }
}

/// The beginning of the day `days` before `today`, microseconds since 1970.
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
