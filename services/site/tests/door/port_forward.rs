//! A port that forwards to another one, like the name of a service.

use std::{
    net::Ipv4Addr,
    sync::{
        Arc,
        atomic::{AtomicU16, Ordering},
    },
};

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    task::{AbortHandle, JoinSet},
};

/// Forwards connections until it is cut.
#[derive(Debug)]
pub struct PortForward {
    pub port: u16,
    to: Arc<AtomicU16>,
    task: AbortHandle,
}

impl PortForward {
    /// Starts forwarding to `port`.
    pub async fn to(port: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
        let own = listener.local_addr().expect("an address").port();
        let to = Arc::new(AtomicU16::new(port));
        let task = tokio::spawn(forward(listener, to.clone())).abort_handle();
        Self { port: own, to, task }
    }

    /// Forwards new connections to `port`.
    pub fn redirect_to(&self, port: u16) {
        self.to.store(port, Ordering::SeqCst);
    }

    /// Stops forwarding, and closes all connections.
    pub fn cut(&self) {
        self.task.abort();
    }
}

impl Drop for PortForward {
    fn drop(&mut self) {
        self.cut();
    }
}

async fn forward(listener: TcpListener, to: Arc<AtomicU16>) {
    // The connections end when this task ends.
    let mut connections = JoinSet::new();
    while let Ok((mut incoming, _)) = listener.accept().await {
        let port = to.load(Ordering::SeqCst);
        connections.spawn(async move {
            if let Ok(mut outgoing) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await {
                let _ended = copy_bidirectional(&mut incoming, &mut outgoing).await;
            }
        });
    }
}
