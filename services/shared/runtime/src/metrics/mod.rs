//! The metrics of a process. Each metric is declared once, with its name, unit and description, in the
//! list of the role that records it.
//!
//! `deploy/observability/metrics.md` is generated from these lists, and a test checks that the code
//! records exactly what they declare.

mod recorder;

use std::{fmt, sync::OnceLock};

use metrics::Unit;

use self::recorder::Recorder;

/// One declared metric.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its name in Prometheus, which ends with the unit.
    pub name: &'static str,
    /// Counter, gauge or histogram.
    pub kind: Kind,
    /// Its unit.
    pub unit: Unit,
    /// The names of its labels.
    pub labels: &'static [&'static str],
    /// Its description for operators.
    pub help: &'static str,
}

/// The kind of a metric.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Only increases.
    Counter,
    /// Holds the last value set.
    Gauge,
    /// Counts observations in buckets with these upper bounds, so that it can be aggregated over nodes
    /// and over time.
    Histogram(&'static [f64]),
}

impl Metric {
    /// Declares a counter of events.
    pub const fn counter(
        name: &'static str,
        labels: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Self { name, kind: Kind::Counter, unit: Unit::Count, labels, help }
    }

    /// Declares a gauge in `unit`.
    pub const fn gauge(
        name: &'static str,
        unit: Unit,
        labels: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Self { name, kind: Kind::Gauge, unit, labels, help }
    }

    /// Declares a histogram of durations in seconds, with these bucket `bounds`.
    pub const fn seconds(
        name: &'static str,
        bounds: &'static [f64],
        labels: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Self { name, kind: Kind::Histogram(bounds), unit: Unit::Seconds, labels, help }
    }
}

/// The metrics of every role.
pub const METRICS: &[Metric] = &[Metric::gauge(
    "almijara_ready",
    Unit::Count,
    &["check"],
    "1 if a check of the role is ready, 0 if not",
)];

/// The metric of roles that serve requests of visitors, or of the page renderer on their behalf.
pub const REQUESTS: Metric = Metric::seconds(
    REQUEST_SECONDS,
    &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0],
    &["http_request_method", "http_route", "http_response_status_code"],
    "The time until the head of the response (OpenTelemetry's http.server.request.duration)",
);

/// The name of [`REQUESTS`].
pub const REQUEST_SECONDS: &str = "http_server_request_duration_seconds";

/// The content type of [`rendered`].
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

static RECORDER: OnceLock<Recorder> = OnceLock::new();

/// Starts recording, for a role with `metrics` in addition to [`METRICS`]. Anything recorded before this
/// call is lost, and a second call has no effect.
pub fn install(metrics: &[Metric]) {
    let recorder = RECORDER.get_or_init(|| Recorder::of(METRICS.iter().chain(metrics)));
    // Fails only if a recorder is already installed.
    let _second_call = ::metrics::set_global_recorder(recorder);
}

/// Returns all metrics in the text format of Prometheus.
///
/// # Errors
/// A metric cannot be formatted.
pub(crate) fn rendered() -> Result<String, fmt::Error> {
    RECORDER.get().map_or_else(|| Ok(String::new()), Recorder::text)
}
