//! What the operator can watch. The handles are made once: a hit costs two atomic additions.

use std::sync::atomic::{AtomicU64, Ordering};

use metrics::{Counter, Gauge, Histogram, counter, gauge, histogram};

use crate::requests::Requests;

/// A counter that can be read here too.
#[derive(Debug)]
pub struct Counted {
    counter: Counter,
    count: AtomicU64,
}

impl Counted {
    const fn new(counter: Counter) -> Self {
        Self { counter, count: AtomicU64::new(0) }
    }

    /// So many more.
    pub fn increment(&self, by: u64) {
        self.counter.increment(by);
        self.count.fetch_add(by, Ordering::Relaxed);
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

/// The counters of this role.
#[derive(Debug)]
pub struct Counters {
    /// Pages given from the cache.
    pub hits: Counted,
    /// Page requests that had to wait for a render.
    pub misses: Counted,
    /// Pages shown out of date because they could not be rendered.
    pub stale: Counted,
    /// Page requests answered by the page of regret.
    pub unavailable: Counter,
    /// Renders begun.
    pub renders: Counter,
    /// Renders that failed.
    pub failures: Counter,
    /// Renders that a purge overtook.
    pub overtaken: Counter,
    /// Pages purged.
    pub purged: Counter,
    /// Times that everything was dropped.
    pub restarts: Counter,
    /// Requests refused for their number.
    pub limited: Counter,
    /// Pictures scaled.
    pub pictures: Counter,
    /// Pages in the cache.
    pub cache_pages: Gauge,
    /// Their bytes.
    pub cache_bytes: Gauge,
    /// Seconds since the change stream last said anything.
    pub changes_age: Gauge,
    /// From when a change was captured until this node shows no page without it.
    pub publish_seconds: Histogram,
    /// How long renders took.
    pub render_seconds: Histogram,
    /// How long visitors waited.
    pub requests: Requests,
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            hits: Counted::new(counter!("site_page_hits_total")),
            misses: Counted::new(counter!("site_page_misses_total")),
            stale: Counted::new(counter!("site_page_stale_total")),
            unavailable: counter!("site_page_unavailable_total"),
            renders: counter!("site_renders_total"),
            failures: counter!("site_render_failures_total"),
            overtaken: counter!("site_renders_overtaken_total"),
            purged: counter!("site_pages_purged_total"),
            restarts: counter!("site_cache_restarts_total"),
            limited: counter!("site_rate_limited_total"),
            pictures: counter!("site_pictures_scaled_total"),
            cache_pages: gauge!("site_cache_pages"),
            cache_bytes: gauge!("site_cache_bytes"),
            changes_age: gauge!("site_changes_age_seconds"),
            publish_seconds: histogram!("site_publish_seconds"),
            render_seconds: histogram!("site_render_seconds"),
            requests: Requests::default(),
        }
    }
}
