//! Coalesces concurrent requests for a page into one render ("single flight").
//!
//! A render continues when the visitor who started it disconnects, so that the next one finds the page.
//! A visitor who arrives after a purge is not answered by a render that began before it, unless the page
//! turns out to be current all the same.

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
use runtime::{error_text, telemetry};
use tokio::{
    sync::{Semaphore, watch},
    time::{Instant, timeout_at},
};
use tracing::Instrument;

use crate::{
    counters::Counters,
    limits::shares::Share,
    observations::Observations,
    pages::{
        cache::{PageCache, PurgeTrace, Stored},
        page::Page,
        page_key::PageKey,
        purges::Position,
        renderer::{RenderError, Renderer},
    },
};

/// The maximum number of renders in flight or waiting for a slot.
const MAX_FLIGHTS: usize = 256;
/// The maximum number of requests that wait for a render.
const MAX_WAITING: usize = 10_000;

/// The renders in flight.
#[derive(Debug)]
pub struct Flights {
    cache: Arc<PageCache>,
    renderer: Arc<Renderer>,
    running: Mutex<HashMap<PageKey, Flight>>,
    waiting: Semaphore,
    /// One permit for each processor: compressing takes a few megabytes of memory.
    packing: Semaphore,
    /// Whether the last render failed. An outage is logged as a warning once, and not for every visitor.
    failing: AtomicBool,
    counters: Arc<Counters>,
    observations: Arc<Observations>,
}

/// Receives the outcome of a render.
type Flight = watch::Receiver<Option<Outcome>>;

/// The outcome of a render.
#[derive(Clone, Debug)]
struct Outcome {
    /// The page is current for requests that arrived at or before this position.
    current: Position,
    result: Result<Arc<Page>, Arc<RenderError>>,
}

/// The result of joining or starting a render.
enum Joined {
    /// The page was cached just before.
    Cached(Arc<Page>),
    /// A render in flight.
    InFlight(Flight),
}

impl Flights {
    /// Renders with `renderer` into `cache`.
    pub fn new(
        cache: Arc<PageCache>,
        renderer: Arc<Renderer>,
        counters: Arc<Counters>,
        observations: Arc<Observations>,
    ) -> Self {
        Self {
            cache,
            renderer,
            running: Mutex::default(),
            waiting: Semaphore::new(MAX_WAITING),
            packing: Semaphore::new(available_parallelism().map_or(1, usize::from)),
            failing: AtomicBool::new(false),
            counters,
            observations,
        }
    }

    /// Returns how many renders are in flight or waiting for a slot.
    pub fn in_flight(&self) -> usize {
        self.running().len()
    }

