//! Places and their hierarchy.

use serde::{Deserialize, Serialize};

use super::{Coordinates, Picture};
use crate::locale::Localized;

/// A place, as a property refers to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LocationRef {
    /// The place's key.
    pub key: String,
    /// Its path segment.
    pub slug: String,
    /// Its name.
    pub name: Localized<String>,
    /// The slugs of the published places that contain it, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ancestors: Vec<String>,
}

impl LocationRef {
    /// Returns the slugs of all places whose lists include a home in this place: its own, and those of the
    /// places that contain it.
    pub fn self_and_ancestors(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.slug).chain(&self.ancestors).map(String::as_str)
    }
}

/// A place with homes for sale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    /// Its path segment.
    pub slug: String,
    /// The slugs of the published places that contain it, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ancestors: Vec<String>,
    /// Its order among its siblings: lower first, `None` last.
    pub sort: Option<i64>,
    /// Its centre.
    pub coordinates: Option<Coordinates>,
    /// Its picture.
    pub image: Option<Picture>,
    /// Its texts.
    pub text: Localized<LocationText>,
}

/// A place's texts in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LocationText {
    /// The name.
    pub name: String,
    /// A sentence or two.
    pub intro: String,
    /// HTML.
    pub description: String,
}
