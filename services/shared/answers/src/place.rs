//! A place: its texts, and the asking prices of its homes.

use chrono::{DateTime, Utc};
use contracts::Locale;
use read_models::LocationRow;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A median of asking prices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Median {
    /// The number of homes that the median is taken from.
    pub homes: u64,
    /// Euros.
    pub euros: i64,
}

/// The median asking prices of the homes for sale in a place and its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaceMedians {
    /// The median price.
    pub price: Median,
    /// The median price of flats by built square metre; null if there are fewer than five.
    pub metre_of_flats: Option<Median>,
    /// The median price of houses by built square metre; null if there are fewer than five.
    pub metre_of_houses: Option<Median>,
}

/// The asking prices of the homes in a place.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlacePrices {
    /// When these prices were taken.
    pub at: DateTime<Utc>,
    /// The median prices at that time.
    #[serde(flatten)]
    pub medians: PlaceMedians,
}

/// The full text about a place, and its prices.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LocationText {
    /// The last part of its path.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// A sentence or two.
    pub intro: String,
    /// The text as HTML; empty if there is none.
    pub description: String,
    /// The language of the texts.
    pub language: Locale,
    /// The asking prices of its homes; null if there are fewer than five.
    pub prices: Option<PlacePrices>,
    /// The slug of the page that introduces it.
    pub page: Option<String>,
}

impl LocationText {
    /// Returns the texts in `row`, with the `prices` of the homes in the place and the slug of the `page` that
    /// introduces it.
    pub fn of(row: LocationRow, prices: Option<PlacePrices>, page: Option<String>) -> Self {
        Self {
            slug: row.slug,
            name: row.name,
            intro: row.intro,
            description: row.description,
            language: row.language,
            prices,
            page,
        }
    }
}
