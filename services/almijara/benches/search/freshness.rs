//! Measures how long it takes until a published listing is found, while visitors search.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use futures::future::try_join_all;
use serde::Serialize;
use serde_json::json;

use crate::{
    catalogue::Listing,
    http::{Connection, Request},
    load::{Client, as_f64, percentile},
    log::Log,
    node::HttpClient,
    stack::{
        Stack,
        editor::{Editor, house},
    },
};

/// Searches per second during the publishes.
pub const SEARCHES_PER_SECOND: usize = 500;
const CONNECTIONS: usize = 16;
/// The pauses between two publishes, and between two polls.
const PUBLISH_PAUSE: Duration = Duration::from_millis(60);
const POLL_PAUSE: Duration = Duration::from_millis(2);
const TIMEOUT: Duration = Duration::from_secs(20);
/// A price that is higher than that of any other listing.
const HIGHEST_PRICE: i64 = 800_000_000;

/// The times from a publish until it is found.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Freshness {
    pub publishes: usize,
    pub p50_ms: f64,
    pub p95_ms: f64,
    pub p99_ms: f64,
    pub max_ms: f64,
    /// The rate at which searches were answered meanwhile.
    pub searches_per_second: f64,
    pub searches_p99_ms: f64,
}

/// Publishes a listing again and again, as the relay does. Measures from handing the event to the log
/// until an answer has it.
pub async fn from_the_log(
    port: u16,
    log: &Log,
    listing: &Listing,
    publishes: usize,
    searches: Arc<Vec<Request>>,
) -> Result<Freshness> {
    let mut version = 1_000;
    beside_searches(port, searches, async || {
        let mut times = Vec::new();
        for number in 0..publishes {
            let mut changed = listing.clone();
            version += 1;
            let price = HIGHEST_PRICE + version;
            changed.property.price = Some(price);
            changed.property.status = contracts::content::ListingStatus::ForSale;
            let started = Instant::now();
            log.publish_one(&changed, version).await?;
            wait_until_found(port, price).await.with_context(|| format!("publish {number}"))?;
            times.push(started.elapsed());
            tokio::time::sleep(PUBLISH_PAUSE).await;
        }
        Ok(times)
    })
    .await
}

/// Does the same with an editor's saves. Measures from Directus's answer.
pub async fn from_the_editor(
    stack: &Stack,
    editor: &Editor,
    publishes: usize,
    searches: Arc<Vec<Request>>,
) -> Result<Freshness> {
    let port = stack.port_of("query")?;
    let created = editor.create("properties", house("AH-9800", 1_000)).await?;
    beside_searches(port, searches, async || {
        let mut times = Vec::new();
        for price in (HIGHEST_PRICE + 1_000_000..).take(publishes) {
            editor.update("properties", &created["id"], json!({ "price": price })).await?;
            let started = Instant::now();
            wait_until_found(port, price).await?;
            times.push(started.elapsed());
            tokio::time::sleep(PUBLISH_PAUSE).await;
        }
        Ok(times)
    })
    .await
}

/// Waits until a search for `price` finds a home.
async fn wait_until_found(port: u16, price: i64) -> Result<()> {
    let path = format!("/api/properties?minPrice={price}&maxPrice={price}&perPage=1");
    let request = Request::get(&path, &[]);
    let mut connection = Connection::to(port);
    let started = Instant::now();
    loop {
        let answer: serde_json::Value = serde_json::from_slice(connection.ask(&request).await?)?;
        // The item itself, not only its count.
        if answer["items"].as_array().is_some_and(|items| items.len() == 1) {
            return Ok(());
        }
        ensure!(started.elapsed() < TIMEOUT, "a home at {price} is not found");
        tokio::time::sleep(POLL_PAUSE).await;
    }
}

/// Runs `publish` while visitors search, and returns the figures of both.
async fn beside_searches(
    port: u16,
    searches: Arc<Vec<Request>>,
    publish: impl AsyncFnOnce() -> Result<Vec<Duration>>,
) -> Result<Freshness> {
    let over = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = tokio::sync::oneshot::channel();
    thread::Builder::new().name("searches".to_owned()).spawn({
        let over = over.clone();
        move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let times = runtime
                .map_err(Into::into)
                .and_then(|runtime| runtime.block_on(search(port, searches, &over)));
            // An error means that the bench was ended meanwhile.
            let _gone = sender.send(times);
        }
    })?;
    let started = Instant::now();
    let published = publish().await;
    let lasted = started.elapsed();
    over.store(true, Ordering::Relaxed);
    let beside = receiver.await.context("the searches have panicked")??;
    let mut times = published?;
    times.sort_unstable();
    Ok(Freshness {
        publishes: times.len(),
        p50_ms: percentile(&times, 500),
        p95_ms: percentile(&times, 950),
        p99_ms: percentile(&times, 990),
        max_ms: percentile(&times, 1000),
        searches_per_second: as_f64(beside.len()) / lasted.as_secs_f64(),
        searches_p99_ms: percentile(&beside, 990),
    })
}

/// Searches at a constant rate until `over` is set, and returns the sorted times. If a search is due
/// while its connection is still busy, the delay counts.
async fn search(
    port: u16,
    searches: Arc<Vec<Request>>,
    over: &AtomicBool,
) -> Result<Vec<Duration>> {
    let pace = Duration::from_secs(1) / u32::try_from(SEARCHES_PER_SECOND / CONNECTIONS)?;
    let started = Instant::now();
    let clients = (0..CONNECTIONS).map(async |number| {
        let mut client = HttpClient::new(port, searches.clone());
        let mut due = started + pace.mul_f64(as_f64(number) / as_f64(CONNECTIONS));
        let mut times = Vec::new();
        for round in 0.. {
            tokio::time::sleep_until(due.into()).await;
            if over.load(Ordering::Relaxed) {
                break;
            }
            client.ask(number + round * CONNECTIONS).await?;
            times.push(due.elapsed());
            due += pace;
        }
        anyhow::Ok(times)
    });
    let mut times = try_join_all(clients).await?.concat();
    times.sort_unstable();
    Ok(times)
}
