//! Measures the time from Directus's answer to an editor's save until the new page is served: on an idle
//! system, during searches, and while the stream is refilled from the ledger.
//!
//! Each publish changes a price and then requests the page until it shows it. For comparison, the same
//! run measures what a site without a cache would have to wait for: reading the same house, nested, from
//! Directus. `PUBLISHES=200 LISTINGS=20000 cargo bench --bench publish`.

#[path = "../tests/system/stack/mod.rs"]
mod stack;

use std::{
    env, fs,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use stack::{
    Options, Stack,
    editor::{Editor, house},
};
use tokio::task::JoinSet;

const TOKEN: &str = "an-administrator-for-the-bench";
const PAGE: &str = "/property-for-sale/nerja/AH-9700";
const SEARCHES_PER_SECOND: u32 = 500;
const VISITORS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(50);
/// If a reader is this close to the end of the log, only the last few publishes are missing.
const MAX_LAG: i64 = 10;

#[tokio::main]
async fn main() -> Result<()> {
    let publishes = number("PUBLISHES", 200);
    let options = Options::default()
        .with_all_renderers()
        .with("CONTENT", "directus")
        .with("DIRECTUS_ADMIN_TOKEN", TOKEN)
        .with("RATE_LIMIT", "0");
    let stack = Stack::start(options).await?;
    // Waits until the initial content is on the log, and its pictures are read.
    stack.wait_until_idle().await?;
    let editor = Editor::new(stack.port_of("directus")?, TOKEN)?;
    let created = editor.create("properties", house("AH-9700", 200_000)).await?;
    stack.wait_for_page(PAGE, "the house", |status, _| status == 200).await?;
    let mut editor =
        PriceEditor { stack: &stack, editor, id: created["id"].clone(), price: 200_000 };

    println!("| {publishes} publishes | median | p95 | p99 | max |\n|---|---|---|---|---|");
    let (mut seen, mut saved, mut read) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..publishes {
        let times = editor.publish().await?;
        saved.push(times.saved);
        seen.push(times.seen);
        read.push(editor.read().await?);
    }
    row("editor's answer → new page in the HTML", &mut seen);
    row("Directus: one nested read of the house", &mut read);
    row("Directus: the editor's save", &mut saved);

    let searches = searches(&stack)?;
    let mut seen = Vec::new();
    for _ in 0..publishes {
        seen.push(editor.publish().await?.seen);
    }
    drop(searches);
    row(&format!("the new page beside {SEARCHES_PER_SECOND} searches a second"), &mut seen);

    let listings = number("LISTINGS", 20_000);
    copy_in_directus(&stack, &created["id"], listings).await?;
    stack.operator(&["reconcile"]).await?;
    stack.wait_until_idle().await?;
    let log = stack.data.path().join("nats/jetstream");
    stack.while_stopped("nats-server", || Ok(fs::remove_dir_all(log)?)).await?;
    let ledger = stack.operator_environment()?.remove("SYNC_DATABASE_URL");
    let mut ledger = PgConnection::connect(&ledger.context("the ledger has an address")?).await?;
    let started = Instant::now();
    // The first publish also waits for the stream to be created again. The others show what visitors
    // experience from then on.
    let first = editor.publish().await?.seen;
    let mut seen = Vec::new();
    while !is_filled(&stack, &mut ledger).await? {
        seen.push(editor.publish().await?.seen);
    }
    let filled = started.elapsed();
    let publishes = seen.len();
    row(&format!("{publishes} of them while {listings} homes are put on a new log"), &mut seen);
    println!(
        "The log was lost with its server: the first new page after {first:?}, filled in {filled:?}."
    );
    stack.stop().await?;
    Ok(())
}

fn number(name: &str, default: i64) -> i64 {
    env::var(name).ok().and_then(|number| number.parse().ok()).unwrap_or(default)
}

/// An editor who changes the price of a house again and again.
struct PriceEditor<'a> {
    stack: &'a Stack,
    editor: Editor,
    id: Value,
    price: i64,
}

