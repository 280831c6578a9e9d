//! The metrics of this role.

use metrics::Unit;
use runtime::metrics::{Kind, Metric, REQUESTS};

/// The metrics of this role, in addition to those that all roles have.
pub const METRICS: &[Metric] = &[
    REQUESTS,
    Metric::counter("site_page_hits_total", &[], "Pages served from the cache"),
    Metric::counter("site_page_misses_total", &[], "Page requests that waited for a render"),
    Metric::counter(
        "site_page_stale_total",
        &[],
        "Pages served out of date, because they could not be rendered",
    ),
    Metric::counter(
        "site_page_unavailable_total",
        &[],
        "Page requests that could not be answered, including those of addresses that send too many",
    ),
    Metric::counter("site_renders_total", &[], "Renders started"),
    Metric::counter("site_render_failures_total", &[], "Renders that failed"),
    Metric::seconds(
        "site_render_seconds",
        &[0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0],
        &[],
        "How long the renderer took, until the page was complete or failed",
    ),
    Metric::counter("site_renders_overtaken_total", &[], "Renders that a purge overtook"),
    Metric::counter("site_pages_purged_total", &[], "Pages purged by a change"),
    Metric::counter(
        "site_cache_restarts_total",
        &[],
        "Times that all cached pages were dropped, because changes may have been missed",
    ),
    Metric::counter("site_rate_limited_total", &[], "Requests refused because there were too many"),
    Metric::counter("site_pictures_scaled_total", &[], "Pictures scaled and encoded"),
    Metric::gauge(
        "site_cache_pages",
        Unit::Count,
        &[],
        "Pages in the cache, including purged ones",
    ),
    Metric::gauge("site_cache_bytes", Unit::Bytes, &[], "Bytes of the pages in the cache"),
    Metric::gauge(
        "site_changes_age_seconds",
        Unit::Seconds,
        &[],
        "Time since the last event of the change stream, which sends one every 2 s",
    ),
    Metric::seconds(
        "site_publish_seconds",
        &[0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0],
        &[],
        "From when a change was captured (the ledger's clock) until this node showed no page without \
         it (its own clock); changes captured more than an hour ago belong to a refilled log and are left out",
    ),
    // The buckets of these three are narrow around the thresholds of "good" and "poor": 2.5 s and 4 s,
    // 0.2 s and 0.5 s, 0.1 and 0.25.
    Metric::seconds(
        "site_visit_lcp_seconds",
        &[0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 30.0],
        VISIT,
        "The time until the largest part of a page was visible (Largest Contentful Paint)",
    ),
    Metric::seconds(
        "site_visit_inp_seconds",
        &[0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1.0, 2.0, 5.0],
        VISIT,
        "The time from an input to the next frame, one of the slowest of a visit (Interaction to Next Paint)",
    ),
    Metric {
        name: "site_visit_cls",
        kind: Kind::Histogram(&[0.001, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.0]),
        unit: Unit::Count,
        labels: VISIT,
        help: "How far a page moved by itself (Cumulative Layout Shift)",
    },
    Metric::counter(
        "site_visit_rendered_anew_total",
        VISIT,
        "Parts of pages that React rendered again in the browser",
    ),
];

const VISIT: &[&str] = &["page", "device"];
