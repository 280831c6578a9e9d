//! The query node of the stack: asking it, starting it anew, its memory and its index.

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

/// Dearer than any listing, in euros.
const HIGHEST_PRICE: i64 = 100_000_000;
/// So many prices are asked about, a euro apart.
const PRICES: i64 = 5_000;
/// Larger than any, in m².
const LARGEST: i64 = 100_000;
const COMMAND: &str = "almijara query";
const PATIENCE: Duration = Duration::from_mins(20);
const PAUSE: Duration = Duration::from_millis(5);
/// What is typed before somebody chooses a place or a home.
const TYPED: [&str; 16] = [
    "n", "ne", "ner", "nerja", "tor", "torre", "torre d", "fri", "cóm", "compe", "vil", "pis",
    "áti", "sea", "ah-1", "bur",
];

/// The memory of a process, in megabytes of 2^20 bytes.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Memory {
    /// All that is resident, the pages of mapped files among them.
    pub resident: u64,
    /// What of it is the process's own.
    pub own: u64,
    /// The most that was resident.
    pub peak: u64,
}

/// Waits until the answers of the node on `port` are made from `end`; gives when that was first seen.
pub async fn wait_for(port: u16, end: Sequence) -> Result<Instant> {
    let request = Request::get("/api/properties?perPage=1", &[]);
    let began = Instant::now();
    loop {
        // A node that has just been started may not listen yet.
        if let Ok(answer) = Connection::to(port).ask(&request).await
            && let Ok(answer) = serde_json::from_slice::<serde_json::Value>(answer)
            && answer["sequence"].as_u64() >= Some(end.get())
        {
            return Ok(Instant::now());
        }
        ensure!(began.elapsed() < PATIENCE, "the node does not reach {end} in {PATIENCE:?}");
        tokio::time::sleep(PAUSE).await;
    }
}

/// Kills the node, deletes its index and waits for `up` to start it again. Gives when that was.
pub async fn begin_anew(stack: &Stack) -> Result<Instant> {
    let former = pid(stack)?;
    stack.kill(COMMAND)?;
    while Path::new(&format!("/proc/{former}/fd")).join("0").exists() {
        tokio::task::yield_now().await;
    }
    fs::remove_dir_all(stack.data.path().join("index"))?;
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(30) {
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

/// The node's memory now.
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

/// The bytes of the files under `folder`.
pub fn size_of(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // A file may be merged away between the two looks.
        let Ok(data) = entry.metadata() else { continue };
        bytes += if data.is_dir() { size_of(&entry.path())? } else { data.len() };
    }
    Ok(bytes)
}

/// What the type-ahead asks while somebody types, in both languages.
pub fn typed() -> Vec<Request> {
    let asked = |locale: &str, typed: &str| {
        let path = "/api/suggest?";
        let mut query = url::form_urlencoded::Serializer::for_suffix(path.to_owned(), path.len());
        Request::get(&query.extend_pairs([("locale", locale), ("q", typed)]).finish(), &[])
    };
    TYPED.iter().flat_map(|typed| ["en", "es"].map(|locale| asked(locale, typed))).collect()
}

/// Asks one port for `requests` in turn.
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

/// Question `number` of a row without an end in which none comes twice: the greatest price is up to
/// some thousand euros higher, and then the greatest size, which no home has.
pub fn never_twice(questions: &[PropertyQuery], number: usize) -> PropertyQuery {
    let mut asked = questions[number % questions.len()].clone();
    let round = i64::try_from(number / questions.len()).unwrap_or(i64::MAX / 2);
    asked.max_price = Some(asked.max_price.unwrap_or(HIGHEST_PRICE) + 1 + round % PRICES);
    asked.max_built = Some(asked.max_built.unwrap_or(LARGEST) + round / PRICES);
    asked
}

/// Asks the read API what nobody asked before.
pub struct NeverTwice {
    connection: Connection,
    questions: Arc<Vec<PropertyQuery>>,
    first: usize,
}

impl NeverTwice {
    /// Begins at question `first`.
    pub fn new(port: u16, questions: Arc<Vec<PropertyQuery>>, first: usize) -> Self {
        Self { connection: Connection::to(port), questions, first }
    }
}

impl Client for NeverTwice {
    async fn ask(&mut self, number: usize) -> Result<usize> {
        let asked = never_twice(&self.questions, self.first + number);
        Ok(self.connection.ask(&Request::get(&address(&asked), &[])).await?.len())
    }
}
