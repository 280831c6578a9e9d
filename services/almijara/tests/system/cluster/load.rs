//! Visitors, who read page after page.

use std::{
    collections::HashSet,
    net::{IpAddr, Ipv4Addr},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use reqwest::{Client, StatusCode};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::stack::seen_limit;

/// What visitors read besides homes. Searches are all different, so each is asked of an index.
const LISTS: [&str; 3] = ["/", "/es/property-for-sale", "/news"];
/// Where a page's scripts and styles are.
const HASHED: &str = "/assets/";
/// A good many pages.
const READ_ON: u64 = 60;
/// How long a visitor waits for a page.
const PATIENCE: Duration = Duration::from_secs(30);

/// Visitors at work.
pub struct Visitors {
    reading: JoinSet<()>,
    stop: CancellationToken,
    counted: Arc<Counted>,
}

#[derive(Default)]
struct Counted {
    requests: AtomicU64,
    searches: AtomicUsize,
    broken_off: AtomicU64,
    failed: Mutex<Vec<String>>,
}

impl Visitors {
    /// Has `count` visitors read the site at `url`: its lists, searches, and `homes`.
    pub fn start(url: &str, count: usize, homes: &[String]) -> Self {
        let stop = CancellationToken::new();
        let counted = Arc::<Counted>::default();
        let mut reading = JoinSet::new();
        // Each has an address of their own: by it the door knows them.
        for (last, _) in (1..).zip(0..count) {
            let address = Ipv4Addr::new(127, 0, 0, last);
            let visitor = visit(address, url.to_owned(), homes.to_owned(), counted.clone());
            let stop = stop.clone();
            reading.spawn(async move {
                // What is under way when it stops is no request any more.
                stop.run_until_cancelled(visitor).await;
            });
        }
        Self { reading, stop, counted }
    }

    pub fn requests(&self) -> u64 {
        self.counted.requests.load(Ordering::Relaxed)
    }

    /// Waits until they have read a good many more pages.
    pub async fn read_on(&self) -> Result<()> {
        let (before, began) = (self.requests(), Instant::now());
        while self.requests() < before + READ_ON {
            ensure!(began.elapsed() < seen_limit(), "visitors wait for their pages");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// Answers whose head came and whose rest did not, and that were whole when asked for again.
    pub fn broken_off(&self) -> u64 {
        self.counted.broken_off.load(Ordering::Relaxed)
    }

    /// Each request that failed so far, in words.
    pub fn failed(&self) -> Vec<String> {
        self.counted.failed.lock().expect("nobody panics with it").clone()
    }

    /// Stops them, and says so where a request failed.
    pub async fn stop(mut self) -> Result<()> {
        self.stop.cancel();
        while let Some(ended) = self.reading.join_next().await {
            ended?;
        }
        let (requests, failed) = (self.requests(), self.failed());
        let first = failed[..failed.len().min(5)].join("\n");
        ensure!(failed.is_empty(), "{} of {requests} requests failed:\n{first}", failed.len());
        Ok(())
    }
}

async fn visit(address: Ipv4Addr, url: String, homes: Vec<String>, counted: Arc<Counted>) {
    let client = Client::builder().timeout(PATIENCE).local_address(IpAddr::V4(address));
    let client = client.build().expect("a client");
    let mut kept = HashSet::new();
    let began = Instant::now();
    loop {
        let number = counted.searches.fetch_add(1, Ordering::Relaxed);
        let path = match number % 4 {
            0 => homes[number / 4 % homes.len()].clone(),
            1 => LISTS[number / 4 % LISTS.len()].to_owned(),
            2 => format!("/property-for-sale?minPrice={}", 50_000 + number),
            _ => format!("/api/properties?minPrice={}", 50_000 + number),
        };
        // A visit begins, and whoever makes it has kept nothing.
        if path == "/" {
            kept.clear();
        }
        let read = |path: String| read(&client, &url, path, began, &counted);
        let page = read(path).await;
        // What a page needs, a browser keeps.
        for file in page.split('"').filter(|word| word.starts_with(HASHED)) {
            if kept.insert(file.to_owned()) {
                read(file.to_owned()).await;
            }
        }
    }
}

/// What stands at `path`; nothing where that failed.
async fn read(
    client: &Client,
    url: &str,
    path: String,
    began: Instant,
    counted: &Counted,
) -> String {
    counted.requests.fetch_add(1, Ordering::Relaxed);
    let mut answer = ask(client, &format!("{url}{path}")).await;
    if matches!(&answer, Err(error) if error.is_decode()) {
        println!("{:.1?} {path} broke off", began.elapsed());
        counted.broken_off.fetch_add(1, Ordering::Relaxed);
        answer = ask(client, &format!("{url}{path}")).await;
    }
    let wrong = match answer {
        Ok((status, text)) if status.is_success() => return text,
        Ok((status, text)) => {
            format!("{status}: {}", text.chars().take(300).collect::<String>())
        }
        Err(error) => runtime::error_text(&error),
    };
    let line = format!("{:.1?} {path}: {wrong}", began.elapsed());
    println!("{line}");
    counted.failed.lock().expect("nobody panics with it").push(line);
    String::new()
}

async fn ask(client: &Client, url: &str) -> reqwest::Result<(StatusCode, String)> {
    let response = client.get(url).send().await?;
    Ok((response.status(), response.text().await?))
}
