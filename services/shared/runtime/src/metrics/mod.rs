//! What a process measures: every figure is named, described and given its unit once, in the list of
//! the role that records it.
//!
//! `deploy/observability/metrics.md` is made of these lists, and a test holds the code to them.

mod recorder;

use std::{fmt, sync::OnceLock};

use metrics::Unit;

use self::recorder::Recorder;

/// One figure.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its name in Prometheus, with its unit at the end.
    pub name: &'static str,
    /// What can be done with it.
    pub kind: Kind,
    /// What it is counted in.
    pub unit: Unit,
    /// The names of what it is told apart by.
    pub labels: &'static [&'static str],
    /// What it says, as an operator reads it.
    pub help: &'static str,
}

/// What can be done with a figure.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// It only rises.
    Counter,
    /// It is what it was when last looked at.
    Gauge,
    /// How often it was how much: with these upper bounds, so that it can be added up over nodes and
    /// over time.
    Histogram(&'static [f64]),
}

impl Metric {
    /// A count of what has happened.
    pub const fn counter(
        name: &'static str,
        labels: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Self { name, kind: Kind::Counter, unit: Unit::Count, labels, help }
    }

    /// What stands somewhere now, in `unit`.
    pub const fn gauge(
        name: &'static str,
        unit: Unit,
        labels: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Self { name, kind: Kind::Gauge, unit, labels, help }
    }

    /// How long things took, in seconds, by these `bounds`.
    pub const fn seconds(
        name: &'static str,
        bounds: &'static [f64],
        labels: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Self { name, kind: Kind::Histogram(bounds), unit: Unit::Seconds, labels, help }
    }
}

/// What processes of every role measure.
pub const METRICS: &[Metric] = &[Metric::gauge(
    "almijara_ready",
    Unit::Count,
    &["check"],
    "1 where a thing that the role needs is right, 0 where it is not",
)];

/// What those measure that answer visitors, or the pages' renderer for them.
pub const REQUESTS: Metric = Metric::seconds(
    REQUEST_SECONDS,
    &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0],
    &["http_request_method", "http_route", "http_response_status_code"],
    "Until a request had the head of its answer (OpenTelemetry's http.server.request.duration)",
);

/// The name of [`REQUESTS`].
pub const REQUEST_SECONDS: &str = "http_server_request_duration_seconds";

/// What [`rendered`] is.
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

static RECORDER: OnceLock<Recorder> = OnceLock::new();

/// Begins to record, for a role that measures `metrics` beside what all do. What was recorded before
/// is lost, and a second call changes nothing.
pub fn install(metrics: &[Metric]) {
    let recorder = RECORDER.get_or_init(|| Recorder::of(METRICS.iter().chain(metrics)));
    // Refused where it is there already.
    let _second_call = ::metrics::set_global_recorder(recorder);
}

/// All that was recorded, as Prometheus reads it.
///
/// # Errors
/// A figure that can't be written.
pub(crate) fn rendered() -> Result<String, fmt::Error> {
    RECORDER.get().map_or_else(|| Ok(String::new()), Recorder::text)
}
