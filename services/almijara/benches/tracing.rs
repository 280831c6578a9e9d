//! What traces cost: pages from the cache and pages rendered each time, of two stacks side by side, one of
//! which sends every span to a receiver on this machine and the other none.
//!
//! They are asked in turn, in short rounds, so that whatever else the machine does meets both. The
//! receiver takes its part of the same processors: elsewhere traces cost less.
//! `ROUNDS=8 SECONDS=4 cargo bench --bench tracing`.

#[path = "search/http.rs"]
mod http;
#[path = "search/load.rs"]
#[expect(dead_code, reason = "threads are for what blocks, which nothing here does")]
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
/// What a page from the cache is asked with, as browsers ask.
const HEADERS: [(&str, &str); 2] = [("accept", "text/html"), ("accept-encoding", "br")];
/// As many renders as two processors have work for, and a few that wait.
const CLIENTS: usize = 4;
/// Dearer than any home, in euros: each price above it is another page with the same homes.
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
        stack.wait_at_rest().await?;
    }
    println!("| {rounds} rounds of {seconds} s each | without | with traces | ratio | spans |");
    println!("|---|--:|--:|--:|--:|");
    let next = Arc::new(AtomicUsize::new(HIGHEST_PRICE));
    for (what, rendered) in [("pages from the cache", false), ("pages rendered each time", true)] {
        let before = spans.all().len();
        let mut answered = [0.0; 2];
        for _ in 0..rounds {
            for (stack, answered) in [&plain, &traced].into_iter().zip(&mut answered) {
                let (port, next) = (stack.port, next.clone());
                let make = move || Visitor {
                    connection: Connection::to(port),
                    next: rendered.then(|| next.clone()),
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

fn number<T: From<u8> + std::str::FromStr>(name: &str, otherwise: u8) -> T {
    let told = env::var(name).ok().and_then(|number| number.parse().ok());
    told.unwrap_or_else(|| T::from(otherwise))
}

/// Asks for one page again and again, or for another each time.
struct Visitor {
    connection: Connection,
    next: Option<Arc<AtomicUsize>>,
}

impl Client for Visitor {
    async fn ask(&mut self, _: usize) -> Result<usize> {
        let path = self.next.as_ref().map_or_else(
            || PAGE.to_owned(),
            |next| format!("{PAGE}?maxPrice={}", next.fetch_add(1, Ordering::Relaxed)),
        );
        Ok(self.connection.ask(&Request::get(&path, &HEADERS)).await?.len())
    }
}
