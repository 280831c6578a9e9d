//! What the parts of a query node share.

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
use url::Url;

use crate::{
    captured::Captured,
    changes::{Change, FeedPosition, News, SUBSCRIBER_QUEUE},
    endpoints::KeptCards,
    error::ApiError,
    places::Places,
    searched::KeptSearched,
    watched::Watched,
};

/// How long a request waits for the position that it asks for.
const PATIENCE: Duration = Duration::from_millis(500);

/// A query node: its read models, its index, and how far each has come.
#[derive(Clone)]
pub struct Node {
    pub(crate) pool: PgPool,
    pub(crate) index: Arc<SearchIndex>,
    /// Where the site is, as browsers name it.
    pub(crate) origin: Arc<str>,
    /// The names of places, by which what is typed is understood.
    pub(crate) places: Arc<Places>,
    /// How often places are looked for.
    pub(crate) searched: Arc<KeptSearched>,
    /// The cards that lists showed lately.
    pub(crate) cards: Arc<KeptCards>,
    /// What operators look at.
    pub(crate) watched: Arc<Watched>,
    /// A place for each processor, for what computes.
    processors: Arc<Semaphore>,
    /// When what the index has was captured.
    pub(crate) captured: Captured,
    /// Where the index stands; see [`Self::indexed_to`].
    pub(crate) indexed: watch::Sender<Sequence>,
    /// Where the read models stood when the feed last looked.
    pub(crate) projected: watch::Sender<Sequence>,
    /// Whose log the index follows; none before it was seen.
    pub(crate) lineage: watch::Sender<Option<Lineage>>,
    /// Up to where changes were told of; none before the feed has started.
    pub(crate) told: watch::Sender<Option<FeedPosition>>,
    pub(crate) changes: broadcast::Sender<News>,
    /// What this process says of itself, for those who follow its changes.
    pub(crate) health: Health,
    /// Ends the streams of changes, which would otherwise go on for as long as anybody listens.
    pub(crate) shutdown: CancellationToken,
}

impl Node {
    /// A node of `process` over `pool` and `index`, for the site at `public_url`.
    pub fn new(pool: PgPool, index: Arc<SearchIndex>, public_url: &Url, process: &Process) -> Self {
        Self {
            pool,
            index,
            origin: public_url.as_str().trim_end_matches('/').into(),
            places: Arc::default(),
            searched: Arc::default(),
            cards: Arc::default(),
            watched: Arc::default(),
            processors: Arc::new(Semaphore::new(available_parallelism().map_or(1, usize::from))),
            captured: Captured::default(),
            indexed: watch::Sender::new(Sequence::START),
            projected: watch::Sender::new(Sequence::START),
            lineage: watch::Sender::new(None),
            told: watch::Sender::new(None),
            changes: broadcast::Sender::new(SUBSCRIBER_QUEUE),
            health: process.health().clone(),
            shutdown: process.shutdown(),
        }
    }

    /// The index as it stands now.
    pub(crate) fn view(&self) -> Result<View, ApiError> {
        Ok(self.index.view()?)
    }

    /// Notes that the index stands at `position`.
    pub(crate) fn indexed_to(&self, position: Sequence) {
        self.watched.indexed.note(position.get());
        self.indexed.send_replace(position);
    }

    /// Notes that the read models stand at `position`, as a look found that began at `looked_at`: by these
    /// `changes` since the last time, or, where they are not known, by whatever there may have been.
    pub(crate) fn reached(
        &self,
        looked_at: Instant,
        position: Sequence,
        changes: Option<&[Change]>,
    ) {
        let tags = changes.map(|changes| changes.iter().map(Change::tags));
        // What is kept goes before anybody is told that it is old.
        self.cards.follow(looked_at, position, tags);
        self.projected.send_replace(position);
    }

    /// Runs `search` off the threads that serve others, no more of them at once than there are
    /// processors: more would only wait for one another, each with buffers of its own.
    pub(crate) async fn compute<T: Send + 'static>(
        &self,
        search: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        // Never closed; who waits too long for a place is answered by the limit of every answer.
        let place = Arc::clone(&self.processors).acquire_owned().await.ok();
        let found = tokio::task::spawn_blocking(move || {
            let _place = place;
            search()
        });
        Ok(found.await?)
    }

    /// Waits until read models and index both stand at `least`, half a second at the most.
    pub(crate) async fn wait_for(&self, least: Sequence) -> Result<(), ApiError> {
        let (mut indexed, mut projected) = (self.indexed.subscribe(), self.projected.subscribe());
        let both = async {
            let reached = |position: &Sequence| *position >= least;
            indexed.wait_for(reached).await.is_ok() && projected.wait_for(reached).await.is_ok()
        };
        match tokio::time::timeout(PATIENCE, both).await {
            Ok(true) => Ok(()),
            _ => Err(ApiError::Behind),
        }
    }
}
