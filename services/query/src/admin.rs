//! The admin calls of a query node; `runtime::admin` decides who may make them.

use axum::{Json, Router, extract::State, routing::get};
use chrono::{DateTime, Utc};
use contracts::{Locale, Sequence};
use runtime::{
    admin::{Positions, Reached, Slow, unavailable},
    problem::Problem,
};
use serde::Serialize;

use crate::{Node, diagnostics::Call};

/// The maximum number of searches without results that are listed.
const MAX_SEARCHES: usize = 200;

/// Returns the routes under `/admin`.
pub fn router(node: Node) -> Router {
    Router::new()
        .route("/admin/state", get(state))
        .route("/admin/slow", get(slow))
        .route("/admin/empty-searches", get(empty_searches))
        .route("/admin/indexed", get(indexed))
        .with_state(node)
}

/// The state of the node.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Standing {
    index: Index,
    read_models: ReadModels,
    feed: Feed,
}

#[derive(Debug, Serialize)]
struct Index {
    sequence: Sequence,
    documents: u64,
    segments: usize,
    /// The size on disk.
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct ReadModels {
    sequence: Sequence,
}

#[derive(Debug, Serialize)]
struct Feed {
    listeners: usize,
}

async fn state(State(node): State<Node>) -> Result<Json<Standing>, Problem> {
    let unreadable = |error: &dyn std::fmt::Display| unavailable("the index can't be read", error);
    let view = node.index.view().map_err(|error| unreadable(&error))?;
    let index = node.index.clone();
    let bytes = tokio::task::spawn_blocking(move || index.bytes_on_disk()).await;
    let bytes = bytes.map_err(|error| unreadable(&error))?.map_err(|error| unreadable(&error))?;
    let projected = *node.projected.borrow();
    Ok(Json(Standing {
        index: Index {
            sequence: view.sequence(),
            documents: view.documents(),
            segments: view.segments(),
            bytes,
        },
        read_models: ReadModels { sequence: projected },
        feed: Feed { listeners: node.changes.receiver_count() },
    }))
}

async fn slow(State(node): State<Node>) -> Json<Vec<Slow<Call>>> {
    Json(node.diagnostics.slow.list())
}

async fn indexed(State(node): State<Node>, positions: Positions) -> Json<Vec<Reached>> {
    Json(node.diagnostics.indexed.list(&positions))
}

/// A search without results.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct EmptySearch {
    query: String,
    locale: Locale,
    count: u64,
    last_at: DateTime<Utc>,
}

async fn empty_searches(State(node): State<Node>) -> Json<Vec<EmptySearch>> {
    let listed = node.diagnostics.empty.list(MAX_SEARCHES).into_iter().map(|search| EmptySearch {
        query: search.key.query,
        locale: search.key.locale,
        count: search.count,
        last_at: search.last_at,
    });
    Json(listed.collect())
}
