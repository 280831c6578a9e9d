//! A fake role: a health port with scripted responses.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::Bytes,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use http::{StatusCode, header};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The token of every role.
pub const TOKEN: &str = "a-token-of-the-roles";

/// The health port of a role. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct FakeRole {
    answers: Arc<Mutex<HashMap<String, (StatusCode, Value)>>>,
    requests: Arc<Mutex<Vec<String>>>,
    held: Arc<Mutex<Option<Held>>>,
}

/// A path whose response is held back until the notification.
type Held = (String, Arc<Notify>);

impl FakeRole {
    /// Starts a role; returns it with its address.
    pub fn start() -> (Self, String) {
        let role = Self::default();
        role.answer("/readyz", StatusCode::OK, json!({ "ready": true, "failing": {} }));
        let port = local_servers::free_port().expect("a free port");
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let router = Router::new().fallback(answer).with_state(role.clone());
        tokio::spawn(runtime::http::serve(address, router, CancellationToken::new()));
        (role, format!("http://{address}"))
    }

    /// Sets the response to `path` from now on.
    pub fn answer(&self, path: &str, status: StatusCode, body: Value) {
        let mut answers = self.answers.lock().expect("nobody panicked");
        answers.insert(path.to_owned(), (status, body));
    }

    /// Holds back the response to `path` until the returned [`Notify`] is notified.
    pub fn hold(&self, path: &str) -> Arc<Notify> {
        let release = Arc::new(Notify::new());
        let mut held = self.held.lock().expect("nobody panicked");
        *held = Some((path.to_owned(), release.clone()));
        release
    }

    /// Returns the path and the body of each POST request to an admin call.
    pub fn posts(&self) -> Vec<String> {
        let requests = self.requests.lock().expect("nobody panicked");
        requests
            .iter()
            .filter_map(|request| request.strip_prefix("POST "))
            .map(str::to_owned)
            .collect()
    }

    /// Returns the path of each GET request to an admin call, except for the state, which the console
    /// polls.
    pub fn gets(&self) -> Vec<String> {
        let requests = self.requests.lock().expect("nobody panicked");
        let paths = requests.iter().filter_map(|request| request.strip_prefix("GET "));
        paths.filter(|path| *path != "/admin/state").map(str::to_owned).collect()
    }
}

async fn answer(State(role): State<FakeRole>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let path = head.uri.path().to_owned();
    let body: Bytes = axum::body::to_bytes(body, 1 << 20).await.expect("it is small");
    if path.starts_with("/admin/") {
        let bearer = head.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        if bearer != Some(&format!("Bearer {TOKEN}")) {
            return StatusCode::UNAUTHORIZED.into_response();
        }
        let path_and_query = head.uri.path_and_query().map_or("", |it| it.as_str());
        let request =
            format!("{} {path_and_query} {}", head.method, String::from_utf8_lossy(&body));
        role.requests.lock().expect("nobody panicked").push(request.trim_end().to_owned());
    } else {
        assert!(head.headers.get(header::AUTHORIZATION).is_none(), "{path} is sent the token");
    }
    let blocked = role.held.lock().expect("nobody panicked").clone();
    if let Some((_, release)) = blocked.filter(|(held_path, _)| *held_path == path) {
        release.notified().await;
    }
    let answers = role.answers.lock().expect("nobody panicked");
    match answers.get(&path) {
        Some((status, Value::String(text))) => (*status, text.clone()).into_response(),
        Some((status, body)) => (*status, axum::Json(body.clone())).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
