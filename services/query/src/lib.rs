//! The read API: lists, pages, search and the stream of changes.
//!
//! Guarantees: every answer states the log position and the tags it was made from, and is made only from
//! the read models and this node's own index; the content service is never called. An answer need not be
//! up to date, but a request may name the minimum position it accepts, and a node that is behind waits
//! briefly and then answers 503.
//!
//! Invariant: a new change is announced only after both the read models and the index have reached it.
//! Changes from before the node started are replayed as far back as the read models store them.

mod addressed;
mod admin;
mod answer;
mod capture_times;
mod changes;
mod config;
mod diagnostics;
mod endpoints;
mod error;
mod metric_list;
mod node;
mod query_context;
mod replica;
mod schema;
mod search_counts;
mod spans;

use std::time::Duration;

use admin_answers::checks;
use event_log::EventLog;
use runtime::{Health, Process};
use search_index::SearchIndex;

pub use config::Config;
pub use endpoints::{openapi, router};
pub use error::Error;
pub use metric_list::METRICS;
pub use node::Node;

/// The size of the Postgres pool. Each answer holds a connection for a single statement.
const CONNECTIONS: u32 = 16;
/// How long a starting node may be behind before it accepts connections anyway.
const START_LIMIT: Duration = Duration::from_secs(5);
const START_POLL: Duration = Duration::from_millis(20);

/// Runs the role until `process` shuts down.
pub async fn run(config: Config, process: &Process) -> Result<(), Error> {
    let pool = runtime::postgres::connect_to_read(&config.database_url, "query", CONNECTIONS)?;
    let log = EventLog::connect(&config.nats_url, "query").await?;
    runtime::ensure_writable_dir(&config.data_dir)
        .map_err(|source| Error::DataDir { folder: config.data_dir.clone(), source })?;
    let index = SearchIndex::in_folder(&config.data_dir.join("index"));
    let shutdown = process.shutdown();
    let node = Node::new(pool, index, &config.public_url, process);
    process.spawn(
        "index replica",
        replica::run(
            node.clone(),
            log.clone(),
            process.health().renewed_check(checks::INDEX),
            shutdown.clone(),
        ),
    );
    process.spawn(
        "change feed",
        changes::run(
            node.clone(),
            log,
            process.health().renewed_check(checks::READ_MODELS),
            shutdown.clone(),
        ),
    );
    process.serve_admin_calls(admin::router(node.clone()));
    let api = runtime::http::with_request_metrics(router(node));
    let health = process.health().clone();
    process.spawn("api", async move {
        shutdown.run_until_cancelled(wait_until_ready(&health)).await;
        runtime::http::serve(config.address(), api, shutdown).await
    });
    Ok(())
}

/// Waits until the node is ready for the first time, at most [`START_LIMIT`]. Where the load balancing knows
/// nothing of readiness (a DNS name), another node answers meanwhile. After the limit, old data is better
/// than no answer.
async fn wait_until_ready(health: &Health) {
    let ready = async {
        while !health.failing().is_empty() {
            tokio::time::sleep(START_POLL).await;
        }
    };
    let _ready = tokio::time::timeout(START_LIMIT, ready).await;
}
