//! What the operator can watch. The handles are made once: a hit costs one atomic addition.

use metrics::{Counter, Gauge, counter, describe_counter, describe_gauge, gauge};

/// The counters of this role.
#[derive(Debug)]
pub struct Counters {
    /// Pages given from the cache.
    pub hits: Counter,
    /// Page requests that had to wait for a render.
    pub misses: Counter,
    /// Pages shown out of date because they could not be rendered.
    pub stale: Counter,
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
}

impl Default for Counters {
    fn default() -> Self {
        for (name, text) in [
            ("site_page_hits_total", "Pages given from the cache"),
            ("site_page_misses_total", "Page requests that had to wait for a render"),
            ("site_page_stale_total", "Pages shown out of date, as they could not be rendered"),
            ("site_page_unavailable_total", "Page requests that could not be answered"),
            ("site_renders_total", "Renders begun"),
            ("site_render_failures_total", "Renders that failed"),
            ("site_renders_overtaken_total", "Renders that a purge overtook"),
            ("site_pages_purged_total", "Pages purged by a change"),
            ("site_cache_restarts_total", "Times that everything cached was dropped"),
            ("site_rate_limited_total", "Requests refused for their number"),
            ("site_pictures_scaled_total", "Pictures scaled and encoded"),
        ] {
            describe_counter!(name, text);
        }
        describe_gauge!("site_cache_pages", "Pages in the cache");
        describe_gauge!("site_cache_bytes", "Bytes of the pages in the cache");
        describe_gauge!(
            "site_changes_age_seconds",
            "Seconds since the change stream last said anything"
        );
        Self {
            hits: counter!("site_page_hits_total"),
            misses: counter!("site_page_misses_total"),
            stale: counter!("site_page_stale_total"),
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
        }
    }
}
