//! The role, running, and what is around it.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use axum::{
    Json, Router,
    extract::{Path, State},
    response::IntoResponse,
    routing::{get, post},
};
use clap::Parser;
use command::Clock;
use http::StatusCode;
use local_servers::free_port;
use mail_catcher::{Mail, Mails};
use runtime::Process;
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgPool};
use testkit::{Database, Nats, Operator, eventually};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    config: command::Config,
}

/// What the content service was given, by id.
pub type Items = Arc<Mutex<HashMap<String, Value>>>;

/// Everything around one role.
pub struct World {
    pub mails: Mails,
    pub items: Items,
    pub database: Database,
    pub pool: PgPool,
    pub url: String,
    pub process: Process,
    pub nats: Nats,
    /// Of the role, to be set.
    pub clock: Clock,
    arguments: Vec<String>,
    _around: Process,
}

impl World {
    /// Starts it.
    pub async fn start() -> Self {
        runtime::install_crypto_provider();
        let database = testkit::postgres().await.database("command").await;
        let nats = Nats::start().await;
        let around = Process::new();
        let (mails, items) = (Mails::default(), Items::default());
        let (smtp, page) = (free_port().expect("a free port"), free_port().expect("a free port"));
        mail_catcher::start(mails.clone(), smtp, page, &around).await.expect("mail is taken");
        let query = Router::new()
            .route("/api/properties/{reference}", get(home))
            .route("/api/site", get(site));
        let query = serve(query).await;
        let items_of = post(create).get(states).delete(delete);
        let items_of = Router::new().route("/items/enquiries", items_of);
        let content = serve(items_of.with_state(items.clone())).await;
        let port = free_port().expect("a free port");
        let arguments = vec![
            "command".to_owned(),
            format!("--database-url={}", database.plain_url()),
            format!("--nats-url={}", nats.url().expose_secret()),
            format!("--query-url={query}"),
            "--public-url=https://almijara.example".to_owned(),
            format!("--smtp-url=smtp://127.0.0.1:{smtp}"),
            "--mail-from=Almijara Homes <homes@almijara.example>".to_owned(),
            "--office-email=office@almijara.example".to_owned(),
            format!("--content-url={content}"),
            "--enquiries-token=a-token".to_owned(),
            "--enquiries-erase-token=another-token".to_owned(),
            "--enquiries-secret=a-secret-of-a-test".to_owned(),
            "--bounce-address=bounce@mail.almijara.example".to_owned(),
            "--bounces-secret=a-secret-for-bounces".to_owned(),
            format!("--port={port}"),
        ];
        let pool = PgPool::connect(database.plain_url()).await.expect("postgres answers");
        let mut world = Self {
            mails,
            items,
            database,
            pool,
            url: format!("http://127.0.0.1:{port}"),
            process: Process::new(),
            nats,
            clock: clock("2026-11-24T11:00:00Z"),
            arguments,
            _around: around,
        };
        world.open().await;
        world
    }

    /// As it is told what to do.
    pub fn config(&self) -> command::Config {
        let mut config = Arguments::parse_from(&self.arguments).config;
        config.clock = self.clock.clone();
        config
    }

    /// Starts the role again, after its process ended.
    pub async fn open(&mut self) {
        self.open_as(self.config()).await;
    }

    /// Starts it as `config` says.
    pub async fn open_as(&mut self, config: command::Config) {
        self.process = Operator::process();
        command::run(config, &self.process).await.expect("the role runs");
        let health = self.process.health().clone();
        eventually("the role is ready", async || health.failing().is_empty().then_some(())).await;
    }

    /// Sends `enquiry` with `key`.
    pub async fn send(&self, enquiry: &Value, key: Option<&str>) -> (StatusCode, Value) {
        let request = reqwest::Client::new().post(format!("{}/api/enquiries", self.url));
        let request = match key {
            Some(key) => request.header("idempotency-key", key),
            None => request,
        };
        let answer = request.json(enquiry).send().await.expect("an answer");
        (answer.status(), answer.json().await.expect("JSON"))
    }

    /// Waits until nothing is left to do.
    pub async fn settled(&self) {
        self.comes_to(0, "visitor.job where state = 'due'").await;
    }

    /// Waits until somebody waits for a lock.
    pub async fn waits_for_a_lock(&self) {
        eventually("somebody waits for a lock", async || {
            let waiting: i64 = sqlx::query_scalar(
                "select count(*) from pg_stat_activity
                 where datname = current_database() and wait_event_type = 'Lock'",
            )
            .fetch_one(&self.pool)
            .await
            .expect("postgres answers");
            (waiting > 0).then_some(())
        })
        .await;
    }

