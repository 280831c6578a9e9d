//! An OTLP receiver with Jaeger's own user interface, so that an operator watches a publish travel.

use std::net::{Ipv4Addr, SocketAddr};

use otlp_embedded::{Config, State, TraceServiceImpl, TraceServiceServer, ui_app};
use runtime::Process;

/// How many traces are kept; the oldest go first.
const TRACES_KEPT: u32 = 2_000;
/// How much memory they may take, in bytes.
const MEMORY_LIMIT: usize = 128 << 20;

/// Receives spans on `otlp_port` (gRPC) and shows them on `page_port`, both of 127.0.0.1.
pub fn start(process: &Process, otlp_port: u16, page_port: u16) {
    let state = State::new(Config { max_length: TRACES_KEPT, max_memory_usage: MEMORY_LIMIT });
    let local = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let receiver = TraceServiceServer::new(TraceServiceImpl::new(state.clone()));
    let shutdown = process.shutdown();
    process.spawn("trace receiver", async move {
        tonic::transport::Server::builder()
            .add_service(receiver)
            .serve_with_shutdown(local(otlp_port), shutdown.cancelled_owned())
            .await
    });
    let page = runtime::http::serve(local(page_port), ui_app(state, "/"), process.shutdown());
    process.spawn("trace viewer", page);
}
