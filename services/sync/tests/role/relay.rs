//! From the ledger to the log.

use std::{collections::BTreeMap, time::Duration};

use contracts::{Change, Event, content::Snapshot};
use event_log::EventLog;
use serde_json::json;
use testkit::eventually;

use crate::{
    content::house,
    role::{HINTS_ONLY, Role, World},
};

/// The log says what the ledger says, each version of it once or more and none before its
/// predecessor was there.
async fn assert_log_is_ledger(world: &World) {
    let log = world.log().await;
    let mut said: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for (_, event) in &log {
        said.entry(event.aggregate.to_string()).or_default().push(event.version.0);
    }
    let mut written: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for entry in world.entries().await {
        written.entry(entry.aggregate).or_default().push(entry.version);
    }
    assert_eq!(said, written);
}

fn price(event: &Event) -> Option<i64> {
    match &event.change {
        Change::Upserted { snapshot } => match &**snapshot {
            Snapshot::Properties(property) => property.price,
            _ => None,
        },
        Change::Removed => None,
    }
}

async fn publish(world: &World, role: &Role, value: i64) {
    world.content.change("properties", "1", |house| house["price"] = json!(value));
    role.hint("properties", "1").await;
    world.wait_for_price("1", value).await;
}

async fn epoch(world: &World) -> i32 {
    sqlx::query_scalar("select epoch from ledger.epoch")
        .fetch_one(&world.pool)
        .await
        .expect("there is a stream")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_entry_reaches_the_log_in_order() {
    let world = World::new("order").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    for value in 101..=110 {
        publish(&world, &role, value).await;
    }
    assert_log_is_ledger(&world).await;
    let prices: Vec<i64> = world.log().await.iter().filter_map(|(_, event)| price(event)).collect();
    assert_eq!(prices, (100..=110).collect::<Vec<_>>());
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_between_publishing_and_marking_publishes_nothing_twice() {
    let world = World::new("twice").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    publish(&world, &role, 200).await;
    let before = world.log().await;
    role.stop().await;
    // As a crash leaves it: the log has them, the ledger does not know.
    world.sql("update ledger.entry set sequence = null").await;
    let role = world.start(HINTS_ONLY).await;
    assert_eq!(world.log().await, before);
    publish(&world, &role, 300).await;
    assert_log_is_ledger(&world).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_captured_while_nats_is_away_is_published_when_it_is_back() {
    let mut world = World::new("nats").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.published().await;
    world.nats.kill().await;
    publish(&world, &role, 200).await;
    publish(&world, &role, 300).await;
    eventually("the role saying so", async || (!role.is_ready()).then_some(())).await;
    world.nats.restart().await;
    assert_log_is_ledger(&world).await;
    assert_eq!(epoch(&world).await, 0, "a restart is no new life of the stream");
    eventually("the role being ready", async || role.is_ready().then_some(())).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_without_nats_waits_for_it() {
    let mut world = World::new("late").await;
    world.content.put("properties", "1", house(1, 100));
    world.nats.kill().await;
    world.operator().await;
    let role = Role::start(world.config(HINTS_ONLY)).await;
    world.wait_for_price("1", 100).await;
    assert!(!role.is_ready());
    world.nats.restart().await;
    assert_log_is_ledger(&world).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_stream_begins_a_new_epoch_with_everything_in_it() {
    let mut world = World::new("lost").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    publish(&world, &role, 200).await;
    let before = world.log().await;
    world.nats.kill().await;
    world.nats.wipe();
    world.nats.restart().await;
    eventually("a new epoch", async || (epoch(&world).await == 1).then_some(())).await;
    assert_log_is_ledger(&world).await;
    let after = world.log().await;
    let events =
        |log: &[(_, Event)]| log.iter().map(|(_, event)| event.clone()).collect::<Vec<_>>();
    assert_eq!(events(&after), events(&before));
    assert!(after[0].0 > before[before.len() - 1].0, "positions only rise");
    publish(&world, &role, 300).await;
    assert_log_is_ledger(&world).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_restored_from_an_older_copy_begins_a_new_epoch() {
    let world = World::new("older").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    publish(&world, &role, 200).await;
    world.published().await;
    // The ledger has seen a hundred messages more than the stream that came back.
    world.sql("update ledger.epoch set highest = highest + 100").await;
    eventually("a new epoch", async || (epoch(&world).await == 1).then_some(())).await;
    assert_log_is_ledger(&world).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_relays_leads_and_the_other_takes_over() {
    let world = World::new("lead").await;
    world.content.put("properties", "1", house(1, 100));
    let (first, second) = (world.start(HINTS_ONLY).await, world.start(HINTS_ONLY).await);
    for value in 101..=105 {
        publish(&world, &first, value).await;
        publish(&world, &second, value + 100).await;
    }
    assert_log_is_ledger(&world).await;
    first.stop().await;
    publish(&world, &second, 300).await;
    assert_log_is_ledger(&world).await;
    second.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relay_whose_connection_is_cut_leads_again() {
    let world = World::new("cut").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world
        .sql(
            "select pg_terminate_backend(pid) from pg_locks
             where locktype = 'advisory' and database =
                 (select oid from pg_database where datname = current_database())",
        )
        .await;
    publish(&world, &role, 200).await;
    assert_log_is_ledger(&world).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_that_can_never_be_published_keeps_no_other_from_it() {
    let world = World::new("poison").await;
    world.content.put("properties", "1", house(1, 100));
    world.operator().await;
    world
        .sql(
            "insert into ledger.entry
                (event_id, collection, key, version, schema_version, change)
             values (gen_random_uuid(), 'properties', '99', 1, 1, '{\"kind\":\"nonsense\"}')",
        )
        .await;
    let role = world.start(HINTS_ONLY).await;
    publish(&world, &role, 200).await;
    let refused = eventually("the good entries in the log, the bad one aside", async || {
        let (waiting, refused): (i64, Vec<String>) = sqlx::query_as(
            "select count(*) filter (where refused is null),
                 coalesce(array_agg(key) filter (where refused is not null), '{}')
             from ledger.entry where sequence is null",
        )
        .fetch_one(&world.pool)
        .await
        .expect("the ledger answers");
        (waiting == 0 && !refused.is_empty()).then_some(refused)
    })
    .await;
    assert_eq!(refused, ["99"]);
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_publish_is_in_the_log_a_moment_after_its_webhook() {
    let world = World::new("fast").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.published().await;
    let log = EventLog::connect(&world.nats.url(), "test").await.expect("an address");
    let end = log.stream_state().await.expect("nats").and_then(|state| state.position());
    let mut reader = log.reader(end.expect("a stream of ours"));
    let mut times = Vec::new();
    for value in 101..=130 {
        world.content.change("properties", "1", |house| house["price"] = json!(value));
        let began = std::time::Instant::now();
        let (answer, batch) = tokio::join!(role.hint("properties", "1"), async {
            reader.next_batch(1, Duration::from_secs(5)).await.expect("the log")
        });
        let () = answer;
        times.push(began.elapsed());
        assert_eq!(batch[0].event.as_ref().ok().and_then(price), Some(value));
    }
    // A relay that looked only at its own intervals, half a second long, would let each wait for
    // the next but the first; one that is told needs milliseconds, or what a busy machine makes of
    // them now and then.
    let fastest = times[1..].iter().min();
    assert!(fastest.is_some_and(|time| *time < Duration::from_millis(250)), "{times:?}");
    role.stop().await;
}
