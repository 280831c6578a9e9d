//! The admin calls of a query node; `runtime::admin` decides who may make them.

use admin_answers::query::{
    Call, ChangeStreamState, EmptySearch, IndexState, QueryState, ReadModelsState,
};
use axum::{Json, Router, extract::State, routing::get};
use runtime::{
    admin::{Positions, Reached, Slow, unavailable},
    problem::Problem,
};

use crate::Node;

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

async fn state(State(node): State<Node>) -> Result<Json<QueryState>, Problem> {
    let unreadable = |error: &dyn std::error::Error| unavailable("the index can't be read", error);
    let view = node.index.view().map_err(|error| unreadable(&error))?;
    let index = node.index.clone();
    let bytes = tokio::task::spawn_blocking(move || index.bytes_on_disk()).await;
    let bytes = bytes.map_err(|error| unreadable(&error))?.map_err(|error| unreadable(&error))?;
    let projected = *node.projected.borrow();
    Ok(Json(QueryState {
        index: IndexState {
            sequence: view.sequence(),
            documents: view.documents(),
            segments: view.segments(),
            bytes,
        },
        read_models: ReadModelsState { sequence: projected },
        feed: ChangeStreamState { listeners: node.changes.receiver_count() },
    }))
}

async fn slow(State(node): State<Node>) -> Json<Vec<Slow<Call>>> {
    Json(node.diagnostics.slow.list())
}

async fn indexed(State(node): State<Node>, positions: Positions) -> Json<Vec<Reached>> {
    Json(node.diagnostics.indexed.list(&positions))
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
