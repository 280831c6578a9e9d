//! A webhook receiver in place of sync, which stores the webhooks.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
};

use axum::{Json, Router, extract::State, http::HeaderMap, http::StatusCode, routing::post};
use serde_json::Value;
use tokio::net::TcpListener;
use url::Url;

use super::WEBHOOK_SECRET;

/// The received webhooks.
#[derive(Clone, Default)]
pub struct Receiver {
    bodies: Arc<Mutex<Vec<Value>>>,
}

impl Receiver {
    /// Starts on the current runtime; returns the address to post to.
    pub async fn start() -> (Self, Url) {
        let receiver = Self::default();
        let router =
            Router::new().route("/webhooks/content", post(receive)).with_state(receiver.clone());
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))
            .await
            .expect("a free port");
        let address = listener.local_addr().expect("it listens");
        tokio::spawn(async move { axum::serve(listener, router).await });
        let url = format!("http://{address}/webhooks/content").parse().expect("an address");
        (receiver, url)
    }

    /// Returns the first webhook that `matches`.
    pub fn find(&self, matches: impl Fn(&Value) -> bool) -> Option<Value> {
        let bodies = self.bodies.lock().unwrap_or_else(PoisonError::into_inner);
        bodies.iter().find(|body| matches(body)).cloned()
    }
}

/// Stores a webhook with the right secret, and refuses all others.
async fn receive(
    State(receiver): State<Receiver>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> StatusCode {
    let expected = format!("Bearer {WEBHOOK_SECRET}");
    if headers.get("authorization").is_none_or(|value| value.as_bytes() != expected.as_bytes()) {
        return StatusCode::UNAUTHORIZED;
    }
    receiver.bodies.lock().unwrap_or_else(PoisonError::into_inner).push(body);
    StatusCode::NO_CONTENT
}
