//! Simulates the name of a service: each new connection goes to the next of its processes that accepts
//! it, as with a `Service` of Kubernetes or a Compose name with several addresses, or to the first one
//! that does. Unlike Kubernetes, it ignores readiness, which is harder for clients.

use std::sync::Arc;

use anyhow::Result;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    task::AbortHandle,
};

/// A port that forwards to one of several ports that accepts the connection.
pub struct Service {
    pub port: u16,
    accepting: AbortHandle,
}

impl Service {
    /// Forwards connections to `ports` in turn.
    pub async fn round_robin(ports: Vec<u16>) -> Result<Self> {
        Self::start(ports, 1).await
    }

    /// Forwards connections to the first of `ports` that accepts them.
    pub async fn first_available(ports: Vec<u16>) -> Result<Self> {
        Self::start(ports, 0).await
    }

    async fn start(ports: Vec<u16>, step: usize) -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        let ports: Arc<[u16]> = ports.into();
        let accepting = tokio::spawn(async move {
            let mut first = 0;
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(forward(stream, ports.clone(), first));
                first += step;
            }
        });
        Ok(Self { port, accepting: accepting.abort_handle() })
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Forwards `stream`. Closes it if no port accepts a connection.
async fn forward(mut stream: TcpStream, ports: Arc<[u16]>, first: usize) {
    for offset in 0..ports.len() {
        let port = ports[(first + offset) % ports.len()];
        if let Ok(mut taken) = TcpStream::connect(("127.0.0.1", port)).await {
            // A killed process closes the connection, which the client notices.
            let _ended = copy_bidirectional(&mut stream, &mut taken).await;
            return;
        }
    }
}
