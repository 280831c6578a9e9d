//! The query node of the stack: its clients, rebuilding its index, its memory use.

use std::{
    collections::HashMap,
    fs,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use contracts::Sequence;
use search_index::PropertyQuery;
use serde::Serialize;

use crate::{
    http::{Connection, Request},
    load::Client,
    questions::address,
    stack::Stack,
};

/// A price in euros above that of any listing.
const HIGHEST_PRICE: i64 = 100_000_000;
/// How many different maximum prices are used, a euro apart.
const PRICE_STEPS: i64 = 5_000;
/// An area in m² above that of any listing.
const MAX_AREA: i64 = 100_000;
const COMMAND: &str = "almijara query";
const TIMEOUT: Duration = Duration::from_mins(20);
const PAUSE: Duration = Duration::from_millis(5);
/// What visitors type before they choose a place or a home.
const TYPED: [&str; 16] = [
    "n", "ne", "ner", "nerja", "tor", "torre", "torre d", "fri", "cóm", "compe", "vil", "pis",
    "áti", "sea", "ah-1", "bur",
];

/// The memory of a process, in megabytes of 2^20 bytes.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Memory {
    /// Resident memory, including pages of mapped files.
    pub resident: u64,
    /// Resident anonymous memory.
    pub own: u64,
    /// The peak of resident memory.
    pub peak: u64,
}

/// Waits until the node on `port` answers from position `end`. Returns when that was first seen.
pub async fn wait_for(port: u16, end: Sequence) -> Result<Instant> {
    let request = Request::get("/api/properties?perPage=1", &[]);
    let started = Instant::now();
    loop {
        // A node that has just been started may not listen yet.
        if let Ok(answer) = Connection::to(port).ask(&request).await
            && let Ok(answer) = serde_json::from_slice::<serde_json::Value>(answer)
            && answer["sequence"].as_u64() >= Some(end.get())
        {
            return Ok(Instant::now());
        }
        ensure!(started.elapsed() < TIMEOUT, "the node does not reach {end} in {TIMEOUT:?}");
        tokio::time::sleep(PAUSE).await;
    }
}

/// Kills the node, deletes its index and waits until `up` has restarted it. Returns when that was.
pub async fn rebuild_index(stack: &Stack) -> Result<Instant> {
    let former = pid(stack)?;
    stack.kill(COMMAND)?;
    while Path::new(&format!("/proc/{former}/fd")).join("0").exists() {
        tokio::task::yield_now().await;
    }
    fs::remove_dir_all(stack.data.path().join("index"))?;
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(30) {
        if pid(stack).is_ok_and(|pid| pid != former) {
            return Ok(Instant::now());
        }
        tokio::time::sleep(PAUSE).await;
    }
    bail!("the query node was not started again")
}

fn pid(stack: &Stack) -> Result<i32> {
    let children = stack.children()?;
    let node = children.iter().find(|child| child.command.contains(COMMAND));
    Ok(node.context("the query node runs")?.pid)
}

/// Returns the node's current memory use.
pub fn memory(stack: &Stack) -> Result<Memory> {
    let status = fs::read_to_string(format!("/proc/{}/status", pid(stack)?))?;
    let lines: HashMap<&str, &str> =
        status.lines().filter_map(|line| line.split_once(':')).collect();
    let megabytes = |name: &str| {
        let number = lines.get(name)?.trim().strip_suffix(" kB")?.parse::<u64>().ok()?;
        Some(number / 1024)
    };
    let read = |name: &str| megabytes(name).with_context(|| format!("{name} of the query node"));
    Ok(Memory { resident: read("VmRSS")?, own: read("RssAnon")?, peak: read("VmHWM")? })
}

/// Returns the total size of the files under `folder`, in bytes.
pub fn size_of(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // A merge may have deleted the file meanwhile.
        let Ok(data) = entry.metadata() else { continue };
        bytes += if data.is_dir() { size_of(&entry.path())? } else { data.len() };
    }
    Ok(bytes)
}

/// Returns the type-ahead's requests while a visitor types, in both languages.
pub fn typed() -> Vec<Request> {
    let request = |locale: &str, typed: &str| {
        let path = "/api/suggest?";
        let mut query = url::form_urlencoded::Serializer::for_suffix(path.to_owned(), path.len());
        Request::get(&query.extend_pairs([("locale", locale), ("q", typed)]).finish(), &[])
    };
    TYPED.iter().flat_map(|typed| ["en", "es"].map(|locale| request(locale, typed))).collect()
}

/// A client that sends `requests` in turn to a port.
pub struct HttpClient {
    connection: Connection,
    requests: Arc<Vec<Request>>,
}

impl HttpClient {
    pub fn new(port: u16, requests: Arc<Vec<Request>>) -> Self {
        Self { connection: Connection::to(port), requests }
    }
}

impl Client for HttpClient {
    async fn ask(&mut self, number: usize) -> Result<usize> {
        let request = &self.requests[number % self.requests.len()];
        Ok(self.connection.ask(request).await?.len())
    }
}

/// Returns query `number` of an endless sequence of different queries. They differ in the maximum price,
/// by up to some thousand euros, and then in the maximum area, which is above that of any home.
pub fn never_twice(questions: &[PropertyQuery], number: usize) -> PropertyQuery {
    let mut query = questions[number % questions.len()].clone();
    let round = i64::try_from(number / questions.len()).unwrap_or(i64::MAX / 2);
    query.max_price = Some(query.max_price.unwrap_or(HIGHEST_PRICE) + 1 + round % PRICE_STEPS);
    query.max_built = Some(query.max_built.unwrap_or(MAX_AREA) + round / PRICE_STEPS);
    query
}

/// A client that sends the read API queries that were never sent before.
pub struct NeverTwice {
    connection: Connection,
    questions: Arc<Vec<PropertyQuery>>,
    first: usize,
}

impl NeverTwice {
    /// Creates a client that starts at query `first`.
    pub fn new(port: u16, questions: Arc<Vec<PropertyQuery>>, first: usize) -> Self {
        Self { connection: Connection::to(port), questions, first }
    }
}

impl Client for NeverTwice {
    async fn ask(&mut self, number: usize) -> Result<usize> {
        let query = never_twice(&self.questions, self.first + number);
        Ok(self.connection.ask(&Request::get(&address(&query), &[])).await?.len())
    }
}
