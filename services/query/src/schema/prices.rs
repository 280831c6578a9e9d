//! Statistics of asking prices.

use chrono::{DateTime, Utc};
use contracts::{Sequence, content::PropertyType};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::LocationName;

/// What homes comparable to one are offered at.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ComparablePrices {
    /// None where fewer than five are known, where the home's own price is not told or it is sold, and
    /// where it is none to live in.
    pub homes: Option<ComparableHomes>,
    /// The position that the answer was made from.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}

/// Homes comparable to one, and what is or was asked for them.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparableHomes {
    /// Where they are: there, or in one of its parts.
    pub location: LocationName,
    /// Their type, which is the home's own.
    pub property_type: PropertyType,
    /// The home's own price, euros.
    pub price: i64,
    /// How many they are, the home itself not counted.
    pub homes: u64,
    /// How many of them are sold; their prices are what was asked last.
    pub sold: u64,
    /// Since when those were sold.
    pub sold_since: DateTime<Utc>,
    /// The least that is asked, euros.
    pub lowest: i64,
    /// The most that is asked, euros.
    pub highest: i64,
    /// The middle of what is asked, euros.
    pub median: i64,
    /// The built size of the smallest that are compared, m².
    pub least_area: i64,
    /// The built size of the largest that are compared, m².
    pub most_area: i64,
}
