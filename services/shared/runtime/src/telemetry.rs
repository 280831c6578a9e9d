//! Logs to standard output, spans to an OTLP endpoint where one is set.
//!
//! This is the one file that knows OpenTelemetry. Everything else speaks `tracing`, and hands a
//! trace on as a W3C `traceparent` text.

use std::{
    env,
    fmt::{self, Display},
    io::{self, IsTerminal},
    process,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use opentelemetry::{
    Context, KeyValue,
    trace::{
        SpanContext, SpanId, Status, TraceContextExt, TraceFlags, TraceId, TraceState,
        TracerProvider,
    },
};
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
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

use crate::metrics::{self, Metric};

/// The longest that a span may wait on its way out when the process ends.
const FLUSH_LIMIT: Duration = Duration::from_secs(2);
/// What is exported: our own spans from `info` up, never those of libraries.
const SPAN_FILTER: &str = "off,almijara=info,contracts=info,content_client=info,content_pack=info,\
    event_log=info,media=info,projections=info,query=info,command=info,runtime=info,search_index=info,site=info,sync=info";
/// What is logged where `RUST_LOG` does not say. Tantivy warns of each merge that a later commit has
/// overtaken, which is how merges of a busy index end; sqlx of each connection of a server that has
/// ended, beside the statement that failed for it; OpenTelemetry's SDK says anew each second that
/// nobody takes the spans, which [`SaidOnce`] says once.
const DEFAULT_LOG_FILTER: &str = "info,sqlx=warn,sqlx_core::pool::connection=error,tantivy=error,\
    async_nats=error,hyper=warn,opentelemetry_sdk=off";

/// Why telemetry could not start.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The exporter could not be built.
    #[error("cannot export spans to OTEL_EXPORTER_OTLP_ENDPOINT: {0}")]
    Exporter(String),
    /// What the SDK would only warn of, and then export everything.
    #[error("{name}={value} is not {right}")]
    Sampler {
        /// The variable.
        name: &'static str,
        /// What it says.
        value: String,
        /// What it may say.
        right: &'static str,
    },
    /// Another subscriber is installed.
    #[error("telemetry was started twice")]
    Twice(#[from] tracing_subscriber::util::TryInitError),
}

/// Flushes what is still on its way when the process ends. Keep it until then.
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
            tracing::debug!(%error, "the last spans could not be exported");
        }
    }
}

/// Starts logging and measuring for the role `service`, which records `metrics`, and exporting of
/// spans where `OTEL_EXPORTER_OTLP_ENDPOINT` names an OTLP receiver (gRPC). `LOG_FORMAT=json` writes
/// JSON, each line with the trace that it was written in. `OTEL_TRACES_SAMPLER` and its `_ARG` say
/// which traces are exported; without them, all. Call it once, inside the async runtime.
///
/// # Errors
/// A sampler that there is not, an endpoint that is no address, or a second call.
pub fn init(service: &'static str, metrics: &[Metric]) -> Result<Telemetry, TelemetryError> {
    metrics::install(metrics);
    check_sampler(|name| env::var(name).ok())?;
    let log_filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(DEFAULT_LOG_FILTER));
    let json = env::var("LOG_FORMAT").is_ok_and(|format| format == "json");
    let log = if json {
        json_log(io::stdout).boxed()
    } else {
        let colours = io::stdout().is_terminal();
        tracing_subscriber::fmt::layer().with_target(false).with_ansi(colours).compact().boxed()
    };

    let endpoint = env::var("OTEL_EXPORTER_OTLP_ENDPOINT").ok().filter(|url| !url.is_empty());
    // Lines of a log are found by their trace also where nobody takes the spans.
    let provider = (json || endpoint.is_some())
        .then(|| span_provider(service, endpoint.as_deref()))
        .transpose()?;
    let spans = provider.as_ref().map(exported_spans);
    tracing_subscriber::registry()
        .with(log.with_filter(asked_each_time(log_filter)))
        .with(spans)
        .try_init()?;
    Ok(Telemetry { provider })
}

/// Lines of JSON.
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

/// Our own spans, by `provider`.
fn exported_spans<S>(provider: &SdkTracerProvider) -> impl Layer<S> + use<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("almijara"))
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false)
        .with_filter(asked_each_time(EnvFilter::new(SPAN_FILTER)))
}

/// `filter`, asked before each event and each span.
///
/// An event that every layer always wants is sent to them without asking, and each layer takes it or
/// not by what it was last asked about. That is another event where a library asks and then sends
/// nothing, as sqlx does after each statement: ours, the next one, would be lost
/// (<https://github.com/tokio-rs/tracing/issues/2519>).
fn asked_each_time<S>(filter: EnvFilter) -> impl Filter<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    filter.and(dynamic_filter_fn(|_, _| true))
}

/// The SDK reads the sampler itself, and takes what it can't read for "all".
fn check_sampler(variable: impl Fn(&str) -> Option<String>) -> Result<(), TelemetryError> {
    const SAMPLER: &str = "OTEL_TRACES_SAMPLER";
    const ARGUMENT: &str = "OTEL_TRACES_SAMPLER_ARG";
    let Some(value) = variable(SAMPLER) else { return Ok(()) };
    match value.as_str() {
        "always_on" | "always_off" | "parentbased_always_on" | "parentbased_always_off" => Ok(()),
        "traceidratio" | "parentbased_traceidratio" => {
            let value = variable(ARGUMENT).unwrap_or_default();
            let ratio = value.parse().is_ok_and(|ratio: f64| (0.0..=1.0).contains(&ratio));
            let right = "a number from 0 to 1, the part of the traces to keep";
            if ratio {
                Ok(())
            } else {
                Err(TelemetryError::Sampler { name: ARGUMENT, value, right })
            }
        }
        _ => {
            let right = "always_on, always_off, traceidratio, or one of them with parentbased_ \
                         before it";
            Err(TelemetryError::Sampler { name: SAMPLER, value, right })
        }
    }
}

