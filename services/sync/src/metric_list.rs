//! The metrics of this role.

use metrics::Unit;
use runtime::metrics::Metric;

/// The metrics of this role, in addition to those of every role.
pub const METRICS: &[Metric] = &[
    Metric::counter(
        "sync_webhooks_total",
        &["outcome"],
        "Webhooks by outcome: kept, failed, ignored, malformed or unauthorized",
    ),
    Metric::seconds(
        "sync_capture_seconds",
        &[0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0],
        &["collection"],
        "From when a change was claimed (immediately for a webhook) until its version was recorded",
    ),
    Metric::seconds(
        "sync_content_read_seconds",
        &[0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0],
        &[],
        "How long the content service took to return the items of a capture",
    ),
    Metric::counter("sync_versions_total", &["collection"], "Versions recorded"),
    Metric::counter("sync_parkings_total", &["collection"], "Items parked for breaking a rule"),
    Metric::gauge(
        "sync_parked",
        Unit::Count,
        &["collection"],
        "Items parked now, without articles that wait for their publication day",
    ),
    Metric::gauge(
        "sync_left_out",
        Unit::Count,
        &["collection"],
        "Items shown without pictures whose files can't be read",
    ),
    Metric::gauge("sync_aggregates_due", Unit::Count, &[], "Items that have to be read"),
    Metric::gauge(
        "sync_aggregates_due_oldest_seconds",
        Unit::Seconds,
        &[],
        "For how long the first of them has been due; a failure postpones an item",
    ),
    Metric::gauge(
        "sync_paused_seconds",
        Unit::Seconds,
        &["step"],
        "For how long an operator has paused the step (capture or relay); 0 if it is not paused",
    ),
    Metric::gauge("sync_hints_unresolved", Unit::Count, &[], "Webhooks that can't be resolved yet"),
    Metric::gauge("sync_outbox_entries", Unit::Count, &[], "Versions that are not in the log yet"),
    Metric::gauge(
        "sync_outbox_oldest_seconds",
        Unit::Seconds,
        &[],
        "The age of the oldest of them",
    ),
    Metric::gauge(
        "sync_outbox_refill_entries",
        Unit::Count,
        &[],
        "Versions that fill a new stream and are still to be published",
    ),
    Metric::gauge("sync_outbox_refused_entries", Unit::Count, &[], "Versions that the log refused"),
    Metric::counter("sync_streams_made_total", &[], "Streams created, each with its own epoch"),
    Metric::gauge("sync_stream_bytes", Unit::Bytes, &[], "The size of the stream"),
    Metric::gauge("sync_stream_limit_bytes", Unit::Bytes, &[], "The maximum size of the stream"),
    Metric::counter(
        "sync_collection_failures_total",
        &["collection", "task"],
        "Times that a collection could not be read",
    ),
    Metric::gauge(
        "sync_collection_failing_seconds",
        Unit::Seconds,
        &["collection", "task"],
        "For how long a collection could not be read; 0 if it can",
    ),
    Metric::counter(
        "sync_mass_removals_refused_total",
        &[],
        "Sweeps that would have removed too much at once, and removed nothing",
    ),
    Metric::counter(
        "sync_activity_failures_total",
        &[],
        "Times that the content service's activity log could not be read",
    ),
    Metric::gauge(
        "sync_activity_failing_seconds",
        Unit::Seconds,
        &[],
        "For how long the content service's activity log could not be read; 0 if it can",
    ),
    Metric::seconds(
        "sync_placeholder_seconds",
        &[0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0],
        &[],
        "How long making a picture's placeholder took",
    ),
    Metric::counter("sync_placeholders_total", &["outcome"], "Placeholders by outcome"),
];
