//! Receives the roles' spans, for tests that check them.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use anyhow::Result;
use otlp_embedded::{
    TraceService, TraceServiceServer,
    proto::{
        collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse},
        trace::v1::Span,
    },
};
use tonic::{Request, Response, Status};

/// An OTLP receiver that stores every span.
#[derive(Clone, Default)]
pub struct Spans(Arc<Mutex<Vec<Span>>>);

impl Spans {
    /// Starts to listen. Also returns the value for `OTEL_EXPORTER_OTLP_ENDPOINT`.
    pub fn listen() -> Result<(Self, String)> {
        let spans = Self::default();
        let port = local_servers::free_port()?;
        let server = tonic::transport::Server::builder()
            .add_service(TraceServiceServer::new(spans.clone()))
            .serve(SocketAddr::from(([127, 0, 0, 1], port)));
        tokio::spawn(server);
        Ok((spans, format!("http://127.0.0.1:{port}")))
    }

    /// Returns the spans received so far.
    pub fn all(&self) -> Vec<Span> {
        self.0.lock().expect("nobody panics with it").clone()
    }
}

#[tonic::async_trait]
impl TraceService for Spans {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let spans = request
            .into_inner()
            .resource_spans
            .into_iter()
            .flat_map(|resource| resource.scope_spans)
            .flat_map(|scope| scope.spans);
        self.0.lock().expect("nobody panics with it").extend(spans);
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}
