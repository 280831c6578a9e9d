//! The log into read models in Postgres.
//!
//! Promises: rows, position and the feed of changes are committed together, so each message has
//! its effect once, however often it comes, and a late one has none. A message that can't be
//! applied is put aside, and what follows goes on. Does not promise durable rows: everything in
//! `read` can be filled again from the log, and a rebuild does that beside the live rows.
//!
//! Its one invariant: the rows of an aggregate are a pure function of its latest snapshot, which
//! is what lets [`verify`] compute them a second time and compare.

mod admin;
mod apply;
mod config;
mod dead_letter;
mod error;
mod excerpt;
mod figures;
mod fillings;
mod follow;
mod generation;
mod html;
mod metric_list;
mod models;
mod pause;
mod project;
mod rebuild;
mod tables;
mod touch;
pub mod verify;

pub use apply::{Applied, Message, apply};
pub use config::Config;
pub use dead_letter::{DeadLetter, discard, list, replay};
pub use error::Error;
pub use follow::run;
pub use generation::{Generation, migrate};
pub use metric_list::METRICS;
pub use models::{ReadModel, Row};
pub use rebuild::rebuild;
