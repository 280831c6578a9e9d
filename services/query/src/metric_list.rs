//! The metrics of this role.

use metrics::Unit;
use runtime::metrics::{Metric, REQUESTS};

/// The metrics of this role, beside those that every role has.
pub const METRICS: &[Metric] = &[
    REQUESTS,
    Metric::counter("query_changes_total", &[], "Changes announced to subscribers"),
    Metric::gauge("query_index_position", Unit::Count, &[], "The position of the index in the log"),
    Metric::gauge(
        "query_index_lag_messages",
        Unit::Count,
        &[],
        "Messages of the log that the index does not have yet",
    ),
    Metric::gauge(
        "query_index_unsaved_seconds",
        Unit::Seconds,
        &[],
        "For how long the index could not be saved; 0 if it can",
    ),
    Metric::gauge(
        "query_log_answered_timestamp_seconds",
        Unit::Seconds,
        &[],
        "When the log last answered the index, in Unix time",
    ),
];
