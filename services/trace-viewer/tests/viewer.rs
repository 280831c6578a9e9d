//! Tests of the program, started as by `almijara up`.
#![expect(clippy::expect_used, reason = "a test that can't do its part must fail loudly")]

use local_servers::{Child, StopSignal, bound_command, free_port};
use opentelemetry::{
    Context, KeyValue,
    trace::{Span as _, SpanKind, Status, TraceContextExt as _, Tracer as _, TracerProvider as _},
};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::{
    Resource,
    trace::{BatchConfigBuilder, BatchSpanProcessor, SdkTracerProvider},
};
use serde_json::{Value, json};
use testkit::eventually;
use tokio::net::TcpStream;

/// More spans than one trace has during a busy startup.
const SPANS: usize = 1_500;

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_is_shown_with_all_its_spans() {
    let viewer = Viewer::start().await;
    let provider = provider(viewer.otlp_port, "a-service", Some("a-service-1"));
    let tracer = provider.tracer("test");
    let root = Context::new().with_span(tracer.start_with_context("publish", &Context::new()));
    for number in 0..SPANS {
        let text = "a detail as long as a statement ".repeat(20);
        let attributes = vec![KeyValue::new("text", text)];
        let span = tracer.span_builder(format!("step {number}")).with_attributes(attributes);
        drop(span.start_with_context(&tracer, &root));
    }
    root.span().end();
    flush(provider).await;

    eventually("the service", async || {
        let listed = viewer.get("/api/services").await?;
        (listed["data"] == json!(["a-service"])).then_some(())
    })
    .await;
    eventually("the whole trace", async || {
        let listed = viewer.get("/api/traces?limit=10&service=a-service").await?;
        (listed["data"][0]["spans"].as_array()?.len() == SPANS + 1).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn spans_are_shown_with_their_service_kind_and_error() {
    let viewer = Viewer::start().await;
    // Only one of them has an instance id.
    let site = provider(viewer.otlp_port, "the-site", None);
    let renderer = provider(viewer.otlp_port, "the-renderer", None);
    let query = provider(viewer.otlp_port, "the-query", Some("query-7"));
    let root = site.tracer("test").start_with_context("page", &Context::new());
    let root = Context::new().with_span(root);
    let mut failed = renderer.tracer("test").start_with_context("render", &root);
    failed.set_status(Status::error("the query service is away"));
    failed.end();
    let tracer = query.tracer("test");
    let answer = tracer.span_builder("answer").with_kind(SpanKind::Server);
    drop(answer.start_with_context(&tracer, &root));
    root.span().end();
    for provider in [site, renderer, query] {
        flush(provider).await;
    }

    let trace = eventually("the whole trace", async || {
        let listed = viewer.get("/api/traces?limit=10&service=the-site").await?;
        let trace = listed["data"][0].clone();
        (trace["spans"].as_array()?.len() == 3).then_some(trace)
    })
    .await;
    let span = |name: &str| {
        let spans = trace["spans"].as_array().expect("spans");
        spans.iter().find(|span| span["operationName"] == name).expect("the span").clone()
    };
    let service = |name: &str| {
        let process = span(name)["processID"].as_str().expect("a process").to_owned();
        trace["processes"][process]["serviceName"].clone()
    };
    assert_eq!(
        [service("page"), service("render"), service("answer")],
        ["the-site", "the-renderer", "the-query"]
    );
    let tag = |name: &str, key: &str| {
        let tags = span(name)["tags"].as_array().expect("tags").clone();
        tags.into_iter().find(|tag| tag["key"] == key).map(|tag| tag["value"].clone())
    };
    assert_eq!(tag("render", "error"), Some(json!(true)));
    assert_eq!(tag("render", "otel.status_description"), Some(json!("the query service is away")));
    assert_eq!(tag("answer", "error"), None);
    assert_eq!(tag("answer", "span.kind"), Some(json!("server")));
}

struct Viewer {
    otlp_port: u16,
    port: u16,
    _child: Child,
}

impl Viewer {
    async fn start() -> Self {
        runtime::install_crypto_provider();
        let (otlp_port, port) = (free_port().expect("a port"), free_port().expect("another"));
        let mut command = bound_command(env!("CARGO_BIN_EXE_trace-viewer"), StopSignal::Terminate);
        command.env("OTLP_PORT", otlp_port.to_string()).env("PORT", port.to_string());
        let child = Child::spawn(command, StopSignal::Terminate).expect("it starts");
        let viewer = Self { otlp_port, port, _child: child };
        eventually("a page of services", async || viewer.get("/api/services").await).await;
        let receives = async || TcpStream::connect(("127.0.0.1", otlp_port)).await.ok();
        eventually("a receiver of spans", receives).await;
        viewer
    }

    async fn get(&self, path: &str) -> Option<Value> {
        let answer = reqwest::get(format!("http://127.0.0.1:{}{path}", self.port)).await.ok()?;
        serde_json::from_str(&answer.error_for_status().ok()?.text().await.ok()?).ok()
    }
}

/// Flushes all spans of `provider` to the viewer.
async fn flush(provider: SdkTracerProvider) {
    let flushed = tokio::task::spawn_blocking(move || provider.shutdown()).await;
    flushed.expect("no panic").expect("all spans are sent");
}

fn provider(
    otlp_port: u16,
    service: &'static str,
    instance: Option<&'static str>,
) -> SdkTracerProvider {
    let exporter = SpanExporter::builder()
        .with_tonic()
        .with_endpoint(format!("http://127.0.0.1:{otlp_port}"))
        .build()
        .expect("an exporter");
    let queue = BatchConfigBuilder::default().with_max_queue_size(2 * SPANS).build();
    let processor = BatchSpanProcessor::builder(exporter).with_batch_config(queue).build();
    let instance = instance.map(|instance| KeyValue::new("service.instance.id", instance));
    let resource = Resource::builder_empty().with_service_name(service).with_attributes(instance);
    SdkTracerProvider::builder()
        .with_span_processor(processor)
        .with_resource(resource.build())
        .build()
}
