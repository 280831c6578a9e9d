//! What every page shows: the settings, menus and places.

use std::ops::Not;

use contracts::{
    Sequence,
    content::{Agency, SiteText},
};
use read_models::Settings;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Picture;

/// A link to a place. Every page has the links to all places.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(no_recursion)]
pub struct NavigationItem {
    /// The label.
    pub label: String,
    /// A short description.
    #[serde(default, skip_serializing_if = "String::is_empty")]
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
    #[serde(default, skip_serializing_if = "Not::not")]
    #[schema(required = false)]
    pub disabled: bool,
    /// The entries of its submenu.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub children: Vec<NavigationItem>,
}

/// The menus.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
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

/// The data that every page shows.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_omitted_from_the_menus_and_places_can_be_read_again() {
        let empty: [(); 0] = [];
        let navigation = json!({
            "header": [{ "label": "Buy", "url": "/buy", "children": [{ "label": "Homes" }] }],
            "footer": empty, "popular": empty, "quick": empty, "legal": empty,
        });
        let places = json!([{ "slug": "nerja", "name": "Nerja" },
                            { "slug": "maro", "name": "Maro", "partOf": "nerja" }]);
        let sent = json!({ "settings": null, "navigation": navigation, "locations": places, "sequence": 12 });
        let site: Site = serde_json::from_value(sent.clone()).expect("a site");
        assert_eq!(site.locations[1].part_of.as_deref(), Some("nerja"));
        assert_eq!(serde_json::to_value(site).expect("JSON"), sent);
    }
}
