//! When a rebuilt stream is marked as complete.

use std::time::Duration;

use contracts::{Collection, Epoch, LedgerId};
use event_log::{EventLog, StreamState};
use testkit::eventually;

use crate::{
    content::{Mood, house},
    relay::{assert_log_is_ledger, price, stream_origin, wait_until_rebuilt},
    role::{HINTS_ONLY, Role, World},
};

/// Longer than the interval at which the relay checks whether the stream is complete.
const ROUNDS: Duration = Duration::from_secs(2);

/// Waits until the stream is marked as complete, and returns its state.
pub async fn wait_until_complete(world: &World) -> StreamState {
    let log = EventLog::connect(&world.nats.url(), "test").await.expect("an address");
    eventually("a log that is complete", async || {
        let state = log.stream_state().await.ok()??;
        state.lineage.as_ref()?.complete.then_some(state)
    })
    .await
}

/// Asserts that the stream is not marked as complete during some rounds of the relay.
async fn assert_stays_incomplete(world: &World) {
    let log = EventLog::connect(&world.nats.url(), "test").await.expect("an address");
    let until = tokio::time::Instant::now() + ROUNDS;
    while tokio::time::Instant::now() < until {
        let state = log.stream_state().await.expect("nats answers").expect("a stream");
        assert!(!state.lineage.expect("it is ours").complete, "{} messages", state.messages);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Runs a role until it has filled the log, and returns the origin of the stream.
async fn fill(world: &World) -> Option<(LedgerId, Epoch)> {
    let role = world.start(HINTS_ONLY).await;
    world.wait_until_published().await;
    let origin = stream_origin(world).await;
    role.stop().await;
    origin
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_of_a_new_ledger_is_complete_after_a_full_comparison() {
    let mut world = World::new("unread").await;
    world.content.put("properties", "1", house(1, 100));
    let empty = world.copy_database().await;
    let of_the_lost = fill(&world).await;
    world.restore_database(empty).await;
    world.content.set(Mood::Stalling);
    let role = Role::start(world.config(HINTS_ONLY)).await;
    wait_until_rebuilt(&world, of_the_lost).await;
    assert_stays_incomplete(&world).await;
    world.content.set(Mood::Fair);
    let state = wait_until_complete(&world).await;
    assert!(state.messages >= 3, "a home, its place and the settings: {}", state.messages);
    assert_log_is_ledger(&world).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_of_a_restored_ledger_is_complete_after_a_full_comparison() {
    let world = World::new("gone_back").await;
    for id in 1..=2 {
        world.content.put("properties", &id.to_string(), house(id, 100));
    }
    let role = world.start(HINTS_ONLY).await;
    world.wait_until_published().await;
    let before = stream_origin(&world).await;
    world.content.set(Mood::Stalling);
    // The ledger is replaced, under the running role, by a copy from when house 2 was a draft, and no
    // hint announces that house.
    world.sql("delete from ledger.entry where collection = 'properties' and key = '2'").await;
    world
        .sql(
            "update ledger.aggregate set version = 0, hash = null
             where collection = 'properties' and key = '2'",
        )
        .await;
    world.sql("update ledger.epoch set ledger = gen_random_uuid()").await;
    world
        .sql("update ledger.compared set ledger = (select ledger from ledger.epoch limit 1)")
        .await;
    world
        .sql(
            "select pg_terminate_backend(pid) from pg_locks
             where locktype = 'advisory' and database =
                 (select oid from pg_database where datname = current_database())",
        )
        .await;
    wait_until_rebuilt(&world, before).await;
    assert_stays_incomplete(&world).await;
    world.content.set(Mood::Fair);
    wait_until_complete(&world).await;
    let log = world.log().await;
    let homes = log.iter().filter(|(_, event)| price(event) == Some(100)).count();
    assert_eq!(homes, 2, "it is read at once, whatever the time of the next comparison");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_log_is_filled_from_a_compared_ledger_without_the_content_service() {
    let mut world = World::new("filled_alone").await;
    world.content.put("properties", "1", house(1, 100));
    let lost = fill(&world).await;
    // As the previous build left it, which recorded no comparisons.
    world.sql("drop table ledger.compared").await;
    world.sql("delete from ledger.migration where version = 14").await;
    world.nats.kill().await;
    world.nats.wipe();
    world.nats.restart().await;
    world.content.set(Mood::Failing);
    let role = Role::start(world.config(HINTS_ONLY)).await;
    wait_until_rebuilt(&world, lost).await;
    wait_until_complete(&world).await;
    assert_log_is_ledger(&world).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_withheld_collection_is_not_waited_for_except_properties() {
    let world = World::new("kept_back").await;
    world.content.put("properties", "1", house(1, 100));
    for collection in ["redirects", "properties"] {
        world.content.forbid(collection);
    }
    let role = world.start(HINTS_ONLY).await;
    role.hint("redirects", "1").await;
    assert_stays_incomplete(&world).await;
    world.content.allow("properties");
    wait_until_complete(&world).await;
    let log = world.log().await;
    assert!(log.iter().any(|(_, event)| price(event) == Some(100)), "{log:?}");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn collections_that_failed_before_properties_were_read_are_retried_first() {
    let world = World::new("kept_back_before").await;
    world.content.put("properties", "1", house(1, 100));
    for collection in Collection::ALL {
        world.content.forbid(collection.name());
    }
    let role = Role::start(world.config(HINTS_ONLY)).await;
    let homes = Collection::Properties.name();
    // Each collection backs off for some seconds then.
    eventually("homes were asked for in vain", async || {
        (world.content.readings_of(homes) >= 4).then_some(())
    })
    .await;
    world.content.set(Mood::Stalling);
    world.content.allow(homes);
    let readings = world.content.readings_of(homes);
    eventually("homes are asked for again", async || {
        (world.content.readings_of(homes) > readings).then_some(())
    })
    .await;
    for collection in Collection::ALL {
        world.content.allow(collection.name());
    }
    world.content.set(Mood::Fair);
    let state = wait_until_complete(&world).await;
    assert!(state.messages >= 3, "a home, its place and the settings: {}", state.messages);
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_persistently_failing_collection_is_not_waited_for() {
    let world = World::new("in_vain").await;
    world.content.put("properties", "1", house(1, 100));
    world.content.fail("redirects");
    let role = world.start(HINTS_ONLY).await;
    wait_until_complete(&world).await;
    let log = world.log().await;
    assert!(log.iter().any(|(_, event)| price(event) == Some(100)), "{log:?}");
    role.stop().await;
}
