//! A proxy between the content service and sync that loses, duplicates and reorders webhooks.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use anyhow::Result;
use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use tokio::net::TcpListener;

/// How the proxy delivers webhooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Each arrives once.
    Normal,
    /// Each is lost.
    Lost,
    /// Each arrives ten times, after different pauses, so that others overtake it.
    Duplicated,
}

/// The proxy. The content service gets its address; [`WebhookProxy::forward_to`] sets its destination.
#[derive(Clone)]
pub struct WebhookProxy {
    address: SocketAddr,
    state: Arc<ProxyState>,
}

struct ProxyState {
    delivery: Mutex<Delivery>,
    destination: Mutex<Option<String>>,
    received: AtomicUsize,
    client: reqwest::Client,
}

impl WebhookProxy {
    pub async fn open() -> Result<Self> {
        runtime::install_crypto_provider();
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let state = Arc::new(ProxyState {
            delivery: Mutex::new(Delivery::Normal),
            destination: Mutex::new(None),
            received: AtomicUsize::new(0),
            client: reqwest::Client::builder().timeout(Duration::from_secs(5)).build()?,
        });
        let router =
            Router::new().route("/webhooks/content", post(receive)).with_state(state.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { address, state })
    }

    pub fn url(&self) -> String {
        format!("http://{}/webhooks/content", self.address)
    }

    pub fn forward_to(&self, sync_port: u16) {
        let url = format!("http://127.0.0.1:{sync_port}/webhooks/content");
        *self.state.destination.lock().expect("no panic") = Some(url);
    }

    pub fn set_delivery(&self, delivery: Delivery) {
        *self.state.delivery.lock().expect("no panic") = delivery;
    }

    pub fn received(&self) -> usize {
        self.state.received.load(Ordering::Relaxed)
    }
}

async fn receive(
    State(proxy): State<Arc<ProxyState>>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let number = proxy.received.fetch_add(1, Ordering::Relaxed);
    let delivery = *proxy.delivery.lock().expect("no panic");
    match delivery {
        Delivery::Lost => return StatusCode::BAD_GATEWAY,
        Delivery::Normal => deliver(&proxy, &headers, body).await,
        Delivery::Duplicated => {
            for copy in 0..10 {
                let (proxy, headers, body) = (proxy.clone(), headers.clone(), body.clone());
                // The pause depends on number and copy, so that late webhooks overtake early ones.
                let pause = Duration::from_millis(((number * 7 + copy * 37) % 400) as u64);
                tokio::spawn(async move {
                    tokio::time::sleep(pause).await;
                    deliver(&proxy, &headers, body).await;
                });
            }
        }
    }
    StatusCode::NO_CONTENT
}

async fn deliver(proxy: &ProxyState, headers: &HeaderMap, body: Bytes) {
    let Some(url) = proxy.destination.lock().expect("no panic").clone() else { return };
    let mut request = proxy.client.post(url).body(body).header("content-type", "application/json");
    if let Some(authorization) = headers.get("authorization") {
        request = request.header("authorization", authorization);
    }
    // A webhook that sync does not accept is lost, as with Directus.
    let _lost = request.send().await;
}