    /// Returns the page at `key`, at least as current as at the time of the call, within `limit`.
    /// `may_begin` is called before a new render is started, and the share it returns is held until that
    /// render ends. Waiting for a render in flight takes no share.
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
                Joined::Cached(page) => return Ok(page),
                Joined::InFlight(flight) => flight,
            };
            let outcome = timeout_at(deadline, flight.wait_for(Option::is_some))
                .await
                .map_err(|_| Arc::new(RenderError::Slow))?
                .map_err(|_| Arc::new(RenderError::unavailable("a render was given up")))?
                .clone();
            // `wait_for` only returns a value that is present.
            let Some(Outcome { current, result }) = outcome else { continue };
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
            return Ok(Joined::InFlight(flight.clone()));
        }
        // A render stores its page before it is removed from the map. So a page that is neither in the
        // map nor cached has to be rendered, and it is rendered only once.
        if let Some(page) = self.cache.fresh(key.as_str()) {
            return Ok(Joined::Cached(page));
        }
        if running.len() >= MAX_FLIGHTS {
            return Err(Arc::new(RenderError::Busy));
        }
        let share = may_begin().ok_or_else(|| Arc::new(RenderError::RateLimited))?;
        let (sender, flight) = watch::channel(None);
        running.insert(key.clone(), flight.clone());
        drop(running);

        let rendering = self.clone().render_and_store(key.clone(), sender);
        tokio::spawn(async move {
            let _share = share;
            rendering.await;
        });
        Ok(Joined::InFlight(flight))
    }

    async fn render_and_store(
        self: Arc<Self>,
        key: PageKey,
        sender: watch::Sender<Option<Outcome>>,
    ) {
        let remove_on_drop = RemoveOnDrop { flights: &self, key: &key };
        let began = self.cache.position();
        self.counters.renders.increment(1);
        let span = tracing::info_span!("render", path = key.redacted());
        if let Some(PurgeTrace { traceparent, is_part }) = self.cache.purge_trace(key.as_str()) {
            let link = if is_part { telemetry::link_parent } else { telemetry::link_cause };
            link(&span, Some(&traceparent));
        }
        let started = Instant::now();
        let rendered = self.render(&key, began).instrument(span.clone()).await;
        span.in_scope(|| {
            let took = started.elapsed();
            self.observations.record_render(&key, took);
            self.counters.render_seconds.record(took.as_secs_f64());
        });
        let page = match rendered {
            Ok(page) => Arc::new(page),
            Err(error) => {
                telemetry::mark_failed(&span, &error_text(&error));
                self.record_failure(&key, &error);
                drop(remove_on_drop);
                announce(&sender, Outcome { current: began, result: Err(Arc::new(error)) });
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
        drop(remove_on_drop);
        announce(&sender, Outcome { current, result: Ok(page.clone()) });
        if stored == Stored::Cached {
            self.pack(&key, page).await;
        }
    }

    /// Renders the page from `position` or later. If no node has caught up to `position`, renders it
    /// from what they have: such a page is cached only if none of its tags was purged since.
    async fn render(&self, key: &PageKey, position: Position) -> Result<Page, RenderError> {
        match self.renderer.render(key, position).await {
            Err(RenderError::Unavailable(_)) => {
                let any = Position { latest: Sequence::START, ..position };
                self.renderer.render(key, any).await
            }
            rendered => rendered,
        }
    }

    fn record_failure(&self, key: &PageKey, error: &RenderError) {
        self.counters.failures.increment(1);
        if self.failing.swap(true, Ordering::Relaxed) {
            tracing::debug!(
                path = key.redacted(),
                error = error_text(error),
                "another page could not be rendered"
            );
        } else {
            tracing::warn!(
                path = key.redacted(),
                error = error_text(error),
                "a page could not be rendered"
            );
        }
    }

    /// Compresses a cached page, so that it takes a tenth of the memory. Visitors who arrive before this
    /// is done get the uncompressed page at once.
    async fn pack(&self, key: &PageKey, page: Arc<Page>) {
        // The semaphore is never closed.
        let Ok(_permit) = self.packing.acquire().await else { return };
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

/// Announces the outcome to all waiting requests, if there are any.
fn announce(sender: &watch::Sender<Option<Outcome>>, outcome: Outcome) {
    sender.send_replace(Some(outcome));
}

/// Removes a render from the map when dropped, also after a panic.
struct RemoveOnDrop<'f> {
    flights: &'f Flights,
    key: &'f PageKey,
}

impl Drop for RemoveOnDrop<'_> {
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
    use crate::{pages::cache::StaleLimits, security::Security};

    const LIMIT: Duration = Duration::from_secs(30);

    /// A renderer whose first page has position 1, from before a change, and whose second has position
    /// 2. The first render notifies `began`, and waits for `goes_on`.
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
    async fn a_request_after_a_purge_is_not_answered_by_an_earlier_render() {
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
        assert!((&mut early).now_or_never().is_none(), "it starts a render");
        renders.began.notified().await;
        cache.purge(&BTreeSet::from(["page:one".to_owned()]), Sequence::from(2), None);
        let mut late: Vec<_> = (0..20).map(|_| visit()).collect();
        for late in &mut late {
            assert!(late.now_or_never().is_none(), "it waits for the render in flight");
        }
        assert_eq!(flights.in_flight(), 1);

        renders.goes_on.notify_one();
        let seen_early = early.await.expect("a page");
        assert_eq!(seen_early.sequence, Sequence::from(1), "the state when it arrived");
        for late in late {
            assert_eq!(late.await.expect("a page").sequence, Sequence::from(2));
        }
        assert_eq!(renders.count.load(Ordering::Relaxed), 2);
    }
}
