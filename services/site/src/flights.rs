//! One render for all who wait for a page.
//!
//! A render goes on when the visitor who began it leaves, so the next one finds the page. Who came
//! after a purge is not answered by a render that began before it, unless the page turned out to be
//! current all the same.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::available_parallelism,
    time::Duration,
};

use contracts::Sequence;
use runtime::telemetry;
use tokio::{
    sync::{Semaphore, watch},
    time::{Instant, timeout_at},
};
use tracing::Instrument;

use crate::{
    cache::{PageCache, PurgeTrace, Stored},
    counters::Counters,
    page::Page,
    page_key::PageKey,
    purges::Position,
    renderer::{RenderError, Renderer},
    shares::Share,
    watched::Watched,
};

/// The most renders under way or waiting for their turn.
const MAX_FLIGHTS: usize = 256;
/// The most requests that wait for a render.
const MAX_WAITING: usize = 10_000;

/// The renders under way.
#[derive(Debug)]
pub struct Flights {
    cache: Arc<PageCache>,
    renderer: Arc<Renderer>,
    running: Mutex<HashMap<PageKey, Flight>>,
    waiting: Semaphore,
    /// A place for each processor: what packs takes some megabytes of its own.
    packing: Semaphore,
    /// Whether the last render failed: an outage is one line in the log, not one a visitor.
    failing: AtomicBool,
    counters: Arc<Counters>,
    watched: Arc<Watched>,
}

/// Where a render's end will be announced.
type Flight = watch::Receiver<Option<Landed>>;

/// How a render ended.
#[derive(Clone, Debug)]
struct Landed {
    /// Who came here by this position is well served with the page.
    current: Position,
    result: Result<Arc<Page>, Arc<RenderError>>,
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
    pub fn new(
        cache: Arc<PageCache>,
        renderer: Arc<Renderer>,
        counters: Arc<Counters>,
        watched: Arc<Watched>,
    ) -> Self {
        Self {
            cache,
            renderer,
            running: Mutex::default(),
            waiting: Semaphore::new(MAX_WAITING),
            packing: Semaphore::new(available_parallelism().map_or(1, usize::from)),
            failing: AtomicBool::new(false),
            counters,
            watched,
        }
    }

    /// How many renders are under way or wait for their turn.
    pub fn under_way(&self) -> usize {
        self.running().len()
    }

    /// The page at `key` as current as at the call, within `limit`. `may_begin` is asked before a
    /// new render is begun, and what it gives is held until that ends; to wait for one that is under
    /// way costs nothing.
    pub async fn page(
        self: &Arc<Self>,
        key: &PageKey,
        limit: Duration,
        may_begin: impl Fn() -> Option<Share>,
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
            let Some(Landed { current, result }) = landed else { continue };
            let page = result?;
            if current.covers(arrival) {
                return Ok(page);
            }
        }
    }

    fn join(
        self: &Arc<Self>,
        key: &PageKey,
        may_begin: &impl Fn() -> Option<Share>,
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
        if running.len() >= MAX_FLIGHTS {
            return Err(Arc::new(RenderError::Busy));
        }
        let share = may_begin().ok_or_else(|| Arc::new(RenderError::TooMany))?;
        let (announce, flight) = watch::channel(None);
        running.insert(key.clone(), flight.clone());
        drop(running);

        let flying = self.clone().fly(key.clone(), announce);
        tokio::spawn(async move {
            let _share = share;
            flying.await;
        });
        Ok(Joined::Waiting(flight))
    }

    async fn fly(self: Arc<Self>, key: PageKey, announce: watch::Sender<Option<Landed>>) {
        let leave = Leave { flights: &self, key: &key };
        let began = self.cache.position();
        self.counters.renders.increment(1);
        let span = tracing::info_span!("render", path = key.told());
        if let Some(PurgeTrace { traceparent, is_part }) = self.cache.purge_trace(key.as_str()) {
            let link = if is_part { telemetry::link_parent } else { telemetry::link_follower };
            link(&span, Some(&traceparent));
        }
        let started = Instant::now();
        let rendered = self.render(&key, began).instrument(span.clone()).await;
        span.in_scope(|| {
            let took = started.elapsed();
            self.watched.rendered(&key, took);
            self.counters.render_seconds.record(took.as_secs_f64());
        });
        let page = match rendered {
            Ok(page) => Arc::new(page),
            Err(error) => {
                telemetry::failed(&span, &error);
                self.note_failure(&key, &error);
                drop(leave);
                land(&announce, Landed { current: began, result: Err(Arc::new(error)) });
                return;
            }
        };
        if self.failing.swap(false, Ordering::Relaxed) {
            tracing::info!("pages can be rendered again");
        }
        let (stored, current) = self.cache.store(key.shared(), &page, began);
        if stored == Stored::OutOfDate {
            self.counters.overtaken.increment(1);
        }
        drop(leave);
        land(&announce, Landed { current, result: Ok(page.clone()) });
        if stored == Stored::Kept {
            self.pack(&key, page).await;
        }
    }

    /// Renders the page from `position` on or, where no node has come so far, from what they have: it is
    /// kept only if nothing of it was purged since.
    async fn render(&self, key: &PageKey, position: Position) -> Result<Page, RenderError> {
        match self.renderer.render(key, position).await {
            Err(RenderError::Away(_)) => {
                let any = Position { latest: Sequence::START, ..position };
                self.renderer.render(key, any).await
            }
            rendered => rendered,
        }
    }

    fn note_failure(&self, key: &PageKey, error: &RenderError) {
        self.counters.failures.increment(1);
        if self.failing.swap(true, Ordering::Relaxed) {
            tracing::debug!(path = key.told(), %error, "another page could not be rendered");
        } else {
            tracing::warn!(path = key.told(), %error, "a page could not be rendered");
        }
    }

    /// Packs a stored page, so that it takes a tenth of the memory. Visitors who come before it is
    /// done get the page as it is, at once.
    async fn pack(&self, key: &PageKey, page: Arc<Page>) {
        // Never closed.
        let Ok(_place) = self.packing.acquire().await else { return };
        let packing = page.clone();
        let packed = tokio::task::spawn_blocking(move || packing.packed()).await;
        if let Ok(Some(packed)) = packed {
            self.cache.replace(key.as_str(), &page, Arc::new(packed));
        }
    }

    fn running(&self) -> MutexGuard<'_, HashMap<PageKey, Flight>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells all who wait. Where nobody does any more, nobody needs to know.
