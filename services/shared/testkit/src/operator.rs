//! An operator, who calls a role on its health port.

use std::{net::SocketAddr, time::Duration};

use local_servers::free_port;
use reqwest::{Method, RequestBuilder, StatusCode};
use runtime::{Process, admin::AdminToken};
use serde_json::Value;

use crate::eventually;

/// What the operators of tests know.
pub const ADMIN_TOKEN: &str = "a-token-for-operators";

const ANSWER_LIMIT: Duration = Duration::from_mins(1);

/// One who calls the role of one process.
#[derive(Clone, Debug)]
pub struct Operator {
    client: reqwest::Client,
    url: String,
}

impl Operator {
    /// A process that answers whoever knows [`ADMIN_TOKEN`].
    pub fn process() -> Process {
        let token = AdminToken::parse(&ADMIN_TOKEN.into()).expect("it is long enough");
        Process::new().with_admin(Some(token))
    }

    /// Opens the health port of `process`, until that ends.
    pub async fn of(process: &Process) -> Self {
        let address = SocketAddr::from(([127, 0, 0, 1], free_port().expect("a free port")));
        let serving = runtime::http::serve(address, process.router(), process.shutdown());
        process.spawn("health", serving);
        eventually("the health port being open", async || {
            tokio::net::TcpStream::connect(address).await.ok()
        })
        .await;
        // Of the crates that are tested none installs a provider; a binary's main does.
        runtime::install_crypto_provider();
        let client = reqwest::Client::builder()
            .timeout(ANSWER_LIMIT)
            .pool_max_idle_per_host(0)
            .build()
            .expect("a client");
        Self { client, url: format!("http://{address}") }
    }

    /// What is answered to a GET of `path`.
    pub async fn get(&self, path: &str) -> Value {
        let (status, answer) = self.ask(path, Some(ADMIN_TOKEN)).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        answer
    }

    /// The same for who knows `token`, and the status.
    pub async fn ask(&self, path: &str, token: Option<&str>) -> (StatusCode, Value) {
        Self::answer(self.request(Method::GET, path), token).await
    }

    /// What is answered to a POST of `body` to `path`.
    pub async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        Self::answer(self.request(Method::POST, path).json(body), Some(ADMIN_TOKEN)).await
    }

    /// The same where it has to be done; gives what is said of it.
    pub async fn act(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.post(path, body).await;
        assert!(status.is_success(), "{path}: {status} {answer}");
        answer
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
