//! The program as `almijara up` starts it.

use local_servers::{Child, StopSignal, bound_command, free_port};
use testkit::eventually;

#[tokio::test]
async fn it_receives_and_shows_where_it_is_told_to() {
    runtime::install_crypto_provider();
    let (otlp_port, port) = (free_port().expect("a port"), free_port().expect("another"));
    let mut command = bound_command(env!("CARGO_BIN_EXE_trace-viewer"), StopSignal::Terminate);
    command.env("OTLP_PORT", otlp_port.to_string()).env("PORT", port.to_string());
    let _viewer = Child::spawn(command, StopSignal::Terminate).expect("it starts");
    eventually("a page of services", async || {
        let answer = reqwest::get(format!("http://127.0.0.1:{port}/api/services")).await.ok()?;
        answer.status().is_success().then_some(())
    })
    .await;
    let receiver = tokio::net::TcpStream::connect(("127.0.0.1", otlp_port)).await;
    assert!(receiver.is_ok(), "nobody receives spans: {receiver:?}");
}
