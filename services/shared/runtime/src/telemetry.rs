//! Logs to standard output, spans to an OTLP endpoint where one is set.
//!
//! This is the one file that knows OpenTelemetry. Everything else speaks `tracing`, and hands a
//! trace on as a W3C `traceparent` text.

use std::{env, process, time::Duration};

use opentelemetry::{
    Context, KeyValue,
    trace::{
        SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState, TracerProvider,
    },
};
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::{Resource, trace::SdkTracerProvider};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::{EnvFilter, Layer, layer::SubscriberExt, util::SubscriberInitExt};

/// The longest that a span may wait on its way out when the process ends.
const FLUSH_LIMIT: Duration = Duration::from_secs(2);
/// What is exported: our own spans from `info` up, never those of libraries.
const SPAN_FILTER: &str = "off,almijara=info,contracts=info,content_client=info,content_pack=info,\
    event_log=info,media=info,projections=info,query=info,command=info,search_index=info,site=info,sync=info";
/// What is logged where `RUST_LOG` does not say. Tantivy warns of each merge that a later commit has
/// overtaken, which is how merges of a busy index end.
const DEFAULT_LOG_FILTER: &str = "info,sqlx=warn,tantivy=error,async_nats=error,hyper=warn";

/// Why telemetry could not start.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The exporter could not be built.
    #[error("cannot export spans to OTEL_EXPORTER_OTLP_ENDPOINT: {0}")]
    Exporter(String),
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

/// Starts logging for the role `service`, and exporting of spans where
/// `OTEL_EXPORTER_OTLP_ENDPOINT` names an OTLP receiver (gRPC). `LOG_FORMAT=json` writes JSON.
/// Call it once, inside the async runtime.
pub fn init(service: &'static str) -> Result<Telemetry, TelemetryError> {
    crate::health::recorder();
    let log_filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(DEFAULT_LOG_FILTER));
    let json = env::var("LOG_FORMAT").is_ok_and(|format| format == "json");
    let log = tracing_subscriber::fmt::layer().with_target(false);
    let log = if json { log.json().flatten_event(true).boxed() } else { log.compact().boxed() };

    let provider = env::var("OTEL_EXPORTER_OTLP_ENDPOINT")
        .ok()
        .filter(|endpoint| !endpoint.is_empty())
        .map(|endpoint| span_provider(service, &endpoint))
        .transpose()?;
    let spans = provider.as_ref().map(|provider| {
        tracing_opentelemetry::layer()
            .with_tracer(provider.tracer("almijara"))
            .with_filter(EnvFilter::new(SPAN_FILTER))
    });
    tracing_subscriber::registry().with(log.with_filter(log_filter)).with(spans).try_init()?;
    Ok(Telemetry { provider })
}

fn span_provider(
    service: &'static str,
    endpoint: &str,
) -> Result<SdkTracerProvider, TelemetryError> {
    let exporter = SpanExporter::builder()
        .with_tonic()
        .with_endpoint(endpoint)
        .with_timeout(FLUSH_LIMIT)
        .build()
        .map_err(|error| TelemetryError::Exporter(error.to_string()))?;
    // By the instance's name too, which viewers of traces show of each span.
    let resource = Resource::builder()
        .with_service_name(format!("almijara-{service}"))
        .with_attribute(KeyValue::new(
            "service.instance.id",
            format!("{service}-{}", process::id()),
        ))
        .build();
    Ok(SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build())
}

/// The current span as a W3C `traceparent`, if it is part of an exported trace.
pub fn traceparent() -> Option<String> {
    let context = Span::current().context();
    let span = context.span();
    let span = span.span_context();
    span.is_valid().then(|| {
        format!("00-{}-{}-{:02x}", span.trace_id(), span.span_id(), span.trace_flags().to_u8())
    })
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
