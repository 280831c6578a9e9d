//! Measures how long it takes to find the saved searches that a home matches, with the percolator and by
//! running each search. Also measures whether publishing stays as fast with that many saved searches.
//! `SEARCHES=100000 cargo bench --bench alerts`.

#[path = "search/questions.rs"]
mod questions;
#[path = "../tests/system/stack/mod.rs"]
mod stack;

use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use chrono::Utc;
use contracts::{
    AggregateId, Change, Checkpoint, Collection, Event, SCHEMA_VERSION, Sequence, Version,
    content::{Property, Snapshot},
};
use search_index::{PercolatedProperty, Percolator, PropertyQuery, SearchIndex, View};
use serde_json::json;
use sqlx::{PgPool, types::Json};
use stack::{Options, Stack, content};
use uuid::Uuid;

/// The same allocator as the roles have, for what runs in this process.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Publishes that are timed before and after the searches are saved.
const PUBLISHES: i64 = 40;
/// For how many homes each search is run.
const SEARCHED_HOMES: usize = 3;
const PAGE: &str = "/property-for-sale/torrox-costa/AH-1002";

#[tokio::main]
async fn main() -> Result<()> {
    let count = std::env::var("SEARCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let content = content::copy()?;
    let options = Options::default()
        .with_all_renderers()
        .with("CONTENT_DIR", content.path().display().to_string());
    let stack = Stack::start(options).await?;
    stack.verify().await?;
    stack.wait_until_idle().await?;
    let mut environment = stack.operator_environment()?;
    let address = environment.remove("COMMAND_DATABASE_URL").context("an address")?;
    let pool = PgPool::connect(&address).await?;
    let questions = questions::questions(count);
    let homes: Vec<Json<Property>> =
        sqlx::query_scalar("select snapshot from visitor.home_state").fetch_all(&pool).await?;
    let homes: Vec<Property> = homes.into_iter().map(|Json(home)| home).collect();

    println!("| {count} saved searches, {} homes | median | p99 | max |", homes.len());
    println!("|---|---|---|---|");
    measure_matching(&questions, &homes)?;
    let before = measure_publishes(&stack, content.path(), &pool, 0).await?;
    save_searches(&pool, &questions).await?;
    let after = measure_publishes(&stack, content.path(), &pool, PUBLISHES).await?;
    row("editor's save → new page, none saved", before.0);
    row("editor's save → new page, all saved", after.0);
    row("editor's save → alerts in their mails, all saved", after.1);
    let alerts: i64 =
        sqlx::query_scalar("select count(*) from visitor.alert").fetch_one(&pool).await?;
    println!("\n{PUBLISHES} publishes put {alerts} alerts into mails.");
    stack.stop().await?;
    Ok(())
}

/// Times the percolator, for each home before and after a change of price, and running each search.
fn measure_matching(questions: &[PropertyQuery], homes: &[Property]) -> Result<()> {
    let mut percolator = Percolator::default();
    for (number, question) in questions.iter().enumerate() {
        percolator.add(number, question);
    }
    let today = Utc::now().timestamp() / 86_400;
    let find = |home: &Property| percolator.matching(&PercolatedProperty::of(home, &[]), today);
    let mut times = Vec::new();
    for home in homes {
        let before = Property { price: home.price.map(|price| price + 10_000), ..home.clone() };
        let started = Instant::now();
        find(home);
        find(&before);
        times.push(started.elapsed());
    }
    let mut search_times = Vec::new();
    for home in homes.iter().take(SEARCHED_HOMES) {
        let (_folder, view) = index_of(home)?;
        let started = Instant::now();
        let mut found = Vec::new();
        for (number, question) in questions.iter().enumerate() {
            let query = PropertyQuery { offset: 0, limit: 0, ..question.clone() };
            if view.search(&query)?.total > 0 {
                found.push(number);
            }
        }
        search_times.push(started.elapsed() * 2);
        ensure!(find(home) == found, "{} fits other searches by hand", home.reference);
    }
    row("the percolator, a home as it is and was", times);
    row("each search by hand, the same", search_times);
    Ok(())
}

fn index_of(home: &Property) -> Result<(tempfile::TempDir, View)> {
    let folder = tempfile::tempdir()?;
    let index = SearchIndex::in_folder(folder.path());
    let mut writer = index.open_writer()?;
    let event = Event {
        id: Uuid::nil(),
        schema_version: SCHEMA_VERSION,
        aggregate: AggregateId::new(Collection::Properties, "1"),
        version: Version(1),
        captured_at: Utc::now(),
        change: Change::Upserted { snapshot: Box::new(Snapshot::Properties(home.clone())) },
        offers: Vec::new(),
    };
    writer.apply(Checkpoint { sequence: Sequence::from(1), ledger: None }, &event)?;
    writer.commit()?;
    Ok((folder, index.view()?))
}

/// Saves the searches, each for a subscriber of its own.
async fn save_searches(pool: &PgPool, questions: &[PropertyQuery]) -> Result<()> {
    let addresses = questions.iter().map(|question| {
        let address = questions::address(question);
        let (_, query) = address.split_once('?').unwrap_or_default();
        Ok(query.parse::<search_parameters::SearchAddress>()?.to_string())
    });
    let addresses: Vec<String> = addresses.collect::<Result<_>>()?;
    let locales: Vec<&str> = questions.iter().map(|question| question.locale.code()).collect();
    sqlx::query(
        "with wanted as (
            select gen_random_uuid() as subscriber, address, locale
            from unnest($1::text[], $2::text[]) as wanted (address, locale)),
         made as (
            insert into visitor.subscriber (id, email, locale, tokens)
            select subscriber, subscriber || '@x.example', locale, array[subscriber::text]
            from wanted)
         insert into visitor.saved_search
            (id, subscriber, address, name, locale, frequency, confirmed_at)
         select gen_random_uuid(), subscriber, address, address, locale, 'weekly', now()
         from wanted",
    )
    .bind(&addresses)
    .bind(&locales)
    .execute(pool)
    .await?;
    Ok(())
}

/// Times publishing a changed price, until it is on its page, and until its alerts are recorded.
async fn measure_publishes(
    stack: &Stack,
    content: &Path,
    pool: &PgPool,
    first: i64,
) -> Result<(Vec<Duration>, Vec<Duration>)> {
    let (mut page_times, mut alert_times) = (Vec::new(), Vec::new());
    for number in first..first + PUBLISHES {
        let price = 250_000 - number * 1_000;
        let started = Instant::now();
        content::edit_property(content, "AH-1002", &json!({ "price": price }))?;
        let shown = format!("{},{:03}", price / 1000, price % 1000);
        stack.wait_for_page(PAGE, &shown, |_, html| html.contains(&shown)).await?;
        page_times.push(started.elapsed());
        let has_price = "select count(*) from visitor.home_state
                       where reference = 'AH-1002' and (snapshot->>'price')::bigint = $1";
        while sqlx::query_scalar::<_, i64>(has_price).bind(price).fetch_one(pool).await? == 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        alert_times.push(started.elapsed());
    }
    Ok((page_times, alert_times))
}

fn row(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |permille: usize| times[(times.len() - 1) * permille / 1000].as_secs_f64() * 1000.0;
    println!("| {name} | {:.1} ms | {:.1} ms | {:.1} ms |", at(500), at(990), at(1000));
}
