//! The search index: every published property, findable by filters and by words.
//!
//! One [`SearchIndex`] is one directory on disk. Its [`Writer`] takes the log's events in order;
//! every [`View`] of it is one committed state with the log position that it was made from, and
//! never changes. The crate knows nothing of NATS or HTTP, and the index is disposable: a commit
//! can be searched before it is on disk, and a directory that is broken, or of another schema, is
//! begun anew and filled from the log.
//!
//! Its one invariant: index and position are committed together, so that what a view shows is
//! what the log said at the view's position.

mod answers;
mod catalogue;
mod coded;
mod collect;
mod columns;
mod directory;
mod document;
mod error;
mod facets;
mod filter;
mod histogram;
mod index;
mod map;
mod matches;
mod medians;
mod percolator;
mod places;
mod plain_text;
mod polygon;
mod query;
mod reference;
mod saver;
mod schema;
mod search;
mod similar;
mod spelling;
mod spot;
mod suggest;
mod text;
mod understand;
mod verify;
mod view;
mod writer;

pub use answers::{Hit, Median, Medians, SearchAnswer};
pub use document::IndexedProperty;
pub use error::Error;
pub use facets::{FacetCount, Facets};
pub use filter::{Filter, Loosened};
pub use histogram::{BUILT_AREA_EDGES, Bucket, Histogram, PLOT_AREA_EDGES, PRICE_EDGES};
pub use index::SearchIndex;
pub use map::{Cell, Mapped};
pub use percolator::{PercolatedProperty, Percolator};
pub use plain_text::plain_text;
pub use polygon::Polygon;
pub use query::{BoundingBox, PropertyQuery, Sort};
pub use similar::Likeness;
pub use spelling::fold;
pub use understand::{
    Choice, Nearness, Place, Understood, UnderstoodFilter, choices, nearness, typed_reference,
    understand, without_links,
};
pub use verify::{Difference, differences};
pub use view::View;
pub use writer::Writer;
