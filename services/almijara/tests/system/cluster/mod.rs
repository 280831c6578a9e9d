//! A cluster, as on several machines: three NATS servers that replicate the streams, Postgres with a
//! replica, two of each role, and Caddy in front of the sites. Whichever process is killed while
//! visitors read and send enquiries and an editor publishes, no request fails, and no publish or enquiry
//! is lost.
//!
//! It is set up with the files of `deploy/`: `secrets.sh`, the configurations of NATS and Caddy,
//! `accounts.sh` and `replica.sh`. [`forward::Service`] simulates the names of services in Kubernetes and Compose.

mod forms;
mod forward;
mod load;
mod roles;
mod servers;
mod upgrade;
mod world;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use self::{
    load::Visitors,
    world::{Version, World},
};
use crate::stack::{content, seen_limit};

/// The homes that the editor changes in turn.
const HOMES: [&str; 4] = ["AH-1002", "AH-1003", "AH-1004", "AH-1042"];
/// How many visitors read concurrently.
const VISITORS: usize = 3;
const STORES: [&str; 2] = ["postgres-replica", "postgres"];
/// The roles, in the order in which `deploy/docs/upgrade.md` replaces them.
const ROLES: [&str; 12] = [
    "projections-1",
    "projections-2",
    "sync-1",
    "sync-2",
    "query-1",
    "query-2",
    "command-1",
    "command-2",
    "renderer-1",
    "renderer-2",
    "site-1",
    "site-2",
];

/// If a site is killed in the middle of an answer, the visitor has to request it again. The prefix of
/// its name.
const SITES: &str = "site-";
/// The prefix of the name of a process that stores enquiries.
const COMMANDS: &str = "command-";

/// Without the primary Postgres, publishes and enquiries wait; everything else works.
const NEEDED_TO_WRITE: &str = "postgres";

/// Returns how often an enquiry may have to be sent again if `name` is killed. Nothing is refused while one
/// of two commands is up, so only the one in flight breaks.
fn max_broken_forms(name: &str) -> u64 {
    // Caddy up to 2.11.1 repeats no request with a body, so each attempt to reach the killed site breaks one.
    if name == NEEDED_TO_WRITE || name.starts_with(SITES) {
        return u64::MAX;
    }
    u64::from(name.starts_with(COMMANDS))
}

/// Kills (SIGKILL) each process in turn, after the one before it is back.
#[tokio::test(flavor = "multi_thread")]
async fn no_request_fails_and_no_publish_is_lost_when_a_process_is_killed() -> Result<()> {
    let mut world = World::start().await?;
    let mut editor = Editor::new(&world).await?;
    let visitors = Visitors::start(&world.url(""), VISITORS, &editor.pages());
    for name in STORES.iter().chain(&ROLES).chain(&servers::NATS) {
        let (before, truncated) = (visitors.requests(), visitors.truncated());
        let broken = visitors.forms().broken();
        editor.publish(&world)?;
        world.kill(name).await?;
        let started = Instant::now();
        editor.publish(&world)?;
        if *name == NEEDED_TO_WRITE {
            visitors.wait_for_more_requests().await?;
        } else {
            editor
                .wait_until_all_is_shown(&world)
                .await
                .with_context(|| format!("without {name}"))?;
            visitors.forms().wait_for_more().await.with_context(|| format!("without {name}"))?;
        }
        let elapsed = started.elapsed();
        world.restart(name).await.with_context(|| format!("{name} comes back"))?;
        editor.publish(&world)?;
        editor
            .wait_until_all_is_shown(&world)
            .await
            .with_context(|| format!("with {name} again"))?;
        world.wait_until_all_are_ready().await.with_context(|| format!("{name} is back"))?;
        let truncated = visitors.truncated() - truncated;
        let in_flight = if name.starts_with(SITES) { VISITORS as u64 } else { 0 };
        ensure!(truncated <= in_flight, "{truncated} answers were truncated without {name}");
        let broken = visitors.forms().broken() - broken;
        ensure!(broken <= max_broken_forms(name), "{broken} enquiries were refused without {name}");
        println!(
            "{name}: {elapsed:.1?} later all was shown without it; {} requests, {} failed so far, \
             {broken} enquiries sent again",
            visitors.requests() - before,
            visitors.failed().len(),
        );
    }
    let enquiries = visitors.stop().await?;
    world.ensure_each_enquiry_is_stored_once(enquiries).await?;
    world.verify(Version::Today).await?;
    world.stop().await
}

/// An editor who publishes prices, and checks that they are shown.
struct Editor {
    /// The reference, page and current price of each home.
    homes: Vec<(&'static str, String, i64)>,
    publishes: usize,
}

impl Editor {
    async fn new(world: &World) -> Result<Self> {
        let mut homes = Vec::new();
        for (number, reference) in (0..).zip(HOMES) {
            let home = world.api(&format!("/api/properties/{reference}")).await?;
            let page = home["url"].as_str().context("it has an address")?.to_owned();
            homes.push((reference, page, 300_000 + number * 100_000));
        }
        Ok(Self { homes, publishes: 0 })
    }

    fn pages(&self) -> Vec<String> {
        self.homes.iter().map(|(_, page, _)| page.clone()).collect()
    }

    /// Publishes a new price of the next home.
    fn publish(&mut self, world: &World) -> Result<()> {
        let next = self.publishes % self.homes.len();
        self.publishes += 1;
        let (reference, _, price) = &mut self.homes[next];
        *price += 1_000;
        content::edit_property(world.content(), reference, &json!({ "price": price }))
    }

    /// Waits until each home that was published shows its latest price.
    async fn wait_until_all_is_shown(&self, world: &World) -> Result<()> {
        let started = Instant::now();
        for (_, page, price) in self.homes.iter().take(self.publishes) {
            let price = format!("{},{:03}", price / 1_000, price % 1_000);
            loop {
                if let Ok(html) = world.page(page).await
                    && html.contains(&price)
                {
                    break;
                }
                ensure!(started.elapsed() < seen_limit(), "{page} does not show {price}");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        Ok(())
    }
}
