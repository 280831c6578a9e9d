//! The name of a service: each new connection goes to the next of its processes that takes it, as with
//! a `Service` of Kubernetes or a name of Compose that has several addresses; or to the first that does.
//! Unlike Kubernetes it knows of no readiness, which makes it harder for who asks.

use std::sync::Arc;

use anyhow::Result;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    task::AbortHandle,
};

/// A port that leads to whichever of several ports takes connections.
pub struct Service {
    pub port: u16,
    accepting: AbortHandle,
}

impl Service {
    /// Connections go to `ports` in turn.
    pub async fn turn_by_turn(ports: Vec<u16>) -> Result<Self> {
        Self::start(ports, 1).await
    }

    /// Connections go to the first of `ports` that takes them.
    pub async fn first_of(ports: Vec<u16>) -> Result<Self> {
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

/// Passes `stream` on; where nobody takes it, it ends.
async fn forward(mut stream: TcpStream, ports: Arc<[u16]>, first: usize) {
    for offset in 0..ports.len() {
        let port = ports[(first + offset) % ports.len()];
        if let Ok(mut taken) = TcpStream::connect(("127.0.0.1", port)).await {
            // Who is killed ends what is open, which its client notices.
            let _ended = copy_bidirectional(&mut stream, &mut taken).await;
            return;
        }
    }
}
