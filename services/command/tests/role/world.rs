//! A running role with its surrounding services.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use answers::{LocationLink, LocationName, Navigation, PropertyItem, Site};
use axum::{
    Json, Router,
    extract::{Path, State},
    response::IntoResponse,
    routing::{get, post},
};
use chrono::DateTime;
use clap::Parser;
use command::Clock;
use contracts::{
    Locale, Sequence,
    content::{ListingStatus, PropertyKind, PropertyType},
};
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

/// The items that the content service received, by id.
pub type Items = Arc<Mutex<HashMap<String, Value>>>;

/// One role and its surrounding services.
pub struct World {
    pub mails: Mails,
    pub items: Items,
    pub database: Database,
    pub pool: PgPool,
    pub url: String,
    pub process: Process,
    pub nats: Nats,
    /// The role's clock, which tests can set.
    pub clock: Clock,
    arguments: Vec<String>,
    _around: Process,
}

impl World {
    /// Starts the services and the role.
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
        world.start_role().await;
        world
    }

    /// Returns the role's configuration.
    pub fn config(&self) -> command::Config {
        let mut config = Arguments::parse_from(&self.arguments).config;
        config.clock = self.clock.clone();
        config
    }

    /// Starts the role (again, after its process ended).
    pub async fn start_role(&mut self) {
        self.start_role_with(self.config()).await;
    }

    /// Starts the role with `config`.
    pub async fn start_role_with(&mut self, config: command::Config) {
        self.process = Operator::process();
        command::run(config, &self.process).await.expect("the role runs");
        let health = self.process.health().clone();
        eventually("the role is ready", async || health.failing().is_empty().then_some(())).await;
    }

    /// Sends `enquiry` with the idempotency `key`.
    pub async fn send(&self, enquiry: &Value, key: Option<&str>) -> (StatusCode, Value) {
        let request = reqwest::Client::new().post(format!("{}/api/enquiries", self.url));
        let request = match key {
            Some(key) => request.header("idempotency-key", key),
            None => request,
        };
        let answer = request.json(enquiry).send().await.expect("an answer");
        (answer.status(), answer.json().await.expect("JSON"))
    }

    /// Waits until no job is due.
    pub async fn settled(&self) {
        self.wait_for_count(0, "visitor.job where state = 'due'").await;
    }

    /// Waits until a transaction is blocked by a lock.
    pub async fn wait_for_blocked_lock(&self) {
        eventually("a transaction is blocked by a lock", async || {
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

    /// Waits until every event is published.
    pub async fn published(&self) {
        self.wait_for_count(0, "visitor.event where published_at is null").await;
    }

    /// Counts the rows of `what`, a table with an optional condition.
    pub async fn count(&self, what: &str) -> i64 {
        let count = sqlx::query_scalar(sqlx::AssertSqlSafe(format!("select count(*) from {what}")));
        count.fetch_one(&self.pool).await.expect("postgres answers")
    }

    /// Waits until there are `count` rows of `what`.
    pub async fn wait_for_count(&self, count: i64, what: &str) {
        let is_so = async || (self.count(what).await == count).then_some(());
        eventually(&format!("{count} of {what}"), is_so).await;
    }

    /// Makes all waiting jobs due now, except for those that are in flight.
    pub async fn make_jobs_due(&self) {
        self.set_jobs("due_at = now() where lease_until is null or lease_until < now()").await;
    }

    /// Ends the leases of a process that has ended.
    pub async fn end_leases(&self) {
        self.set_jobs("due_at = now(), lease_until = null").await;
    }

    async fn set_jobs(&self, change: &str) {
        let change = AssertSqlSafe(format!("update visitor.job set {change}"));
        sqlx::query(change).execute(&self.pool).await.expect("postgres answers");
    }

    /// Returns the mails to `address`, oldest first.
    pub fn mails_to(&self, address: &str) -> Vec<Mail> {
        let mut mails = self.mails.all();
        mails.reverse();
        mails.into_iter().filter(|mail| mail.to.iter().any(|to| to == address)).collect()
    }
}

/// Returns a clock that starts at `now`, whenever the tests run.
fn clock(now: &str) -> Clock {
    let clock = Clock::default();
    clock.set(now.parse().expect("a time"));
    clock
}

/// Returns the part of `text` after `mark`, up to the next space.
pub fn after(text: &str, mark: &str) -> String {
    let (_, rest) = text.split_once(mark).expect("a link");
    rest.split_whitespace().next().unwrap_or_default().to_owned()
}

/// Returns a general enquiry by Ann.
pub fn enquiry() -> Value {
    json!({
        "kind": "general", "name": "Ann Lee", "email": "ann@x.example", "locale": "en",
        "message": "Is there a lift in the house?", "privacyAccepted": true,
    })
}

async fn home(Path(reference): Path<String>) -> impl IntoResponse {
    if reference != "AH-1042" {
        return StatusCode::NOT_FOUND.into_response();
    }
    Json(PropertyItem {
        url: format!("/property-for-sale/nerja/{reference}"),
        reference,
        title: "House with a patio".to_owned(),
        summary: String::new(),
        language: Locale::En,
        location: LocationName { slug: "nerja".to_owned(), name: "Nerja".to_owned() },
        property_type: PropertyType::House,
        kind: PropertyKind::Townhouse,
        status: ListingStatus::ForSale,
        price: Some(385_000),
        previous_price: None,
        bedrooms: None,
        bathrooms: None,
        built_area: None,
        plot_area: None,
        features: Vec::new(),
        featured: false,
        reduced: false,
        new_build: false,
        energy: None,
        published_at: DateTime::UNIX_EPOCH,
        updated_at: DateTime::UNIX_EPOCH,
        coordinates: None,
        images: Vec::new(),
    })
    .into_response()
}

/// Returns a site with two places and without opening hours.
async fn site() -> impl IntoResponse {
    let locations = ["maro", "nerja"].map(|slug| LocationLink {
        slug: slug.to_owned(),
        name: slug.to_owned(),
        part_of: None,
    });
    Json(Site {
        settings: None,
        navigation: Navigation::default(),
        locations: locations.into(),
        sequence: Sequence::START,
    })
}

/// Responds like Directus to a token that may only create items.
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

/// Returns no states, which these tests do not use.
async fn states() -> impl IntoResponse {
    Json(json!({ "data": [] }))
}

/// Deletes the items whose ids are in the query. No item here is old.
async fn delete(State(items): State<Items>, Json(query): Json<Value>) -> StatusCode {
    let ids = query["query"]["filter"]["id"]["_in"].as_array().cloned().unwrap_or_default();
    let mut items = items.lock().expect("nobody panicked");
    items.retain(|id, _| !ids.iter().any(|given| given == id));
    StatusCode::NO_CONTENT
}

/// Serves `router` while the test runs. Returns its address.
pub async fn serve(router: Router) -> String {
    let address = SocketAddr::from(([127, 0, 0, 1], free_port().expect("a free port")));
    tokio::spawn(runtime::http::serve(address, router, CancellationToken::new()));
    eventually("it listens", async || TcpStream::connect(address).await.ok()).await;
    format!("http://{address}")
}
