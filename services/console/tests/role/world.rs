//! A running console, with its fake roles and browsers.

use std::fs;

use admin_answers::projections::ProjectionsState;
use clap::Parser;
use console::operators::NewCredentials;
use http::{Method, StatusCode, header};
use runtime::Process;
use serde_json::{Value, json};
use sqlx::PgPool;
use tempfile::TempDir;
use testkit::{Database, eventually};
use totp_rs::Totp;

use crate::fake_role::{FakeRole, TOKEN};

/// A strong password.
pub const PASSWORD: &str = "ganso-teja-limonero";

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    config: console::Config,
}

/// A console and everything that it needs.
pub struct World {
    pub database: Database,
    pub pool: PgPool,
    pub url: String,
    pub sync: FakeRole,
    pub query: FakeRole,
    /// Two doors.
    pub sites: [FakeRole; 2],
    pub process: Process,
    arguments: Vec<String>,
    _assets: TempDir,
}

/// An HTTP client that behaves like a browser.
#[derive(Clone)]
pub struct Browser {
    url: String,
    client: reqwest::Client,
    pub cookie: Option<String>,
    /// Additional headers that it sends.
    pub headers: Vec<(&'static str, String)>,
}

/// A response.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: header::HeaderMap,
    pub text: String,
}

impl World {
    /// Starts the console with `extra` arguments.
    pub async fn start(extra: &[&str]) -> Self {
        runtime::install_crypto_provider();
        let database = testkit::postgres().await.database("console").await;
        let assets = TempDir::with_prefix("almijara-console-").expect("a folder");
        fs::create_dir(assets.path().join("assets")).expect("a folder");
        fs::write(assets.path().join("index.html"), "<!doctype html><title>Console</title>")
            .expect("a file");
        fs::write(assets.path().join("assets/app-1a2b.js"), "export {}").expect("a file");
        let (sync, sync_url) = FakeRole::start();
        let (projections, projections_url) = FakeRole::start();
        let (query, query_url) = FakeRole::start();
        let (_, command_url) = FakeRole::start();
        let (site, site_url) = FakeRole::start();
        let (other_site, other_site_url) = FakeRole::start();
        let state = json!(ProjectionsState::default());
        projections.answer("/admin/state", StatusCode::OK, state);
        let port = local_servers::free_port().expect("a free port");
        let mut arguments = vec![
            "console".to_owned(),
            format!("--database-url={}", database.plain_url()),
            format!("--console-assets={}", assets.path().display()),
            format!("--sync-admin-url={sync_url}"),
            format!("--projections-admin-url={projections_url}"),
            format!("--query-admin-url={query_url}"),
            format!("--command-admin-url={command_url}"),
            format!("--site-admin-url={site_url},{other_site_url}"),
            format!("--port={port}"),
        ];
        for role in ["sync", "projections", "query", "command", "site"] {
            // During a rotation there are two tokens, and the console uses the first.
            arguments.push(format!("--{role}-admin-token={TOKEN},a-token-of-before"));
        }
        if !extra.iter().any(|argument| argument.starts_with("--console-url=")) {
            arguments.push(format!("--console-url=http://localhost:{port}"));
        }
        arguments.extend(extra.iter().map(|argument| (*argument).to_owned()));
        let pool = PgPool::connect(database.plain_url()).await.expect("postgres answers");
        let mut world = Self {
            database,
            pool,
            url: format!("http://127.0.0.1:{port}"),
            sync,
            query,
            sites: [site, other_site],
            process: Process::new(),
            arguments,
            _assets: assets,
        };
        world.start_console().await;
        world
    }

    /// Starts the console, for the first time or again, and waits until it is ready.
    pub async fn start_console(&mut self) {
        self.process = Process::new();
        let config = Arguments::parse_from(&self.arguments).config;
        console::run(config, &self.process).await.expect("the console runs");
        let health = self.process.health().clone();
        eventually("the console is ready", async || health.failing().is_empty().then_some(()))
            .await;
    }

    /// Creates the account `name`; returns its code generator.
    pub async fn operator(&self, name: &str, may_act: bool) -> Totp {
        let made = console::operators::add(&self.pool, name, PASSWORD.to_owned(), may_act).await;
        codes(&made.expect("the account can be made"))
    }

    /// Returns a browser without a session.
    pub fn browser(&self) -> Browser {
        Browser {
            url: self.url.clone(),
            client: reqwest::Client::new(),
            cookie: None,
            headers: vec![("sec-fetch-site", "same-origin".to_owned())],
        }
    }

    /// Creates the operator `name`, and returns a browser in which they are signed in.
    pub async fn signed_in(&self, name: &str, may_act: bool) -> Browser {
        let codes = self.operator(name, may_act).await;
        let mut browser = self.browser();
        let answer = browser.sign_in(name, PASSWORD, &codes.generate_current().to_string()).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        browser
    }

    /// Returns the audit trail, the oldest line first: operator, action, target, outcome.
    pub async fn trail(&self) -> Vec<[String; 4]> {
        let lines: Vec<(String, String, String, String)> = sqlx::query_as(
            "select operator, action, target, outcome from operator.audit order by id",
        )
        .fetch_all(&self.pool)
        .await
        .expect("postgres answers");
        lines
            .into_iter()
            .map(|(operator, action, target, outcome)| [operator, action, target, outcome])
            .collect()
    }
}

impl Browser {
    /// Signs in, and stores the cookie.
    pub async fn sign_in(&mut self, name: &str, password: &str, code: &str) -> Answer {
        let body = json!({ "name": name, "password": password, "code": code });
        let answer = self.request(Method::POST, "/api/session", Some(body)).await;
        if let Some(cookie) = answer.headers.get(header::SET_COOKIE) {
            let cookie = cookie.to_str().expect("plain letters");
            self.cookie = cookie.split(';').next().map(str::to_owned);
        }
        answer
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.request(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.request(Method::POST, path, Some(body)).await
    }

    /// Sends a request, and reads the response.
    pub async fn request(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let answer = self.send(method, path, body).await;
        let (status, headers) = (answer.status(), answer.headers().clone());
        Answer { status, headers, text: answer.text().await.expect("a text") }
    }

    /// Sends a request, and returns the response without reading its body.
    pub async fn send(&self, method: Method, path: &str, body: Option<Value>) -> reqwest::Response {
        let mut request = self.client.request(method, format!("{}{path}", self.url));
        if let Some(cookie) = &self.cookie {
            request = request.header(header::COOKIE, cookie);
        }
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        request.send().await.expect("an answer")
    }
}

impl Answer {
    /// Parses the body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// Returns a header; empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// Returns the code generator of an account, as an authenticator would.
pub fn codes(made: &NewCredentials) -> Totp {
    assert!(made.url.contains(&made.secret), "{made:?}");
    Totp::from_url(&made.url).expect("an authenticator reads it")
}
