//! What reading one aggregate gives.

use std::fmt;

use contracts::{
    AggregateId, Collection, Locale, PartCollection, PictureFault, Violation, content::Snapshot,
    rules::OtherRule,
};
use serde_json::{Value, json};
use uuid::Uuid;

/// What the content service holds under one key.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// It is published.
    Published {
        /// All of it.
        snapshot: Box<Snapshot>,
        /// What shows in it.
        parts: Vec<Part>,
        /// The files that it names as pictures.
        files: Vec<NamedFile>,
    },
    /// It is there, but editors do not show it to the public.
    Hidden {
        /// Why.
        reason: Hidden,
        /// What would show in it: a change of one of these may make it public.
        parts: Vec<Part>,
    },
    /// It is published, but can't be shown as it is: an editor's slip, which takes nothing away.
    Invalid {
        /// What is wrong with it; never empty.
        violations: Vec<Violation>,
        /// What would show in it: a change of one of these may mend it.
        parts: Vec<Part>,
    },
    /// There is none that the token can see.
    Absent,
}

impl Reading {
    /// The snapshot of what is published.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        match self {
            Self::Published { snapshot, .. } => Some(snapshot),
            Self::Hidden { .. } | Self::Invalid { .. } | Self::Absent => None,
        }
    }

    /// The same, to be completed by what the content service does not know.
    pub fn snapshot_mut(&mut self) -> Option<&mut Snapshot> {
        match self {
            Self::Published { snapshot, .. } => Some(snapshot),
            Self::Hidden { .. } | Self::Invalid { .. } | Self::Absent => None,
        }
    }

    /// What shows, or would show, in the aggregate.
    pub fn parts(&self) -> &[Part] {
        match self {
            Self::Published { parts, .. }
            | Self::Hidden { parts, .. }
            | Self::Invalid { parts, .. } => parts,
            Self::Absent => &[],
        }
    }

    /// The rules that keep from the site what its own status would show: its editors are told of them.
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

/// What a published item holds, also where it can't be shown as it is: to be compared with what is
/// shown, and of no form that could be recorded in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Legible {
    /// As a snapshot has it, as JSON, but for the fields that break a rule: those hold something else.
    /// None where it can't be told which they are.
    pub content: Option<Value>,
    /// The rules that it breaks.
    pub violations: Vec<Violation>,
}

/// Why an item that is there is not for the public.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Hidden {
    /// It is a draft, or archived.
    #[error("its status is {status}")]
    NotPublished {
        /// `draft` or `archived`.
        status: String,
    },
    /// A property whose place is a draft, or archived.
    #[error("its location is not published")]
    NoPublishedLocation {
        /// The place, as editors know it.
        place: String,
    },
    /// An entry of a menu, above which one is a draft, or archived.
    #[error("an entry above it is not published")]
    NoPublishedEntry {
        /// The way up from it, as editors know entries.
        way: String,
    },
}

/// A file that an item names as a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// Where: `image`, or `images[3]` for the third of a gallery.
    pub field: String,
    /// The file.
    pub id: Uuid,
    /// What it was called when it was uploaded.
    pub name: String,
    /// What the content service takes it for.
    pub media_type: String,
    /// Why the snapshot goes without it, if it does.
    pub fault: Option<PictureFault>,
}

impl NamedFile {
    /// That the item is shown without this file because of its `fault`, in words for an editor.
    pub fn left_out(&self, fault: PictureFault) -> Violation {
        Violation {
            field: self.field.clone(),
            value: format!("{} ({}, {})", self.name, self.media_type, self.id),
            rule: fault.words_in(Locale::En).to_owned(),
        }
    }
}

/// Something that shows in an aggregate, and whose change therefore changes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A row of a part collection.
    Row {
        /// Its collection.
        collection: PartCollection,
        /// Its key.
        key: String,
    },
    /// Another aggregate: the place that a property names.
    Aggregate(AggregateId),
}

impl Part {
    /// The row `key` of `collection`.
    pub fn row(collection: PartCollection, key: impl Into<String>) -> Self {
        Self::Row { collection, key: key.into() }
    }

    /// The place with `key`.
    pub fn location(key: impl Into<String>) -> Self {
        Self::Aggregate(AggregateId::new(Collection::Locations, key))
    }

    /// The name of the collection that it is of.
    pub fn collection_name(&self) -> String {
        match self {
            Self::Row { collection, .. } => collection.name(),
            Self::Aggregate(id) => id.collection.name().to_owned(),
        }
    }

    /// Its key.
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
