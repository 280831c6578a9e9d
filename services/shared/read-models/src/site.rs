//! Places, menus, settings, redirects.

use chrono::{DateTime, Utc};
use contracts::{
    Locale, Version,
    content::{Agency, SiteText},
};
use serde::{Deserialize, Serialize};

use crate::Picture;

/// `read.location`: a place in one language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LocationRow {
    /// The aggregate's key.
    pub key: String,
    /// The language of the row.
    pub locale: Locale,
    /// The version of the aggregate that the row was made from.
    pub version: Version,
    /// When that version was captured.
    pub changed_at: DateTime<Utc>,
    /// Its part of the path.
    pub slug: String,
    /// The slugs of the places that it is part of, the nearest first.
    pub ancestors: Vec<String>,
    /// The sort key among its siblings: lower first, none last.
    pub sort: Option<i64>,
    /// The language of the texts.
    pub language: Locale,
    /// The languages that it is written in.
    pub locales: Vec<Locale>,
    /// Its name.
    pub name: String,
    /// A sentence or two.
    pub intro: String,
    /// HTML; empty where a list omits it.
    #[serde(default)]
    pub description: String,
    /// Latitude of its centre.
    pub lat: Option<f64>,
    /// Longitude of its centre.
    pub lng: Option<f64>,
    /// Its picture.
    pub image: Option<Picture>,
}

/// `read.navigation`: an entry of a menu in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NavigationRow {
    /// The aggregate's key.
    pub key: String,
    /// The language of the row.
    pub locale: Locale,
    /// The version of the aggregate that the row was made from.
    pub version: Version,
    /// When that version was captured.
    pub changed_at: DateTime<Utc>,
    /// The language of the texts.
    pub language: Locale,
    /// The menu: `header`, `footer`, `popular`, `quick`, `legal`.
    pub menu: String,
    /// The key of the parent entry.
    pub parent: Option<String>,
    /// The sort key among its siblings: lower first, none last.
    pub sort: Option<i64>,
    /// The target of the link; none for a label without a link.
    pub url: Option<String>,
    /// `_blank` marks an external one.
    pub target: Option<String>,
    /// An icon's name.
    pub icon: Option<String>,
    /// A short badge beside the label.
    pub badge: Option<String>,
    /// Whether the entry is shown without its link.
    pub disabled: bool,
    /// The label.
    pub label: String,
    /// A short description, empty where there is none.
    pub description: String,
}

/// `read.redirect`: the redirect of a path, in every language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedirectRow {
    /// The aggregate's key.
    pub key: String,
    /// The version of the aggregate that the row was made from.
    pub version: Version,
    /// When that version was captured.
    pub changed_at: DateTime<Utc>,
    /// The old path, with its leading slash.
    pub from_path: String,
    /// The new path; none if the page is gone.
    pub to_path: Option<String>,
    /// 301, 308 or 410.
    pub code: u16,
}

/// `read.site_settings`: names, addresses and figures, in one language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SiteSettingsRow {
    /// The aggregate's key.
    pub key: String,
    /// The language of the row.
    pub locale: Locale,
    /// The version of the aggregate that the row was made from.
    pub version: Version,
    /// When that version was captured.
    pub changed_at: DateTime<Utc>,
    /// The language of the texts.
    pub language: Locale,
    /// The settings.
    pub settings: Settings,
}

/// The settings of the entire site, in one language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The agency.
    #[serde(flatten)]
    pub agency: Agency,
    /// Purchase cost and mortgage figures with their sources, as maintained by the editors.
    pub figures: serde_json::Value,
    /// The picture of the home page.
    pub hero: Option<Picture>,
    /// The texts.
    #[serde(flatten)]
    pub text: SiteText,
}
