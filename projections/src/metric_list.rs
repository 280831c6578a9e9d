//! The metrics of this role.

use metrics::Unit;
use runtime::metrics::Metric;

/// The metrics of this role, in addition to those that all roles have.
pub const METRICS: &[Metric] = &[
    Metric::gauge(
        "almijara_projection_position",
        Unit::Count,
        &[],
        "The position of the read models in the log",
    ),
    Metric::gauge(
        "almijara_projection_lag_messages",
        Unit::Count,
        &[],
        "Messages of the log that the read models do not have yet",
    ),
    Metric::gauge(
        "almijara_projection_log_answered_timestamp_seconds",
        Unit::Seconds,
        &[],
        "When the log last answered the read models, in Unix time",
    ),
    Metric::gauge(
        "almijara_projection_paused_seconds",
        Unit::Seconds,
        &[],
        "For how long an operator has paused the following of the log; 0 if it is not paused",
    ),
    Metric::counter(
        "almijara_projection_dead_letters_total",
        &[],
        "Messages that could not be applied and were put aside",
    ),
];
