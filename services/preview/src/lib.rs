//! Previews: what the read API would answer if a draft were published, for editors with a ticket.
//!
//! Guarantees: an answer is made from the current content of the content service, by the same pure
//! functions as the read models and the read API ([`projections::ReadModel::rows`], [`answers`]), so that
//! the site's pages can render it. It also lists the differences from what is published, and what the rules
//! of the model would refuse. Everything else on a page is as published: lists, menus and places, except
//! the place that the page is about.
//!
//! Invariant: no draft outlives its answer. The process has no credentials for any store, has no cache and
//! logs no content, and a draft is of a type that can't be serialized ([`content_client::Draft`]).

mod answer;
mod config;
mod differences;
mod endpoints;
mod published;
mod reachable;

use std::convert::Infallible;

use content_client::Drafts;
use preview_ticket::Signer;
use runtime::{
    Process,
    metrics::{Metric, REQUESTS},
};

pub use config::Config;
pub use endpoints::{Previews, TICKET_HEADER, router};

use crate::{published::Published, reachable::Checks};

/// The metrics of this role, beside those that every role has: none about what is previewed.
pub const METRICS: &[Metric] = &[REQUESTS];

/// A failure of this role.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The secret is too short.
    #[error(transparent)]
    Secret(#[from] preview_ticket::ShortSecret),
    /// The content service's client can't be made.
    #[error("the client of the content service can't be made")]
    Content(#[from] content_client::Error),
    /// An HTTP client can't be made.
    #[error("cannot create an HTTP client")]
    Client(#[from] reqwest::Error),
}

/// Runs the role until `process` shuts down.
#[expect(clippy::unused_async, reason = "every role is run alike")]
pub async fn run(config: Config, process: &Process) -> Result<(), Error> {
    let checks = Checks::new(process.health());
    let address = config.address();
    let signer = Signer::new(config.preview_secret)?;
    let drafts = Drafts::new(config.content_url, config.preview_token)?;
    let published = Published::new(&config.query_url)?;
    let previews = Previews::new(signer, drafts.clone(), published.clone(), &config.studio_url);
    // Served from the start, if only with a 503.
    let served = runtime::http::serve(
        address,
        runtime::http::with_request_metrics(router(previews)),
        process.shutdown(),
    );
    process.spawn("previews", served);
    let shutdown = process.shutdown();
    process.spawn("what previews read", async move {
        shutdown.run_until_cancelled(checks.watch(&drafts, &published)).await;
        Ok::<_, Infallible>(())
    });
    Ok(())
}
