//! The metrics of this role. The handles are created once: a cache hit costs two atomic additions.

use std::sync::atomic::{AtomicU64, Ordering};

use metrics::{Counter, Gauge, Histogram, counter, gauge, histogram};

use crate::requests::Requests;

/// A counter whose value can also be read in this process.
#[derive(Debug)]
pub struct ReadableCounter {
    counter: Counter,
    count: AtomicU64,
}

impl ReadableCounter {
    const fn new(counter: Counter) -> Self {
        Self { counter, count: AtomicU64::new(0) }
    }

    /// Adds `by`.
    pub fn increment(&self, by: u64) {
        self.counter.increment(by);
        self.count.fetch_add(by, Ordering::Relaxed);
    }

    /// Returns the count since the process started.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

/// The metric handles of this role.
#[derive(Debug)]
pub struct Counters {
    /// Pages served from the cache.
    pub hits: ReadableCounter,
    /// Page requests that had to wait for a render.
    pub misses: ReadableCounter,
    /// Pages shown out of date because they could not be rendered.
    pub stale: ReadableCounter,
    /// Page requests answered with the "unavailable" page.
    pub unavailable: Counter,
    /// Renders started.
    pub renders: Counter,
    /// Renders that failed.
    pub failures: Counter,
    /// Renders that a purge overtook.
    pub overtaken: Counter,
    /// Pages purged.
    pub purged: Counter,
    /// How often the complete cache was dropped.
    pub restarts: Counter,
    /// Requests rejected by a rate limit.
    pub limited: Counter,
    /// Pictures scaled.
    pub pictures: Counter,
    /// Pages in the cache.
    pub cache_pages: Gauge,
    /// Bytes of the pages in the cache.
    pub cache_bytes: Gauge,
    /// Seconds since data was last received on the change stream.
    pub changes_age: Gauge,
    /// The time from the capture of a change until this node shows no page without it.
    pub publish_seconds: Histogram,
    /// The duration of renders.
    pub render_seconds: Histogram,
    /// The duration of visitors' requests.
    pub requests: Requests,
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            hits: ReadableCounter::new(counter!("site_page_hits_total")),
            misses: ReadableCounter::new(counter!("site_page_misses_total")),
            stale: ReadableCounter::new(counter!("site_page_stale_total")),
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
