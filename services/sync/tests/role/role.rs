//! The complete role under test, over real servers and a fake content service.

use std::{collections::BTreeMap, time::Duration};

use content_client::Client;
use contracts::{Checkpoint, Collection, Event, Sequence};
use event_log::EventLog;
use local_servers::free_port;
use reqwest::{Response, StatusCode};
use runtime::Process;
use secrecy::SecretString;
use serde_json::{Value, json};
use sqlx::{PgPool, Row};
use sync::{
    Config, ContentConfig, Context, Intervals, Ledger, LiveStatusConfig, Parked, ParkedItem,
};
use testkit::{Database, DatabaseCopy, Nats, Operator, Postgres, eventually, postgres};

use crate::content::{FakeContent, TOKEN};

pub const SECRET: &str = "a-secret-for-the-tests";
pub const OTHER_SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// Longer than any test: a timer with this interval never fires.
const NEVER: Duration = Duration::from_hours(150);
/// Only webhooks, and the full comparison at start.
pub const HINTS_ONLY: Intervals = Intervals { activity: NEVER, sweep: NEVER, full: NEVER };

/// The servers and the content service of a test.
pub struct World {
    pub content: FakeContent,
    pub database: Database,
    pub nats: Nats,
    pub pool: PgPool,
}

/// A running role.
pub struct Role {
    pub operator: Operator,
    process: Process,
    port: u16,
    http: reqwest::Client,
}

/// An entry of the ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub aggregate: String,
    pub version: i64,
    pub change: Value,
}

impl World {
    pub async fn new(name: &str) -> Self {
        Self::new_on(postgres().await, name).await
    }

    /// Creates a world on a Postgres server of its own, which a test can freeze.
    pub async fn new_on(postgres: &Postgres, name: &str) -> Self {
        // No crate that is tested here installs a crypto provider; the main function of a binary does.
        runtime::install_crypto_provider();
        let database = postgres.database(name).await;
        let pool = database.pool();
        Self { content: FakeContent::start().await, database, nats: Nats::start().await, pool }
    }

    /// Starts the role and waits for its full comparison at start.
    pub async fn start(&self, intervals: Intervals) -> Role {
        self.start_with(self.config(intervals)).await
    }

    /// Starts the role with `config` and waits for its full comparison. A restarted role has compared
    /// already, so wait for its effects instead.
    pub async fn start_with(&self, config: Config) -> Role {
        let role = Role::start(config).await;
        eventually("the role being ready", async || role.is_ready().then_some(())).await;
        eventually("the reading at start", async || {
            let compared: Vec<String> =
                sqlx::query_scalar("select collection from ledger.compared")
                    .fetch_all(&self.pool)
                    .await
                    .expect("the ledger answers");
            let is_done = |collection: Collection| {
                compared.iter().any(|compared| compared == collection.name())
                    || self.content.refuses(collection.name())
            };
            Collection::ALL.into_iter().all(is_done).then_some(())
        })
        .await;
        eventually("the settings in the ledger", async || {
            self.latest().await.contains_key("site_settings/1").then_some(())
        })
        .await;
        self.wait_until_idle().await;
        role
    }

    /// Returns a configuration of the role in this world.
    pub fn config(&self, intervals: Intervals) -> Config {
        Config {
            database_url: self.database.url(),
            nats_url: self.nats.url(),
            stream_replicas: 1,
            content: ContentConfig {
                content_url: self.content.url().parse().expect("a URL"),
                content_token: SecretString::from(TOKEN),
            },
            webhook_secret: SecretString::from(format!("{SECRET},{OTHER_SECRET}")),
            live_status: LiveStatusConfig {
                live_status_token: None,
                site_url: None,
                public_url: "http://localhost".parse().expect("a URL"),
                // A test may delay an answer.
                answer_limit: Duration::from_mins(1),
            },
            host: [127, 0, 0, 1].into(),
            port: free_port().expect("a free port"),
            intervals,
        }
    }

    /// Returns the context of the role without its tasks, as the CLI commands use it.
    pub async fn operator(&self) -> Context {
        sync::migrate(&self.pool).await.expect("the schema can be made");
        let url = self.content.url().parse().expect("a URL");
        let client = Client::new(url, SecretString::from(TOKEN)).expect("a client");
        Context::new(self.pool.clone(), client)
    }

    /// Returns the ledger, as the CLI commands use it.
    pub fn ledger(&self) -> Ledger {
        Ledger::new(self.pool.clone())
    }

