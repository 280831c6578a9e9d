//! Statistics of asking prices.

use chrono::{DateTime, Utc};
use contracts::{Sequence, content::PropertyType};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::LocationName;

/// Statistics of the asking prices of comparable homes.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ComparablePrices {
    /// Null if there are fewer than five comparable homes, if the given home is sold or has its
    /// price on request, or if it is not a home to live in.
    pub homes: Option<ComparableHomes>,
    /// The position in the content log that the answer reflects.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}

/// Homes comparable to a given one, with statistics of their asking prices.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparableHomes {
    /// The place that contains the homes, directly or in one of its parts.
    pub location: LocationName,
    /// The type of the given home and of the comparable ones.
    pub property_type: PropertyType,
    /// The price of the given home, in euros.
    pub price: i64,
    /// The number of comparable homes, without the given home.
    pub homes: u64,
    /// How many of the comparable homes are sold. For these the last asking price counts.
    pub sold: u64,
    /// The start of the period in which the sold homes were sold.
    pub sold_since: DateTime<Utc>,
    /// The lowest asking price, in euros.
    pub lowest: i64,
    /// The highest asking price, in euros.
    pub highest: i64,
    /// The median asking price, in euros.
    pub median: i64,
    /// The lower limit of the compared built areas, m².
    pub least_area: i64,
    /// The upper limit of the compared built areas, m².
    pub most_area: i64,
}
