//! A query node, with the servers and projections it reads from.

use std::{net::Ipv4Addr, pin::Pin, time::Duration};

use contracts::Sequence;
use eventsource_stream::{Event, Eventsource};
use futures::{Stream, StreamExt};
use local_servers::free_port;
use runtime::Process;
use sqlx::PgPool;
use tempfile::TempDir;
use testkit::{
    Database, Nats, Operator, eventually,
    log::{Log, page_event},
};

/// The maximum time that a test waits for an event.
const EVENT_TIMEOUT: Duration = Duration::from_mins(1);

/// The read side of one test: a log, read models, and one query node.
pub struct World {
    pub nats: Nats,
    pub database: Database,
    pub pool: PgPool,
    pub log: Log,
    pub projections: Process,
    pub node: Node,
    versions: i64,
}

/// One query node.
pub struct Node {
    pub process: Process,
    pub url: String,
    folder: TempDir,
    port: u16,
}

/// An event of the change stream.
#[derive(Debug)]
pub struct FeedEvent {
    pub name: String,
    pub id: String,
    pub data: serde_json::Value,
}

impl World {
    pub async fn start(name: &str) -> Self {
        runtime::install_crypto_provider();
        let nats = Nats::start().await;
        let database = testkit::postgres().await.database(name).await;
        let log = Log::create(&nats).await;
        let projections = project(&database, &nats).await;
        let port = free_port().expect("a port");
        let folder = tempfile::tempdir().expect("a folder");
        let url = format!("http://127.0.0.1:{port}");
        let process = query(&database, &nats, &folder, port).await;
        let node = Node { process, url, folder, port };
        let pool = database.pool();
        let mut world = Self { nats, database, pool, log, projections, node, versions: 0 };
        // One message, so that there is a position.
        let first = world.publish("first").await;
        world.wait_for(first).await;
        world
    }

    /// Publishes a new text of the page `slug`.
    pub async fn publish(&mut self, slug: &str) -> Sequence {
        self.versions += 1;
        let event = page_event(slug, self.versions, &format!("Version {}", self.versions));
        self.log.publish(&event).await
    }

    /// Waits until the node has announced `position` and is ready.
    pub async fn wait_for(&self, position: Sequence) {
        eventually("the node announces it", async || {
            let (_, first) = self.listen(None).await?;
            let sequence = first.data["sequence"].as_u64()?;
            (sequence >= position.get()).then_some(())
        })
        .await;
        eventually("the node is ready", async || {
            self.node.process.health().failing().is_empty().then_some(())
        })
        .await;
    }

    /// Subscribes to the change stream after the event id `last`, and returns the first event too. None while
    /// the node is not running or has no position yet.
    pub async fn listen(&self, last: Option<&str>) -> Option<(Listener, FeedEvent)> {
        let mut request = reqwest::Client::new().get(format!("{}/api/changes", self.node.url));
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let answer = request.send().await.ok()?.error_for_status().ok()?;
        let events = answer.bytes_stream().eventsource();
        let events = events.filter_map(|event| async { event.ok() });
        let mut listener = Listener { events: Box::pin(events) };
        let first = listener.next().await;
        Some((listener, first))
    }

    pub async fn stop_node(&mut self) {
        self.node.process.clone().finish().await.expect("a clean shutdown");
    }

    pub async fn start_node(&mut self) {
        self.node.process =
            query(&self.database, &self.nats, &self.node.folder, self.node.port).await;
    }

    pub async fn stop_projections(&mut self) {
        self.projections.clone().finish().await.expect("a clean shutdown");
    }

    pub async fn start_projections(&mut self) {
        self.projections = project(&self.database, &self.nats).await;
    }
}

impl Node {
    /// Deletes the index of the node, which must be stopped.
    pub fn delete_index(&self) {
        std::fs::remove_dir_all(self.folder.path().join("index")).expect("the folder is ours");
    }
}

async fn project(database: &Database, nats: &Nats) -> Process {
    let process = Process::new();
    let config = projections::Config { database_url: database.url(), nats_url: nats.url() };
    projections::run(config, &process).await.expect("the projections start");
    process
}

async fn query(database: &Database, nats: &Nats, folder: &TempDir, port: u16) -> Process {
    let process = Operator::process();
    let config = query::Config {
        database_url: database.url(),
        nats_url: nats.url(),
        data_dir: folder.path().to_owned(),
        public_url: "https://almijara.example".parse().expect("a URL"),
        host: Ipv4Addr::LOCALHOST.into(),
        port,
    };
    query::run(config, &process).await.expect("the node starts");
    process
}

/// A subscription to the change stream of the node.
pub struct Listener {
    events: Pin<Box<dyn Stream<Item = Event> + Send>>,
}

impl Listener {
    /// Returns the next event other than a heartbeat.
    pub async fn next(&mut self) -> FeedEvent {
        loop {
            let event = tokio::time::timeout(EVENT_TIMEOUT, self.events.next()).await;
            let event = event.expect("in time").expect("the stream goes on");
            if event.event != "heartbeat" {
                let data = serde_json::from_str(&event.data).expect("JSON");
                return FeedEvent { name: event.event, id: event.id, data };
            }
        }
    }

    /// Returns the data of the next heartbeat.
    pub async fn heartbeat(&mut self) -> serde_json::Value {
        loop {
            let event = tokio::time::timeout(EVENT_TIMEOUT, self.events.next()).await;
            let event = event.expect("in time").expect("the stream goes on");
            if event.event == "heartbeat" {
                return serde_json::from_str(&event.data).expect("JSON");
            }
        }
    }
}
