//! Stores are lost, or restored from an older copy. In each case, the site soon shows what editors have
//! published, and the system logs in one line what it did.
//!
//! `RECOVERY_LISTINGS=100000 STACK_PATIENCE=20 cargo test --release --test system recovery -- --nocapture
//! --test-threads=1` runs the same with that many homes, and prints how long each case took.

use std::{
    fs,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use rustix::process::Signal;
use serde_json::{Value, json};
use sqlx::Executor;
use tempfile::TempDir;

use crate::stack::{Options, Stack, content, scaled};

const REFERENCE: &str = "AH-1042";
/// The relay's log message when it recreates the stream, for any reason.
const LOG_IS_RECREATED: &str = "recreating the log and filling it from the ledger";

/// How long the first successful reconcile may take.
const RECONCILE_LIMIT: Duration = Duration::from_mins(1);
/// Longer than an empty generation would take to be filled and shown.
const EMPTY_GENERATION_LIMIT: Duration = Duration::from_secs(10);

/// A store of the stack, by its folder in the data folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Store {
    /// Ledger and read models.
    Postgres,
    /// The log.
    Nats,
    /// A query node's index.
    Index,
}

/// What happens to a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Lost,
    /// It is restored from a copy made before the last publishes.
    Older,
}

use Fate::{Lost, Older};
use Store::{Index, Nats, Postgres};

/// What happens to stores, and whether the log is recreated.
type Case = (&'static [(Store, Fate)], bool);

// The cases that recreate the least come first, so that the copy has the same ledger and epoch for as
// long as possible. A change of the index alone affects only its own process: see `WHILE_RUNNING`.
const ONE_STORE: &[Case] = &[
    (&[(Nats, Older)], true),
    (&[(Nats, Lost)], true),
    (&[(Postgres, Older)], true),
    (&[(Postgres, Lost)], true),
];

const SEVERAL_STORES: &[Case] = &[
    (&[(Postgres, Older), (Nats, Older)], false),
    (&[(Postgres, Older), (Nats, Older), (Index, Older)], false),
    (&[(Postgres, Older), (Nats, Lost)], true),
    (&[(Postgres, Lost), (Nats, Lost)], true),
    (&[(Postgres, Lost), (Nats, Older)], true),
];

const WHILE_RUNNING: [((Store, Fate), bool); 5] = [
    ((Nats, Older), true),
    ((Nats, Lost), true),
    ((Postgres, Older), true),
    ((Index, Lost), false),
    ((Index, Older), false),
];

impl Store {
    fn folder(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::Nats => "nats/jetstream",
            Self::Index => "index",
        }
    }

    /// Returns a part of the command of the child that has it open.
    fn holder(self) -> &'static str {
        match self {
            Self::Postgres => "bin/postgres",
            Self::Nats => "nats-server",
            Self::Index => "almijara query",
        }
    }
}

/// The content and data of a stack, copies of its stores, and the price that was published last.
struct World {
    data: Option<TempDir>,
    content: TempDir,
    copies: TempDir,
    price: i64,
    page: String,
}

impl World {
    /// Starts a stack, and publishes once.
    async fn with_a_publish() -> Result<(Self, Stack)> {
        let mut world = Self {
            data: None,
            content: content()?,
            copies: TempDir::with_prefix("almijara-copies-")?,
            price: 510_000,
            page: String::new(),
        };
        let stack = world.start().await?;
        reconcile(&stack).await?;
        stack.wait_until_idle().await?;
        let home = stack.api(&format!("/api/properties/{REFERENCE}")).await?;
        world.page = home["url"].as_str().context("it has an address")?.to_owned();
        world.publish(&stack).await?;
        Ok((world, stack))
    }

    fn options(&self) -> Options {
        Options::default().with("CONTENT_DIR", self.content.path().to_string_lossy())
    }

    async fn start(&mut self) -> Result<Stack> {
        match self.data.take() {
            Some(data) => Stack::start_in(data, self.options()).await,
            None => Stack::start_with_sample(self.options()).await,
        }
    }

    /// Publishes a new price, and waits until it is shown.
    async fn publish(&mut self, stack: &Stack) -> Result<Duration> {
        self.price += 1_000;
        content::edit_property(self.content.path(), REFERENCE, &json!({ "price": self.price }))?;
        self.wait_until_shown(stack).await
    }

