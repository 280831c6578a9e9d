//! The state that all parts of a query node share.

use std::{
    sync::Arc,
    thread::available_parallelism,
    time::{Duration, Instant},
};

use contracts::Sequence;
use event_log::Lineage;
use runtime::{Health, Process};
use search_index::{SearchIndex, View};
use sqlx::PgPool;
use tokio::sync::{Semaphore, broadcast, watch};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;
use url::Url;

use crate::{
    capture_times::CaptureTimes,
    changes::{Change, FeedPosition, FeedUpdate, SUBSCRIBER_QUEUE},
    diagnostics::Diagnostics,
    endpoints::CardCache,
    error::ApiError,
    query_context::QueryContextCache,
    search_counts::SearchCountCache,
    spans::index_span,
};

/// How long a request waits for its minimum position.
const POSITION_TIMEOUT: Duration = Duration::from_millis(500);

/// A query node: its read models, its index, and the position of each.
#[derive(Clone)]
pub struct Node {
    pub(crate) pool: PgPool,
    pub(crate) index: Arc<SearchIndex>,
    /// The public origin of the site, without a trailing slash.
    pub(crate) origin: Arc<str>,
    /// The place names and exchange rate that typed searches are interpreted with.
    pub(crate) query_contexts: Arc<QueryContextCache>,
    /// How often each place was searched for.
    pub(crate) search_counts: Arc<SearchCountCache>,
    /// The cards that lists showed recently.
    pub(crate) cards: Arc<CardCache>,
    /// What operators look at.
    pub(crate) diagnostics: Arc<Diagnostics>,
    /// One permit per processor, for computations.
    processors: Arc<Semaphore>,
    /// The capture times of recently indexed messages.
    pub(crate) capture_times: CaptureTimes,
    /// The position of the index; see [`Self::record_indexed`].
    pub(crate) indexed: watch::Sender<Sequence>,
    /// The position of the read models at the last poll of the feed.
    pub(crate) projected: watch::Sender<Sequence>,
    /// The lineage of the log that the index follows; none before it is known.
    pub(crate) lineage: watch::Sender<Option<Lineage>>,
    /// The position up to which changes are announced; none before the feed has started.
    pub(crate) announced: watch::Sender<Option<FeedPosition>>,
    pub(crate) changes: broadcast::Sender<FeedUpdate>,
    /// The health of this process, which heartbeats report to subscribers.
    pub(crate) health: Health,
    /// Ends the change streams, which would otherwise last as long as their subscribers.
    pub(crate) shutdown: CancellationToken,
}

impl Node {
    /// Returns a node of `process` over `pool` and `index`, for the site at `public_url`.
    pub fn new(pool: PgPool, index: Arc<SearchIndex>, public_url: &Url, process: &Process) -> Self {
        Self {
            pool,
            index,
            origin: public_url.as_str().trim_end_matches('/').into(),
            query_contexts: Arc::default(),
            search_counts: Arc::default(),
            cards: Arc::default(),
            diagnostics: Arc::default(),
            processors: Arc::new(Semaphore::new(available_parallelism().map_or(1, usize::from))),
            capture_times: CaptureTimes::default(),
            indexed: watch::Sender::new(Sequence::START),
            projected: watch::Sender::new(Sequence::START),
            lineage: watch::Sender::new(None),
            announced: watch::Sender::new(None),
            changes: broadcast::Sender::new(SUBSCRIBER_QUEUE),
            health: process.health().clone(),
            shutdown: process.shutdown(),
        }
    }

    /// Returns the current view of the index.
    pub(crate) fn view(&self) -> Result<View, ApiError> {
        Ok(self.index.view()?)
    }

    /// Records that the index has reached `position`.
    pub(crate) fn record_indexed(&self, position: Sequence) {
        self.diagnostics.indexed.record(position.get());
        self.indexed.send_replace(position);
    }

    /// Records that the read models are at `position`, as read by a poll that began at `polled_at`, and
    /// invalidates the cards that `changes` since the last poll touch: all cards where they are not known.
    pub(crate) fn record_projected(
        &self,
        polled_at: Instant,
        position: Sequence,
        changes: Option<&[Change]>,
    ) {
        let tags = changes.map(|changes| changes.iter().map(Change::tags));
        // Invalidate before anyone is notified of the new position.
        self.cards.invalidate(polled_at, position, tags);
        self.projected.send_replace(position);
    }

    /// Runs `search` on a blocking thread, at most one per processor at a time: more would only compete
    /// for the processors, each with its own buffers. `operation` names it in traces.
    pub(crate) async fn compute<T: Send + 'static>(
        &self,
        operation: &'static str,
        search: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let computed = async {
            // The semaphore is never closed, and the time limit of every answer bounds the wait.
            let permit = Arc::clone(&self.processors).acquire_owned().await.ok();
            let found = tokio::task::spawn_blocking(move || {
                let _permit = permit;
                search()
            });
            found.await
        };
        Ok(computed.instrument(index_span(operation)).await?)
    }

    /// Waits until the read models and the index have both reached `min`, for at most half a second.
    pub(crate) async fn wait_for(&self, min: Sequence) -> Result<(), ApiError> {
        let (mut indexed, mut projected) = (self.indexed.subscribe(), self.projected.subscribe());
        let both = async {
            let reached = |position: &Sequence| *position >= min;
            indexed.wait_for(reached).await.is_ok() && projected.wait_for(reached).await.is_ok()
        };
        match tokio::time::timeout(POSITION_TIMEOUT, both).await {
            Ok(true) => Ok(()),
            _ => Err(ApiError::Behind),
        }
    }
}
