//! The read API: lists, pages, search and the stream of changes.
//!
//! Promises: every answer says from which position of the log it was made and of what, and is made
//! of the read models and this node's own index alone; the content service is never asked. Does
//! not promise to be up to date, but to say so: a request may name the least position that it will
//! take, and a node that is behind waits briefly and then answers 503.
//!
//! Its one invariant: a change that comes is told of only when both the read models and the index
//! stand at it. What there was before the node came, it tells as far as the read models have it.

mod admin;
mod answer;
mod captured;
mod changes;
mod config;
mod endpoints;
mod error;
mod metric_list;
mod node;
mod path_part;
mod places;
mod replica;
mod schema;
mod searched;
mod watched;

use std::time::Duration;

use event_log::EventLog;
use runtime::{Health, Process};
use search_index::SearchIndex;

pub use config::Config;
pub use endpoints::{openapi, router};
pub use error::Error;
pub use metric_list::METRICS;
pub use node::Node;

/// Connections to Postgres: each answer takes one for a single statement.
const CONNECTIONS: u32 = 16;
/// For how long a node that starts may be behind before it takes connections all the same.
const START_LIMIT: Duration = Duration::from_secs(5);
const START_POLL: Duration = Duration::from_millis(20);

/// Runs the role until `process` shuts down.
pub async fn run(config: Config, process: &Process) -> Result<(), Error> {
    let pool = runtime::postgres::connect_to_read(&config.database_url, "query", CONNECTIONS)?;
    let log = EventLog::connect(&config.nats_url, "query").await?;
    runtime::make_writable(&config.data_dir)
        .map_err(|source| Error::DataDir { folder: config.data_dir.clone(), source })?;
    let index = SearchIndex::under(&config.data_dir.join("index"));
    let shutdown = process.shutdown();
    let node = Node::new(pool, index, &config.public_url, process);
    process.spawn(
        "index replica",
        replica::run(
            node.clone(),
            log.clone(),
            process.health().renewed_check("index"),
            shutdown.clone(),
        ),
    );
    process.spawn(
        "change feed",
        changes::run(
            node.clone(),
            log,
            process.health().renewed_check("read models"),
            shutdown.clone(),
        ),
    );
    process.answer_operators(admin::router(node.clone()));
    let api = runtime::http::observed(router(node));
    let health = process.health().clone();
    process.spawn("api", async move {
        shutdown.run_until_cancelled(caught_up(&health)).await;
        runtime::http::serve(config.address(), api, shutdown).await
    });
    Ok(())
}

/// Waits until the node is ready for the first time. Behind a name that knows of no readiness, who asks
/// meanwhile is answered by another node. Where it takes too long, what this one has is better than
/// nothing.
async fn caught_up(health: &Health) {
    let ready = async {
        while !health.failing().is_empty() {
            tokio::time::sleep(START_POLL).await;
        }
    };
    let _ready = tokio::time::timeout(START_LIMIT, ready).await;
}
