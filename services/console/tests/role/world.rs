//! The console, running, and browsers of operators.

use std::fs;

use clap::Parser;
use console::Made;
use http::{Method, StatusCode, header};
use runtime::Process;
use serde_json::{Value, json};
use sqlx::PgPool;
use tempfile::TempDir;
use testkit::{Database, eventually};
use totp_rs::Totp;

use crate::roles::{Role, TOKEN};

/// A password that nobody guesses.
pub const PASSWORD: &str = "ganso-teja-limonero";

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    config: console::Config,
}

/// Everything around one console.
pub struct World {
    pub database: Database,
    pub pool: PgPool,
    pub url: String,
    pub sync: Role,
    pub query: Role,
    /// Two doors.
    pub sites: [Role; 2],
    pub process: Process,
    arguments: Vec<String>,
    _assets: TempDir,
}

/// A browser, or what asks like one.
#[derive(Clone)]
pub struct Browser {
    url: String,
    client: reqwest::Client,
    pub cookie: Option<String>,
    /// Headers that it sends beside.
    pub headers: Vec<(&'static str, String)>,
}

/// What was answered.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: header::HeaderMap,
    pub text: String,
}

impl World {
    /// Starts it with `more` arguments.
    pub async fn start(more: &[&str]) -> Self {
        runtime::install_crypto_provider();
        let database = testkit::postgres().await.database("console").await;
        let assets = TempDir::with_prefix("almijara-console-").expect("a folder");
        fs::create_dir(assets.path().join("assets")).expect("a folder");
        fs::write(assets.path().join("index.html"), "<!doctype html><title>Console</title>")
            .expect("a file");
        fs::write(assets.path().join("assets/app-1a2b.js"), "export {}").expect("a file");
        let (sync, sync_url) = Role::start();
        let (projections, projections_url) = Role::start();
        let (query, query_url) = Role::start();
        let (command, command_url) = Role::start();
        let (site, site_url) = Role::start();
        let (other_site, other_site_url) = Role::start();
        for role in [&projections, &command] {
            role.answer("/admin/state", StatusCode::OK, json!({}));
        }
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
            // While one takes the other's place, the first is used.
            arguments.push(format!("--{role}-admin-token={TOKEN},a-token-of-before"));
        }
        if !more.iter().any(|argument| argument.starts_with("--console-url=")) {
            arguments.push(format!("--console-url=http://localhost:{port}"));
        }
        arguments.extend(more.iter().map(|argument| (*argument).to_owned()));
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
        world.open().await;
        world
    }

    /// Starts the console, or starts it again.
    pub async fn open(&mut self) {
        self.process = Process::new();
        let config = Arguments::parse_from(&self.arguments).config;
        console::run(config, &self.process).await.expect("the console runs");
        let health = self.process.health().clone();
        eventually("the console is ready", async || health.failing().is_empty().then_some(()))
            .await;
    }

    /// An account of `name`; gives what its codes are made of.
    pub async fn operator(&self, name: &str, may_act: bool) -> Totp {
        let made = console::add(&self.pool, name, PASSWORD.to_owned(), may_act).await;
        codes(&made.expect("the account can be made"))
    }

    /// A browser that nobody is signed in with.
    pub fn browser(&self) -> Browser {
        Browser {
            url: self.url.clone(),
            client: reqwest::Client::new(),
            cookie: None,
            headers: vec![("sec-fetch-site", "same-origin".to_owned())],
        }
    }

    /// A browser in which an operator called `name` is signed in.
    pub async fn signed_in(&self, name: &str, may_act: bool) -> Browser {
        let codes = self.operator(name, may_act).await;
        let mut browser = self.browser();
        let answer = browser.sign_in(name, PASSWORD, &codes.generate_current().to_string()).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        browser
    }

    /// The audit trail, the oldest first: who, what, to what, outcome.
    pub async fn trail(&self) -> Vec<[String; 4]> {
        let lines: Vec<(String, String, String, String)> = sqlx::query_as(
            "select operator, action, target, outcome from operator.audit order by id",
        )
        .fetch_all(&self.pool)
        .await
        .expect("postgres answers");
        lines.into_iter().map(|(who, what, target, outcome)| [who, what, target, outcome]).collect()
    }
}

impl Browser {
    /// Signs in, and keeps the cookie.
    pub async fn sign_in(&mut self, name: &str, password: &str, code: &str) -> Answer {
        let body = json!({ "name": name, "password": password, "code": code });
        let answer = self.ask(Method::POST, "/api/session", Some(body)).await;
        if let Some(cookie) = answer.headers.get(header::SET_COOKIE) {
            let cookie = cookie.to_str().expect("plain letters");
            self.cookie = cookie.split(';').next().map(str::to_owned);
        }
        answer
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.ask(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.ask(Method::POST, path, Some(body)).await
    }

    pub async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let answer = self.send(method, path, body).await;
        let (status, headers) = (answer.status(), answer.headers().clone());
        Answer { status, headers, text: answer.text().await.expect("a text") }
    }

    /// The same, to be read bit by bit.
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
    /// As JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// One of its headers.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// What an authenticator makes its codes of.
pub fn codes(made: &Made) -> Totp {
    assert!(made.url.contains(&made.secret), "{made:?}");
    Totp::from_url(&made.url).expect("an authenticator reads it")
}
