//! The built-in content service. It serves a folder of JSON and pictures by the subset of Directus's
//! REST API that sync uses, so that the site runs without further software.
//!
//! Guarantees: everything that sync relies on behaves as in Directus, errors included (one conformance
//! suite runs against both). Shortly after a file is saved, it is served, and its changes are posted in
//! the same form as by a Directus flow. Not supported: writes through REST, the other queries of
//! Directus, and an activity log from before the start of the process.
//!
//! Invariant: a file that can't be read removes nothing. Its collection keeps the content that was last
//! read completely, and the readiness shows why the file is refused. A value of another type than its
//! field's is served as it is: sync reports it, and it holds up no other item.

mod activity;
mod api;
mod assets;
mod changes;
mod config;
mod content;
mod errors;
mod filter;
mod load;
mod query;
mod schema;
mod select;
mod values;
mod watch;
mod webhook;

use std::{net::SocketAddr, path::PathBuf};

use axum::Router;
use runtime::Process;
use secrecy::SecretString;
use serde_json::Value;

pub use config::Config;
pub use load::LoadError;

/// Why the content pack could not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder does not exist.
    #[error("CONTENT_DIR {} is not a folder", .0.display())]
    NoFolder(PathBuf),
    /// The content of the folder could not be read.
    #[error("the content can't be read")]
    Load(#[from] LoadError),
    /// Reading was interrupted.
    #[error("reading the content was interrupted")]
    Interrupted(#[from] tokio::task::JoinError),
    /// The folder could not be watched.
    #[error("the content folder can't be watched")]
    Watch(#[from] notify::Error),
    /// The HTTP client for webhooks could not be created.
    #[error("webhooks can't be sent")]
    Webhook(#[from] reqwest::Error),
}

/// Returns the routes of the content pack on `files` in place of a folder: by collection, what its file would
/// contain, the activity log included. Tests of what reads the content service use it.
///
/// # Errors
/// Returns why a file is refused.
pub fn in_memory(
    files: impl IntoIterator<Item = (String, Value)>,
    token: SecretString,
) -> Result<Router, LoadError> {
    Ok(api::router(api::State::new(load::from_memory(files)?, token, PathBuf::new())))
}

/// Runs the content pack's tasks on `process`; returns once they run.
pub async fn run(config: Config, process: &Process) -> Result<(), Error> {
    let check = process.health().check("content");
    let folder = config.content_dir.clone();
    if !folder.is_dir() {
        return Err(Error::NoFolder(folder));
    }
    // Watches before reading, so that a save during the read is not missed.
    let watch = watch::FolderWatch::start(&folder)?;
    let content = {
        let folder = folder.clone();
        tokio::task::spawn_blocking(move || load::load(&folder)).await??
    };
    tracing::info!(folder = %folder.display(), items = content.len(), "content read");

    let state = api::State::new(content, config.content_token, folder.clone());
    let sender = match config.webhook_url {
        Some(url) => {
            let (sender, worker) = webhook::channel(url, config.webhook_secret)?;
            let shutdown = process.shutdown();
            process.spawn("content-pack webhooks", async move {
                shutdown.run_until_cancelled(worker).await;
                Ok::<(), Error>(())
            });
            Some(sender)
        }
        None => None,
    };
    let refused = process.health().detail("refused files");
    let reloads = watch.reload_on_changes(state.clone(), sender, refused);
    let shutdown = process.shutdown();
    process.spawn("content-pack folder", async move {
        shutdown.run_until_cancelled(reloads).await;
        Ok::<(), Error>(())
    });

    let address = SocketAddr::new(config.host, config.port);
    let served = runtime::http::serve(address, api::router(state), process.shutdown());
    process.spawn("content-pack", served);
    check.ready();
    Ok(())
}