    /// Returns every entry of the ledger, in order.
    pub async fn entries(&self) -> Vec<Entry> {
        let rows = sqlx::query(
            "select collection || '/' || key as aggregate, version, change from ledger.entry
             order by id",
        )
        .fetch_all(&self.pool)
        .await
        .expect("the ledger answers");
        rows.iter()
            .map(|row| Entry {
                aggregate: row.get("aggregate"),
                version: row.get("version"),
                change: row.get("change"),
            })
            .collect()
    }

    /// Returns the last entry of each aggregate.
    pub async fn latest(&self) -> BTreeMap<String, Entry> {
        let entries = self.entries().await;
        entries.into_iter().map(|entry| (entry.aggregate.clone(), entry)).collect()
    }

    /// Returns the last entry of the property `key`.
    pub async fn property(&self, key: &str) -> Option<Entry> {
        self.latest().await.remove(&format!("properties/{key}"))
    }

    /// Waits until the ledger has the property `key` at `price`.
    pub async fn wait_for_price(&self, key: &str, price: i64) -> Entry {
        eventually(&format!("property {key} at {price} in the ledger"), async || {
            self.property(key).await.filter(|entry| entry.price() == Some(price))
        })
        .await
    }

    /// Adds a translation to the property `1`, which only a hint about the translation itself announces, and
    /// waits until the ledger has it.
    pub async fn translate(&self, role: &Role) {
        self.content.change("properties", "1", |house| {
            let row = json!({ "id": 99, "languages_code": "es-ES", "title": "Casa" });
            house["translations"].as_array_mut().expect("rows").push(row);
        });
        role.hint("properties_translations", "99").await;
        eventually("the translation", async || {
            let entry = self.property("1").await?;
            (entry.change["snapshot"]["text"]["es"]["title"] == "Casa").then_some(())
        })
        .await;
    }

    /// Waits until nothing is due, leased, or to be rechecked.
    pub async fn wait_until_idle(&self) {
        eventually("quiet", async || {
            // In one statement: a hint that is resolved meanwhile has its aggregates marked by then.
            let busy: i64 = sqlx::query_scalar(
                "select (select count(*) from ledger.aggregate
                         where dirty_gen > clean_gen or lease_until > now()
                            -- What is parked is read again much later.
                            or recheck_at < now() + interval '5 seconds')
                      + (select count(*) from ledger.inbox where resolved_at is null)",
            )
            .fetch_one(&self.pool)
            .await
            .expect("the ledger answers");
            (busy == 0).then_some(())
        })
        .await;
    }

    /// Waits until the newest entry of every aggregate is in the log, and returns the log.
    pub async fn log(&self) -> Vec<(Sequence, Event)> {
        self.wait_until_published().await;
        let log = EventLog::connect(&self.nats.url(), "test").await.expect("an address");
        let wanted = log.stream_state().await.expect("nats answers").map_or(0, |state| state.last);
        let mut reader = log.reader(Checkpoint::START);
        let mut messages = Vec::new();
        while reader.checkpoint().sequence.stream() < wanted {
            let batch = reader.next_batch(500, Duration::from_mins(1)).await.expect("the log");
            assert!(!batch.is_empty(), "{} messages came, not up to {wanted}", messages.len());
            messages.extend(batch.into_iter().map(|delivered| {
                (delivered.sequence, delivered.event.expect("every message can be read"))
            }));
        }
        messages
    }

    /// Returns what is parked.
    pub async fn parked(&self) -> Parked {
        self.ledger().parked().await.expect("the ledger answers")
    }

    /// Waits until the item `key` of `collection` is parked with `field`.
    pub async fn wait_until_parked(&self, collection: &str, key: &str, field: &str) -> ParkedItem {
        eventually(&format!("{collection}/{key} parked for its {field}"), async || {
            let items = self.parked().await.items;
            items.into_iter().find(|item| {
                (item.collection.as_str(), item.key.as_str()) == (collection, key)
                    && item.violations.iter().any(|violation| violation.field == field)
            })
        })
        .await
    }

    /// Waits until nothing is parked.
    pub async fn wait_until_none_is_parked(&self) {
        eventually("nothing parked", async || self.parked().await.items.is_empty().then_some(()))
            .await;
    }

    /// Waits until a statement like `pattern` waits for a lock.
    pub async fn wait_until_locked_out(&self, pattern: &str) {
        eventually(&format!("{pattern} waiting for a lock"), async || {
            let waiting: i64 = sqlx::query_scalar(
                "select count(*) from pg_stat_activity
                 where datname = current_database() and wait_event_type = 'Lock'
                   and query like $1",
            )
            .bind(pattern)
            .fetch_one(&self.pool)
            .await
            .expect("Postgres answers");
            (waiting > 0).then_some(())
        })
        .await;
    }

    /// Waits until the outbox is empty.
    pub async fn wait_until_published(&self) {
        eventually("the outbox being empty", async || {
            let waiting: i64 = sqlx::query_scalar("select count(*) from ledger.outbox")
                .fetch_one(&self.pool)
                .await
                .expect("the ledger answers");
            (waiting == 0).then_some(())
        })
        .await;
    }

    /// Copies the database of the ledger.
    pub async fn copy_database(&mut self) -> DatabaseCopy {
        self.pool.close().await;
        let copy = self.database.copy().await;
        self.pool = self.database.pool();
        copy
    }

    /// Replaces the database of the ledger by `copy`.
    pub async fn restore_database(&mut self, copy: DatabaseCopy) {
        self.pool.close().await;
        self.database.restore(&copy).await;
        self.pool = self.database.pool();
    }

    /// Runs a statement on the ledger.
    pub async fn sql(&self, statement: &'static str) {
        sqlx::query(statement).execute(&self.pool).await.expect("the statement is right");
    }
}

