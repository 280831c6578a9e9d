//! Measures what traces cost, for cached pages, for pages rendered each time, and for searches by the API
//! that no cache answers. Of two stacks that run side by side, one sends every span to a receiver on this
//! machine, and the other sends none.
//!
//! They are measured alternately, in short rounds, so that other activity on the machine affects both. The
//! receiver uses the same processors, so traces cost less where it runs elsewhere.
//! `ROUNDS=8 SECONDS=4 cargo bench --bench tracing`.

#[path = "search/http.rs"]
mod http;
#[path = "search/load.rs"]
#[expect(dead_code, reason = "the threads are for blocking clients, and there are none here")]
mod load;
#[path = "../tests/system/stack/mod.rs"]
mod stack;

use std::{
    env,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use anyhow::Result;
use http::{Connection, Request};
use load::Client;
use stack::{Options, Stack, spans::Spans};

const PAGE: &str = "/property-for-sale/nerja";
const SEARCH: &str = "/api/properties";
/// The headers of a request for a page, as browsers send them.
const HEADERS: [(&str, &str); 2] = [("accept", "text/html"), ("accept-encoding", "br")];
/// Enough renders to keep two processors busy, with a few that wait.
const CLIENTS: usize = 4;
/// A price in euros above that of any home: each higher limit is a different page, and a different search,
/// with the same homes.
const HIGHEST_PRICE: usize = 100_000_000;

#[tokio::main]
async fn main() -> Result<()> {
    let (rounds, seconds) = (number::<u32>("ROUNDS", 8), number("SECONDS", 4));
    let duration = Duration::from_secs(seconds);
    let (spans, endpoint) = Spans::listen()?;
    let options = || Options::default().with_all_renderers().with("RATE_LIMIT", "0");
    let plain = Stack::start_with_sample(options()).await?;
    let traced = options().with("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
    let traced = Stack::start_with_sample(traced).await?;
    for stack in [&plain, &traced] {
        stack.wait_until_idle().await?;
    }
    println!("| {rounds} rounds of {seconds} s each | without | with traces | ratio | spans |");
    println!("|---|--:|--:|--:|--:|");
    let next = Arc::new(AtomicUsize::new(HIGHEST_PRICE));
    for (what, path, uncached) in [
        ("pages from the cache", PAGE, false),
        ("pages rendered each time", PAGE, true),
        ("searches that no cache answers", SEARCH, true),
    ] {
        let before = spans.all().len();
        let mut answered = [0.0; 2];
        for _ in 0..rounds {
            for (stack, answered) in [&plain, &traced].into_iter().zip(&mut answered) {
                let (port, next) = (stack.port, next.clone());
                let make = move || Visitor {
                    connection: Connection::to(port),
                    path,
                    next: uncached.then(|| next.clone()),
                };
                *answered += load::run(CLIENTS, duration, make).await?.per_second;
            }
        }
        let [without, with] = answered.map(|rates| rates / f64::from(rounds));
        let sent = spans.all().len() - before;
        println!("| {what} | {without:.0}/s | {with:.0}/s | {:.3} | {sent} |", with / without);
    }
    for stack in [plain, traced] {
        stack.stop().await?;
    }
    Ok(())
}

fn number<T: From<u8> + std::str::FromStr>(name: &str, default: u8) -> T {
    let value = env::var(name).ok().and_then(|number| number.parse().ok());
    value.unwrap_or_else(|| T::from(default))
}

/// Requests the same answer each time, or a different one each time.
struct Visitor {
    connection: Connection,
    path: &'static str,
    next: Option<Arc<AtomicUsize>>,
}

impl Client for Visitor {
    async fn ask(&mut self, _: usize) -> Result<usize> {
        let path = self.next.as_ref().map_or_else(
            || self.path.to_owned(),
            |next| format!("{}?maxPrice={}", self.path, next.fetch_add(1, Ordering::Relaxed)),
        );
        Ok(self.connection.ask(&Request::get(&path, &HEADERS)).await?.len())
    }
}
