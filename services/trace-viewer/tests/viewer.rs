//! The program as `almijara up` starts it.
#![expect(clippy::expect_used, reason = "a test that can't do its part must fail loudly")]

use local_servers::{Child, StopSignal, bound_command, free_port};
use opentelemetry::{
    Context, KeyValue,
    trace::{TraceContextExt as _, Tracer as _, TracerProvider as _},
};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::{
    Resource,
    trace::{BatchConfigBuilder, BatchSpanProcessor, SdkTracerProvider},
};
use testkit::eventually;

/// More spans than a busy start makes in one trace.
const SPANS: usize = 1_500;

#[tokio::test(flavor = "multi_thread")]
async fn it_shows_the_traces_that_it_was_sent() {
    runtime::install_crypto_provider();
    let (otlp_port, port) = (free_port().expect("a port"), free_port().expect("another"));
    let mut command = bound_command(env!("CARGO_BIN_EXE_trace-viewer"), StopSignal::Terminate);
    command.env("OTLP_PORT", otlp_port.to_string()).env("PORT", port.to_string());
    let _viewer = Child::spawn(command, StopSignal::Terminate).expect("it starts");
    let services = async || {
        let answer = reqwest::get(format!("http://127.0.0.1:{port}/api/services")).await.ok()?;
        answer.error_for_status().ok()?.text().await.ok()
    };
    eventually("a page of services", services).await;

    let provider = provider(otlp_port);
    let tracer = provider.tracer("test");
    let root = Context::new().with_span(tracer.start_with_context("publish", &Context::new()));
    for number in 0..SPANS {
        let text = "a detail as long as a statement ".repeat(20);
        let attributes = vec![KeyValue::new("text", text)];
        let span = tracer.span_builder(format!("step {number}")).with_attributes(attributes);
        drop(span.start_with_context(&tracer, &root));
    }
    root.span().end();
    let sent = tokio::task::spawn_blocking(move || provider.shutdown()).await;
    sent.expect("no panic").expect("all spans are sent");

    let listed = services().await.expect("an answer");
    assert!(listed.contains("a-service"), "{listed}");
}

fn provider(otlp_port: u16) -> SdkTracerProvider {
    let exporter = SpanExporter::builder()
        .with_tonic()
        .with_endpoint(format!("http://127.0.0.1:{otlp_port}"))
        .build()
        .expect("an exporter");
    let queue = BatchConfigBuilder::default().with_max_queue_size(2 * SPANS).build();
    let processor = BatchSpanProcessor::builder(exporter).with_batch_config(queue).build();
    SdkTracerProvider::builder()
        .with_span_processor(processor)
        .with_resource(Resource::builder().with_service_name("a-service").build())
        .build()
}