impl Entry {
    /// Returns the price of a published property.
    pub fn price(&self) -> Option<i64> {
        self.change["snapshot"]["price"].as_i64()
    }

    pub fn is_removal(&self) -> bool {
        self.change["kind"] == "removed"
    }
}

impl Role {
    /// Starts the role and waits only until it listens on its port.
    pub async fn start(config: Config) -> Self {
        Self::start_as(Operator::process(), config).await
    }

    /// The same, as `process`.
    pub async fn start_as(process: Process, config: Config) -> Self {
        let port = config.port;
        let running = process.clone();
        process.spawn("role", async move { sync::run(config, &running).await });
        let http = reqwest::Client::builder()
            .timeout(Duration::from_mins(1))
            .pool_max_idle_per_host(0)
            .build()
            .expect("a client");
        eventually("the role listening", async || {
            tokio::net::TcpStream::connect(("127.0.0.1", port)).await.ok()
        })
        .await;
        let operator = Operator::of(&process).await;
        Self { operator, process, port, http }
    }

    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Waits until exactly the checks named `expected` fail.
    pub async fn wait_until_failing(&self, expected: &[&str]) {
        eventually(&format!("what fails is {expected:?}"), async || {
            self.process.health().failing().keys().eq(expected).then_some(())
        })
        .await;
    }

    pub fn is_ready(&self) -> bool {
        let health = self.process.health();
        let failing = health.failing();
        !self.process.shutdown().is_cancelled() && failing.is_empty()
    }

    /// Returns the details called `name` of the health report.
    pub fn health_details(&self, name: &str) -> Option<Value> {
        self.process.health().details().remove(name)
    }

    /// Requests `path` as an operator with `token`.
    pub async fn ask(&self, path: &str, token: Option<&str>) -> (StatusCode, Value) {
        self.operator.ask(path, token).await
    }

    /// Stops the role, and fails the test if a task failed.
    pub async fn stop(self) {
        self.process.finish().await.expect("the role ends well");
    }

    /// Waits until the role ends by itself, and returns the reason.
    pub async fn ended(self) -> String {
        testkit::wait_for_failure(self.process).await
    }

    /// Posts `body` with the secret.
    pub async fn post(&self, body: &Value) -> Response {
        self.post_with(body.to_string(), &[("authorization", &format!("Bearer {SECRET}"))]).await
    }

    pub async fn post_with(&self, body: String, headers: &[(&str, &str)]) -> Response {
        let mut request = self.http.post(self.url()).body(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.send().await.expect("the role answers")
    }

    /// Posts the webhook of a change of the item `key` until it is accepted: of many concurrent ones,
    /// some may get no connection to Postgres in time, and have to be sent again.
    pub async fn hint(&self, collection: &str, key: &str) {
        let body = hint(collection, key);
        eventually("a hint that is kept", async || {
            let answer = self.post(&body).await.status();
            assert!([StatusCode::NO_CONTENT, StatusCode::SERVICE_UNAVAILABLE].contains(&answer));
            (answer == StatusCode::NO_CONTENT).then_some(())
        })
        .await;
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/webhooks/content", self.port)
    }
}

/// Returns the webhook of a change of the item `key`.
pub fn hint(collection: &str, key: &str) -> Value {
    let event = format!("{collection}.items.update");
    json!({ "event": event, "payload": {}, "keys": [key], "collection": collection })
}
