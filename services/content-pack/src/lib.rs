//! The built-in content service: a folder of JSON and pictures behind the part of Directus's REST
//! that sync uses, so that the site runs with nothing else installed.
//!
//! Promises: what sync relies on, it answers as a Directus does, errors included (one conformance
//! suite runs against both); a saved file is served, and its changes posted as a Directus flow
//! posts them, moments later. Does not promise: writing through REST, the rest of Directus's
//! queries, or an activity log older than the process.
//!
//! Its one invariant: a file that can't be read takes nothing away. Its collection stays as it was
//! last read whole.

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

use runtime::Process;

pub use config::Config;
pub use load::LoadError;

/// Why the content pack could not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such folder.
    #[error("CONTENT_DIR {} is no folder", .0.display())]
    NoFolder(PathBuf),
    /// The folder's content could not be read.
    #[error("the content can't be read")]
    Load(#[from] LoadError),
    /// Reading it ended before it was done.
    #[error("reading the content was broken off")]
    Interrupted(#[from] tokio::task::JoinError),
    /// The folder could not be watched.
    #[error("the content folder can't be watched")]
    Watch(#[from] notify::Error),
    /// The webhook's client could not be made.
    #[error("webhooks can't be sent")]
    Webhook(#[from] reqwest::Error),
}

/// Runs the content pack's tasks on `process`; returns once they run.
pub async fn run(config: Config, process: &Process) -> Result<(), Error> {
    let check = process.health().check("content");
    let folder = config.content_dir.clone();
    if !folder.is_dir() {
        return Err(Error::NoFolder(folder));
    }
    // What is saved while it is read is news already.
    let watching = watch::Watching::start(&folder)?;
    let content = {
        let folder = folder.clone();
        tokio::task::spawn_blocking(move || load::load(&folder)).await??
    };
    tracing::info!(folder = %folder.display(), items = content.len(), "content read");

    let state = api::State::new(content, config.content_token, folder.clone());
    let sender = match config.webhook_url {
        Some(url) => {
            let (sender, worker) = webhook::sender(url, config.webhook_secret)?;
            let shutdown = process.shutdown();
            process.spawn("content-pack webhooks", async move {
                shutdown.run_until_cancelled(worker).await;
                Ok::<(), Error>(())
            });
            Some(sender)
        }
        None => None,
    };
    let follow = watching.follow(state.clone(), sender);
    let shutdown = process.shutdown();
    process.spawn("content-pack folder", async move {
        shutdown.run_until_cancelled(follow).await;
        Ok::<(), Error>(())
    });

    let address = SocketAddr::new(config.host, config.port);
    let served = runtime::http::serve(address, api::router(state), process.shutdown());
    process.spawn("content-pack", served);
    check.ready();
    Ok(())
}
