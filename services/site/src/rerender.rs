//! Rendering again what a purge took and visitors were just looking at, before they ask.

use std::{
    collections::VecDeque,
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{
    cache::{PageCache, Removed},
    flights::Flights,
    page_key::PageKey,
    shares::Share,
};

/// How many pages are rendered at a time. Visitors' own renders come beside these, so a purge of
/// many pages keeps nobody waiting.
pub const WORKERS: usize = 2;
/// The most pages that one purge has rendered again.
const MAX_PER_PURGE: usize = 32;
/// The most pages that wait.
const MAX_PENDING: usize = 256;
/// How often a page is tried that is purged again while it is rendered.
const TRIES: usize = 3;
const RENDER_LIMIT: Duration = Duration::from_secs(10);

/// The pages to render again.
#[derive(Debug)]
pub struct Rerender {
    flights: Arc<Flights>,
    cache: Arc<PageCache>,
    pending: Mutex<VecDeque<PageKey>>,
    wake: Notify,
}

impl Rerender {
    /// Renders by `flights` into `cache`.
    pub fn new(flights: Arc<Flights>, cache: Arc<PageCache>) -> Self {
        Self { flights, cache, pending: Mutex::default(), wake: Notify::new() }
    }

    /// Takes the visited ones of the pages that a purge removed. More than can wait are left to the
    /// next visitor.
    pub fn push(&self, removed: Vec<Removed>) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        for page in removed.into_iter().filter(|page| page.uses > 0).take(MAX_PER_PURGE) {
            let key = PageKey::from_shared(page.key);
            if pending.len() < MAX_PENDING && !pending.contains(&key) {
                pending.push_back(key);
                self.wake.notify_one();
            }
        }
    }

    /// One of [`WORKERS`]: renders until `shutdown`.
    pub async fn run(self: Arc<Self>, shutdown: CancellationToken) -> Result<(), Infallible> {
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = self.work() => {}
        }
        Ok(())
    }

    async fn work(&self) {
        let own = || Some(Share::uncounted());
        loop {
            let Some(key) = self.pop() else {
                self.wake.notified().await;
                continue;
            };
            for _ in 0..TRIES {
                if self.cache.is_fresh(key.as_str()) {
                    break;
                }
                // A failure is logged where it happened, and the next visitor tries again.
                if self.flights.page(&key, RENDER_LIMIT, own).await.is_err() {
                    break;
                }
            }
        }
    }

    fn pop(&self) -> Option<PageKey> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}
