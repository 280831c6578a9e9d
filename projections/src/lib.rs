//! Projects the content log to read models in Postgres.
//!
//! Rows, position and change feed are committed together. So each message takes effect exactly once,
//! however often it is delivered, and an outdated one has no effect. A message that can't be applied
//! becomes a dead letter, and the following messages are applied without it. The rows need not be
//! durable: everything in `read` can be filled again from the log, which a rebuild does beside the
//! live rows.
//!
//! Invariant: the rows of an aggregate are a pure function of its latest snapshot. So [`verify`] can
//! compute them a second time and compare.

mod admin;
mod amount_columns;
mod apply;
mod config;
pub mod dead_letters;
mod error;
mod excerpt;
mod fill_jobs;
#[cfg(test)]
mod fingerprint_tests;
mod follow;
mod generation;
mod html;
mod metric_list;
mod models;
mod pause;
mod project;
mod rebuild;
mod shown_in;
mod tables;
pub mod verify;

pub use apply::{Applied, Message, apply};
pub use config::Config;
pub use error::Error;
pub use follow::run;
pub use generation::{Generation, migrate};
pub use metric_list::METRICS;
pub use models::{ReadModel, Row};
pub use rebuild::rebuild;
