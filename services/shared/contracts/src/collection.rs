//! The content service's collections: those of aggregates, and those of parts of aggregates.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A collection whose items are aggregates: each has its own snapshots in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Collection {
    /// Homes and premises for sale.
    Properties,
    /// Places.
    Locations,
    /// News.
    Articles,
    /// Guides, legal texts, landing pages.
    Pages,
    /// The documentation.
    Docs,
    /// The agency's team.
    Team,
    /// Menu entries.
    Navigation,
    /// The singleton of names, addresses and figures.
    SiteSettings,
    /// Redirects from old paths.
    Redirects,
}

impl Collection {
    /// All aggregate collections; places come first, because properties refer to them.
    pub const ALL: [Self; 9] = [
        Self::Locations,
        Self::SiteSettings,
        Self::Navigation,
        Self::Pages,
        Self::Articles,
        Self::Docs,
        Self::Team,
        Self::Redirects,
        Self::Properties,
    ];

    /// Returns the collection's name in the content service, in subjects and in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Properties => "properties",
            Self::Locations => "locations",
            Self::Articles => "articles",
            Self::Pages => "pages",
            Self::Docs => "docs",
            Self::Team => "team",
            Self::Navigation => "navigation",
            Self::SiteSettings => "site_settings",
            Self::Redirects => "redirects",
        }
    }

    /// Returns whether the collection has a single item, which is read without a key.
    pub const fn is_singleton(self) -> bool {
        matches!(self, Self::SiteSettings)
    }
}

impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for an unknown collection name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown collection `{0}`")]
pub struct UnknownCollection(pub String);

impl FromStr for Collection {
    type Err = UnknownCollection;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|collection| collection.name() == name)
            .ok_or_else(|| UnknownCollection(name.to_owned()))
    }
}

/// A collection whose items are shown only as part of aggregates of another collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartCollection {
    /// `<parent>_translations`; its field `<parent>_id` names the parent.
    Translations(Collection),
    /// `properties_files`, the junction of properties and pictures.
    PropertyFiles,
    /// `directus_files`: a picture, which any aggregate may show.
    Files,
}

impl PartCollection {
    /// The collections with translations, each of which has a `_translations` collection.
    pub const TRANSLATED: [Collection; 8] = [
        Collection::Properties,
        Collection::Locations,
        Collection::Articles,
        Collection::Pages,
        Collection::Docs,
        Collection::Team,
        Collection::Navigation,
        Collection::SiteSettings,
    ];

    /// Returns all part collections.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::TRANSLATED
            .into_iter()
            .map(Self::Translations)
            .chain([Self::PropertyFiles, Self::Files])
    }

    /// Returns the collection's name in the content service.
    pub fn name(self) -> String {
        match self {
            Self::Translations(parent) => format!("{parent}_translations"),
            Self::PropertyFiles => "properties_files".to_owned(),
            Self::Files => "directus_files".to_owned(),
        }
    }

    /// Returns the parent's collection, and the field of the part that has the parent's key. Files have no
    /// such field: only the aggregates show which files they use.
    pub fn parent(self) -> Option<(Collection, String)> {
        match self {
            Self::Translations(parent) => Some((parent, format!("{parent}_id"))),
            Self::PropertyFiles => Some((Collection::Properties, "properties_id".to_owned())),
            Self::Files => None,
        }
    }
}

impl FromStr for PartCollection {
    type Err = UnknownCollection;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::all()
            .find(|part| part.name() == name)
            .ok_or_else(|| UnknownCollection(name.to_owned()))
    }
}

/// One aggregate: its collection and its key there, as text.
///
/// The singleton's key is always [`AggregateId::SINGLETON_KEY`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AggregateId {
    /// The collection.
    pub collection: Collection,
    /// The primary key as text: digits or a uuid.
    pub key: String,
}

impl AggregateId {
    /// The key of a singleton.
    pub const SINGLETON_KEY: &str = "1";

    /// Returns the id of the aggregate of `collection` with `key`.
    pub fn new(collection: Collection, key: impl Into<String>) -> Self {
        Self { collection, key: key.into() }
    }

    /// Returns the id of the singleton of `collection`.
    pub fn singleton(collection: Collection) -> Self {
        Self::new(collection, Self::SINGLETON_KEY)
    }

    /// Returns the subject of the aggregate's messages: `content.<collection>.<key>`.
    pub fn subject(&self) -> String {
        format!("content.{}.{}", self.collection, self.key)
    }

    /// Returns whether `key` is a valid primary key. It is part of a subject and of URLs of the content
    /// service, so only letters, digits, `-` and `_` are allowed, at most 64 of them.
    pub fn is_valid_key(key: &str) -> bool {
        (1..=64).contains(&key.len())
            && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    }
}

impl fmt::Display for AggregateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.collection, self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for collection in Collection::ALL {
            assert_eq!(collection.name().parse(), Ok(collection));
        }
        for part in PartCollection::all() {
            assert_eq!(part.name().parse(), Ok(part));
        }
        assert!("directus_users".parse::<Collection>().is_err());
    }

    #[test]
    fn keys_that_would_break_a_subject_are_refused() {
        assert!(AggregateId::is_valid_key("42"));
        assert!(AggregateId::is_valid_key("0f8470da-8519-4420-8d5d-ae4d58b58e5f"));
        for bad in ["", "a.b", "*", ">", "a b", "../x", &"x".repeat(65)] {
            assert!(!AggregateId::is_valid_key(bad), "{bad}");
        }
    }
}
