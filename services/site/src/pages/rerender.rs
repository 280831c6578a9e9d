//! Re-renders recently visited pages after a purge, before visitors request them.

use std::{
    collections::VecDeque,
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{
    limits::shares::Share,
    pages::{
        cache::{PageCache, PurgedPage},
        flights::Flights,
        page_key::PageKey,
    },
};

/// How many pages are re-rendered concurrently. Visitors' own renders run beside these, so a purge of many
/// pages delays nobody.
pub const WORKERS: usize = 2;
/// The maximum number of pages that are re-rendered after one purge.
const MAX_PER_PURGE: usize = 32;
/// The maximum number of pages in the queue.
const MAX_PENDING: usize = 256;
/// How many times a page is rendered that is purged again during its render.
const MAX_ATTEMPTS: usize = 3;
const RENDER_LIMIT: Duration = Duration::from_secs(10);

/// The queue of pages to re-render.
#[derive(Debug)]
pub struct Rerender {
    flights: Arc<Flights>,
    cache: Arc<PageCache>,
    pending: Mutex<VecDeque<PageKey>>,
    wake: Notify,
}

impl Rerender {
    /// Creates a queue whose pages are rendered by `flights` into `cache`.
    pub fn new(flights: Arc<Flights>, cache: Arc<PageCache>) -> Self {
        Self { flights, cache, pending: Mutex::default(), wake: Notify::new() }
    }

    /// Queues those of the purged pages that were visited. Pages that exceed the limits are left to the
    /// next visitor.
    pub fn push(&self, removed: Vec<PurgedPage>) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        for page in removed.into_iter().filter(|page| page.uses > 0).take(MAX_PER_PURGE) {
            let key = PageKey::from_shared(page.key);
            if pending.len() < MAX_PENDING && !pending.contains(&key) {
                pending.push_back(key);
                self.wake.notify_one();
            }
        }
    }

    /// Runs one of [`WORKERS`] workers until `shutdown`.
    pub async fn run(self: Arc<Self>, shutdown: CancellationToken) -> Result<(), Infallible> {
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = self.work() => {}
        }
        Ok(())
    }

    async fn work(&self) {
        let no_share = || Some(Share::uncounted());
        loop {
            let Some(key) = self.pop() else {
                self.wake.notified().await;
                continue;
            };
            for _ in 0..MAX_ATTEMPTS {
                if self.cache.is_fresh(key.as_str()) {
                    break;
                }
                // A failure is logged where it happened. The next visitor triggers another attempt.
                if self.flights.page(&key, RENDER_LIMIT, no_share).await.is_err() {
                    break;
                }
            }
        }
    }

    fn pop(&self) -> Option<PageKey> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}
