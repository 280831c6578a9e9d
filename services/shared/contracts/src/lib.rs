//! The types that the parts of Almijara share: the content model, the names of search parameters, the
//! events of the log, positions in it, and the tags by which caches are purged.
//!
//! Nothing here does I/O or imports another crate of this workspace.
//! Invariant: later builds can read what this build serialises.

pub mod address;
pub mod checkpoint;
mod closed_set;
pub mod collection;
pub mod content;
pub mod day;
pub mod event;
pub mod feed;
pub mod locale;
pub mod opening;
pub mod page_path;
pub mod rules;
pub mod search_parameter;
pub mod sequence;
pub mod tag;
pub mod vocabulary;

pub use address::{InvalidAddress, Reference, Slug, SlugPath};
pub use checkpoint::{Checkpoint, InvalidCheckpoint, LedgerId};
pub use closed_set::UnknownName;
pub use collection::{AggregateId, Collection, PartCollection, UnknownCollection};
pub use day::{day_of, rest_of_day, rest_of_year};
pub use event::{
    Change, Event, Offer, RecordedChange, Reduction, SCHEMA_VERSION, Version, advertised_prices,
};
pub use locale::{Locale, Localized};
pub use opening::{ClockTime, InvalidClockTime, OpeningPeriod};
pub use page_path::{PROPERTY_LIST, location_path, property_path};
pub use rules::{PictureFault, Rule, Violation};
pub use search_parameter::SearchParameter;
pub use sequence::{Epoch, Sequence};
pub use tag::Tag;

/// Header of every read API response and every rendered page: the position that it was made from.
pub const SEQUENCE_HEADER: &str = "almijara-sequence";
/// Header of a request: the minimum position that the response may be made from.
pub const MIN_SEQUENCE_HEADER: &str = "almijara-min-sequence";
/// Header of every read API response and every rendered page: its tags, separated by spaces.
pub const SURROGATE_KEY_HEADER: &str = "surrogate-key";
