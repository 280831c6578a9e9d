//! How capture changes the ledger.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sync::{Depth, MassRemoval};
use testkit::eventually;

use crate::{
    content::{FILE, Mood, house, location},
    role::{Entry, HINTS_ONLY, World},
};

const SECRET_WORD: &str = "Xanadu-not-for-anybody";

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_sent_before_the_commit_is_corrected_by_the_recheck() {
    let world = World::new("early").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    let before = world.content.readings();
    role.hint("properties", "1").await;
    eventually("the first reading", async || (world.content.readings() > before).then_some(()))
        .await;
    // Only now the transaction of the editor commits.
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    world.wait_for_price("1", 200).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_during_a_read_is_read_again_immediately() {
    let world = World::new("meanwhile").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.content.set(Mood::Stalling);
    let before = world.content.readings();
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    eventually("the reading", async || (world.content.readings() > before).then_some(())).await;
    world.content.change("properties", "1", |house| house["price"] = json!(300));
    role.hint("properties", "1").await;
    // The first read returns what it found when it started.
    world.content.set(Mood::Fair);
    world.wait_for_price("1", 300).await;
    let prices: Vec<_> = world
        .entries()
        .await
        .iter()
        .filter(|entry| entry.aggregate == "properties/1")
        .filter_map(|entry| Some((entry.version, entry.price()?)))
        .collect();
    assert_eq!(prices, [(1, 100), (2, 200), (3, 300)]);
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_content_service_is_seen_in_the_time_of_a_capture() {
    runtime::metrics::install(sync::METRICS);
    let world = World::new("slow").await;
    let role = world.start(HINTS_ONLY).await;
    let slow = async || {
        let figure = async |figure: &str| role.operator.metric(figure).await.unwrap_or_default();
        figure("sync_capture_seconds_count{collection=\"locations\"}").await
            - figure("sync_capture_seconds_bucket{le=\"1.0\",collection=\"locations\"}").await
    };
    let before = slow().await;
    world.content.set(Mood::Stalling);
    let readings = world.content.readings();
    world.content.put("locations", "4", location(4, "nerja", "Nerja by the sea"));
    role.hint("locations", "4").await;
    eventually("the reading", async || (world.content.readings() > readings).then_some(())).await;
    let limit = Instant::now() + Duration::from_secs(1);
    eventually("the limit being exceeded", async || (Instant::now() > limit).then_some(())).await;
    world.content.set(Mood::Fair);
    eventually("the capture being counted as slow", async || (slow().await > before).then_some(()))
        .await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_draft_gets_into_ledger_or_log() {
    let world = World::new("drafts").await;
    let mut draft = house(1, 100);
    draft["status"] = json!("draft");
    draft["translations"][0]["title"] = json!(SECRET_WORD);
    world.content.put("properties", "1", draft);
    let mut place = location(7, "xanadu", SECRET_WORD);
    place["status"] = json!("draft");
    world.content.put("locations", "7", place);
    let mut in_draft_place = house(2, 200);
    in_draft_place["location"] = json!(7);
    world.content.put("properties", "2", in_draft_place);
    world.content.put("properties", "3", house(3, 300));
    let role = world.start(HINTS_ONLY).await;
    for key in ["1", "2", "3"] {
        role.hint("properties", key).await;
        role.hint("properties_translations", &format!("{key}0")).await;
    }
    role.hint("locations", "7").await;
    world.wait_until_idle().await;

    let tables = ["inbox", "aggregate", "part", "entry", "epoch", "parked"];
    for table in tables {
        let query = sqlx::AssertSqlSafe(format!("select t::text from ledger.{table} t"));
        let rows: Vec<String> =
            sqlx::query_scalar(query).fetch_all(&world.pool).await.expect("the ledger answers");
        assert!(!rows.iter().any(|row| row.contains(SECRET_WORD)), "ledger.{table}");
    }
    let log = world.log().await;
    assert!(log.iter().any(|(_, event)| event.aggregate.to_string() == "properties/3"));
    for (_, event) in &log {
        let text = serde_json::to_string(event).expect("an event is JSON");
        assert!(!text.contains(SECRET_WORD), "{}", event.aggregate);
    }
    let latest = world.latest().await;
    assert!(!latest.contains_key("properties/1") && !latest.contains_key("properties/2"));
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unpublished_item_is_removed_and_gets_a_higher_version_when_republished() {
    let world = World::new("tombstone").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    eventually("the house", async || world.property("1").await).await;
    for (status, removed, version) in
        [("draft", true, 2), ("published", false, 3), ("archived", true, 4)]
    {
        world.content.change("properties", "1", |house| house["status"] = json!(status));
        role.hint("properties", "1").await;
        let entry = eventually(status, async || {
            world.property("1").await.filter(|entry| entry.version == version)
        })
        .await;
        assert_eq!(entry.is_removal(), removed, "{status}");
    }
    world.content.delete("properties", "1");
    role.hint("properties", "1").await;
    world.wait_until_idle().await;
    assert_eq!(world.property("1").await.map(|entry| entry.version), Some(4));
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_house_is_removed_and_restored_with_its_place() {
    let world = World::new("place").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    eventually("the house", async || world.property("1").await).await;
    for (status, removed) in [("archived", true), ("published", false)] {
        world.content.change("locations", "4", |place| place["status"] = json!(status));
        role.hint("locations", "4").await;
        eventually(status, async || {
            world.property("1").await.filter(|entry| entry.is_removal() == removed)
        })
        .await;
    }
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_house_is_removed_with_a_place_that_was_unpublished_before_it_was_ever_read() {
    let world = World::new("unread_place").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    // As if the comparison at start had not reached it yet.
    world.sql("delete from ledger.aggregate where collection = 'locations'").await;
    world.content.change("locations", "4", |place| place["status"] = json!("archived"));
    role.hint("locations", "4").await;
    eventually("it is gone", async || world.property("1").await.filter(Entry::is_removal)).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_house_is_read_again_if_its_place_changed_before_the_link_was_recorded() {
    let world = World::new("place_meanwhile").await;
    let role = world.start(HINTS_ONLY).await;
    world.content.put("properties", "1", house(1, 100));
    let before = world.content.readings_of("properties");
    world.content.set(Mood::Stalling);
    role.hint("properties", "1").await;
    eventually("the reading", async || {
        (world.content.readings_of("properties") > before).then_some(())
    })
    .await;
    // As if it had been found without a hint: it is not rechecked.
    world.sql("update ledger.aggregate set recheck_at = null").await;
    // Meanwhile another process reads the place.
    let called = |place: &mut Value| place["translations"][0]["name"] = json!("Maro");
    world.content.change("locations", "4", called);
    world
        .sql(
            "with place as (
                update ledger.aggregate set version = version + 1 where collection = 'locations'
             )
             insert into ledger.entry (event_id, collection, key, version, schema_version, change)
             select gen_random_uuid(), collection, key, version + 1, schema_version, change
             from ledger.entry where collection = 'locations'",
        )
        .await;
    world.content.set(Mood::Fair);
    eventually("the house in the place as it is called now", async || {
        let house = world.property("1").await?;
        (house.change["snapshot"]["location"]["name"]["en"] == "Maro").then_some(())
    })
    .await;
    world.wait_until_idle().await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_save_that_changes_nothing_makes_no_version() {
    let world = World::new("noop").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    let before = world.content.readings();
    world.content.change("properties", "1", |house| {
        house["date_updated"] = json!("2026-07-01T10:00:00.000Z");
    });
    role.hint("properties", "1").await;
    eventually("both readings", async || (world.content.readings() >= before + 2).then_some(()))
        .await;
    world.wait_until_idle().await;
    assert_eq!(world.property("1").await.map(|entry| entry.version), Some(1));
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_failure_of_the_content_service_removes_anything() {
    let world = World::new("moods").await;
    world.content.put("properties", "1", house(1, 100));
    world.content.put("properties", "2", house(2, 100));
    let role = world.start(HINTS_ONLY).await;
    let mut price = 100;
    for mood in [Mood::Failing, Mood::Forbidding, Mood::Truncating, Mood::Empty] {
        world.content.set(mood);
        let before = world.content.readings();
        price += 1;
        world.content.change("properties", "1", |house| house["price"] = json!(price));
        role.hint("properties", "1").await;
        role.hint("properties", "2").await;
        eventually("readings that go wrong", async || {
            (world.content.readings() >= before + 4).then_some(())
        })
        .await;
        world.content.set(Mood::Fair);
        world.wait_for_price("1", price).await;
    }
    assert!(world.entries().await.iter().all(|entry| !entry.is_removal()));
    assert_eq!(world.property("2").await.map(|entry| entry.version), Some(1));
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_that_was_overtaken_writes_nothing() {
    let world = World::new("fence").await;
    world.content.put("properties", "1", house(1, 100));
    let (slow, fast) = (world.start(HINTS_ONLY).await, world.start(HINTS_ONLY).await);
    world.content.set(Mood::Stalling);
    let before = world.content.readings();
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    slow.hint("properties", "1").await;
    eventually("the slow reading", async || (world.content.readings() > before).then_some(()))
        .await;
    // Its lease expires while it waits for the answer with 200, and meanwhile another read finds 300.
    world.content.change("properties", "1", |house| house["price"] = json!(300));
    world
        .sql("update ledger.aggregate set lease_until = now() where collection = 'properties'")
        .await;
    fast.hint("properties", "1").await;
    eventually("the fast reading", async || (world.content.readings() > before + 1).then_some(()))
        .await;
    world.content.set(Mood::Fair);
    world.wait_for_price("1", 300).await;
    world.wait_until_idle().await;
    let prices: Vec<_> = world
        .entries()
        .await
        .iter()
        .filter(|entry| entry.aggregate == "properties/1")
        .filter_map(|entry| Some((entry.version, entry.price()?)))
        .collect();
    assert_eq!(prices, [(1, 100), (2, 300)]);
    slow.stop().await;
    fast.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hint_with_many_keys_is_read_in_batches() {
    let world = World::new("many").await;
    for id in 1..=250 {
        world.content.put("properties", &id.to_string(), house(id, 100));
    }
    let role = world.start(HINTS_ONLY).await;
    let before = world.content.readings();
    for id in 1..=250 {
        world.content.change("properties", &id.to_string(), |house| house["price"] = json!(200));
    }
    let keys: Vec<i64> = (1..=250).collect();
    let body =
        json!({ "event": "properties.items.update", "keys": keys, "collection": "properties" });
    assert!(role.post(&body).await.status().is_success());
    eventually("every price", async || {
        let latest = world.latest().await;
        let done = latest.values().filter(|entry| entry.price() == Some(200)).count();
        (done == 250).then_some(())
    })
    .await;
    // Once per hundred, and once more each for the recheck.
    assert!(world.content.readings() - before <= 12);
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_aggregate_of_a_later_build_does_not_block_capture() {
    let world = World::new("later_collection").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    // As the later build left it: it is due to be read, and shows the same picture.
    world
        .sql("insert into ledger.aggregate (collection, key, dirty_gen) values ('offices', '1', 1)")
        .await;
    world
        .sql(
            "insert into ledger.part
             select distinct part_collection, part_key, 'offices', '1' from ledger.part
             where part_collection = 'directus_files'",
        )
        .await;
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("directus_files", FILE).await;
    world.wait_for_price("1", 200).await;
    // Without a hint, for the capture loop to find.
    world.content.change("properties", "1", |house| house["price"] = json!(300));
    let operator = world.operator().await;
    operator.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("it is compared");
    world.wait_for_price("1", 300).await;
    let waits: bool = sqlx::query_scalar(
        "select fence = 0 and dirty_gen > clean_gen from ledger.aggregate
         where collection = 'offices'",
    )
    .fetch_one(&world.pool)
    .await
    .expect("the ledger answers");
    assert!(waits, "it is left to that build");
    role.stop().await;
}
