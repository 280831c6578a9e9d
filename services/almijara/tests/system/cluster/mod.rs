//! More than one machine: three NATS servers that keep the streams together, Postgres with a replica,
//! two of each role, Caddy before the sites. Whichever of them is killed while visitors read and an
//! editor publishes, no request fails and no publish is lost.
//!
//! It is set up by what stands in `deploy/`: `secrets.sh`, the configurations of NATS and Caddy,
//! `accounts.sh` and `replica.sh`. What stands for the names of services, which Kubernetes and Compose
//! give, is [`forward::Service`].

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

/// Homes that the editor changes in turn.
const HOMES: [&str; 4] = ["AH-1002", "AH-1003", "AH-1004", "AH-1042"];
/// Visitors that read at the same time.
const VISITORS: usize = 3;
const STORES: [&str; 2] = ["postgres-replica", "postgres"];
/// In the order in which `deploy/docs/upgrade.md` replaces them.
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

/// Of a site that is killed in the middle of an answer, nobody else has the rest: the visitor asks again.
const ANSWERING: &str = "site-";

/// What is published waits for the first Postgres; everything else goes on.
const NEEDED_TO_PUBLISH: &str = "postgres";

/// Each in turn (SIGKILL), after all that went before is back.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_or_a_role_is_killed_and_no_request_fails_and_no_publish_is_lost() -> Result<()> {
    let mut world = World::start().await?;
    let mut editor = Editor::new(&world).await?;
    let visitors = Visitors::start(&world.url(""), VISITORS, &editor.pages());
    for name in STORES.iter().chain(&ROLES).chain(&servers::NATS) {
        let (before, broken_off) = (visitors.requests(), visitors.broken_off());
        editor.publish(&world)?;
        world.kill(name).await?;
        let began = Instant::now();
        editor.publish(&world)?;
        if *name == NEEDED_TO_PUBLISH {
            visitors.read_on().await?;
        } else {
            editor.sees_all(&world).await.with_context(|| format!("without {name}"))?;
        }
        let away = began.elapsed();
        world.bring_back(name).await.with_context(|| format!("{name} comes back"))?;
        editor.publish(&world)?;
        editor.sees_all(&world).await.with_context(|| format!("with {name} again"))?;
        world.wait_until_all_are_ready().await.with_context(|| format!("{name} is back"))?;
        let broken_off = visitors.broken_off() - broken_off;
        let under_way = if name.starts_with(ANSWERING) { VISITORS as u64 } else { 0 };
        ensure!(broken_off <= under_way, "{broken_off} answers broke off without {name}");
        println!(
            "{name}: {away:.1?} later all was shown without it; {} requests, {} failed so far",
            visitors.requests() - before,
            visitors.failed().len(),
        );
    }
    visitors.stop().await?;
    world.verify(Version::Today).await?;
    world.stop().await
}

/// Who publishes prices, and looks for them.
struct Editor {
    /// Each home's page, and the price that it has.
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

    /// Publishes another price of the next home.
    fn publish(&mut self, world: &World) -> Result<()> {
        let next = self.publishes % self.homes.len();
        self.publishes += 1;
        let (reference, _, price) = &mut self.homes[next];
        *price += 1_000;
        content::edit_property(world.content(), reference, &json!({ "price": price }))
    }

    /// Waits until each home that was published once shows its last price.
    async fn sees_all(&self, world: &World) -> Result<()> {
        let began = Instant::now();
        for (_, page, price) in self.homes.iter().take(self.publishes) {
            let price = format!("{},{:03}", price / 1_000, price % 1_000);
            loop {
                if let Ok(html) = world.page(page).await
                    && html.contains(&price)
                {
                    break;
                }
                ensure!(began.elapsed() < seen_limit(), "{page} does not show {price}");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        Ok(())
    }
}
