//! Writes logs to standard output, and exports spans to an OTLP endpoint if one is configured.
//!
//! Only this file uses OpenTelemetry. All other code uses `tracing`, and passes trace contexts on as W3C
//! `traceparent` strings.

use std::{
    collections::HashMap,
    env,
    fmt::{self, Display},
    io::{self, IsTerminal},
    process,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use opentelemetry::{
    Context, KeyValue,
    propagation::TextMapPropagator,
    trace::{SpanContext, Status, TraceContextExt, TracerProvider},
};
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithExportConfig};
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    propagation::TraceContextPropagator,
    trace::{self, SdkTracerProvider},
};
use tracing::{Event, Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::{
    EnvFilter, Layer,
    filter::{FilterExt, dynamic_filter_fn},
    fmt::{
        FmtContext, FormatEvent, FormatFields, MakeWriter,
        format::{JsonFields, Writer},
    },
    layer::{Filter, SubscriberExt},
    registry::LookupSpan,
    util::SubscriberInitExt,
};

use crate::{
    error_text,
    metrics::{self, Metric},
};

/// The timeout for exporting a batch of spans, and for flushing them when the process ends.
const FLUSH_LIMIT: Duration = Duration::from_secs(2);
/// The spans that are exported: our own from `info` up, never those of libraries.
const SPAN_FILTER: &str = "off,almijara=info,contracts=info,content_client=info,content_pack=info,\
    event_log=info,media=info,projections=info,query=info,command=info,runtime=info,search_index=info,site=info,sync=info";
/// The log filter if `RUST_LOG` is not set. It silences expected warnings: Tantivy warns of each merge
/// that a later commit has superseded, which is normal in a busy index; sqlx warns of each lost
/// connection to a stopped server, in addition to the statement that failed; OpenTelemetry's SDK repeats
/// every second that spans cannot be exported, which [`LogOnce`] logs once.
const DEFAULT_LOG_FILTER: &str = "info,sqlx=warn,sqlx_core::pool::connection=error,tantivy=error,\
    async_nats=error,hyper=warn,opentelemetry_sdk=off";

/// The header with the position in a trace (W3C Trace Context).
const TRACEPARENT: &str = "traceparent";

/// Why telemetry could not start.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The exporter could not be built.
    #[error("cannot export spans to OTEL_EXPORTER_OTLP_ENDPOINT")]
    Exporter(#[from] ExporterBuildError),
    /// An invalid setting of the log or the sampler. Their libraries would ignore it.
    #[error("{name}={value} is not {expected}")]
    Setting {
        /// The environment variable.
        name: &'static str,
        /// Its value.
        value: String,
        /// The valid values.
        expected: &'static str,
    },
    /// Another subscriber is already installed.
    #[error("telemetry was started twice")]
    Twice(#[from] tracing_subscriber::util::TryInitError),
}

/// Flushes pending spans when dropped. Keep it until the process ends.
#[derive(Debug)]
#[must_use]
pub struct Telemetry {
    provider: Option<SdkTracerProvider>,
}

impl Drop for Telemetry {
    fn drop(&mut self) {
        if let Some(provider) = self.provider.take()
            && let Err(error) = provider.shutdown_with_timeout(FLUSH_LIMIT)
        {
            tracing::debug!(error = error_text(&error), "the last spans could not be exported");
        }
    }
}

/// Starts logging and metrics for the role `service`, which records `metrics`, and exports spans if
/// `OTEL_EXPORTER_OTLP_ENDPOINT` names an OTLP receiver (gRPC). `LOG_FORMAT=json` selects JSON lines
/// with the current trace id, and `RUST_LOG` what is logged. `OTEL_TRACES_SAMPLER` and
/// `OTEL_TRACES_SAMPLER_ARG` select the traces to export; by default all. Call it once, inside the async
/// runtime.
///
/// # Errors
/// An invalid setting, an invalid endpoint, or a second call.
pub fn init(service: &'static str, metrics: &[Metric]) -> Result<Telemetry, TelemetryError> {
    metrics::install(metrics);
    let variable = |name: &str| env::var(name).ok();
    check_sampler(variable)?;
    let (log_filter, json) = log_settings(variable)?;
    let log = if json {
        json_log(io::stdout).boxed()
    } else {
        let colours = io::stdout().is_terminal();
        tracing_subscriber::fmt::layer().with_target(false).with_ansi(colours).compact().boxed()
    };

    let endpoint = env::var("OTEL_EXPORTER_OTLP_ENDPOINT").ok().filter(|url| !url.is_empty());
    // JSON log lines have trace ids even if no spans are exported.
    let provider = (json || endpoint.is_some())
        .then(|| span_provider(service, endpoint.as_deref()))
        .transpose()?;
    let spans = provider.as_ref().map(exported_spans);
    tracing_subscriber::registry()
        .with(log.with_filter(evaluated_each_time(log_filter)))
        .with(spans)
        .try_init()?;
    Ok(Telemetry { provider })
}

/// Returns the layer that logs JSON lines.
fn json_log<S, W>(to: W) -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'a> MakeWriter<'a> + 'static,
{
    let format = tracing_subscriber::fmt::format().json().flatten_event(true).with_target(false);
    tracing_subscriber::fmt::layer()
        .fmt_fields(JsonFields::new())
        .event_format(WithTrace(format))
        .with_writer(to)
}

/// Returns the layer that exports our own spans by `provider`.
fn exported_spans<S>(provider: &SdkTracerProvider) -> impl Layer<S> + use<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("almijara"))
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false)
        .with_filter(evaluated_each_time(EnvFilter::new(SPAN_FILTER)))
}

