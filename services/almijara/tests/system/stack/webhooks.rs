//! A road between the content service and sync on which webhooks are lost, doubled and overtaken.

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

/// What happens to a webhook on the road.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weather {
    /// It arrives.
    Fair,
    /// It is lost.
    Lost,
    /// It arrives ten times, each after a pause of its own, so that others overtake it.
    Stormy,
}

/// The road. Its address goes to the content service; [`Road::leads_to`] sets where it ends.
#[derive(Clone)]
pub struct Road {
    address: SocketAddr,
    state: Arc<RoadState>,
}

struct RoadState {
    weather: Mutex<Weather>,
    destination: Mutex<Option<String>>,
    seen: AtomicUsize,
    client: reqwest::Client,
}

impl Road {
    pub async fn open() -> Result<Self> {
        runtime::install_crypto_provider();
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let state = Arc::new(RoadState {
            weather: Mutex::new(Weather::Fair),
            destination: Mutex::new(None),
            seen: AtomicUsize::new(0),
            client: reqwest::Client::builder().timeout(Duration::from_secs(5)).build()?,
        });
        let router = Router::new().route("/webhooks/content", post(pass)).with_state(state.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { address, state })
    }

    pub fn url(&self) -> String {
        format!("http://{}/webhooks/content", self.address)
    }

    pub fn leads_to(&self, sync_port: u16) {
        let url = format!("http://127.0.0.1:{sync_port}/webhooks/content");
        *self.state.destination.lock().expect("no panic") = Some(url);
    }

    pub fn set(&self, weather: Weather) {
        *self.state.weather.lock().expect("no panic") = weather;
    }

    pub fn seen(&self) -> usize {
        self.state.seen.load(Ordering::Relaxed)
    }
}

async fn pass(State(road): State<Arc<RoadState>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let number = road.seen.fetch_add(1, Ordering::Relaxed);
    let weather = *road.weather.lock().expect("no panic");
    match weather {
        Weather::Lost => return StatusCode::BAD_GATEWAY,
        Weather::Fair => deliver(&road, &headers, body).await,
        Weather::Stormy => {
            for copy in 0..10 {
                let (road, headers, body) = (road.clone(), headers.clone(), body.clone());
                // Spread by number and copy, so that late webhooks overtake early ones.
                let pause = Duration::from_millis(((number * 7 + copy * 37) % 400) as u64);
                tokio::spawn(async move {
                    tokio::time::sleep(pause).await;
                    deliver(&road, &headers, body).await;
                });
            }
        }
    }
    StatusCode::NO_CONTENT
}

async fn deliver(road: &RoadState, headers: &HeaderMap, body: Bytes) {
    let Some(url) = road.destination.lock().expect("no panic").clone() else { return };
    let mut request = road.client.post(url).body(body).header("content-type", "application/json");
    if let Some(authorization) = headers.get("authorization") {
        request = request.header("authorization", authorization);
    }
    // A webhook that sync does not take is lost, as it is with Directus.
    let _lost = request.send().await;
}