fn land(announce: &watch::Sender<Option<Landed>>, landed: Landed) {
    announce.send_replace(Some(landed));
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

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, sync::atomic::AtomicU64};

    use axum::{Router, routing::any};
    use contracts::{SEQUENCE_HEADER, SURROGATE_KEY_HEADER};
    use futures::FutureExt;
    use tokio::{net::TcpListener, sync::Notify};

    use super::*;
    use crate::{cache::StaleLimits, security::Security};

    const LIMIT: Duration = Duration::from_secs(30);

    /// A renderer whose first page is of position 1, as all was before a change, and its second of 2. The
    /// first begins with a word of `began` and waits for one of `goes_on`.
    #[derive(Clone, Default)]
    struct Renders {
        count: Arc<AtomicU64>,
        began: Arc<Notify>,
        goes_on: Arc<Notify>,
    }

    impl Renders {
        async fn render(self) -> [(&'static str, String); 2] {
            let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
            if number == 1 {
                self.began.notify_one();
                self.goes_on.notified().await;
            }
            [(SEQUENCE_HEADER, number.to_string()), (SURROGATE_KEY_HEADER, "page:one".to_owned())]
        }
    }

    #[tokio::test]
    async fn who_comes_after_a_purge_is_not_answered_by_a_render_from_before() {
        runtime::install_crypto_provider();
        let renders = Renders::default();
        let answering = renders.clone();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let router = Router::new().fallback(any(move || answering.render()));
        tokio::spawn(async move { axum::serve(listener, router).await });

        let limits = StaleLimits { purged: LIMIT, unverified: LIMIT };
        let cache = Arc::new(PageCache::new(1 << 20, limits));
        cache.restart(Sequence::from(1));
        let security = Security::new(&"http://localhost".parse().expect("a URL"));
        let renderer = Renderer::new(&url.parse().expect("a URL"), 8, security, None);
        let renderer = Arc::new(renderer.expect("a client"));
        let flights = Flights::new(cache.clone(), renderer, Arc::default(), Arc::default());
        let flights = Arc::new(flights);
        let key = PageKey::of(&"/one".parse().expect("a URI")).expect("a page");
        let visit = || Box::pin(flights.page(&key, LIMIT, || Some(Share::uncounted())));

        let mut early = visit();
        assert!((&mut early).now_or_never().is_none(), "it has a render begun");
        renders.began.notified().await;
        cache.purge(&BTreeSet::from(["page:one".to_owned()]), Sequence::from(2), None);
        let mut late: Vec<_> = (0..20).map(|_| visit()).collect();
        for late in &mut late {
            assert!(late.now_or_never().is_none(), "it waits for the render under way");
        }
        assert_eq!(flights.under_way(), 1);

        renders.goes_on.notify_one();
        let seen_early = early.await.expect("a page");
        assert_eq!(seen_early.sequence, Sequence::from(1), "what was when it came");
        for late in late {
            assert_eq!(late.await.expect("a page").sequence, Sequence::from(2));
        }
        assert_eq!(renders.count.load(Ordering::Relaxed), 2);
    }
}
