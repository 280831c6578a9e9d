//! Tags: what a page or a response was made from, and what a change affects.
//!
//! A tag is a surrogate key in the sense of HTTP caches: a cache entry has the tags of everything that it
//! shows, and a change purges every entry that has one of the change's tags.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// One surrogate key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Tag {
    /// One property, by its reference.
    Property(String),
    /// Every list or count of properties.
    PropertyList,
    /// A place and what is for sale there, by its slug.
    Location(String),
    /// Every list of places.
    LocationList,
    /// One page, by its slug.
    Page(String),
    /// Every list of pages.
    PageList,
    /// One article, by its slug.
    Article(String),
    /// Every list of articles.
    ArticleList,
    /// One page of the documentation, by its slug; the index has the empty slug.
    Doc(String),
    /// Every list of the documentation's pages.
    DocList,
    /// The team.
    Team,
    /// What every page shows: settings and menus.
    Site,
    /// Content that is valid on the current day only. No change has this tag: it expires at midnight in the
    /// agency's time zone, see [`rest_of_day`](crate::rest_of_day).
    Day,
}

impl Tag {
    /// Returns whether it stands for all lists of a kind, instead of a single item.
    pub const fn is_list(&self) -> bool {
        matches!(
            self,
            Self::PropertyList
                | Self::LocationList
                | Self::PageList
                | Self::ArticleList
                | Self::DocList
        )
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Property(reference) => write!(f, "property:{reference}"),
            Self::PropertyList => f.write_str("list:properties"),
            Self::Location(slug) => write!(f, "location:{slug}"),
            Self::LocationList => f.write_str("list:locations"),
            Self::Page(slug) => write!(f, "page:{slug}"),
            Self::PageList => f.write_str("list:pages"),
            Self::Article(slug) => write!(f, "article:{slug}"),
            Self::ArticleList => f.write_str("list:articles"),
            Self::Doc(slug) => write!(f, "doc:{slug}"),
            Self::DocList => f.write_str("list:docs"),
            Self::Team => f.write_str("team"),
            Self::Site => f.write_str("site"),
            Self::Day => f.write_str("day"),
        }
    }
}

/// The error for a text that is not a tag.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a tag")]
pub struct InvalidTag(String);

impl FromStr for Tag {
    type Err = InvalidTag;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let invalid = || InvalidTag(text.to_owned());
        if text.contains(char::is_whitespace) || text.contains(',') {
            return Err(invalid());
        }
        match text {
            "team" => return Ok(Self::Team),
            "site" => return Ok(Self::Site),
            "day" => return Ok(Self::Day),
            "list:properties" => return Ok(Self::PropertyList),
            "list:locations" => return Ok(Self::LocationList),
            "list:pages" => return Ok(Self::PageList),
            "list:articles" => return Ok(Self::ArticleList),
            "list:docs" => return Ok(Self::DocList),
            _ => {}
        }
        match text.split_once(':') {
            Some(("doc", slug)) => Ok(Self::Doc(slug.to_owned())),
            Some((_, "")) => Err(invalid()),
            Some(("property", reference)) => Ok(Self::Property(reference.to_owned())),
            Some(("location", slug)) => Ok(Self::Location(slug.to_owned())),
            Some(("page", slug)) => Ok(Self::Page(slug.to_owned())),
            Some(("article", slug)) => Ok(Self::Article(slug.to_owned())),
            _ => Err(invalid()),
        }
    }
}

impl From<Tag> for String {
    fn from(tag: Tag) -> Self {
        tag.to_string()
    }
}

impl TryFrom<String> for Tag {
    type Error = InvalidTag;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_round_trip_through_text() {
        for text in [
            "property:AH-1042",
            "list:properties",
            "location:torrox",
            "list:locations",
            "page:buying-a-property",
            "list:pages",
            "article:spring",
            "list:articles",
            "doc:buying/nie",
            "doc:",
            "list:docs",
            "team",
            "site",
        ] {
            assert_eq!(text.parse::<Tag>().map(|tag| tag.to_string()).as_deref(), Ok(text));
        }
        for text in ["", "property:", "house:1", "a b", "property:A,B"] {
            assert!(text.parse::<Tag>().is_err(), "{text}");
        }
    }
}
