//! Stores that are lost, or come back from a copy: whatever it was, the site soon shows what editors
//! have published, and the system says in one line what it did.
//!
//! `RECOVERY_LISTINGS=100000 STACK_PATIENCE=20 cargo test --release --test system recovery -- --nocapture
//! --test-threads=1` tries the same with as many homes, and tells how long each took.

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

use crate::stack::{Options, Stack, content, patient};

const REFERENCE: &str = "AH-1042";
/// What the relay says when it makes the stream anew, whatever the reason.
const MADE_ANEW: &str = "the log is made anew and filled from the ledger";

/// How long it may take until the content can be read and compared.
const RECONCILE_LIMIT: Duration = Duration::from_mins(1);
/// For longer than a generation takes to be filled and shown that has nothing in it.
const NOTHING_LIMIT: Duration = Duration::from_secs(10);

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

/// What happens to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Lost,
    /// It comes back from the copy that was made before the last publishes.
    Older,
}

use Fate::{Lost, Older};
use Store::{Index, Nats, Postgres};

/// What happens to stores, and whether the log is made anew for it.
type Case = (&'static [(Store, Fate)], bool);

// What makes the least anew comes first, so that the copy is of the same ledger and epoch for as long as
// can be. Of an index alone nothing but its own process takes notice: see `WHILE_IT_RUNS`.
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

const WHILE_IT_RUNS: [((Store, Fate), bool); 5] = [
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

    /// A part of the command of the child that holds it open.
    fn holder(self) -> &'static str {
        match self {
            Self::Postgres => "bin/postgres",
            Self::Nats => "nats-server",
            Self::Index => "almijara query",
        }
    }
}

/// The stack with its content, and what its editor has published last.
struct World {
    data: Option<TempDir>,
    content: TempDir,
    copies: TempDir,
    price: i64,
    page: String,
}

impl World {
    /// A running stack whose editor has published once.
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
        stack.wait_at_rest().await?;
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

    /// Publishes another price and waits until the home's page shows it.
    async fn publish(&mut self, stack: &Stack) -> Result<Duration> {
        self.price += 1_000;
        content::edit_property(self.content.path(), REFERENCE, &json!({ "price": self.price }))?;
        self.shown(stack).await
    }

