//! What every process needs once: telemetry, lifecycle, health, operators' calls, problem+json, and
//! the limits under which it listens, reads answers and talks to Postgres.
//!
//! A role gets a [`Process`], spawns its tasks on it and ends when its token is cancelled.
//! Its one invariant: a task that dies takes the process with it, loudly, so that whatever
//! supervises the process can start it again; nothing runs on half alive.

mod addresses;
pub mod admin;
mod body;
mod client;
mod disposition;
mod error_text;
mod failpoint;
mod folder;
pub mod health;
pub mod http;
mod json_body;
pub mod metrics;
pub mod migrations;
mod open_files;
pub mod postgres;
pub mod problem;
pub mod process;
mod secrets;
pub mod telemetry;
mod turns;

pub use addresses::{service_url, site_url};
pub use body::{BodyError, read_body};
pub use client::content_service;
pub use disposition::Disposition;
pub use error_text::error_text;
pub use failpoint::{failpoint, failpoints_from_environment};
pub use folder::make_writable;
pub use health::{Check, Health};
pub use json_body::{JsonBody, read_json, whole_body};
pub use open_files::allow_most_open_files;
pub use process::{Process, ProcessError};
pub use secrets::{InvalidSecret, Secrets};
pub use turns::Turns;

/// Chooses ring for every TLS connection of this process. Call once, first thing in `main`.
pub fn install_crypto_provider() {
    // An error only says that a provider is installed already, by an earlier call of this.
    let _already_installed = rustls::crypto::ring::default_provider().install_default();
}