/// Makes `filter` evaluate each event and each span, without cached interest.
///
/// For an event that every layer is always interested in, `tracing` skips the evaluation, and each layer
/// accepts or drops the event by its last result. That result belongs to another event if a library
/// calls `enabled` and then emits nothing, as sqlx does after each statement: our next event would be
/// lost (<https://github.com/tokio-rs/tracing/issues/2519>).
fn evaluated_each_time<S>(filter: EnvFilter) -> impl Filter<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    filter.and(dynamic_filter_fn(|_, _| true))
}

/// Returns what is logged, and whether as JSON.
fn log_settings(
    variable: impl Fn(&str) -> Option<String>,
) -> Result<(EnvFilter, bool), TelemetryError> {
    let invalid = |name, value, expected| TelemetryError::Setting { name, value, expected };
    let given = |name| variable(name).filter(|value| !value.is_empty());
    let filter = given("RUST_LOG").unwrap_or_else(|| DEFAULT_LOG_FILTER.to_owned());
    let filter = EnvFilter::try_new(&filter)
        .map_err(|_| invalid("RUST_LOG", filter, "a filter such as info,sync=debug"))?;
    match given("LOG_FORMAT").as_deref() {
        None | Some("text") => Ok((filter, false)),
        Some("json") => Ok((filter, true)),
        Some(value) => Err(invalid("LOG_FORMAT", value.to_owned(), "json or text")),
    }
}

/// Checks the sampler settings. The SDK reads them itself, but treats an invalid value as "export all".
fn check_sampler(variable: impl Fn(&str) -> Option<String>) -> Result<(), TelemetryError> {
    const SAMPLER: &str = "OTEL_TRACES_SAMPLER";
    const ARGUMENT: &str = "OTEL_TRACES_SAMPLER_ARG";
    let Some(value) = variable(SAMPLER) else { return Ok(()) };
    match value.as_str() {
        "always_on" | "always_off" | "parentbased_always_on" | "parentbased_always_off" => Ok(()),
        "traceidratio" | "parentbased_traceidratio" => {
            let value = variable(ARGUMENT).unwrap_or_default();
            let is_ratio = value.parse().is_ok_and(|ratio: f64| (0.0..=1.0).contains(&ratio));
            let expected = "a number from 0 to 1, the part of the traces to keep";
            if is_ratio {
                Ok(())
            } else {
                Err(TelemetryError::Setting { name: ARGUMENT, value, expected })
            }
        }
        _ => {
            let expected = "always_on, always_off, traceidratio, or one of them with parentbased_ \
                         before it";
            Err(TelemetryError::Setting { name: SAMPLER, value, expected })
        }
    }
}

fn span_provider(
    service: &'static str,
    endpoint: Option<&str>,
) -> Result<SdkTracerProvider, TelemetryError> {
    // Includes an instance name, which trace viewers show for each span.
    let resource = Resource::builder()
        .with_service_name(format!("almijara-{service}"))
        .with_attribute(KeyValue::new(
            "service.instance.id",
            format!("{service}-{}", process::id()),
        ))
        .build();
    let provider = SdkTracerProvider::builder().with_resource(resource);
    let Some(endpoint) = endpoint else { return Ok(provider.build()) };
    let exporter = SpanExporter::builder()
        .with_tonic()
        .with_endpoint(endpoint)
        .with_timeout(FLUSH_LIMIT)
        .build()?;
    let exporter = LogOnce { exporter, failing: AtomicBool::new(false) };
    Ok(provider.with_batch_exporter(exporter).build())
}

/// An exporter that logs once when spans are being lost, and once when exports succeed again.
#[derive(Debug)]
struct LogOnce {
    exporter: SpanExporter,
    failing: AtomicBool,
}