    /// Waits until the home's page and the lists show the latest price, and returns how long that took.
    async fn wait_until_shown(&self, stack: &Stack) -> Result<Duration> {
        let price = self.price_in_words();
        let shows = |_, html: &str| html.contains(&price);
        let started = Instant::now();
        stack.wait_for_page(&self.page, &price, shows).await?;
        let list = format!("/property-for-sale?minPrice={0}&maxPrice={0}", self.price);
        stack.wait_for_page(&list, &price, shows).await?;
        Ok(started.elapsed())
    }

    fn price_in_words(&self) -> String {
        format!("{},{:03}", self.price / 1_000, self.price % 1_000)
    }

    fn copy(&self, data: &Path) -> Result<()> {
        [Postgres, Nats, Index].into_iter().try_for_each(|store| self.copy_one(data, store))
    }

    fn copy_one(&self, data: &Path, store: Store) -> Result<()> {
        let target = self.copies.path().join(store.folder());
        remove(&target)?;
        if let Some(above) = target.parent() {
            fs::create_dir_all(above)?;
        }
        copy(&data.join(store.folder()), &target)
    }

    fn apply_fate(&self, data: &Path, (store, fate): (Store, Fate)) -> Result<()> {
        let folder = data.join(store.folder());
        remove(&folder)?;
        if fate == Older {
            copy(&self.copies.path().join(store.folder()), &folder)?;
        }
        Ok(())
    }
}

fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("removing {}", folder.display()))?;
    }
    Ok(())
}

