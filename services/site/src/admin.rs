//! The operators' view of the door, and the actions they can take on it. See `runtime::admin` for who
//! may use it.

use std::{collections::BTreeSet, sync::Arc};

use axum::{
    Json, Router,
    extract::State,
    routing::{get, post},
};
use chrono::{DateTime, Utc};
use contracts::{Sequence, Tag};
use media::Media;
use runtime::{
    admin::{AdminJson, Positions, Reached, Slow, check_list_length},
    problem::{FieldError, Problem},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::{
    calls::change_feed::ChangeFeed,
    counters::Counters,
    observations::{Observations, Render},
    pages::{cache::PageCache, flights::Flights, renderer::Renderer, rerender::Rerender},
};

/// The maximum number of not-found addresses listed.
const MAX_NOT_FOUND: usize = 500;
/// The maximum number of tags in one purge.
const MAX_TAGS: usize = 100;

/// What the admin endpoints read and act on.
#[derive(Clone, Debug)]
pub struct Calls {
    pub cache: Arc<PageCache>,
    pub flights: Arc<Flights>,
    pub renderer: Arc<Renderer>,
    pub rerender: Arc<Rerender>,
    pub media: Arc<Media>,
    pub feed: Arc<ChangeFeed>,
    /// Whether the change stream is connected.
    pub connected: watch::Receiver<bool>,
    pub counters: Arc<Counters>,
    pub observations: Arc<Observations>,
}

/// Routes the endpoints under `/admin`.
pub fn router(calls: Calls) -> Router {
    Router::new()
        .route("/admin/state", get(state))
        .route("/admin/slow-renders", get(slow_renders))
        .route("/admin/not-found", get(not_found))
        .route("/admin/purged", get(purged))
        .route("/admin/purge", post(purge))
        .with_state(calls)
}

/// The state of the door.
#[derive(Debug, Serialize)]
struct DoorState {
    cache: Cache,
    purge: Purged,
    renders: Renders,
    pictures: Pictures,
    feed: Feed,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Cache {
    pages: usize,
    /// Pages that were not purged. Purged pages are shown only when they can't be rendered again.
    current: usize,
    bytes: usize,
    limit_bytes: usize,
    /// Counted since this process started, like the next two.
    hits: u64,
    misses: u64,
    stale: u64,
}

#[derive(Debug, Serialize)]
struct Purged {
    /// The position up to which all changes have been purged; none before the change stream is
    /// connected.
    sequence: Option<Sequence>,
    last: Option<DateTime<Utc>>,
}

#[derive(Debug, Serialize)]
struct Renders {
    running: usize,
    waiting: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Pictures {
    running: usize,
    waiting: usize,
    /// The bytes stored on disk.
    cached_bytes: u64,
    limit_bytes: u64,
}

#[derive(Debug, Serialize)]
struct Feed {
    connected: bool,
    position: Option<Sequence>,
}

async fn state(State(calls): State<Calls>) -> Json<DoorState> {
    let (size, counters) = (calls.cache.size(), &calls.counters);
    let latest = calls.cache.position().latest;
    let running = calls.renderer.rendering();
    let pictures = calls.media.load();
    Json(DoorState {
        cache: Cache {
            pages: size.pages,
            current: size.current,
            bytes: size.bytes,
            limit_bytes: calls.cache.max_bytes(),
            hits: counters.hits.count(),
            misses: counters.misses.count(),
            stale: counters.stale.count(),
        },
        purge: Purged {
            sequence: (latest != Sequence::START).then_some(latest),
            last: calls.observations.purged_at(),
        },
        // Private pages and previews are rendered too, but not by a flight.
        renders: Renders { running, waiting: calls.flights.in_flight().saturating_sub(running) },
        pictures: Pictures {
            running: pictures.running,
            waiting: pictures.waiting,
            cached_bytes: pictures.stored_bytes,
            limit_bytes: pictures.max_bytes,
        },
        feed: Feed { connected: *calls.connected.borrow(), position: calls.feed.position() },
    })
}

async fn slow_renders(State(calls): State<Calls>) -> Json<Vec<Slow<Render>>> {
    Json(calls.observations.renders.list())
}

/// An address that was answered with 404.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct NotFound {
    path: String,
    count: u64,
    last_at: DateTime<Utc>,
    referrer: Option<String>,
}

async fn not_found(State(calls): State<Calls>) -> Json<Vec<NotFound>> {
    let list =
        calls.observations.not_found.list(MAX_NOT_FOUND).into_iter().map(|missed| NotFound {
            path: missed.key,
            count: missed.count,
            last_at: missed.last_at,
            referrer: missed.from,
        });
    Json(list.collect())
}

async fn purged(State(calls): State<Calls>, positions: Positions) -> Json<Vec<Reached>> {
    Json(calls.observations.purged.list(&positions))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Purge {
    #[serde(default)]
    tags: BTreeSet<String>,
    #[serde(default)]
    everything: bool,
}

/// Purges the pages with one of the tags, or all pages, and re-renders those that were visited recently.
/// Renders in flight are not cached.
async fn purge(
    State(calls): State<Calls>,
    AdminJson(Purge { tags, everything }): AdminJson<Purge>,
) -> Result<Json<Value>, Problem> {
    let removed = if everything {
        if !tags.is_empty() {
            let either = FieldError::new("tags", "none beside everything");
            return Err(Problem::invalid(vec![either]));
        }
        calls.cache.drop_all()
    } else {
        check_list_length("tags", tags.len(), MAX_TAGS)?;
        if let Some(unknown) = tags.iter().find(|tag| tag.parse::<Tag>().is_err()) {
            let wrong = FieldError::new("tags", format!("`{unknown}` is no tag"));
            return Err(Problem::invalid(vec![wrong]));
        }
        calls.cache.drop_tagged(&tags)
    };
    calls.observations.record_purge();
    let purged = removed.len();
    tracing::info!(purged, everything, ?tags, "purged by an operator");
    calls.rerender.push(removed);
    Ok(Json(json!({ "purged": purged })))
}
