//! How often due aggregates are claimed and read.

use std::time::{Duration, Instant};

use serde_json::json;
use sync::{Depth, MassRemoval};
use testkit::eventually;

use crate::{
    content::{Mood, house},
    role::{HINTS_ONLY, World},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_was_set_back_causes_no_endless_reads() {
    let world = World::new("set_back").await;
    world.content.put("properties", "1", house(1, 100));
    let operator = world.operator().await;
    operator.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("compared");
    operator.capture_due().await.expect("captured");
    // Its place was recorded while the clock was ahead.
    world
        .sql(
            "update ledger.entry set captured_at = now() + interval '1 hour'
             where collection = 'locations'",
        )
        .await;
    world
        .sql(
            "update ledger.aggregate set dirty_gen = dirty_gen + 1, due_at = now()
             where collection = 'properties'",
        )
        .await;
    let captured = tokio::time::timeout(Duration::from_mins(1), operator.capture_due()).await;
    let versions = captured.expect("nothing is due any more").expect("captured");
    assert_eq!(versions, 0, "it is what it was");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_concurrent_hints_are_read_in_batches() {
    let world = World::new("crowd").await;
    for id in 1..=120 {
        world.content.put("properties", &id.to_string(), house(id, 100));
    }
    let role = world.start(HINTS_ONLY).await;
    world.content.set(Mood::Stalling);
    let (before, began) = (world.content.readings(), Instant::now());
    let hints = (1..=120).map(|id| {
        world.content.change("properties", &id.to_string(), |house| house["price"] = json!(200));
        let role = &role;
        async move { role.hint("properties", &id.to_string()).await }
    });
    futures::future::join_all(hints).await;
    // A read without an answer is aborted after 5 s and retried.
    let rounds = 1 + usize::try_from(began.elapsed().as_secs() / 5).expect("a few");
    let at_once = world.content.readings() - before;
    assert!(at_once <= 32 * rounds, "{at_once} readings at once, {rounds} times");
    // The rechecks are spread over time.
    world.sql("update ledger.aggregate set recheck_at = null").await;
    world.content.set(Mood::Fair);
    eventually("every price", async || {
        let latest = world.latest().await;
        let done = latest.values().filter(|entry| entry.price() == Some(200)).count();
        (done == 120).then_some(())
    })
    .await;
    let readings = world.content.readings() - before - at_once;
    assert!(readings < 60, "{readings} readings of 120 homes, which are read a hundred together");
    role.stop().await;
}

/// Two sessions may get the same microsecond from their clocks; here the clock is stopped meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn two_hints_at_the_same_instant_make_one_claim() {
    let world = World::new("instant").await;
    world.sql("create schema clock").await;
    world.sql("create table clock.stands (at timestamptz)").await;
    world
        .sql(
            "create function clock.now() returns timestamptz stable language sql as
             'select coalesce((select at from clock.stands), pg_catalog.now())'",
        )
        .await;
    world.content.put("properties", "1", house(1, 100));
    let mut config = world.config(HINTS_ONLY);
    let path = "?options=-csearch_path%3Dclock,pg_catalog,public";
    config.database_url = format!("{}{path}", world.database.plain_url()).into();
    let role = world.start_with(config).await;

    world.content.set(Mood::Stalling);
    world.content.change("properties", "1", |house| house["status"] = json!("draft"));
    world.sql("insert into clock.stands values (now())").await;
    role.hint("properties", "1").await;
    role.hint("properties", "1").await;
    world.sql("delete from clock.stands").await;
    world.content.set(Mood::Fair);
    world.wait_until_idle().await;
    let entries = world.entries().await;
    let removals = entries.iter().filter(|entry| entry.is_removal()).count();
    assert_eq!(removals, 1, "it was taken off once");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_recheck_is_repeated() {
    let world = World::new("cut_recheck").await;
    let operator = world.operator().await;
    world.content.put("properties", "1", house(1, -5));
    operator.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("compared");
    operator.capture_due().await.expect("captured");
    world.wait_until_parked("properties", "1", "price").await;
    // Without a hint: parked items are retried on their own schedule.
    world.content.change("properties", "1", |house| house["price"] = json!(100));
    world
        .sql("update ledger.aggregate set recheck_at = now() where collection = 'properties'")
        .await;
    world.content.set(Mood::Stalling);
    let before = world.content.readings();
    tokio::select! {
        captured = operator.capture_due() => panic!("{captured:?}"),
        () = eventually("the reading", async || {
            (world.content.readings() > before).then_some(())
        }) => {}
    }
    // As if the process ended there, and its lease expired later.
    world.sql("update ledger.aggregate set lease_until = now()").await;
    world.content.set(Mood::Fair);
    operator.capture_due().await.expect("captured");
    assert!(world.parked().await.items.is_empty(), "it was read again");
    assert_eq!(world.property("1").await.and_then(|entry| entry.price()), Some(100));
}

#[tokio::test(flavor = "multi_thread")]
async fn shutdown_waits_for_the_reads_that_hints_started() {
    let world = World::new("last_reading").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.content.set(Mood::Stalling);
    let before = world.content.readings();
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    eventually("the reading", async || (world.content.readings() > before).then_some(())).await;
    let content = world.content.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(300)).await;
        content.set(Mood::Fair);
    });
    role.stop().await;
    assert_eq!(world.property("1").await.and_then(|entry| entry.price()), Some(200));
    let leased: bool =
        sqlx::query_scalar("select bool_or(lease_until is not null) from ledger.aggregate")
            .fetch_one(&world.pool)
            .await
            .expect("the ledger answers");
    assert!(!leased, "the next process would wait for it");
}