impl trace::SpanExporter for LogOnce {
    async fn export(&self, batch: Vec<trace::SpanData>) -> OTelSdkResult {
        let exported = self.exporter.export(batch).await;
        let was_failing = self.failing.swap(exported.is_err(), Ordering::Relaxed);
        match &exported {
            Err(error) if !was_failing => {
                tracing::warn!(error = error_text(error), "spans cannot be exported, and are lost");
            }
            Ok(()) if was_failing => tracing::info!("spans are exported again"),
            _ => {}
        }
        exported
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

/// Returns the current span as a W3C `traceparent`, if it is part of a trace.
pub fn traceparent() -> Option<String> {
    traceparent_of(&Span::current())
}

/// Returns `span` as a W3C `traceparent`, if it is part of a trace. The span is not entered: one that was
/// entered ends when it was left for the last time, and not when it is dropped.
pub fn traceparent_of(span: &Span) -> Option<String> {
    let mut headers = HashMap::new();
    TraceContextPropagator::new().inject_context(&span.context(), &mut headers);
    headers.remove(TRACEPARENT)
}

/// Returns whether the current span is exported. Where many spans would be begun below it, this spares
/// their cost if not.
pub fn is_sampled() -> bool {
    Context::map_current(|context| context.span().span_context().is_sampled())
}

/// Returns the id of the current trace, if it is sampled.
pub(crate) fn sampled_trace() -> Option<String> {
    // Reads OpenTelemetry's thread-local context directly, since this runs for each recorded duration.
    Context::map_current(|context| {
        let span = context.span();
        let span = span.span_context();
        (span.is_valid() && span.is_sampled()).then(|| span.trace_id().to_string())
    })
}

/// Returns the trace id of `traceparent`, in the form that trace viewers use.
pub fn trace_id(traceparent: &str) -> Option<&str> {
    let id = traceparent.split('-').nth(1)?;
    let is_valid = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_valid.then_some(id)
}

/// Makes `span` a child of the span in `traceparent`. An invalid `traceparent` is ignored: it comes from
/// outside, and a request should never fail because of tracing.
pub fn link_parent(span: &Span, traceparent: Option<&str>) {
    if let Some(parent) = traceparent.and_then(parse_traceparent) {
        let context = Context::new().with_remote_span_context(parent);
        // Fails only if the span is not recorded, and then there is nothing to link.
        let _not_recorded = span.set_parent(context);
    }
}

/// Links `span` to the span in `traceparent` without making it a child: for work that was caused by it,
/// but runs much later or is shared with other causes.
pub fn link_cause(span: &Span, traceparent: Option<&str>) {
    if let Some(before) = traceparent.and_then(parse_traceparent) {
        span.add_link(before);
    }
}

/// Marks `span` as failed because of `reason`, so that its trace is retained and shown in red.
pub fn mark_failed(span: &Span, reason: &dyn Display) {
    span.set_status(Status::error(reason.to_string()));
}

/// Parses a W3C `traceparent`, of this or of a later version.
fn parse_traceparent(text: &str) -> Option<SpanContext> {
    let headers = HashMap::from([(TRACEPARENT.to_owned(), text.to_owned())]);
    let context = TraceContextPropagator::new().extract_with_context(&Context::new(), &headers);
    let span = context.span().span_context().clone();
    span.is_valid().then_some(span)
}

/// Adds the current trace and span id to JSON lines, with the field names that OpenTelemetry defines for
/// logs other than OTLP.
struct WithTrace<F>(F);

impl<S, N, F> FormatEvent<S, N> for WithTrace<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        // Reads OpenTelemetry's context, not the log layer's: the log filter may drop spans that are
        // exported.
        let current = Context::current();
        let current = current.span().span_context().clone();
        let mut line = String::new();
        self.0.format_event(context, Writer::new(&mut line), event)?;
        match line.trim_end().strip_suffix('}') {
            Some(open) if current.is_valid() => {
                let (trace, span) = (current.trace_id(), current.span_id());
                writeln!(writer, r#"{open},"trace_id":"{trace}","span_id":"{span}"}}"#)
            }
            _ => writer.write_str(&line),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::{
        io::Write,
        sync::{Arc, Mutex},
    };

    use serde_json::Value;

    use super::*;

    /// A writer that collects the output.
    #[derive(Clone, Default)]
    pub(crate) struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Lines {
        pub(crate) fn text(&self) -> String {
            String::from_utf8(self.0.lock().expect("lines").clone()).expect("text")
        }
    }

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("nobody panics with it").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_json_line_has_the_ids_of_its_trace_and_span() {
        let lines = Lines::default();
        let (writer, provider) = (lines.clone(), SdkTracerProvider::builder().build());
        // The log filter drops spans of this level.
        let log = json_log(move || writer.clone()).with_filter(EnvFilter::new("warn"));
        let subscriber = tracing_subscriber::registry().with(log).with(exported_spans(&provider));
        let mut traceparents = Vec::new();
        tracing::subscriber::with_default(subscriber, || {
            tracing::warn!("outside");
            let span = tracing::info_span!(target: "site", "render");
            link_parent(&span, Some("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
            span.in_scope(|| {
                tracing::warn!(path = "/", "inside");
                traceparents.extend(traceparent());
            });
        });
        let lines: Vec<Value> =
            lines.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let [outside, inside] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!(outside["message"], "outside");
        assert_eq!(outside.get("trace_id"), None);
        assert_eq!((&inside["message"], &inside["path"]), (&"inside".into(), &"/".into()));
        assert_eq!(inside["trace_id"], "4bf92f3577b34da6a3ce929d0e0e4736");
        let span = inside["span_id"].as_str().expect("a span");
        let own = format!("00-4bf92f3577b34da6a3ce929d0e0e4736-{span}-01");
        assert_eq!(traceparents, [own], "the propagated ids are those in the log");
    }

    #[test]
    fn an_event_is_logged_even_after_a_library_checked_enabled_without_emitting() {
        let lines = Lines::default();
        let (writer, provider) = (lines.clone(), SdkTracerProvider::builder().build());
        let log = json_log(move || writer.clone());
        let log = log.with_filter(evaluated_each_time(EnvFilter::new("info,sqlx=warn")));
        let subscriber = tracing_subscriber::registry().with(log).with(exported_spans(&provider));
        tracing::subscriber::with_default(subscriber, || {
            for _ in 0..2 {
                // As sqlx does when its statements are not logged.
                let statement = tracing::debug_span!(target: "sqlx::query", "statement");
                let metadata = statement.metadata().expect("it has some");
                tracing::dispatcher::get_default(|dispatch| dispatch.enabled(metadata));
                tracing::warn!(target: "sync", "written");
            }
        });
        assert_eq!(lines.text().matches("written").count(), 2);
    }

    #[test]
    fn only_a_complete_traceparent_is_accepted() {
        let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let later = "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more";
        for good in [good, later] {
            let parsed = parse_traceparent(good).expect(good);
            assert_eq!(parsed.trace_id().to_string(), "4bf92f3577b34da6a3ce929d0e0e4736");
            assert!(parsed.is_sampled() && parsed.is_remote());
        }
        for bad in [
            "",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-xyz-abc-01",
        ] {
            assert!(parse_traceparent(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn an_invalid_log_setting_is_rejected_with_the_name_of_its_variable() {
        let settings = |name: &'static str, value: &'static str| {
            let variable = |wanted: &str| (wanted == name).then(|| value.to_owned());
            log_settings(variable).map(|(_, json)| json).map_err(|error| error.to_string())
        };
        for (name, value, json) in [
            ("NOTHING", "", false),
            ("RUST_LOG", "warn,sync=debug", false),
            ("RUST_LOG", "", false),
            ("LOG_FORMAT", "text", false),
            ("LOG_FORMAT", "json", true),
        ] {
            assert_eq!(settings(name, value), Ok(json), "{name}={value}");
        }
        for (name, value, named) in [
            ("RUST_LOG", "sync=debgu", "RUST_LOG=sync=debgu is not"),
            ("LOG_FORMAT", "JSON", "LOG_FORMAT=JSON is not json"),
        ] {
            let refused = settings(name, value).expect_err("it is refused");
            assert!(refused.starts_with(named), "{refused}");
        }
    }

    #[test]
    fn an_invalid_sampler_is_rejected_with_the_name_of_its_variable() {
        let checked = |sampler: &'static str, argument: Option<&'static str>| {
            check_sampler(|name| match name {
                "OTEL_TRACES_SAMPLER" => Some(sampler.to_owned()),
                _ => argument.map(str::to_owned),
            })
            .map_err(|error| error.to_string())
        };
        assert!(check_sampler(|_| None).is_ok());
        assert_eq!(checked("parentbased_always_on", None), Ok(()));
        assert_eq!(checked("parentbased_traceidratio", Some("0.05")), Ok(()));
        for (sampler, argument, named) in [
            ("sometimes", None, "OTEL_TRACES_SAMPLER=sometimes"),
            ("traceidratio", None, "OTEL_TRACES_SAMPLER_ARG= is not"),
            ("traceidratio", Some("5"), "OTEL_TRACES_SAMPLER_ARG=5"),
            ("parentbased_traceidratio", Some("a half"), "OTEL_TRACES_SAMPLER_ARG=a half"),
        ] {
            let refused = checked(sampler, argument).expect_err("it is refused");
            assert!(refused.starts_with(named), "{refused}");
        }
    }
}
