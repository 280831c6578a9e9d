//! A place: its texts, and the asking prices of its homes.

use chrono::{DateTime, Utc};
use contracts::Locale;
use read_models::LocationRow;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The middle of what homes are offered at: half of them ask no more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Median {
    /// Of how many homes.
    pub homes: u64,
    /// Euros.
    pub euros: i64,
}

/// The middles of what the homes for sale in a place, and in its parts, are offered at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaceMedians {
    /// Of their prices.
    pub price: Median,
    /// Of a built square metre of the flats; none of fewer than five.
    pub metre_of_flats: Option<Median>,
    /// Of a built square metre of the houses; none of fewer than five.
    pub metre_of_houses: Option<Median>,
}

/// What is asked for the homes of a place.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlacePrices {
    /// When it was so.
    pub at: DateTime<Utc>,
    /// What it was.
    #[serde(flatten)]
    pub medians: PlaceMedians,
}

/// What is written of a place at length, and its prices.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LocationText {
    /// Its part of the path.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// A sentence or two.
    pub intro: String,
    /// HTML, empty where nothing is written.
    pub description: String,
    /// The language of the texts.
    pub language: Locale,
    /// What is asked for the homes there; none of fewer than five.
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