    /// Waits until the home's page and every list show what was published last.
    async fn shown(&self, stack: &Stack) -> Result<Duration> {
        let price = self.price_in_words();
        let shows = |_, html: &str| html.contains(&price);
        let began = Instant::now();
        stack.wait_for_page(&self.page, &price, shows).await?;
        let list = format!("/property-for-sale?minPrice={0}&maxPrice={0}", self.price);
        stack.wait_for_page(&list, &price, shows).await?;
        Ok(began.elapsed())
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

    fn meet(&self, data: &Path, (store, fate): (Store, Fate)) -> Result<()> {
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

/// Until all that is published is known: the first page is served before that, and a large folder is read
/// for seconds before it answers.
async fn reconcile(stack: &Stack) -> Result<()> {
    let deadline = Instant::now() + patient(RECONCILE_LIMIT);
    loop {
        let compared = stack.operator(&["reconcile"]).await?;
        if compared.status.success() {
            return Ok(());
        }
        ensure!(Instant::now() < deadline, "{}", String::from_utf8_lossy(&compared.stderr));
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// With owners and modes, which Postgres insists on.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status()?;
    ensure!(copied.success(), "{} can't be copied", from.display());
    Ok(())
}

/// The sample content, with as many more homes as are asked for: each home of the sample again and
/// again, under other references and without its pictures and its long texts.
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
async fn a_store_is_lost_or_older_and_the_site_shows_what_is_published() -> Result<()> {
    while_it_is_stopped(ONE_STORE).await
}

#[tokio::test(flavor = "multi_thread")]
async fn several_stores_are_lost_or_older_and_the_site_shows_what_is_published() -> Result<()> {
    while_it_is_stopped(SEVERAL_STORES).await
}

/// Stops everything, has the stores of each case meet their fate, and starts it again. What is older comes
/// from one copy, and is older with each case.
async fn while_it_is_stopped(cases: &[Case]) -> Result<()> {
    let (mut world, stack) = World::with_a_publish().await?;
    stack.wait_at_rest().await?;
    let data = stack.stop().await?;
    world.copy(data.path())?;
    world.data = Some(data);
    let mut stack = world.start().await?;
    for (stores, made_anew) in cases {
        for _ in 0..3 {
            world.publish(&stack).await?;
        }
        stack.wait_at_rest().await?;
        let data = stack.stop().await?;
        for fate in *stores {
            world.meet(data.path(), *fate)?;
        }
        world.data = Some(data);
        stack = world.start().await?;
        let stale = world.shown(&stack).await.with_context(|| format!("{stores:?}"))?;
        let next = world.publish(&stack).await?;
        stack.verify().await.with_context(|| format!("{stores:?}"))?;
        let said = stack.said(MADE_ANEW);
        println!("{stores:?}: shown {stale:?} after the start, the next publish in {next:?}");
        ensure!(
            (said > 0) == *made_anew,
            "{stores:?}: said {said} times that the log is made anew"
        );
    }
    stack.stop().await?;
    Ok(())
}

/// What held the store is killed, and finds another one; all else goes on.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_is_lost_or_older_while_all_else_runs() -> Result<()> {
    let (mut world, stack) = World::with_a_publish().await?;
    for (fate, made_anew) in WHILE_IT_RUNS {
        stack.wait_at_rest().await?;
        let said = stack.said(MADE_ANEW);
        let store = fate.0;
        // What is copied must be at rest too, so its holder ends for a moment.
        stack.while_away(store.holder(), || world.copy_one(stack.data.path(), store)).await?;
        world.publish(&stack).await?;
        stack.while_away(store.holder(), || world.meet(stack.data.path(), fate)).await?;
        let stale = world.shown(&stack).await.with_context(|| format!("{fate:?} while it runs"))?;
        let next = world.publish(&stack).await?;
        stack.verify().await.with_context(|| format!("{fate:?} while it runs"))?;
        println!("{fate:?} while it runs: shown after {stale:?}, the next publish in {next:?}");
        let said = stack.said(MADE_ANEW) - said;
        ensure!(
            (said > 0) == made_anew,
            "{fate:?} while it runs: said {said} times that the log is made anew"
        );
    }
    stack.wait_at_rest().await?;
    lose_the_database(&stack).await?;
    let next = world.publish(&stack).await.context("the database was lost while it runs")?;
    stack.wait_at_rest().await?;
    stack.verify().await.context("the database was lost while it runs")?;
    println!("the database was lost while it runs: the next publish in {next:?}");
    stack.stop().await?;
    Ok(())
}

/// What it showed goes on being shown until the content can be read again.
#[tokio::test(flavor = "multi_thread")]
async fn a_ledger_is_lost_while_the_content_is_away_and_no_home_goes() -> Result<()> {
    let (mut world, stack) = World::with_a_publish().await?;
    stack.wait_at_rest().await?;
    stack.signal("almijara content-pack", Signal::STOP)?;
    let mut database = stack.connect("almijara", "postgres", "almijara").await?;
    database.execute("drop schema ledger cascade").await?;
    // Of a node that is late portals are refused as well: what they are refused from here on is a log that
    // lacks homes.
    stack.wait_until_said(MADE_ANEW, 1).await?;
    let feed_is = |wanted: u16| move |status: u16, _: &str| status == wanted;
    stack.wait_for_page("/feeds/kyero.xml", "that it lacks homes", feed_is(503)).await?;
    let (began, price) = (Instant::now(), world.price_in_words());
    while began.elapsed() < NOTHING_LIMIT {
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

/// Ledger and read models are gone from a server that goes on; in their place is an empty database.
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
