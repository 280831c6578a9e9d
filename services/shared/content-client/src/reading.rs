//! The result of reading one aggregate.

use std::fmt;

use contracts::{
    AggregateId, Collection, Locale, PartCollection, PictureFault, Violation, content::Snapshot,
    rules::OtherRule,
};
use serde_json::{Value, json};
use uuid::Uuid;

/// The state of one aggregate in the content service.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// It is published.
    Published {
        /// Its complete content.
        snapshot: Box<Snapshot>,
        /// The parts that it displays.
        parts: Vec<Part>,
        /// The files that it references as pictures.
        files: Vec<NamedFile>,
    },
    /// It exists, but editors do not show it to the public.
    Hidden {
        /// Why.
        reason: Hidden,
        /// The parts that it would display: a change of one of them may make it public.
        parts: Vec<Part>,
    },
    /// It is published, but breaks a rule. This is an editor's mistake, so the version on the site stays.
    Invalid {
        /// The broken rules; never empty.
        violations: Vec<Violation>,
        /// The parts that it would display: a change of one of them may fix it.
        parts: Vec<Part>,
    },
    /// The token sees no such item.
    Absent,
}

impl Reading {
    /// Returns the snapshot, if it is published.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        match self {
            Self::Published { snapshot, .. } => Some(snapshot),
            Self::Hidden { .. } | Self::Invalid { .. } | Self::Absent => None,
        }
    }

    /// Returns the snapshot for adding data that the content service does not have.
    pub fn snapshot_mut(&mut self) -> Option<&mut Snapshot> {
        match self {
            Self::Published { snapshot, .. } => Some(snapshot),
            Self::Hidden { .. } | Self::Invalid { .. } | Self::Absent => None,
        }
    }

    /// Returns the parts that the aggregate displays or would display.
    pub fn parts(&self) -> &[Part] {
        match self {
            Self::Published { parts, .. }
            | Self::Hidden { parts, .. }
            | Self::Invalid { parts, .. } => parts,
            Self::Absent => &[],
        }
    }

    /// Returns the rules that keep an item with a published status off the site, to report them to editors.
    pub fn broken(&self) -> Vec<Violation> {
        match self {
            Self::Invalid { violations, .. } => violations.clone(),
            Self::Hidden { reason: Hidden::NoPublishedLocation { place }, .. } => {
                vec![OtherRule::PublishedPlace.broken("location", &json!(place))]
            }
            Self::Hidden { reason: Hidden::NoPublishedEntry { way }, .. } => {
                vec![OtherRule::EntryOfTheMenu.broken("parent", &json!(way))]
            }
            Self::Published { .. } | Self::Hidden { .. } | Self::Absent => Vec::new(),
        }
    }
}

/// The content of a published item, even if it can't be shown as it is. It is compared with the version on
/// the site, and its type prevents recording it in that version's place.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparableItem {
    /// The snapshot as JSON, with stand-ins in the fields that break a rule. `None` if these fields can't be
    /// determined.
    pub content: Option<Value>,
    /// The rules that it breaks.
    pub violations: Vec<Violation>,
}

/// Why an existing item is not public.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Hidden {
    /// It is a draft, or archived.
    #[error("its status is {status}")]
    NotPublished {
        /// `draft` or `archived`.
        status: String,
    },
    /// It is a property whose place is a draft, or archived.
    #[error("its location is not published")]
    NoPublishedLocation {
        /// The place, described for editors.
        place: String,
    },
    /// It is a menu entry below one that is a draft, or archived.
    #[error("an entry above it is not published")]
    NoPublishedEntry {
        /// The path of entries from it upwards, described for editors.
        way: String,
    },
}

/// A file that an item references as a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// The field: `image`, or `images[3]` for the third of a gallery.
    pub field: String,
    /// The id of the file.
    pub id: Uuid,
    /// Its name when it was uploaded.
    pub name: String,
    /// Its media type according to the content service.
    pub media_type: String,
    /// Why the snapshot omits it, if it does.
    pub fault: Option<PictureFault>,
}

impl NamedFile {
    /// Returns a report for editors that the item is shown without this file because of its `fault`.
    pub fn left_out(&self, fault: PictureFault) -> Violation {
        Violation {
            field: self.field.clone(),
            value: format!("{} ({}, {})", self.name, self.media_type, self.id),
            rule: fault.words_in(Locale::En).to_owned(),
        }
    }
}

/// Something that an aggregate displays, so that a change of it changes the aggregate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A row of a part collection.
    Row {
        /// Its collection.
        collection: PartCollection,
        /// Its key.
        key: String,
    },
    /// Another aggregate, such as the place of a property.
    Aggregate(AggregateId),
}

impl Part {
    /// Returns the row `key` of `collection`.
    pub fn row(collection: PartCollection, key: impl Into<String>) -> Self {
        Self::Row { collection, key: key.into() }
    }

    /// Returns the place with `key`.
    pub fn location(key: impl Into<String>) -> Self {
        Self::Aggregate(AggregateId::new(Collection::Locations, key))
    }

    /// Returns the name of its collection.
    pub fn collection_name(&self) -> String {
        match self {
            Self::Row { collection, .. } => collection.name(),
            Self::Aggregate(id) => id.collection.name().to_owned(),
        }
    }

    /// Returns its key.
    pub fn key(&self) -> &str {
        match self {
            Self::Row { key, .. } => key,
            Self::Aggregate(id) => &id.key,
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.collection_name(), self.key())
    }
}
