//! A port that leads to another, as the name of a service does.

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

/// Leads there until it is cut.
#[derive(Debug)]
pub struct Way {
    pub port: u16,
    to: Arc<AtomicU16>,
    leading: AbortHandle,
}

impl Way {
    /// A way to `port`.
    pub async fn to(port: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
        let own = listener.local_addr().expect("an address").port();
        let to = Arc::new(AtomicU16::new(port));
        let leading = tokio::spawn(lead(listener, to.clone())).abort_handle();
        Self { port: own, to, leading }
    }

    /// Leads to `port` who comes from now on.
    pub fn lead_to(&self, port: u16) {
        self.to.store(port, Ordering::SeqCst);
    }

    /// Ends it, with all that goes by it.
    pub fn cut(&self) {
        self.leading.abort();
    }
}

impl Drop for Way {
    fn drop(&mut self) {
        self.cut();
    }
}

async fn lead(listener: TcpListener, to: Arc<AtomicU16>) {
    // They end with this.
    let mut connections = JoinSet::new();
    while let Ok((mut one, _)) = listener.accept().await {
        let port = to.load(Ordering::SeqCst);
        connections.spawn(async move {
            if let Ok(mut other) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await {
                let _ended = copy_bidirectional(&mut one, &mut other).await;
            }
        });
    }
}
