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

/// Where a page went.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Moved {
    /// The path to go to; none where the page is gone.
    pub to: Option<String>,
    /// 301, 302, 307, 308 or 410.
    pub code: u16,
}

/// One address of the site.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Address {
    /// Its path in English; `/es` before it in Spanish.
    pub path: String,
    /// The languages that what it shows is written in.
    pub locales: Vec<Locale>,
    /// When what it shows last changed.
    pub lastmod: DateTime<Utc>,
    /// Its pictures, each as its address has it: `<file>/<version>`.
    pub images: Vec<String>,
}

/// The addresses of the site.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Sitemap {
    /// By path.
    pub items: Vec<Address>,
    /// The position that the answer was made from.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}

/// A place with homes for sale.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LocationItem {
    /// Its part of the path.
    pub slug: String,
    /// The slug of the place that it is part of; none of one that is part of no other.
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
    /// How many homes are listed there and in its parts.
    pub count: u64,
    /// Of the prices of those to live in that are for sale; none of fewer than five.
    pub median: Option<Median>,
}

/// Every place.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LocationList {
    /// In the editors' order.
    pub items: Vec<LocationItem>,
    /// The position that the answer was made from.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}

/// A place, by name: every page has all of them.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LocationLink {
    /// Its part of the path.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// The slug of the place that it is part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part_of: Option<String>,
}

/// An entry of a menu. What it has not is left out: menus are in every page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(no_recursion)]
pub struct NavigationItem {
    /// The label.
    pub label: String,
    /// A short description.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub description: String,
    /// Where it leads; none for a label without a link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// `_blank` marks an external one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// An icon's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    /// A short mark beside the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub badge: Option<String>,
    /// Shown but not to be followed.
    #[serde(skip_serializing_if = "Not::not")]
    #[schema(required = false)]
    pub disabled: bool,
    /// What stands under it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub children: Vec<NavigationItem>,
}

/// The menus.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Navigation {
    /// At the top.
    pub header: Vec<NavigationItem>,
    /// At the bottom.
    pub footer: Vec<NavigationItem>,
    /// Searches that many make.
    pub popular: Vec<NavigationItem>,
    /// Quick links.
    pub quick: Vec<NavigationItem>,
    /// Terms and privacy.
    pub legal: Vec<NavigationItem>,
}

/// The agency, and the site's own texts and picture in one language.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PublicSettings {
    /// The agency.
    #[serde(flatten)]
    pub agency: Agency,
    /// The picture of the home page.
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

/// What buying a home costs.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Figures {
    /// As the editors keep them; null before they have saved any.
    #[schema(value_type = Option<Object>)]
    pub figures: serde_json::Value,
    /// The position that the answer was made from.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}

/// What every page shows.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Site {
    /// None before the editors have saved any.
    pub settings: Option<PublicSettings>,
    /// The menus.
    pub navigation: Navigation,
    /// The places, in the editors' order.
    pub locations: Vec<LocationLink>,
    /// The position that the answer was made from.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}