struct Times {
    /// Until Directus has answered the save.
    saved: Duration,
    /// From then until the page shows the price.
    seen: Duration,
}

impl PriceEditor<'_> {
    async fn publish(&mut self) -> Result<Times> {
        tokio::time::sleep(PAUSE).await;
        self.price += 1;
        let price = json!({ "price": self.price });
        let started = Instant::now();
        self.editor.update("properties", &self.id, price).await?;
        let saved = started.elapsed();
        let price = format!("{},{:03}", self.price / 1000, self.price % 1000);
        let is_new = |_, html: &str| html.contains(&price);
        Ok(Times { saved, seen: self.stack.wait_for_page(PAGE, &price, is_new).await? })
    }

    async fn read(&self) -> Result<Duration> {
        let started = Instant::now();
        let fields = "*,translations.*,images.directus_files_id.*,location.*";
        self.editor.read(&format!("/items/properties/{}?fields={fields}", self.id)).await?;
        Ok(started.elapsed())
    }
}

/// Starts visitors who search at a constant rate until the returned set is dropped.
fn searches(stack: &Stack) -> Result<JoinSet<()>> {
    let query = stack.port_of("query")?;
    let client = reqwest::Client::new();
    let mut visitors = JoinSet::new();
    for visitor in 0..VISITORS {
        let client = client.clone();
        visitors.spawn(async move {
            let mut pace =
                tokio::time::interval(Duration::from_secs(1) * VISITORS / SEARCHES_PER_SECOND);
            for search in 0.. {
                pace.tick().await;
                let bedrooms = (visitor + search) % 6;
                let number = 1 + search % 20;
                let list = format!(
                    "http://127.0.0.1:{query}/api/properties?minBedrooms={bedrooms}&page={number}"
                );
                // Failures are ignored: the search bench and the tests check for them.
                if let Ok(answer) = client.get(list).send().await {
                    let _read = answer.bytes().await;
                }
            }
        });
    }
    Ok(visitors)
}

/// Copies the house in Directus's database, because its API would take an hour.
async fn copy_in_directus(stack: &Stack, id: &Value, listings: i64) -> Result<()> {
    let name = "almijara_directus";
    let mut database = stack.connect(name, name, name).await?;
    for copies in [
        "insert into properties select copy.*
         from properties home
         cross join generate_series(1, $2::int) number
         cross join lateral jsonb_populate_record(
             home, jsonb_build_object('id', 1000000 + number, 'ref', 'R-' || number)) copy
         where home.id = $1",
        "insert into properties_translations select copy.*
         from properties_translations text
         cross join generate_series(1, $2::int) number
         cross join lateral jsonb_populate_record(
             text,
             jsonb_build_object('properties_id', 1000000 + number,
                 'id', 1000000 + number * 2 + (languages_code = 'es-ES')::int)) copy
         where text.properties_id = $1",
    ] {
        let id = i32::try_from(id.as_i64().context("homes are numbered")?)?;
        sqlx::query(copies).bind(id).bind(listings).execute(&mut database).await?;
    }
    Ok(())
}

/// Returns whether the complete ledger is on the log again, and read from there.
async fn is_filled(stack: &Stack, ledger: &mut PgConnection) -> Result<bool> {
    let (waits, end): (bool, i64) = sqlx::query_as(
        "select exists (select from ledger.outbox where refill), coalesce(max(sequence), 0) from ledger.entry",
    )
    .fetch_one(ledger)
    .await?;
    let read = stack.api("/api/properties").await?["sequence"].as_i64();
    Ok(!waits && read.is_some_and(|read| read + MAX_LAG >= end))
}

fn row(name: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |permille: usize| {
        let index = times.len().saturating_sub(1) * permille / 1000;
        times
            .get(index)
            .map_or("—".to_owned(), |time| format!("{:.1} ms", time.as_secs_f64() * 1000.0))
    };
    println!("| {name} | {} | {} | {} | {} |", at(500), at(950), at(990), at(1000));
}
