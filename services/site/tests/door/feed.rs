//! The real change stream: a query node over read models and a log, interrupted, outdated and rebuilt.

use std::{
    future::ready,
    net::Ipv4Addr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::Router;
use contracts::Sequence;
use futures::StreamExt;
use http::{Method, StatusCode};
use local_servers::free_port;
use runtime::Process;
use secrecy::{ExposeSecret, SecretString};
use sqlx::PgPool;
use tempfile::TempDir;
use testkit::{
    Database, Nats,
    log::{Log, lineage, page_event},
};
use tokio::{
    net::TcpListener,
    time::{Instant, timeout},
};
use url::Url;

use crate::{
    port_forward::PortForward,
    world::{World, eventually},
};

/// A query node with everything that it reads from.
struct Feed {
    nats: Nats,
    database: Database,
    pool: PgPool,
    log: Log,
    projections: Process,
    query: Process,
    port: u16,
    folder: TempDir,
    versions: i64,
}

impl Feed {
    /// Starts the feed, and a door that follows it.
    async fn start(name: &str) -> (Self, World) {
        let mut feed = Self::alone(name).await;
        let port = feed.port;
        let world = feed.world_following(port).await;
        (feed, world)
    }

    /// Starts the feed without a door.
    async fn alone(name: &str) -> Self {
        runtime::install_crypto_provider();
        let nats = Nats::start().await;
        let database = testkit::postgres().await.database(name).await;
        let projections = Process::new();
        let config = projections::Config { database_url: database.url(), nats_url: nats.url() };
        projections::run(config, &projections).await.expect("the projections start");
        let mut feed = Self {
            log: Log::create(&nats).await,
            pool: database.pool(),
            nats,
            database,
            projections,
            query: Process::new(),
            port: free_port().expect("a port"),
            folder: tempfile::tempdir().expect("a folder"),
            versions: 0,
        };
        feed.start_query().await;
        feed
    }

    /// Publishes a first message, and starts a door that follows the feed at `port`.
    async fn world_following(&mut self, port: u16) -> World {
        let position = self.log.publish(&page_event("first", 1, "First")).await;
        let url = format!("http://127.0.0.1:{port}").parse().expect("a URL");
        World::start_following(url, position.get()).await.connected().await
    }

    async fn start_query(&mut self) {
        self.query = self.node(self.nats.url(), &self.folder, self.port).await;
    }

    /// Starts a query node at `port` that reads the log at `nats_url`.
    async fn node(&self, nats_url: SecretString, folder: &TempDir, port: u16) -> Process {
        let process = Process::new();
        let config = query::Config {
            database_url: self.database.url(),
            nats_url,
            data_dir: folder.path().to_owned(),
            public_url: "https://almijara.example".parse().expect("a URL"),
            host: Ipv4Addr::LOCALHOST.into(),
            port,
        };
        query::run(config, &process).await.expect("the node starts");
        process
    }

    /// Starts another query node at `port`. Returns it with the port forward through which it reads the
    /// log.
    async fn other_node(&self, folder: &TempDir, port: u16) -> (Process, PortForward) {
        let mut nats: Url = self.nats.url().expose_secret().parse().expect("a URL");
        let to_log = PortForward::to(nats.port().expect("a port")).await;
        nats.set_port(Some(to_log.port)).expect("it has a host");
        (self.node(nats.as_str().into(), folder, port).await, to_log)
    }

    async fn stop_query(&self) {
        self.query.clone().finish().await.expect("an orderly end");
    }

    /// Publishes a new text of the page `slug`, and makes the renderer of `world` render from the new
    /// position.
    async fn publish(&mut self, world: &World, slug: &str) -> Sequence {
        self.versions += 1;
        world.backend.restart_at(self.log.next().get());
        self.log.publish(&page_event(slug, self.versions, "Another")).await
    }

    async fn stop(self) {
        self.stop_query().await;
        self.projections.finish().await.expect("an orderly end");
    }
}

async fn wait_until_shown(world: &World, path: &str, position: Sequence) {
    eventually("the change shows", async || {
        world.site.shown_position(path).await == position.get()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_node_restart_only_changed_pages_are_rendered_again() {
    let (mut feed, world) = Feed::start("door_feed_cut").await;
    for path in ["/one", "/two", "/three"] {
        world.site.get(path).await;
    }
    feed.stop_query().await;
    feed.publish(&world, "one").await;
    let last = feed.publish(&world, "two").await;
    feed.start_query().await;
    wait_until_shown(&world, "/one", last).await;
    wait_until_shown(&world, "/two", last).await;
    world.site.is_ready().await;
    world.site.get("/three").await;
    assert_eq!(world.backend.renders("/three"), 1, "what did not change was not dropped");
    world.close().await;
    feed.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gap_in_the_feed_or_a_new_revision_drops_everything() {
    let (mut feed, world) = Feed::start("door_feed_gap").await;
    world.site.get("/one").await;
    world.site.get("/two").await;
    feed.stop_query().await;
    let last = feed.publish(&world, "one").await;
    eventually("the read models have it", async || {
        let checkpoint = sqlx::query_scalar("select sequence from read.checkpoint where live");
        checkpoint.fetch_one(&feed.pool).await.is_ok_and(|at: i64| at == last.to_i64())
    })
    .await;
    sqlx::raw_sql(
        "with gone as (delete from read.change returning sequence)
         update read.change_cut set sequence = (select max(sequence) from gone)",
    )
    .execute(&feed.pool)
    .await
    .expect("the feed can be cut");
    feed.start_query().await;
    wait_until_shown(&world, "/one", last).await;
    wait_until_shown(&world, "/two", last).await;

    let renders = world.backend.renders("/two");
    sqlx::query("update read.checkpoint set revision = revision + 1 where live")
        .execute(&feed.pool)
        .await
        .expect("the checkpoint");
    eventually("it is rendered again", async || {
        world.site.get("/two").await;
        world.backend.renders("/two") > renders
    })
    .await;
    world.close().await;
    feed.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_door_reports_what_its_query_node_can_not_reach() {
    let (mut feed, world) = Feed::start("door_feed_frozen").await;
    feed.nats.freeze();
    eventually("it is reported", async || {
        let failing = world.site.process.health().failing();
        failing.get("query service").is_some_and(|reason| reason.contains("index"))
    })
    .await;
    assert!(!world.site.process.health().failing().contains_key("change stream"));
    feed.nats.thaw();
    world.site.is_ready().await;
    let last = feed.publish(&world, "one").await;
    wait_until_shown(&world, "/one", last).await;
    world.close().await;
    feed.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_receives_no_changes_is_left_for_another() {
    let mut feed = Feed::alone("door_feed_deaf").await;
    let (folder, port) = (tempfile::tempdir().expect("a folder"), free_port().expect("a port"));
    let (deaf, to_log) = feed.other_node(&folder, port).await;
    let service = PortForward::to(port).await;
    let world = feed.world_following(service.port).await;
    for path in ["/one", "/two"] {
        world.site.get(path).await;
    }

    service.redirect_to(feed.port);
    to_log.cut();
    let last = feed.publish(&world, "one").await;
    wait_until_shown(&world, "/one", last).await;
    world.site.is_ready().await;
    world.site.get("/two").await;
    assert_eq!(world.backend.renders("/two"), 1, "what did not change was not dropped");
    world.close().await;
    deaf.finish().await.expect("an orderly end");
    feed.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_receives_no_changes_is_kept_if_no_other_accepts() {
    let mut feed = Feed::alone("door_feed_alone").await;
    let (folder, port) = (tempfile::tempdir().expect("a folder"), free_port().expect("a port"));
    let (deaf, to_log) = feed.other_node(&folder, port).await;
    let service = PortForward::to(port).await;
    let world = feed.world_following(service.port).await;

    let nobody = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
    service.redirect_to(nobody.local_addr().expect("an address").port());
    to_log.cut();
    let asked = timeout(Duration::from_mins(1), nobody.accept())
        .await
        .expect("it connects to another node");
    drop((asked.expect("a connection"), nobody));
    // Longer than pages are trusted without the stream.
    let until = Instant::now() + Duration::from_secs(6);
    while Instant::now() < until {
        let failing = world.site.process.health().failing();
        assert!(!failing.contains_key("change stream"), "{failing:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    world.close().await;
    deaf.finish().await.expect("an orderly end");
    feed.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_refusal_a_new_connection_reaches_another_node() {
    let mut feed = Feed::alone("door_feed_refused").await;
    let refusals = Arc::new(AtomicU64::new(0));
    let counter = refusals.clone();
    let refusing = Router::new().fallback(move || {
        counter.fetch_add(1, Ordering::SeqCst);
        ready((StatusCode::SERVICE_UNAVAILABLE, "behind"))
    });
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
    let service = PortForward::to(listener.local_addr().expect("an address").port()).await;
    tokio::spawn(async move { axum::serve(listener, refusing).await });
    let position = feed.log.publish(&page_event("first", 1, "First")).await;
    let url = format!("http://127.0.0.1:{}", service.port).parse().expect("a URL");
    let world = World::start_following(url, position.get()).await;
    eventually("it is refused", async || refusals.load(Ordering::SeqCst) > 0).await;
    service.redirect_to(feed.port);
    let world = world.connected().await;
    world.close().await;
    feed.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_at_a_position_of_a_rebuilt_log_resumes() {
    let (mut feed, world) = Feed::start("door_feed_anew").await;
    feed.log.recreate(lineage(2, &[(1, 1)])).await;
    let again = feed.log.publish(&page_event("first", 1, "First")).await;
    eventually("a page at this position resumes", async || {
        let asked = world.site.request(Method::GET, "/api/changes");
        let answer = asked.header("last-event-id", again.get()).send().await.expect("an answer");
        let first = answer.bytes_stream().next().await.expect("an event").expect("bytes");
        String::from_utf8_lossy(&first).starts_with("event: resumed")
    })
    .await;
    world.close().await;
    feed.stop().await;
}
