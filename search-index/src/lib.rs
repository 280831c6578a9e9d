//! The search index: every published property, findable by filters and by words.
//!
//! A [`SearchIndex`] is one directory on disk. Its [`Writer`] applies the log's events in order. Each
//! [`View`] is an immutable committed state with its log position. The crate is independent of NATS and
//! HTTP. The index is disposable: a commit can be searched before it is on disk, and a directory that is
//! broken, or has another schema, is rebuilt from the log.
//!
//! Its one invariant: index and position are committed together, so that a view shows exactly the state of
//! the log at the view's position.

mod answers;
mod catalogue;
mod code_column;
mod collect;
mod columns;
mod directory;
mod document;
mod error;
mod facets;
mod filter;
mod form;
mod former;
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
pub use map::{Cell, MapResult};
pub use percolator::{PercolatedProperty, Percolator};
pub use plain_text::plain_text;
pub use polygon::Polygon;
pub use query::{BoundingBox, PropertyQuery, Sort};
pub use similar::SimilarityCriteria;
pub use spelling::fold;
pub use understand::{
    Choice, FilterValue, Place, PrefixMatch, Quantity, Understood, UnderstoodFilter, choices,
    prefix_match, typed_reference, understand, without_links,
};
pub use verify::{Difference, differences};
pub use view::View;
pub use writer::Writer;
