//! Stores what the macros of `metrics` record, and renders it in the format `OpenMetrics`. There, each
//! bucket of a histogram can have an exemplar: the trace of one of its observations.

use std::{
    collections::HashMap,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::SystemTime,
};

use metrics::{CounterFn, GaugeFn, HistogramFn, Key, KeyName, Metadata, SharedString, Unit};
use prometheus_client::{
    encoding::{EncodeLabel, EncodeLabelSet, LabelSetEncoder, text},
    metrics::{
        counter::Counter,
        exemplar::HistogramWithExemplars,
        family::{Family, MetricConstructor},
        gauge::Gauge,
    },
    registry::Registry,
};

use super::{Kind, Metric};
use crate::telemetry;

/// Records the declared metrics and ignores all others; a test checks that the code records only
/// declared ones.
#[derive(Debug)]
pub(super) struct Recorder {
    registry: Registry,
    counters: HashMap<&'static str, Family<Labels, Counter>>,
    gauges: HashMap<&'static str, Family<Labels, FloatGauge>>,
    histograms: HashMap<&'static str, Family<Labels, ExemplarHistogram, Bounds>>,
}

type FloatGauge = Gauge<f64, AtomicU64>;
type ExemplarHistogram = HistogramWithExemplars<Exemplar>;
type Exemplar = [(&'static str, String); 1];

/// The labels of a recorded metric.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Labels(Key);

/// The upper bounds of the buckets of a histogram.
#[derive(Clone, Copy, Debug)]
struct Bounds(&'static [f64]);

/// Adapts a metric of `prometheus_client` to the traits of `metrics`.
struct Adapter<M>(M);

impl Recorder {
    pub fn of<'m>(metrics: impl Iterator<Item = &'m Metric>) -> Self {
        let mut recorder = Self {
            registry: Registry::default(),
            counters: HashMap::new(),
            gauges: HashMap::new(),
            histograms: HashMap::new(),
        };
        metrics.for_each(|metric| recorder.add(metric));
        recorder
    }

    fn add(&mut self, metric: &Metric) {
        let (name, registry) = (metric.name, &mut self.registry);
        match metric.kind {
            Kind::Counter => {
                let family = self.counters.entry(name).or_default();
                // Starts at 0, so that Prometheus sees the first event as an increase and not as a new
                // series.
                if metric.labels.is_empty() {
                    drop(family.get_or_create(&Labels(Key::from_static_name(name))));
                }
                // In OpenMetrics the suffix belongs to the samples, and not to the counter's name.
                let base_name = name.strip_suffix("_total").unwrap_or(name);
                registry.register(base_name, metric.help, family.clone());
            }
            Kind::Gauge => {
                let family = self.gauges.entry(name).or_default();
                registry.register(name, metric.help, family.clone());
            }
            Kind::Histogram(bounds) => {
                let new = || Family::new_with_constructor(Bounds(bounds));
                let family = self.histograms.entry(name).or_insert_with(new);
                registry.register(name, metric.help, family.clone());
            }
        }
    }

    /// Renders all metrics.
    pub fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        text::encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

impl metrics::Recorder for Recorder {
    // The declared lists already contain the descriptions.
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> metrics::Counter {
        adapter(&self.counters, key).map_or_else(metrics::Counter::noop, metrics::Counter::from_arc)
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> metrics::Gauge {
        adapter(&self.gauges, key).map_or_else(metrics::Gauge::noop, metrics::Gauge::from_arc)
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> metrics::Histogram {
        adapter(&self.histograms, key)
            .map_or_else(metrics::Histogram::noop, metrics::Histogram::from_arc)
    }
}

fn adapter<M: Clone, C: MetricConstructor<M>>(
    families: &HashMap<&'static str, Family<Labels, M, C>>,
    key: &Key,
) -> Option<Arc<Adapter<M>>> {
    let family = families.get(key.name())?;
    Some(Arc::new(Adapter(family.get_or_create_owned(&Labels(key.clone())))))
}

impl CounterFn for Adapter<Counter> {
    fn increment(&self, by: u64) {
        self.0.inc_by(by);
    }

    fn absolute(&self, count: u64) {
        self.0.inner().fetch_max(count, Ordering::Relaxed);
    }
}

impl GaugeFn for Adapter<FloatGauge> {
    fn increment(&self, by: f64) {
        self.0.inc_by(by);
    }

    fn decrement(&self, by: f64) {
        self.0.dec_by(by);
    }

    fn set(&self, value: f64) {
        self.0.set(value);
    }
}

impl HistogramFn for Adapter<ExemplarHistogram> {
    fn record(&self, value: f64) {
        let exemplar = telemetry::sampled_trace().map(|trace| [("trace_id", trace)]);
        let at = exemplar.is_some().then(SystemTime::now);
        self.0.observe(value, exemplar, at);
    }
}

impl MetricConstructor<ExemplarHistogram> for Bounds {
    fn new_metric(&self) -> ExemplarHistogram {
        HistogramWithExemplars::new(self.0.iter().copied())
    }
}

impl EncodeLabelSet for Labels {
    fn encode(&self, encoder: &mut LabelSetEncoder<'_>) -> fmt::Result {
        self.0
            .labels()
            .try_for_each(|label| (label.key(), label.value()).encode(encoder.encode_label()))
    }
}
