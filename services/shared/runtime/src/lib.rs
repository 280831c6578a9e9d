//! What every process needs: telemetry, lifecycle, health, admin calls, problem+json, and the limits for
//! serving, reading responses and talking to Postgres.
//!
//! A role gets a [`Process`], spawns its tasks on it and ends when the process's token is cancelled.
//! Invariant: a task that fails ends the whole process with an error, so that its supervisor can restart
//! it; a process never keeps running with some of its tasks dead.

mod addresses;
pub mod admin;
mod body;
mod bounded_semaphore;
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
mod request_body;
mod secrets;
mod shortened;
pub mod telemetry;

pub use addresses::{service_url, site_url};
pub use body::{BodyError, read_body};
pub use bounded_semaphore::BoundedSemaphore;
pub use client::content_service_client;
pub use disposition::Disposition;
pub use error_text::error_text;
pub use failpoint::{failpoint, failpoints_from_environment};
pub use folder::ensure_writable_dir;
pub use health::{Check, Health};
pub use json_body::{JsonBody, complete_body, read_json};
pub use open_files::raise_open_file_limit;
pub use process::{Process, ProcessError};
pub use request_body::{RequestBodyError, media_type_is, read_limited, require_json};
pub use secrets::{InvalidSecret, Secrets};
pub use shortened::shortened;

/// Selects ring for all TLS connections of this process. Call it once, first thing in `main`.
pub fn install_crypto_provider() {
    // An error means only that an earlier call has already installed a provider.
    let _already_installed = rustls::crypto::ring::default_provider().install_default();
}
