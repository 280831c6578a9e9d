//! A typed client of the content service's REST API: reading, paging, errors and retries. What the site
//! itself writes there, such as enquiries, goes through a [`Writer`].
//!
//! Guarantees: every call has a timeout and a maximum response size, and returns either content as the types
//! of [`contracts::content`] or an [`Error`] that states what to do about it. It does not guarantee
//! freshness, order, or that a page read later is consistent with one read earlier.
//!
//! Its one invariant: nothing unpublished becomes part of a returned
//! [`Snapshot`](contracts::content::Snapshot), not even the name of a draft place in a published property.
//! Previews get a [`Draft`], and comparisons a [`ComparableItem`]; neither can be converted to a snapshot.

mod activity;
mod client;
mod drafts;
mod error;
mod fields;
mod mapping;
mod pages;
mod raw;
mod reading;
mod transport;
mod writer;

pub use activity::{Activity, ActivityWindow};
pub use client::{Client, IdStatus, Items};
pub use drafts::{Draft, Drafts, Form};
pub use error::{Error, Refusal, ServiceError};
pub use pages::Page;
pub use reading::{ComparableItem, Hidden, NamedFile, Part, Reading};
pub use writer::Writer;
