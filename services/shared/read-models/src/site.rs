//! Places, menus, settings, redirects.

use chrono::{DateTime, Utc};
use contracts::{
    Locale, Version,
    content::{Agency, SiteText},
};
use serde::{Deserialize, Serialize};

use crate::{Origin, Picture};

/// `read.location`: a place in one language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LocationRow {
    /// What the row was made from.
    #[serde(flatten)]
    pub origin: Origin,
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
    /// What the row was made from.
    #[serde(flatten)]
    pub origin: Origin,
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
    /// What the row was made from.
    #[serde(flatten)]
    pub origin: Origin,
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_row_is_one_object_of_its_columns() {
        let columns = json!({
            "key": "7", "locale": "es", "version": 3, "changed_at": "2025-06-15T15:06:40Z", "language": "en",
            "menu": "header", "parent": null, "sort": 2, "url": "/contact", "target": null, "icon": null,
            "badge": null, "disabled": false, "label": "Contact", "description": "",
        });
        let row: NavigationRow = serde_json::from_value(columns.clone()).expect("a row");
        assert_eq!((row.origin.key.as_str(), row.origin.version), ("7", Version(3)));
        assert_eq!(serde_json::to_value(row).expect("JSON"), columns);
    }
}
