//! What stands in for the roles: their health ports, with answers of a test's own.

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

/// A role's health port.
#[derive(Clone, Debug, Default)]
pub struct Role {
    answers: Arc<Mutex<HashMap<String, (StatusCode, Value)>>>,
    asked: Arc<Mutex<Vec<String>>>,
    held: Arc<Mutex<Option<Held>>>,
}

/// The path that is answered only once it is let go.
type Held = (String, Arc<Notify>);

impl Role {
    /// Starts one; gives its address too.
    pub fn start() -> (Self, String) {
        let role = Self::default();
        role.answer("/readyz", StatusCode::OK, json!({ "ready": true, "failing": {} }));
        let port = local_servers::free_port().expect("a free port");
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let router = Router::new().fallback(answer).with_state(role.clone());
        tokio::spawn(runtime::http::serve(address, router, CancellationToken::new()));
        (role, format!("http://{address}"))
    }

    /// Answers `path` so from now on.
    pub fn answer(&self, path: &str, status: StatusCode, body: Value) {
        let mut answers = self.answers.lock().expect("nobody panicked");
        answers.insert(path.to_owned(), (status, body));
    }

    /// Holds what it answers at `path` back until what is given is notified.
    pub fn hold(&self, path: &str) -> Arc<Notify> {
        let let_go = Arc::new(Notify::new());
        let mut held = self.held.lock().expect("nobody panicked");
        *held = Some((path.to_owned(), let_go.clone()));
        let_go
    }

    /// What it was asked to do: the path and the body of each POST.
    pub fn done(&self) -> Vec<String> {
        let asked = self.asked.lock().expect("nobody panicked");
        asked.iter().filter_map(|asked| asked.strip_prefix("POST ")).map(str::to_owned).collect()
    }

    /// What it was asked to show, but for what the console asks by itself.
    pub fn shown(&self) -> Vec<String> {
        let asked = self.asked.lock().expect("nobody panicked");
        let shown = asked.iter().filter_map(|asked| asked.strip_prefix("GET "));
        shown.filter(|path| *path != "/admin/state").map(str::to_owned).collect()
    }
}

async fn answer(State(role): State<Role>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let path = head.uri.path().to_owned();
    let body: Bytes = axum::body::to_bytes(body, 1 << 20).await.expect("it is small");
    if path.starts_with("/admin/") {
        let bearer = head.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        if bearer != Some(&format!("Bearer {TOKEN}")) {
            return StatusCode::UNAUTHORIZED.into_response();
        }
        let whole = head.uri.path_and_query().map_or("", |whole| whole.as_str());
        let asked = format!("{} {whole} {}", head.method, String::from_utf8_lossy(&body));
        role.asked.lock().expect("nobody panicked").push(asked.trim_end().to_owned());
    } else {
        assert!(head.headers.get(header::AUTHORIZATION).is_none(), "{path} is told the token");
    }
    let waits = role.held.lock().expect("nobody panicked").clone();
    if let Some((_, let_go)) = waits.filter(|(held, _)| *held == path) {
        let_go.notified().await;
    }
    let answers = role.answers.lock().expect("nobody panicked");
    match answers.get(&path) {
        Some((status, Value::String(text))) => (*status, text.clone()).into_response(),
        Some((status, body)) => (*status, axum::Json(body.clone())).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
