//! Places, and which lie in which.

use serde::{Deserialize, Serialize};

use super::{Coordinates, Picture};
use crate::locale::Localized;

/// A place, as a property names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LocationRef {
    /// The place's key.
    pub key: String,
    /// Its part of the path.
    pub slug: String,
    /// Its name.
    pub name: Localized<String>,
    /// The slugs of the published places that it is part of, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ancestors: Vec<String>,
}

impl LocationRef {
    /// The slugs of all places that something here is listed in: this one, and those around it.
    pub fn and_around(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.slug).chain(&self.ancestors).map(String::as_str)
    }
}

/// A place with homes for sale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    /// Its part of the path.
    pub slug: String,
    /// The slugs of the published places that it is part of, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ancestors: Vec<String>,
    /// Place among its siblings; lower first, none last.
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
