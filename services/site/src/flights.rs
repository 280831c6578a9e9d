//! One render for all who wait for a page.
//!
//! A render goes on when the visitor who began it leaves, so the next one finds the page. Who came
//! after a purge is not answered by a render that began before it, unless the page turned out to be
//! current all the same.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{Semaphore, watch},
    time::{Instant, timeout_at},
};
use tracing::Instrument;

use crate::{
    cache::{PageCache, Stored},
    counters::Counters,
    pack,
    page::Page,
    page_key::PageKey,
    purges::Position,
    renderer::{RenderError, Renderer},
};

/// The most renders under way or waiting for their turn.
const MOST_FLIGHTS: usize = 256;
/// The most requests that wait for a render.
const MOST_WAITING: usize = 10_000;

/// The renders under way.
#[derive(Debug)]
pub struct Flights {
    cache: Arc<PageCache>,
    renderer: Renderer,
    running: Mutex<HashMap<PageKey, Flight>>,
    waiting: Semaphore,
    counters: Arc<Counters>,
}

/// Where a render's end will be announced.
type Flight = watch::Receiver<Option<Landed>>;

/// How a render ended.
#[derive(Clone, Debug)]
struct Landed {
    began: Position,
    result: Result<(Arc<Page>, Stored), Arc<RenderError>>,
}

/// What joining a render gave.
enum Joined {
    /// The page came into the cache just before.
    There(Arc<Page>),
    /// A render to wait for.
    Waiting(Flight),
}

impl Flights {
    /// Renders with `renderer` into `cache`.
    pub fn new(cache: Arc<PageCache>, renderer: Renderer, counters: Arc<Counters>) -> Self {
        Self {
            cache,
            renderer,
            running: Mutex::default(),
            waiting: Semaphore::new(MOST_WAITING),
            counters,
        }
    }

    /// The page at `key` as current as at the call, within `limit`. `may_begin` is asked before a
    /// new render is begun; to wait for one that is under way costs nothing.
    pub async fn page(
        self: &Arc<Self>,
        key: &PageKey,
        limit: Duration,
        may_begin: impl Fn() -> bool,
    ) -> Result<Arc<Page>, Arc<RenderError>> {
        let _waiting = self.waiting.try_acquire().map_err(|_| Arc::new(RenderError::Busy))?;
        let deadline = Instant::now() + limit;
        let arrival = self.cache.position();
        loop {
            let mut flight = match self.join(key, &may_begin)? {
                Joined::There(page) => return Ok(page),
                Joined::Waiting(flight) => flight,
            };
            let landed = timeout_at(deadline, flight.wait_for(Option::is_some))
                .await
                .map_err(|_| Arc::new(RenderError::Slow))?
                .map_err(|_| Arc::new(RenderError::Away("a render was given up".to_owned())))?
                .clone();
            // The wait is over only once there is something.
            let Some(Landed { began, result }) = landed else { continue };
            let (page, stored) = result?;
            if stored == Stored::Kept || began.covers(arrival) {
                return Ok(page);
            }
        }
    }

    fn join(
        self: &Arc<Self>,
        key: &PageKey,
        may_begin: &impl Fn() -> bool,
    ) -> Result<Joined, Arc<RenderError>> {
        let mut running = self.running();
        if let Some(flight) = running.get(key) {
            return Ok(Joined::Waiting(flight.clone()));
        }
        // A render stores its page before it leaves the list; so what is neither in the list nor
        // here is to be rendered, and only once.
        if let Some(page) = self.cache.fresh(key.as_str()) {
            return Ok(Joined::There(page));
        }
        if running.len() >= MOST_FLIGHTS {
            return Err(Arc::new(RenderError::Busy));
        }
        if !may_begin() {
            return Err(Arc::new(RenderError::TooMany));
        }
        let (announce, flight) = watch::channel(None);
        running.insert(key.clone(), flight.clone());
        drop(running);

        let span = tracing::info_span!("render", path = %key);
        let purge = self.cache.purge_trace(key.as_str());
        runtime::telemetry::link_parent(&span, purge.as_deref());
        let flights = self.clone();
        let key = key.clone();
        tokio::spawn(async move { flights.fly(key, announce).await }.instrument(span));
        Ok(Joined::Waiting(flight))
    }

    async fn fly(self: Arc<Self>, key: PageKey, announce: watch::Sender<Option<Landed>>) {
        let leave = Leave { flights: &self, key: &key };
        let began = self.cache.position();
        self.counters.renders.increment(1);
        let rendered = self.renderer.render(&key, began).await;
        let result = match rendered {
            Ok(page) => {
                let page = Arc::new(page);
                let stored = self.cache.store(key.shared(), &page, began);
                if stored == Stored::OutOfDate {
                    self.counters.overtaken.increment(1);
                }
                Ok((page, stored))
            }
            Err(error) => {
                self.counters.failures.increment(1);
                tracing::warn!(path = %key, %error, "a page could not be rendered");
                Err(Arc::new(error))
            }
        };
        drop(leave);
        let kept = match &result {
            Ok((page, Stored::Kept)) => Some(page.clone()),
            _ => None,
        };
        // Nobody waits any more: then nobody needs to know.
        let _nobody = announce.send(Some(Landed { began, result }));
        if let Some(page) = kept {
            self.pack(&key, page).await;
        }
    }

    /// Packs a stored page. Visitors who come before it is done get the page as it is, at once.
    async fn pack(&self, key: &PageKey, page: Arc<Page>) {
        let packing = page.clone();
        let packed =
            tokio::task::spawn_blocking(move || packing.reply.pack(pack::Effort::Once)).await;
        if let Ok(bytes) = packed {
            self.cache.add_weight(key.as_str(), &page, bytes);
        }
    }

    fn running(&self) -> MutexGuard<'_, HashMap<PageKey, Flight>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes a render off the list, also when it panics.
struct Leave<'f> {
    flights: &'f Flights,
    key: &'f PageKey,
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.flights.running().remove(self.key);
    }
}
