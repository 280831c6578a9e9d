//! A client for the admin calls of a role.

use std::{net::SocketAddr, time::Duration};

use local_servers::free_port;
use reqwest::{Method, RequestBuilder, StatusCode};
use runtime::{Process, admin::AdminToken};
use serde_json::Value;

use crate::eventually;

/// The admin token in tests.
pub const ADMIN_TOKEN: &str = "a-token-for-operators";

const ANSWER_TIMEOUT: Duration = Duration::from_mins(1);

/// A client of one process.
#[derive(Clone, Debug)]
pub struct Operator {
    client: reqwest::Client,
    url: String,
}

impl Operator {
    /// Creates a process that accepts admin calls with [`ADMIN_TOKEN`].
    pub fn process() -> Process {
        let token = AdminToken::parse(&ADMIN_TOKEN.into()).expect("it is long enough");
        Process::new().with_admin(Some(token))
    }

    /// Serves the health port of `process` until that ends, and returns a client for it.
    pub async fn of(process: &Process) -> Self {
        let address = SocketAddr::from(([127, 0, 0, 1], free_port().expect("a free port")));
        let serving = runtime::http::serve(address, process.router(), process.shutdown());
        process.spawn("health", serving);
        eventually("the health port being open", async || {
            tokio::net::TcpStream::connect(address).await.ok()
        })
        .await;
        // The tested crates install no crypto provider; only the `main` of a binary does.
        runtime::install_crypto_provider();
        let client = reqwest::Client::builder()
            .timeout(ANSWER_TIMEOUT)
            .pool_max_idle_per_host(0)
            .build()
            .expect("a client");
        Self { client, url: format!("http://{address}") }
    }

    /// Sends a GET of `path`, which has to succeed, and returns the body.
    pub async fn get(&self, path: &str) -> Value {
        let (status, answer) = self.ask(path, Some(ADMIN_TOKEN)).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        answer
    }

    /// Sends a GET of `path` with `token`, and returns the status and the body.
    pub async fn ask(&self, path: &str, token: Option<&str>) -> (StatusCode, Value) {
        Self::answer(self.request(Method::GET, path), token).await
    }

    /// Sends a POST of `body` to `path`, and returns the status and the body.
    pub async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        Self::answer(self.request(Method::POST, path).json(body), Some(ADMIN_TOKEN)).await
    }

    /// Sends a POST of `body` to `path`, which has to succeed, and returns the body.
    pub async fn act(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.post(path, body).await;
        assert!(status.is_success(), "{path}: {status} {answer}");
        answer
    }

    /// Returns the value of the metric `name`, which includes its labels, or `None` if it has no value.
    /// All roles of a test program share their metrics, and record them after
    /// [`runtime::metrics::install`].
    pub async fn metric(&self, name: &str) -> Option<f64> {
        let answer = self.request(Method::GET, "/metrics").send().await.expect("the role answers");
        let text = answer.text().await.expect("text");
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
        // An exemplar may follow.
        value.split(' ').next()?.parse().ok()
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url))
    }

    async fn answer(request: RequestBuilder, token: Option<&str>) -> (StatusCode, Value) {
        let request = match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        let answer = request.send().await.expect("the role answers");
        (answer.status(), answer.json().await.unwrap_or_default())
    }
}
