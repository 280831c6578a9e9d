//! The words that the parts of Almijara share: the content model, what the log
//! carries, positions in it, and the tags by which caches are purged.
//!
//! Nothing here does I/O, and nothing here imports another crate of ours.
//! Its one invariant: what serialises today can be read by tomorrow's build.

pub mod address;
pub mod checkpoint;
pub mod collection;
pub mod content;
pub mod day;
pub mod event;
pub mod feed;
pub mod locale;
pub mod opening;
pub mod rules;
pub mod sequence;
pub mod tag;
pub mod vocabulary;

pub use address::{InvalidAddress, Reference, Slug, SlugPath};
pub use checkpoint::{Checkpoint, InvalidCheckpoint, LedgerId};
pub use collection::{AggregateId, Collection, PartCollection, UnknownCollection};
pub use day::{day_of, rest_of_day, rest_of_year};
pub use event::{
    Change, Event, Offer, RecordedChange, Reduction, SCHEMA_VERSION, Version, asked_prices,
};
pub use locale::{Locale, Localized};
pub use opening::{ClockTime, InvalidClockTime, OpeningPeriod};
pub use rules::{PictureFault, Rule, UnknownFault, Violation};
pub use sequence::{Epoch, Sequence};
pub use tag::Tag;

/// The form of the read models' rows. Raise it whenever a table or what is written to it changes:
/// the next start of `projections` fills a new generation and swaps it in, and a `query` of the new
/// form waits for that. A new form only adds, so that nodes of the old one can go on reading.
pub const READ_MODEL_VERSION: i32 = 13;
/// Header on every read API answer and every rendered page: the position that it was made from.
pub const SEQUENCE_HEADER: &str = "almijara-sequence";
/// Header on a request: the least position that the answer may be made from.
pub const MIN_SEQUENCE_HEADER: &str = "almijara-min-sequence";
/// Header on every read API answer and every rendered page: its tags, separated by spaces.
pub const SURROGATE_KEY_HEADER: &str = "surrogate-key";
