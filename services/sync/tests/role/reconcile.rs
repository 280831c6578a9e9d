//! Reconcile: changes that no webhook announced.

use std::time::Duration;

use chrono::{TimeDelta, Utc};
use serde_json::json;
use sync::{Depth, Error, Intervals, MassRemoval};
use testkit::eventually;

use crate::{
    content::{Mood, house},
    role::{Entry, HINTS_ONLY, Role, World},
};

const SECOND: Duration = Duration::from_secs(1);

/// Creates a world with `count` houses, all of them in the ledger.
async fn world_with_houses(name: &str, count: i64) -> World {
    let world = World::new(name).await;
    for id in 1..=count {
        world.content.put("properties", &id.to_string(), house(id, 100));
    }
    let operator = world.operator().await;
    operator.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("a first reading");
    operator.capture_due().await.expect("a first capture");
    world
}

async fn removed(world: &World) -> usize {
    world.latest().await.values().filter(|entry| entry.is_removal()).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_start_reads_everything_once() {
    let world = World::new("first").await;
    for id in 1..=300 {
        world.content.put("properties", &id.to_string(), house(id, 100));
    }
    let role = world.start(HINTS_ONLY).await;
    eventually("every house in the ledger", async || {
        (world.latest().await.len() == 302).then_some(())
    })
    .await;
    let log = world.log().await;
    assert_eq!(log.len(), 302);
    assert!(log.iter().all(|(_, event)| event.version.0 == 1));
    role.stop().await;

    // A second start finds no differences.
    let role = world.start(HINTS_ONLY).await;
    world.wait_until_idle().await;
    assert_eq!(world.entries().await.len(), 302);
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_activity_log_announces_what_webhooks_lost() {
    let world = World::new("activity").await;
    world.content.put("properties", "1", house(1, 100));
    world.content.put("properties", "2", house(2, 100));
    let role = world.start(Intervals { activity: SECOND, ..HINTS_ONLY }).await;
    let content = &world.content;
    content.change("properties", "1", |house| house["price"] = json!(200));
    content.log_activity("update", "properties", "1");
    content.delete("properties", "2");
    content.log_activity("delete", "properties", "2");
    content.put("properties", "3", house(3, 300));
    content.log_activity("create", "properties", "3");
    world.wait_for_price("1", 200).await;
    world.wait_for_price("3", 300).await;
    eventually("the deletion", async || world.property("2").await.filter(Entry::is_removal)).await;
    // A translation that changes alone leads to its house.
    content.change("properties", "1", |house| house["translations"][0]["title"] = json!("Villa"));
    content.log_activity("update", "properties_translations", "10");
    eventually("the new title", async || {
        let entry = world.property("1").await?;
        (entry.change["snapshot"]["text"]["en"]["title"] == "Villa").then_some(())
    })
    .await;
    // Rows that were seen already are not read again in every round.
    world.wait_until_idle().await;
    let (readings, rounds) = (content.readings(), content.activity_readings());
    eventually("three more rounds", async || {
        (content.activity_readings() >= rounds + 3).then_some(())
    })
    .await;
    assert_eq!(content.readings(), readings);
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_activity_log_is_followed_after_a_clock_that_was_ahead_is_corrected() {
    let world = World::new("ahead").await;
    for id in 1..=2 {
        world.content.put("properties", &id.to_string(), house(id, 100));
    }
    let role = world.start(Intervals { activity: SECOND, ..HINTS_ONLY }).await;
    let tomorrow = Utc::now() + TimeDelta::days(1);
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    world.content.log_activity_at(tomorrow, "update", "properties", "1");
    world.wait_for_price("1", 200).await;
    world.content.change("properties", "2", |house| house["price"] = json!(200));
    world.content.log_activity("update", "properties", "2");
    world.wait_for_price("2", 200).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sweep_of_ids_finds_additions_and_removals() {
    let world = world_with_houses("ids", 3).await;
    let operator = world.operator().await;
    world.content.put("properties", "9", house(9, 900));
    world.content.delete("properties", "1");
    world.content.change("properties", "2", |house| house["status"] = json!("archived"));
    let report = operator.reconcile(Depth::Ids, MassRemoval::Refuse).await.expect("it is compared");
    assert_eq!((report.differing, report.missing), (1, 2));
    operator.capture_due().await.expect("it is captured");
    let latest = world.latest().await;
    assert!(latest["properties/1"].is_removal() && latest["properties/2"].is_removal());
    assert_eq!(latest["properties/9"].price(), Some(900));
    assert_eq!(latest["properties/3"].version, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_full_comparison_finds_unannounced_changes() {
    let world = world_with_houses("silent", 3).await;
    let operator = world.operator().await;
    // As after a change by SQL or a cascade: no webhook, no activity, the same ids.
    world.content.change("properties", "2", |house| house["price"] = json!(200));
    assert_eq!(
        operator.reconcile(Depth::Ids, MassRemoval::Refuse).await.expect("compared").differing,
        0
    );
    let report = operator.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("compared");
    assert_eq!((report.differing, report.missing), (1, 0));
    assert_eq!(operator.capture_due().await.expect("captured"), 1);
    assert_eq!(world.property("2").await.and_then(|entry| entry.price()), Some(200));
    let again = operator.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("compared");
    assert_eq!((again.differing, again.missing), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mass_removal_needs_an_operator() {
    let world = world_with_houses("mass", 60).await;
    let operator = world.operator().await;
    for id in 1..=13 {
        world.content.delete("properties", &id.to_string());
    }
    world.content.change("properties", "60", |house| house["price"] = json!(200));
    for depth in [Depth::Ids, Depth::Contents] {
        let refusal = operator.reconcile(depth, MassRemoval::Refuse).await;
        assert!(
            matches!(refusal, Err(Error::MassRemoval { missing: 13, published: 60, .. })),
            "{refusal:?}"
        );
        operator.capture_due().await.expect("captured");
    }
    assert_eq!(removed(&world).await, 0);
    // Other differences are not delayed by it.
    assert_eq!(world.property("60").await.and_then(|entry| entry.price()), Some(200));

    operator.reconcile(Depth::Ids, MassRemoval::Allow).await.expect("an operator said so");
    operator.capture_due().await.expect("captured");
    assert_eq!(removed(&world).await, 13);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_few_removals_need_no_operator() {
    // One in five, or three of a small collection.
    for (name, homes, few) in [("few", 60, 12), ("few_of_few", 4, 3)] {
        let world = world_with_houses(name, homes).await;
        let operator = world.operator().await;
        for id in 1..=few {
            world.content.delete("properties", &id.to_string());
        }
        operator.reconcile(Depth::Ids, MassRemoval::Refuse).await.expect("few enough");
        operator.capture_due().await.expect("captured");
        assert_eq!(removed(&world).await, few);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_failed_or_partial_read_removes_nothing() {
    // Few enough that the guard against mass removals does not apply.
    let world = world_with_houses("partial", 5).await;
    let operator = world.operator().await;
    let before = world.entries().await.len();
    for mood in [Mood::Failing, Mood::Forbidding, Mood::Truncating, Mood::Short, Mood::Empty] {
        for depth in [Depth::Ids, Depth::Contents] {
            world.content.set(mood);
            let compared = operator.reconcile(depth, MassRemoval::Refuse).await;
            world.content.set(Mood::Fair);
            // What was marked is read again from the service in its normal state.
            operator.capture_due().await.expect("captured");
            assert_eq!(world.entries().await.len(), before, "{mood:?} {depth:?} {compared:?}");
        }
    }
    for id in 1..=5 {
        world.content.delete("properties", &id.to_string());
    }
    // The removal of a complete collection needs an operator; a list is not trusted.
    let refusal = operator.reconcile(Depth::Ids, MassRemoval::Refuse).await;
    assert!(refusal.is_err(), "{refusal:?}");
    operator.capture_due().await.expect("captured");
    assert_eq!(removed(&world).await, 0);
    operator.reconcile(Depth::Ids, MassRemoval::Allow).await.expect("an operator said so");
    operator.capture_due().await.expect("captured");
    assert_eq!(removed(&world).await, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sort_with_a_refused_mass_removal_does_not_delay_other_hints() {
    let world = world_with_houses("sort", 1).await;
    for id in 100..=140 {
        let key = id.to_string();
        world.content.put(
            "team",
            &key,
            json!({
                "id": id, "status": "published", "sort": id, "name": key, "photo": null,
                "translations": [{ "id": id, "languages_code": "en-GB", "role": "Sales" }],
            }),
        );
    }
    let role = world.start(HINTS_ONLY).await;
    for id in 100..=130 {
        world.content.delete("team", &id.to_string());
    }
    let sort = json!({ "event": "items.sort", "collection": "team", "item": 131, "to": 132 });
    assert!(role.post(&sort).await.status().is_success());
    // A part whose parent only the content service knows waits behind it.
    world.translate(&role).await;
    assert_eq!(removed(&world).await, 0);
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_without_the_content_service_waits_for_it() {
    let world = World::new("waits").await;
    world.content.put("properties", "1", house(1, 100));
    world.content.set(Mood::Failing);
    world.operator().await;
    let role = Role::start(world.config(HINTS_ONLY)).await;
    eventually("a failed reading", async || (world.content.readings() > 1).then_some(())).await;
    world.content.set(Mood::Fair);
    world.wait_for_price("1", 100).await;
    role.stop().await;
}