fn span_provider(
    service: &'static str,
    endpoint: Option<&str>,
) -> Result<SdkTracerProvider, TelemetryError> {
    // By the instance's name too, which viewers of traces show of each span.
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
        .build()
        .map_err(|error| TelemetryError::Exporter(error.to_string()))?;
    let exporter = SaidOnce { exporter, failing: AtomicBool::new(false) };
    Ok(provider.with_batch_exporter(exporter).build())
}

/// An exporter that says once that spans are lost, and once that they are no more.
#[derive(Debug)]
struct SaidOnce {
    exporter: SpanExporter,
    failing: AtomicBool,
}

impl trace::SpanExporter for SaidOnce {
    async fn export(&self, batch: Vec<trace::SpanData>) -> OTelSdkResult {
        let exported = self.exporter.export(batch).await;
        let was_failing = self.failing.swap(exported.is_err(), Ordering::Relaxed);
        match &exported {
            Err(error) if !was_failing => {
                tracing::warn!(%error, "spans are lost: nobody takes them");
            }
            Ok(()) if was_failing => tracing::info!("spans are taken again"),
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

/// The current span as a W3C `traceparent`, if it is part of a trace.
pub fn traceparent() -> Option<String> {
    let context = Span::current().context();
    let span = context.span();
    let span = span.span_context();
    span.is_valid().then(|| {
        format!("00-{}-{}-{:02x}", span.trace_id(), span.span_id(), span.trace_flags().to_u8())
    })
}

/// The id of the trace that this is part of, if it is one that is kept.
pub(crate) fn sampled_trace() -> Option<String> {
    // Of OpenTelemetry itself, which is asked for each figure that is measured: a look at the thread.
    Context::map_current(|context| {
        let span = context.span();
        let span = span.span_context();
        (span.is_valid() && span.is_sampled()).then(|| span.trace_id().to_string())
    })
}

/// The id of the trace that `traceparent` is part of, as a viewer of traces names it.
pub fn trace_id(traceparent: &str) -> Option<&str> {
    let id = traceparent.split('-').nth(1)?;
    let is_one = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_one.then_some(id)
}

/// Makes `span` a child of the span that `traceparent` names. A text that is none is passed over:
/// it comes from outside, and a trace is never worth failing for.
pub fn link_parent(span: &Span, traceparent: Option<&str>) {
    if let Some(parent) = traceparent.and_then(parse_traceparent) {
        let context = Context::new().with_remote_span_context(parent);
        // Fails only where the span is not recorded, and then there is nothing to link.
        let _not_recorded = span.set_parent(context);
    }
}

/// Says of `span` that it comes after the span that `traceparent` names, and is not part of it: of what
/// was caused by it, much later or together with other things.
pub fn link_follower(span: &Span, traceparent: Option<&str>) {
    if let Some(before) = traceparent.and_then(parse_traceparent) {
        span.add_link(before);
    }
}

/// Marks `span` as failed because of `reason`, so that its trace is kept and shown in red.
pub fn failed(span: &Span, reason: &dyn Display) {
    span.set_status(Status::error(reason.to_string()));
}

/// Reads `00-<trace id>-<span id>-<flags>` (W3C Trace Context, level 1).
fn parse_traceparent(text: &str) -> Option<SpanContext> {
    let mut fields = text.split('-');
    let (version, trace, span, flags) =
        (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    if version != "00" || trace.len() != 32 || span.len() != 16 || flags.len() != 2 {
        return None;
    }
    let context = SpanContext::new(
        TraceId::from_hex(trace).ok()?,
        SpanId::from_hex(span).ok()?,
        TraceFlags::new(u8::from_str_radix(flags, 16).ok()?),
        true,
        TraceState::default(),
    );
    context.is_valid().then_some(context)
}

/// JSON, and in it the span that a line was written in, as OpenTelemetry names it for logs that are
/// not OTLP.
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
        // Of OpenTelemetry itself: the log's own filter may pass over spans that are exported.
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

    /// What was written.
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
    fn a_line_of_json_has_the_trace_that_it_was_written_in() {
        let lines = Lines::default();
        let (writer, provider) = (lines.clone(), SdkTracerProvider::builder().build());
        // A log that has no spans of this level.
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
        assert_eq!(traceparents, [own], "what is handed on is what the log names");
    }

    #[test]
    fn a_line_is_written_whatever_a_library_asked_about_before() {
        let lines = Lines::default();
        let (writer, provider) = (lines.clone(), SdkTracerProvider::builder().build());
        let log = json_log(move || writer.clone());
        let log = log.with_filter(asked_each_time(EnvFilter::new("info,sqlx=warn")));
        let subscriber = tracing_subscriber::registry().with(log).with(exported_spans(&provider));
        tracing::subscriber::with_default(subscriber, || {
            for _ in 0..2 {
                // As sqlx does where nobody wants to see its statements.
                let statement = tracing::debug_span!(target: "sqlx::query", "statement");
                let metadata = statement.metadata().expect("it has some");
                tracing::dispatcher::get_default(|dispatch| dispatch.enabled(metadata));
                tracing::warn!(target: "sync", "written");
            }
        });
        assert_eq!(lines.text().matches("written").count(), 2);
    }

    #[test]
    fn only_a_whole_traceparent_is_taken() {
        let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assert!(parse_traceparent(good).is_some());
        for bad in [
            "",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-xyz-abc-01",
        ] {
            assert!(parse_traceparent(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn a_sampler_that_there_is_not_is_refused_by_name() {
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
