//! Visitors who read page after page, and one who sends enquiries.

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

use super::forms::Forms;
use crate::stack::seen_limit;

/// The lists that visitors read besides homes. Their searches are all different, so each reaches an index.
const LISTS: [&str; 3] = ["/", "/es/property-for-sale", "/news"];
/// The path prefix of scripts and styles.
const ASSETS: &str = "/assets/";
/// How many more requests [`Visitors::wait_for_more_requests`] waits for.
const MORE_REQUESTS: u64 = 60;
/// The address of the visitor who sends enquiries.
const SENDER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 100);
/// How long a visitor waits for a page.
const PAGE_TIMEOUT: Duration = Duration::from_secs(30);

/// Running visitors.
pub struct Visitors {
    running: JoinSet<()>,
    stop: CancellationToken,
    counters: Arc<Counters>,
}

#[derive(Default)]
struct Counters {
    requests: AtomicU64,
    searches: AtomicUsize,
    truncated: AtomicU64,
    failed: Mutex<Vec<String>>,
    forms: Forms,
}

impl Counters {
    fn fail(&self, line: String) {
        println!("{line}");
        self.failed.lock().expect("nobody panics with it").push(line);
    }
}

impl Visitors {
    /// Starts `count` visitors who read the site at `url`: its lists, searches, and `homes`; and one more
    /// who sends enquiries.
    pub fn start(url: &str, count: usize, homes: &[String]) -> Self {
        let stop = CancellationToken::new();
        let counters = Arc::<Counters>::default();
        let mut running = JoinSet::new();
        // Each has its own address, by which the door distinguishes them.
        for (last, _) in (1..).zip(0..count) {
            let address = Ipv4Addr::new(127, 0, 0, last);
            let visitor = visit(address, url.to_owned(), homes.to_owned(), counters.clone());
            let stop = stop.clone();
            running.spawn(async move {
                // A request in flight at the stop is dropped, and does not count.
                stop.run_until_cancelled(visitor).await;
            });
        }
        running.spawn({
            let (url, counters, stop) = (url.to_owned(), counters.clone(), stop.clone());
            async move {
                if let Err(error) = counters.forms.send(SENDER, &url, &stop).await {
                    counters.fail(format!("{error:#}"));
                }
            }
        });
        Self { running, stop, counters }
    }

    pub fn forms(&self) -> &Forms {
        &self.counters.forms
    }

    pub fn requests(&self) -> u64 {
        self.counters.requests.load(Ordering::Relaxed)
    }

    /// Waits until they have sent a number of further requests.
    pub async fn wait_for_more_requests(&self) -> Result<()> {
        let (before, started) = (self.requests(), Instant::now());
        while self.requests() < before + MORE_REQUESTS {
            ensure!(started.elapsed() < seen_limit(), "visitors wait for their pages");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// Returns how many answers were truncated after their head, and requested again.
    pub fn truncated(&self) -> u64 {
        self.counters.truncated.load(Ordering::Relaxed)
    }

    /// Returns a line for each request that has failed so far.
    pub fn failed(&self) -> Vec<String> {
        self.counters.failed.lock().expect("nobody panics with it").clone()
    }

    /// Stops the visitors, and returns how many enquiries were stored. Fails if a request has failed.
    pub async fn stop(mut self) -> Result<u64> {
        self.stop.cancel();
        while let Some(ended) = self.running.join_next().await {
            ended?;
        }
        let (requests, failed) = (self.requests(), self.failed());
        let first = failed[..failed.len().min(5)].join("\n");
        ensure!(failed.is_empty(), "{} of {requests} requests failed:\n{first}", failed.len());
        Ok(self.forms().stored())
    }
}

async fn visit(address: Ipv4Addr, url: String, homes: Vec<String>, counters: Arc<Counters>) {
    let client = Client::builder().timeout(PAGE_TIMEOUT).local_address(IpAddr::V4(address));
    let client = client.build().expect("a client");
    let mut cached = HashSet::new();
    let started = Instant::now();
    loop {
        let number = counters.searches.fetch_add(1, Ordering::Relaxed);
        let path = match number % 4 {
            0 => homes[number / 4 % homes.len()].clone(),
            1 => LISTS[number / 4 % LISTS.len()].to_owned(),
            2 => format!("/property-for-sale?minPrice={}", 50_000 + number),
            _ => format!("/api/properties?minPrice={}", 50_000 + number),
        };
        // A new visit starts with an empty browser cache.
        if path == "/" {
            cached.clear();
        }
        let read = |path: String| read(&client, &url, path, started, &counters);
        let page = read(path).await;
        // The browser caches a page's assets.
        for file in page.split('"').filter(|word| word.starts_with(ASSETS)) {
            if cached.insert(file.to_owned()) {
                read(file.to_owned()).await;
            }
        }
    }
}

/// Requests `path`, again if the answer is truncated. Returns an empty text if it failed.
async fn read(
    client: &Client,
    url: &str,
    path: String,
    started: Instant,
    counters: &Counters,
) -> String {
    counters.requests.fetch_add(1, Ordering::Relaxed);
    let mut answer = ask(client, &format!("{url}{path}")).await;
    if matches!(&answer, Err(error) if error.is_decode()) {
        println!("{:.1?} {path} was truncated", started.elapsed());
        counters.truncated.fetch_add(1, Ordering::Relaxed);
        answer = ask(client, &format!("{url}{path}")).await;
    }
    let failure = match answer {
        Ok((status, text)) if status.is_success() => return text,
        Ok((status, text)) => {
            format!("{status}: {}", text.chars().take(300).collect::<String>())
        }
        Err(error) => runtime::error_text(&error),
    };
    counters.fail(format!("{:.1?} {path}: {failure}", started.elapsed()));
    String::new()
}

async fn ask(client: &Client, url: &str) -> reqwest::Result<(StatusCode, String)> {
    let response = client.get(url).send().await?;
    Ok((response.status(), response.text().await?))
}