    /// Waits until every event is on the stream.
    pub async fn published(&self) {
        self.comes_to(0, "visitor.event where published_at is null").await;
    }

    /// How many rows there are of `what`.
    pub async fn count(&self, what: &str) -> i64 {
        let count = sqlx::query_scalar(sqlx::AssertSqlSafe(format!("select count(*) from {what}")));
        count.fetch_one(&self.pool).await.expect("postgres answers")
    }

    /// Waits until there are `count` of `what`.
    pub async fn comes_to(&self, count: i64, what: &str) {
        let is_so = async || (self.count(what).await == count).then_some(());
        eventually(&format!("{count} of {what}"), is_so).await;
    }

    /// Has all that waits for a later try done now; what is being done stays with who does it.
    pub async fn hurry(&self) {
        self.set_jobs("due_at = now() where lease_until is null or lease_until < now()").await;
    }

    /// Ends the leases of a process that is no more.
    pub async fn end_leases(&self) {
        self.set_jobs("due_at = now(), lease_until = null").await;
    }

    async fn set_jobs(&self, change: &str) {
        let change = AssertSqlSafe(format!("update visitor.job set {change}"));
        sqlx::query(change).execute(&self.pool).await.expect("postgres answers");
    }

    /// The mails to `address`, oldest first.
    pub fn mails_to(&self, address: &str) -> Vec<Mail> {
        let mut mails = self.mails.all();
        mails.reverse();
        mails.into_iter().filter(|mail| mail.to.iter().any(|to| to == address)).collect()
    }
}

/// One that says `now`, whenever the tests run.
fn clock(now: &str) -> Clock {
    let clock = Clock::default();
    clock.set(now.parse().expect("a time"));
    clock
}

/// What stands in `text` after `mark`, up to the next space.
pub fn after(text: &str, mark: &str) -> String {
    let (_, rest) = text.split_once(mark).expect("a link");
    rest.split_whitespace().next().unwrap_or_default().to_owned()
}

/// A general enquiry of Ann's.
pub fn enquiry() -> Value {
    json!({
        "kind": "general", "name": "Ann Lee", "email": "ann@x.example", "locale": "en",
        "message": "Is there a lift in the house?", "privacyAccepted": true,
    })
}

async fn home(Path(reference): Path<String>) -> impl IntoResponse {
    match reference.as_str() {
        "AH-1042" => Json(json!({
            "title": "House with a patio", "price": 385_000,
            "url": "/property-for-sale/nerja/AH-1042",
        }))
        .into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Two places, and an office that never opens.
async fn site() -> impl IntoResponse {
    let places = ["maro", "nerja"].map(|slug| json!({ "slug": slug, "name": slug }));
    Json(json!({ "settings": { "openingHours": [] }, "locations": places }))
}

/// As a Directus answers a token that may create and nothing else.
async fn create(State(items): State<Items>, Json(item): Json<Value>) -> impl IntoResponse {
    let id = item["id"].as_str().expect("an id").to_owned();
    let mut items = items.lock().expect("nobody panicked");
    if items.contains_key(&id) {
        let error = json!({ "errors": [{ "extensions": { "code": "RECORD_NOT_UNIQUE" } }] });
        return (StatusCode::BAD_REQUEST, Json(error)).into_response();
    }
    items.insert(id, item);
    StatusCode::NO_CONTENT.into_response()
}

/// Where each stands is not what these tests are about.
async fn states() -> impl IntoResponse {
    Json(json!({ "data": [] }))
}

/// Deletes those that the query names by their ids; none of ours is old.
async fn delete(State(items): State<Items>, Json(query): Json<Value>) -> StatusCode {
    let ids = query["query"]["filter"]["id"]["_in"].as_array().cloned().unwrap_or_default();
    let mut items = items.lock().expect("nobody panicked");
    items.retain(|id, _| !ids.iter().any(|given| given == id));
    StatusCode::NO_CONTENT
}

/// Serves `router`, for as long as the test lasts; at what address.
pub async fn serve(router: Router) -> String {
    let address = SocketAddr::from(([127, 0, 0, 1], free_port().expect("a free port")));
    tokio::spawn(runtime::http::serve(address, router, CancellationToken::new()));
    eventually("it listens", async || TcpStream::connect(address).await.ok()).await;
    format!("http://{address}")
}
