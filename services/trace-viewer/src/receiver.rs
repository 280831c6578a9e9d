//! Receives spans from the roles, and adapts them to the store of the viewer.
//!
//! The store identifies a process by `service.instance.id` only, and ignores the status and the kind of
//! a span. So these are added as attributes, with the names that Jaeger uses.

use otlp_embedded::{
    TraceService,
    proto::{
        collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse},
        common::v1::{AnyValue, KeyValue, any_value::Value},
        trace::v1::{ResourceSpans, Span, span::SpanKind, status::StatusCode},
    },
};
use tokio::sync::mpsc::{self, Receiver as Queue, Sender};
use tonic::{Request, Response, Status};

/// The maximum number of queued requests, of at most 512 spans each.
const MAX_QUEUED: usize = 256;
const NAME: &str = "service.name";
const INSTANCE: &str = "service.instance.id";

/// Queues spans, and responds without waiting for the store: senders drop their spans after two seconds
/// without a response, and a trace with a missing span is never listed.
pub struct Receiver {
    queue: Sender<ExportTraceServiceRequest>,
}

impl Receiver {
    /// Creates a receiver that passes the requests to `store` one after the other.
    pub fn new(store: impl TraceService) -> Self {
        let (queue, queued) = mpsc::channel(MAX_QUEUED);
        tokio::spawn(store_all(queued, store));
        Self { queue }
    }
}

async fn store_all(mut queued: Queue<ExportTraceServiceRequest>, store: impl TraceService) {
    while let Some(mut request) = queued.recv().await {
        request.resource_spans.iter_mut().for_each(adapt);
        if let Err(status) = store.export(Request::new(request)).await {
            eprintln!("spans could not be stored: {status}");
        }
    }
}

#[tonic::async_trait]
impl TraceService for Receiver {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        match self.queue.try_send(request.into_inner()) {
            Ok(()) => Ok(Response::new(ExportTraceServiceResponse::default())),
            Err(_) => Err(Status::resource_exhausted("too many spans wait to be stored")),
        }
    }
}

/// Adapts the spans of one process to the store.
fn adapt(spans: &mut ResourceSpans) {
    let resource = spans.resource.get_or_insert_default();
    if !resource.attributes.iter().any(|attribute| attribute.key == INSTANCE) {
        // Without an instance id, the store would treat all such processes as the one that it saw last.
        let name = resource.attributes.iter().find(|attribute| attribute.key == NAME);
        let instance = name.and_then(|name| name.value.clone());
        resource.attributes.push(KeyValue { key: INSTANCE.to_owned(), value: instance });
    }
    for span in spans.scope_spans.iter_mut().flat_map(|scope| &mut scope.spans) {
        add_kind(span);
        add_status(span);
        // The clock may have been set back during the span, and the store subtracts the start from the
        // end.
        span.end_time_unix_nano = span.end_time_unix_nano.max(span.start_time_unix_nano);
    }
}

fn add_kind(span: &mut Span) {
    let kind = match span.kind() {
        SpanKind::Unspecified | SpanKind::Internal => return,
        SpanKind::Server => "server",
        SpanKind::Client => "client",
        SpanKind::Producer => "producer",
        SpanKind::Consumer => "consumer",
    };
    set_attribute(span, "span.kind", Value::StringValue(kind.to_owned()));
}

/// Adds the attribute `error` to failed spans; Jaeger shows those in red.
fn add_status(span: &mut Span) {
    let Some(status) = &span.status else { return };
    if status.code() != StatusCode::Error {
        return;
    }
    let message = status.message.clone();
    set_attribute(span, "error", Value::BoolValue(true));
    if !message.is_empty() {
        set_attribute(span, "otel.status_description", Value::StringValue(message));
    }
}

/// Sets an attribute, replacing an existing one of the same key.
fn set_attribute(span: &mut Span, key: &str, value: Value) {
    span.attributes.retain(|attribute| attribute.key != key);
    let value = Some(AnyValue { value: Some(value) });
    span.attributes.push(KeyValue { key: key.to_owned(), value });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A store that never finishes.
    struct Stuck;

    #[tonic::async_trait]
    impl TraceService for Stuck {
        async fn export(
            &self,
            _: Request<ExportTraceServiceRequest>,
        ) -> Result<Response<ExportTraceServiceResponse>, Status> {
            std::future::pending().await
        }
    }

    #[tokio::test]
    async fn a_sender_does_not_wait_for_the_store_and_is_refused_if_the_queue_is_full() {
        let receiver = Receiver::new(Stuck);
        let send = || receiver.export(Request::new(ExportTraceServiceRequest::default()));
        let mut refused = None;
        // The store takes one of them out of the queue.
        for _ in 0..MAX_QUEUED + 2 {
            tokio::task::yield_now().await;
            refused = send().await.err();
        }
        assert_eq!(refused.map(|status| status.code()), Some(tonic::Code::ResourceExhausted));
    }
}
