//! Places, menus, settings, figures, addresses.

use std::ops::Not;

use chrono::{DateTime, Utc};
use contracts::{
    Locale, Sequence,
    content::{Agency, Coordinates, SiteText},
};
use read_models::Settings;
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

/// A link to a place. Every page has the links to all places.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LocationLink {
    /// The last part of its path.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// The slug of the place that it is part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part_of: Option<String>,
}

/// An entry of a menu. Missing values are omitted, because the menus are part of every page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(no_recursion)]
pub struct NavigationItem {
    /// The label.
    pub label: String,
    /// A short description.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub description: String,
    /// The URL of the link; omitted for a label without a link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The target of the link: `_blank` for an external page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// An icon's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    /// A short mark beside the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub badge: Option<String>,
    /// Whether it is shown without a working link.
    #[serde(skip_serializing_if = "Not::not")]
    #[schema(required = false)]
    pub disabled: bool,
    /// The entries of its submenu.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub children: Vec<NavigationItem>,
}

/// The menus.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Navigation {
    /// The menu in the header.
    pub header: Vec<NavigationItem>,
    /// The menu in the footer.
    pub footer: Vec<NavigationItem>,
    /// Popular searches.
    pub popular: Vec<NavigationItem>,
    /// Quick links.
    pub quick: Vec<NavigationItem>,
    /// Links to the legal texts.
    pub legal: Vec<NavigationItem>,
}

/// The agency, and the site's own texts and picture in one language.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PublicSettings {
    /// The agency.
    #[serde(flatten)]
    pub agency: Agency,
    /// The main picture of the home page.
    pub hero: Option<Picture>,
    /// The texts.
    #[serde(flatten)]
    pub text: SiteText,
}

impl From<Settings> for PublicSettings {
    fn from(settings: Settings) -> Self {
        let Settings { agency, hero, text, .. } = settings;
        Self { agency, hero, text }
    }
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

/// The data that every page shows.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Site {
    /// Null before the editors have saved any.
    pub settings: Option<PublicSettings>,
    /// The menus.
    pub navigation: Navigation,
    /// The places, in the editors' order.
    pub locations: Vec<LocationLink>,
    /// The position in the content log that the answer reflects.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}
