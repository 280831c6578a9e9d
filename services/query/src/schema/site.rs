//! Places, figures, addresses.

use chrono::{DateTime, Utc};
use contracts::{Locale, Sequence, content::Coordinates};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Median, Picture};

/// A redirect, or that a page is gone.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Moved {
    /// The path of the target; null if the page is gone.
    pub to: Option<String>,
    /// 301, 308 or 410.
    pub code: u16,
}

/// The path of a page of the site.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Address {
    /// The path of the English page; the Spanish one has the prefix `/es`.
    pub path: String,
    /// The languages that the page is available in.
    pub locales: Vec<Locale>,
    /// When the page's content last changed.
    pub lastmod: DateTime<Utc>,
    /// Its pictures, each as `<file>/<version>`, as in their URLs.
    pub images: Vec<String>,
}

/// The addresses of the site.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Sitemap {
    /// The pages, sorted by path.
    pub items: Vec<Address>,
    /// The position in the content log that the answer reflects.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}

/// A place with homes for sale.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LocationItem {
    /// The last part of its path.
    pub slug: String,
    /// The slug of the place that it is part of; null if it is not part of another.
    pub part_of: Option<String>,
    /// Its name.
    pub name: String,
    /// A sentence or two.
    pub intro: String,
    /// The language of the texts.
    pub language: Locale,
    /// The languages that it is written in.
    pub locales: Vec<Locale>,
    /// Its centre.
    pub coordinates: Option<Coordinates>,
    /// Its picture.
    pub image: Option<Picture>,
    /// The number of homes listed in the place and its parts.
    pub count: u64,
    /// The median price of the homes to live in that are for sale; null if there are fewer than
    /// five.
    pub median: Option<Median>,
}

/// All places.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LocationList {
    /// The places, in the editors' order.
    pub items: Vec<LocationItem>,
    /// The position in the content log that the answer reflects.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}

/// Figures about the costs of buying a home.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Figures {
    /// The figures as maintained by the editors; null before they have saved any.
    #[schema(value_type = Option<Object>)]
    pub figures: serde_json::Value,
    /// The position in the content log that the answer reflects.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}
