//! The content service's REST as typed calls: reading, paging, errors, retries.
//!
//! Promises: every call ends within a limit, reads at most so many bytes, and answers either with
//! content in the words of [`contracts::content`] or with an [`Error`] that says what to do about
//! it. Does not promise freshness, order, or that a page read later fits one read earlier.
//!
//! Its one invariant: nothing that isn't published becomes part of a
//! [`Snapshot`](contracts::content::Snapshot) that anybody is handed, not even the name of a draft place
//! in a published property. What editors preview is a [`Draft`], and what is compared a [`Legible`]; neither
//! can become one.

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

pub use activity::{Action, Activity, ActivityWindow};
pub use client::{Client, IdStatus, Items};
pub use drafts::{Draft, Drafts, Form};
pub use error::{Error, Refusal, ServiceError};
pub use pages::Page;
pub use reading::{Hidden, Legible, NamedFile, Part, Reading};
