//! The operators' view of the door, and the actions they can take on it. See `runtime::admin` for who
//! may use it.

use std::{collections::BTreeSet, sync::Arc};

use admin_answers::{
    actions::Purged,
    site::{
        FeedState, NotFoundPath, PageCacheState, PictureState, PurgeState, Render, RenderState,
        SiteState,
    },
};
use axum::{
    Json, Router,
    extract::State,
    routing::{get, post},
};
use contracts::{Sequence, Tag};
use media::Media;
use runtime::{
    admin::{AdminJson, Positions, Reached, Slow, check_list_length},
    problem::{FieldError, Problem},
};
use serde::Deserialize;
use tokio::sync::watch;

use crate::{
    calls::change_feed::ChangeFeed,
    counters::Counters,
    observations::Observations,
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

async fn state(State(calls): State<Calls>) -> Json<SiteState> {
    let (size, counters) = (calls.cache.size(), &calls.counters);
    let latest = calls.cache.position().latest;
    let running = calls.renderer.rendering();
    let pictures = calls.media.load();
    Json(SiteState {
        cache: PageCacheState {
            pages: size.pages,
            current: size.current,
            bytes: size.bytes,
            limit_bytes: calls.cache.max_bytes(),
            hits: counters.hits.count(),
            misses: counters.misses.count(),
            stale: counters.stale.count(),
        },
        purge: PurgeState {
            sequence: (latest != Sequence::START).then_some(latest),
            last: calls.observations.purged_at(),
        },
        // Private pages and previews are rendered too, but not by a flight.
        renders: RenderState {
            running,
            waiting: calls.flights.in_flight().saturating_sub(running),
        },
        pictures: PictureState {
            running: pictures.running,
            waiting: pictures.waiting,
            cached_bytes: pictures.stored_bytes,
            limit_bytes: pictures.max_bytes,
        },
        feed: FeedState { connected: *calls.connected.borrow(), position: calls.feed.position() },
    })
}

async fn slow_renders(State(calls): State<Calls>) -> Json<Vec<Slow<Render>>> {
    Json(calls.observations.renders.list())
}

async fn not_found(State(calls): State<Calls>) -> Json<Vec<NotFoundPath>> {
    let list =
        calls.observations.not_found.list(MAX_NOT_FOUND).into_iter().map(|missed| NotFoundPath {
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
) -> Result<Json<Purged>, Problem> {
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
    Ok(Json(Purged { purged: purged as u64 }))
}
