//! What comes from the roles, made ready for the viewer.
//!
//! The store behind it knows a process by its `service.instance.id` alone, and of a span neither its
//! status nor its kind. What it does not know is put where it looks: among the attributes, as Jaeger
//! has it.

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

/// How many deliveries of spans wait for the store, of at most 512 spans each.
const MAX_WAITING: usize = 256;
const NAME: &str = "service.name";
const INSTANCE: &str = "service.instance.id";

/// Takes spans at once, whatever the store takes for them: who sends them waits two seconds and then
/// throws them away, and a trace that lacks one is never listed.
pub struct Receiver {
    queue: Sender<ExportTraceServiceRequest>,
}

impl Receiver {
    /// Into `store`, one delivery after the other.
    pub fn new(store: impl TraceService) -> Self {
        let (queue, waiting) = mpsc::channel(MAX_WAITING);
        tokio::spawn(store_all(waiting, store));
        Self { queue }
    }
}

async fn store_all(mut waiting: Queue<ExportTraceServiceRequest>, store: impl TraceService) {
    while let Some(mut request) = waiting.recv().await {
        request.resource_spans.iter_mut().for_each(make_ready);
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

fn make_ready(of_a_process: &mut ResourceSpans) {
    let resource = of_a_process.resource.get_or_insert_default();
    if !resource.attributes.iter().any(|attribute| attribute.key == INSTANCE) {
        // Without one, all such processes would be the one that was heard last.
        let name = resource.attributes.iter().find(|attribute| attribute.key == NAME);
        let instance = name.and_then(|name| name.value.clone());
        resource.attributes.push(KeyValue { key: INSTANCE.to_owned(), value: instance });
    }
    for span in of_a_process.scope_spans.iter_mut().flat_map(|scope| &mut scope.spans) {
        tell_kind(span);
        tell_status(span);
        // A clock that was set back while the span was open: the store subtracts one from the other.
        span.end_time_unix_nano = span.end_time_unix_nano.max(span.start_time_unix_nano);
    }
}

fn tell_kind(span: &mut Span) {
    let kind = match span.kind() {
        SpanKind::Unspecified | SpanKind::Internal => return,
        SpanKind::Server => "server",
        SpanKind::Client => "client",
        SpanKind::Producer => "producer",
        SpanKind::Consumer => "consumer",
    };
    tell(span, "span.kind", Value::StringValue(kind.to_owned()));
}

/// Jaeger shows what has `error` in red.
fn tell_status(span: &mut Span) {
    let Some(status) = &span.status else { return };
    if status.code() != StatusCode::Error {
        return;
    }
    let message = status.message.clone();
    tell(span, "error", Value::BoolValue(true));
    if !message.is_empty() {
        tell(span, "otel.status_description", Value::StringValue(message));
    }
}

fn tell(span: &mut Span, key: &str, value: Value) {
    span.attributes.retain(|attribute| attribute.key != key);
    let value = Some(AnyValue { value: Some(value) });
    span.attributes.push(KeyValue { key: key.to_owned(), value });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A store that takes forever.
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
    async fn who_sends_does_not_wait_for_the_store_and_is_told_when_there_is_no_room() {
        let receiver = Receiver::new(Stuck);
        let send = || receiver.export(Request::new(ExportTraceServiceRequest::default()));
        let mut refused = None;
        // One is with the store.
        for _ in 0..MAX_WAITING + 2 {
            tokio::task::yield_now().await;
            refused = send().await.err();
        }
        assert_eq!(refused.map(|status| status.code()), Some(tonic::Code::ResourceExhausted));
    }
}