/// Reconciles until it succeeds, so that everything published is known. The first page is served before
/// that, and the content service needs seconds to read a large folder.
async fn reconcile(stack: &Stack) -> Result<()> {
    let deadline = Instant::now() + scaled(RECONCILE_LIMIT);
    loop {
        let compared = stack.operator(&["reconcile"]).await?;
        if compared.status.success() {
            return Ok(());
        }
        ensure!(Instant::now() < deadline, "{}", String::from_utf8_lossy(&compared.stderr));
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Copies a folder with owners and modes, which Postgres requires.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status()?;
    ensure!(copied.success(), "{} can't be copied", from.display());
    Ok(())
}

/// Returns the sample content, extended to `RECOVERY_LISTINGS` homes if that is set. The additional
/// homes are copies of the sample's, with other references, without pictures and long texts.
fn content() -> Result<TempDir> {
    let folder = content::copy()?;
    let Ok(listings) = std::env::var("RECOVERY_LISTINGS") else { return Ok(folder) };
    let listings: usize = listings.parse().context("RECOVERY_LISTINGS is a number")?;
    let file = folder.path().join("properties.json");
    let mut homes: Vec<Value> = serde_json::from_slice(&fs::read(&file)?)?;
    let sample = homes.clone();
    for (number, home) in
        (1..).zip(sample.iter().cycle()).take(listings.saturating_sub(sample.len()))
    {
        let mut home = home.clone();
        let id = 1_000_000 + number;
        home["id"] = json!(id);
        home["ref"] = json!(format!("R-{number}"));
        home["images"] = json!([]);
        let texts = home["translations"].as_array_mut().context("it has texts")?;
        for (language, text) in (0..).zip(texts) {
            text["id"] = json!(id * 10 + language);
            text["description"] = Value::Null;
        }
        homes.push(home);
    }
    fs::write(&file, serde_json::to_vec(&homes)?)?;
    Ok(folder)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_site_recovers_when_one_store_is_lost_or_older() -> Result<()> {
    test_while_stopped(ONE_STORE).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_site_recovers_when_several_stores_are_lost_or_older() -> Result<()> {
    test_while_stopped(SEVERAL_STORES).await
}

/// For each case: stops everything, applies the fates of the stores, and starts again. Older stores
/// always come from the same copy, so they are older with each case.
async fn test_while_stopped(cases: &[Case]) -> Result<()> {
    let (mut world, stack) = World::with_a_publish().await?;
    stack.wait_until_idle().await?;
    let data = stack.stop().await?;
    world.copy(data.path())?;
    world.data = Some(data);
    let mut stack = world.start().await?;
    for (stores, is_recreated) in cases {
        for _ in 0..3 {
            world.publish(&stack).await?;
        }
        stack.wait_until_idle().await?;
        let data = stack.stop().await?;
        for fate in *stores {
            world.apply_fate(data.path(), *fate)?;
        }
        world.data = Some(data);
        stack = world.start().await?;
        let stale = world.wait_until_shown(&stack).await.with_context(|| format!("{stores:?}"))?;
        let next = world.publish(&stack).await?;
        stack.verify().await.with_context(|| format!("{stores:?}"))?;
        let count = stack.count_lines(LOG_IS_RECREATED);
        println!("{stores:?}: shown {stale:?} after the start, the next publish in {next:?}");
        ensure!((count > 0) == *is_recreated, "{stores:?}: the log was recreated {count} times");
    }
    stack.stop().await?;
    Ok(())
}

/// The process with the store is stopped, and finds another store when it restarts; everything else
/// keeps running.
#[tokio::test(flavor = "multi_thread")]
async fn the_site_recovers_when_a_store_is_lost_or_older_while_running() -> Result<()> {
    let (mut world, stack) = World::with_a_publish().await?;
    for (fate, is_recreated) in WHILE_RUNNING {
        stack.wait_until_idle().await?;
        let before = stack.count_lines(LOG_IS_RECREATED);
        let store = fate.0;
        // A store can be copied only while its process is stopped.
        stack.while_stopped(store.holder(), || world.copy_one(stack.data.path(), store)).await?;
        world.publish(&stack).await?;
        stack.while_stopped(store.holder(), || world.apply_fate(stack.data.path(), fate)).await?;
        let stale = world
            .wait_until_shown(&stack)
            .await
            .with_context(|| format!("{fate:?} while it runs"))?;
        let next = world.publish(&stack).await?;
        stack.verify().await.with_context(|| format!("{fate:?} while it runs"))?;
        println!("{fate:?} while it runs: shown after {stale:?}, the next publish in {next:?}");
        let count = stack.count_lines(LOG_IS_RECREATED) - before;
        ensure!(
            (count > 0) == is_recreated,
            "{fate:?} while it runs: the log was recreated {count} times"
        );
    }
    stack.wait_until_idle().await?;
    lose_the_database(&stack).await?;
    let next = world.publish(&stack).await.context("the database was lost while it runs")?;
    stack.wait_until_idle().await?;
    stack.verify().await.context("the database was lost while it runs")?;
    println!("the database was lost while it runs: the next publish in {next:?}");
    stack.stop().await?;
    Ok(())
}

/// The site keeps showing what it has until the content can be read again.
#[tokio::test(flavor = "multi_thread")]
async fn no_home_vanishes_if_the_ledger_is_lost_while_the_content_service_is_down() -> Result<()> {
    let (mut world, stack) = World::with_a_publish().await?;
    stack.wait_until_idle().await?;
    stack.signal("almijara content-pack", Signal::STOP)?;
    let mut database = stack.connect("almijara", "postgres", "almijara").await?;
    database.execute("drop schema ledger cascade").await?;
    // A node that lags behind also refuses the feed for portals. From here on, it is refused because the
    // log lacks homes.
    stack.wait_for_lines(LOG_IS_RECREATED, 1).await?;
    let feed_is = |wanted: u16| move |status: u16, _: &str| status == wanted;
    stack.wait_for_page("/feeds/kyero.xml", "that it lacks homes", feed_is(503)).await?;
    let (started, price) = (Instant::now(), world.price_in_words());
    while started.elapsed() < EMPTY_GENERATION_LIMIT {
        let (status, page) = stack.page(&world.page).await?;
        ensure!(status == 200 && page.contains(&price), "the home's page is {status}");
        let (status, _) = stack.page("/feeds/kyero.xml").await?;
        ensure!(status == 503, "portals are given {status}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    stack.signal("almijara content-pack", Signal::CONT)?;
    world.publish(&stack).await?;
    stack.wait_for_page("/feeds/kyero.xml", "every home", feed_is(200)).await?;
    stack.verify().await?;
    stack.stop().await?;
    Ok(())
}

/// Replaces the database with ledger and read models by an empty one, while the server keeps running.
async fn lose_the_database(stack: &Stack) -> Result<()> {
    let mut server = stack.connect("almijara", "postgres", "postgres").await?;
    for statement in [
        "drop database almijara with (force)",
        "create database almijara",
        include_str!("../../../../deploy/postgres/grants.sql"),
    ] {
        server.execute(statement).await?;
    }
    Ok(())
}
