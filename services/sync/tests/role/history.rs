//! Property tests: however the hints of a history are lost, duplicated and reordered, the ledger ends up
//! equal to the content service, and no version decreases.

use std::{collections::BTreeMap, time::Duration};

use proptest::{
    collection::vec,
    prelude::{Strategy, any},
    strategy::ValueTree,
    test_runner::{Config, RngSeed, TestRunner},
};
use serde_json::{Value, json};
use sync::{Depth, Intervals, MassRemoval};

use crate::{
    content::house,
    role::{HINTS_ONLY, Role, World},
};

const HOUSES: i64 = 6;
/// Environment variables select other histories: `HISTORY_SEED=7 HISTORIES=20 cargo test`.
const HISTORIES: u64 = 3;

/// A change by an editor, and the delivery of its webhook.
#[derive(Clone, Debug)]
struct Step {
    house: i64,
    act: Act,
    /// How often the webhook is delivered; 0 if it is lost.
    copies: usize,
    /// After how many steps it is delivered.
    late: usize,
}

#[derive(Clone, Debug)]
enum Act {
    Price(i64),
    Publish(bool),
    Delete,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let act =
        (0..10, 1_000_i64..9_999, any::<bool>()).prop_map(|(kind, price, public)| match kind {
            0 => Act::Delete,
            1..=3 => Act::Publish(public),
            _ => Act::Price(price),
        });
    let step = (1..=HOUSES, act, 0..10_usize, 0..6_usize).prop_map(|(house, act, luck, late)| {
        let copies = match luck {
            0..=2 => 0,
            3..=7 => 1,
            _ => 4,
        };
        Step { house, act, copies, late }
    });
    vec(step, 30..50)
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[tokio::test(flavor = "multi_thread")]
async fn any_order_of_hints_ends_in_the_same_ledger() {
    let first = number("HISTORY_SEED", 1);
    for seed in first..first + number("HISTORIES", HISTORIES) {
        let config = Config { rng_seed: RngSeed::Fixed(seed), ..Config::default() };
        let mut runner = TestRunner::new(config);
        let history = steps().new_tree(&mut runner).expect("a history").current();
        println!("history {seed}: {} steps", history.len());
        replay(&history).await;
    }
}

async fn replay(history: &[Step]) {
    let world = World::new("history").await;
    for id in 1..=HOUSES {
        world.content.put("properties", &id.to_string(), house(id, 100));
    }
    let role = world.start(HINTS_ONLY).await;
    let mut waiting: Vec<(usize, i64)> = Vec::new();
    for (now, step) in history.iter().enumerate() {
        act(&world, step);
        waiting.extend((0..step.copies).map(|copy| (now + step.late + copy, step.house)));
        deliver(&role, &mut waiting, now).await;
    }
    deliver(&role, &mut waiting, usize::MAX).await;
    world.wait_until_idle().await;
    assert_versions_rise(&world).await;

    // One comparison finds what was lost.
    let operator = world.operator().await;
    operator.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("compared");
    operator.capture_due().await.expect("captured");
    world.wait_until_idle().await;
    assert_versions_rise(&world).await;
    assert_ledger_is_content(&world).await;
    role.stop().await;
}

/// Delivers the webhooks that are due by `now`, the latest first.
async fn deliver(role: &Role, waiting: &mut Vec<(usize, i64)>, now: usize) {
    let due: Vec<_> = waiting.extract_if(.., |(at, _)| *at <= now).collect();
    let hints = due.into_iter().rev().map(async |(_, house)| {
        role.hint("properties", &house.to_string()).await;
    });
    futures::future::join_all(hints).await;
}

fn act(world: &World, step: &Step) {
    let key = step.house.to_string();
    if !world.content.properties().contains_key(&key) {
        world.content.put("properties", &key, house(step.house, 500));
    }
    match step.act {
        Act::Price(price) => {
            world.content.change("properties", &key, |house| house["price"] = json!(price));
        }
        Act::Publish(public) => {
            let status = if public { "published" } else { "draft" };
            world.content.change("properties", &key, |house| house["status"] = json!(status));
        }
        Act::Delete => world.content.delete("properties", &key),
    }
}

/// Asserts that the versions of each aggregate count from 1 without a gap, and that neighbours differ.
async fn assert_versions_rise(world: &World) {
    let mut last: BTreeMap<String, (i64, Value)> = BTreeMap::new();
    for entry in world.entries().await {
        let before = last.insert(entry.aggregate.clone(), (entry.version, entry.change.clone()));
        match before {
            None => assert_eq!(entry.version, 1, "{}", entry.aggregate),
            Some((version, change)) => {
                assert_eq!(entry.version, version + 1, "{}", entry.aggregate);
                assert_ne!(entry.change, change, "{}", entry.aggregate);
            }
        }
    }
}

async fn assert_ledger_is_content(world: &World) {
    assert_eq!(shown(world).await, published(world));
}

/// Returns key and price of every published house in the content service.
fn published(world: &World) -> BTreeMap<String, Option<i64>> {
    let houses = world.content.properties().into_iter();
    houses
        .filter(|(_, house)| house["status"] == "published")
        .map(|(key, house)| (key, house["price"].as_i64()))
        .collect()
}

/// Returns key and price of every published house in the ledger.
async fn shown(world: &World) -> BTreeMap<String, Option<i64>> {
    let latest = world.latest().await.into_iter();
    latest
        .filter(|(_, entry)| !entry.is_removal())
        .filter_map(|(name, entry)| {
            Some((name.strip_prefix("properties/")?.to_owned(), entry.price()))
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_activity_log_alone_keeps_the_ledger_correct() {
    let world = World::new("activity_only").await;
    for id in 1..=HOUSES {
        world.content.put("properties", &id.to_string(), house(id, 100));
    }
    let role = world.start(Intervals { activity: Duration::from_secs(1), ..HINTS_ONLY }).await;
    let mut runner = TestRunner::new(Config { rng_seed: RngSeed::Fixed(11), ..Config::default() });
    for step in steps().new_tree(&mut runner).expect("a history").current() {
        act(&world, &step);
        world.content.log_activity("update", "properties", &step.house.to_string());
    }
    testkit::eventually("the ledger being the content", async || {
        (shown(&world).await == published(&world)).then_some(())
    })
    .await;
    world.wait_until_idle().await;
    assert_versions_rise(&world).await;
    assert_ledger_is_content(&world).await;
    role.stop().await;
}
