//! An OTLP receiver with Jaeger's user interface, to follow a publish through the roles during
//! development. `almijara up` starts it if it has been built; it does not run in production.

mod receiver;

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Result;
use clap::Parser;
use otlp_embedded::{Config, State, TraceServiceImpl, TraceServiceServer, ui_app};
use runtime::Process;

use crate::receiver::Receiver;

/// The maximum number of stored traces; the oldest are removed first. This is the only memory limit: the
/// store's limit in bytes counts a trace again with each of its spans, and would soon remove all of
/// them.
const MAX_TRACES: u32 = 1_000;

/// Receives spans and shows them in a browser, both on 127.0.0.1.
#[derive(Debug, Parser)]
struct Ports {
    /// The port that receives spans (OTLP over gRPC).
    #[arg(long, env = "OTLP_PORT")]
    otlp_port: u16,
    /// The port of the web page that shows them.
    #[arg(long, env = "PORT")]
    port: u16,
}

#[tokio::main]
async fn main() -> Result<()> {
    let ports = Ports::parse();
    let process = Process::new();
    let state = State::new(Config { max_length: MAX_TRACES, max_memory_usage: usize::MAX });
    let local = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let receiver = TraceServiceServer::new(Receiver::new(TraceServiceImpl::new(state.clone())));
    let (address, shutdown) = (local(ports.otlp_port), process.shutdown());
    process.spawn("trace receiver", async move {
        tonic::transport::Server::builder()
            .add_service(receiver)
            .serve_with_shutdown(address, shutdown.cancelled_owned())
            .await
    });
    let page = runtime::http::serve(local(ports.port), ui_app(state, "/"), process.shutdown());
    process.spawn("trace viewer", page);
    Ok(process.wait().await?)
}
