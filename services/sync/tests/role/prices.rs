//! The offers of homes over time, also before the ledger knew of them.

use chrono::{DateTime, Utc};
use contracts::{
    AggregateId, Change, Collection, Event, Reduction,
    content::{Property, Snapshot},
};
use serde_json::json;
use sync::{Depth, EarlierPrice, MassRemoval};
use testkit::eventually;

use crate::{
    content::house,
    relay::{stream_origin, wait_until_rebuilt},
    role::{Entry, HINTS_ONLY, Role, World},
};

fn earlier_price(reference: &str, from: &str, price: i64) -> EarlierPrice {
    EarlierPrice { reference: reference.to_owned(), from: from.parse().expect("a date"), price }
}

/// Returns the last event of the property `key` in the log.
async fn last_event(world: &World, key: &str) -> Event {
    let log = world.log().await;
    let id = AggregateId::new(Collection::Properties, key);
    let mut of_it = log.into_iter().filter(|(_, event)| event.aggregate == id);
    of_it.next_back().expect("an event").1
}

fn property(event: &Event) -> Option<&Property> {
    let Change::Upserted { snapshot } = &event.change else { return None };
    let Snapshot::Properties(property) = &**snapshot else { return None };
    Some(property)
}

/// Returns the price before the reduction and the day of the reduction, if there is one.
fn reduced(event: &Event) -> Option<(i64, String)> {
    let property = property(event)?;
    let reduction = Reduction::of(property.price, &event.offers)?;
    Some((reduction.from, reduction.at.date_naive().to_string()))
}

#[tokio::test(flavor = "multi_thread")]
async fn prices_from_before_the_ledger_are_part_of_each_event() {
    let world = World::new("earlier").await;
    world.operator().await;
    for id in 1..=3 {
        world.content.put("properties", &id.to_string(), house(id, 100));
    }
    let known = [
        earlier_price("AH-1", "2026-02-01", 130),
        earlier_price("AH-1", "2026-03-01", 120),
        earlier_price("AH-1", "2026-04-01", 100),
        // From when the ledger knew of it, only the ledger determines its offers.
        earlier_price("AH-2", "2999-01-01", 500),
        earlier_price("AH-9", "2026-02-01", 500),
    ];
    assert_eq!(world.ledger().record_earlier_prices(&known).await.expect("recorded"), 5);
    let role = world.start(HINTS_ONLY).await;
    for id in 1..=3 {
        role.hint("properties", &id.to_string()).await;
        world.wait_for_price(&id.to_string(), 100).await;
    }
    let event = last_event(&world, "1").await;
    let offered: Vec<_> = event.offers.iter().map(|offer| (offer.price, offer.at)).collect();
    assert_eq!(offered.len(), 3, "its own first version says nothing new: {offered:?}");
    assert!(event.offers.is_sorted_by_key(|offer| offer.version));
    assert_eq!(reduced(&event), Some((120, "2026-04-01".to_owned())));
    assert_eq!(reduced(&last_event(&world, "2").await), None);
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn prices_recorded_later_create_a_new_version() {
    let world = World::new("earlier_late").await;
    for id in 1..=2 {
        world.content.put("properties", &id.to_string(), house(id, 100));
    }
    let role = world.start(HINTS_ONLY).await;
    for id in 1..=2 {
        role.hint("properties", &id.to_string()).await;
        world.wait_for_price(&id.to_string(), 100).await;
    }
    let known = [earlier_price("AH-1", "2026-02-01", 120)];
    assert_eq!(world.ledger().record_earlier_prices(&known).await.expect("recorded"), 1);
    let event = last_event(&world, "1").await;
    assert_eq!(event.version.0, 2);
    assert_eq!(reduced(&event).map(|(from, _)| from), Some(120));
    assert_eq!(last_event(&world, "2").await.version.0, 1, "nothing is new of the other");

    // Neither the same price again, nor another price for a day that was published, changes anything.
    for prices in [known, [earlier_price("AH-1", "2026-02-01", 999)]] {
        assert_eq!(world.ledger().record_earlier_prices(&prices).await.expect("recorded"), 0);
    }
    // An editor's change continues from there.
    world.content.change("properties", "1", |house| house["price"] = json!(90));
    role.hint("properties", "1").await;
    world.wait_for_price("1", 90).await;
    let event = last_event(&world, "1").await;
    assert_eq!((event.version.0, reduced(&event).map(|(from, _)| from)), (3, Some(100)));
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_during_the_recording_of_prices_includes_them() {
    let world = World::new("earlier_meanwhile").await;
    world.content.put("properties", "1", house(1, 100));
    let operator = world.operator().await;
    operator.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("a first reading");
    operator.capture_due().await.expect("a first capture");
    // As capture does when it is about to commit.
    let mut capture = world.pool.begin().await.expect("postgres answers");
    sqlx::query(
        "with held as (update ledger.aggregate set version = 2 where collection = 'properties')
         insert into ledger.entry (event_id, collection, key, version, schema_version, change)
         select gen_random_uuid(), collection, key, 2, schema_version,
                jsonb_set(change, '{snapshot,price}', '90')
         from ledger.entry where collection = 'properties'",
    )
    .execute(&mut *capture)
    .await
    .expect("the statement is right");
    let commit = async {
        eventually("the recording waiting for it", async || {
            let waits: bool = sqlx::query_scalar(
                "select exists (select from pg_stat_activity
                    where datname = current_database() and wait_event_type = 'Lock')",
            )
            .fetch_one(&world.pool)
            .await
            .expect("postgres answers");
            waits.then_some(())
        })
        .await;
        capture.commit().await.expect("it is committed");
    };
    let known = [earlier_price("AH-1", "2026-02-01", 120)];
    let ledger = world.ledger();
    let (recorded, ()) = tokio::join!(ledger.record_earlier_prices(&known), commit);
    assert_eq!(recorded.expect("recorded"), 1);
    let told = world.property("1").await.expect("it is published");
    assert_eq!((told.version, told.price()), (3, Some(90)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_home_with_the_key_of_another_is_reduced_by_its_own_prices_only() {
    let world = World::new("key_given_anew").await;
    world.content.put("properties", "1", house(1, 130));
    let role = world.start(HINTS_ONLY).await;
    role.hint("properties", "1").await;
    world.wait_for_price("1", 130).await;
    world.content.change("properties", "1", |house| {
        house["ref"] = json!("AH-2");
        house["price"] = json!(100);
    });
    role.hint("properties", "1").await;
    world.wait_for_price("1", 100).await;
    assert_eq!(reduced(&last_event(&world, "1").await), None);

    let known =
        [earlier_price("AH-1", "2026-02-01", 150), earlier_price("AH-2", "2026-03-01", 120)];
    assert_eq!(world.ledger().record_earlier_prices(&known).await.expect("recorded"), 2);
    let event = last_event(&world, "1").await;
    assert_eq!(reduced(&event).map(|(from, _)| from), Some(120), "{:?}", event.offers);
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relisted_home_keeps_its_first_offered_date() {
    let world = World::new("listed_anew").await;
    world.content.put("properties", "1", house(1, 100));
    let listed_from = |day: &'static str, price: i64| {
        world.content.change("properties", "1", |house| {
            house["status"] = json!("published");
            house["listed_on"] = json!(day);
            house["price"] = json!(price);
        });
    };
    // A day in the future is ignored in favor of the log.
    listed_from("2998-01-01", 100);
    let role = world.start(HINTS_ONLY).await;
    role.hint("properties", "1").await;
    world.wait_for_price("1", 100).await;
    let first = last_event(&world, "1").await;
    world.content.change("properties", "1", |house| house["status"] = json!("draft"));
    role.hint("properties", "1").await;
    eventually("that it is off the site", async || {
        world.property("1").await.filter(Entry::is_removal)
    })
    .await;
    listed_from("2999-01-01", 110);
    role.hint("properties", "1").await;
    world.wait_for_price("1", 110).await;
    let again = last_event(&world, "1").await;
    let offered = property(&again).expect("it is offered").first_offered(&again.offers);
    assert_eq!((again.version.0, offered), (3, first.captured_at));

    // An earlier day that its editors enter counts.
    listed_from("2026-02-03", 120);
    role.hint("properties", "1").await;
    world.wait_for_price("1", 120).await;
    let older = last_event(&world, "1").await;
    let offered = property(&older).expect("it is offered").first_offered(&older.offers);
    assert_eq!(offered.date_naive().to_string(), "2026-02-03");
    role.stop().await;
}

/// Publishes the property `key` at `price`.
async fn publish(world: &World, role: &Role, key: &str, price: i64) {
    world.content.change("properties", key, |house| house["price"] = json!(price));
    role.hint("properties", key).await;
    world.wait_for_price(key, price).await;
}

/// Returns the prices at which the property `key` was offered, each with its start, by its last event.
async fn offered(world: &World, key: &str) -> Vec<(Option<i64>, DateTime<Utc>)> {
    let event = last_event(world, key).await;
    assert!(event.offers.is_sorted_by(|one, next| one.version < next.version && one.at < next.at));
    assert!(event.offers.iter().all(|offer| offer.version <= event.version));
    event.offers.iter().map(|offer| (offer.price, offer.at)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn prices_that_a_restored_ledger_does_not_know_are_recovered_from_the_log() {
    let mut world = World::new("recovered").await;
    for id in 1..=2 {
        world.content.put("properties", &id.to_string(), house(id, 200));
    }
    let known = [earlier_price("AH-1", "2026-02-01", 210)];
    world.operator().await;
    assert_eq!(world.ledger().record_earlier_prices(&known).await.expect("recorded"), 1);
    let role = world.start(HINTS_ONLY).await;
    publish(&world, &role, "1", 190).await;
    publish(&world, &role, "2", 200).await;
    world.wait_until_published().await;
    role.stop().await;
    let copy = world.copy_database().await;

    let role = world.start(HINTS_ONLY).await;
    for price in [180, 185, 170] {
        publish(&world, &role, "1", price).await;
    }
    // The copy does not know this home at all.
    world.content.put("properties", "3", house(3, 200));
    for price in [160, 150] {
        publish(&world, &role, "3", price).await;
    }
    world.wait_until_published().await;
    role.stop().await;
    let mut before = Vec::new();
    for key in ["1", "2", "3"] {
        before.push(offered(&world, key).await);
    }
    assert_eq!(before.iter().map(Vec::len).collect::<Vec<_>>(), [6, 1, 2]);

    // The second time, what was recovered is in the log, and in no entry of the ledger.
    for _ in 0..2 {
        let undone = stream_origin(&world).await;
        world.restore_database(copy.clone()).await;
        let role = Role::start(world.config(HINTS_ONLY)).await;
        wait_until_rebuilt(&world, undone).await;
        // What the copy lacks is read again from the content service.
        for (key, price) in [("1", 170), ("3", 150)] {
            world.wait_for_price(key, price).await;
        }
        world.wait_until_published().await;
        for (key, before) in ["1", "2", "3"].into_iter().zip(&before) {
            assert_eq!(&offered(&world, key).await, before, "of {key}");
        }
        role.stop().await;
    }
    let role = Role::start(world.config(HINTS_ONLY)).await;
    publish(&world, &role, "1", 165).await;
    world.wait_until_published().await;
    let now = offered(&world, "1").await;
    assert_eq!((&now[..6], now[6].0), (&before[0][..], Some(165)));
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_is_restored_after_a_new_start_keeps_its_prices() {
    let mut world = World::new("restored_late").await;
    world.content.put("properties", "1", house(1, 200));
    let empty = world.copy_database().await;
    let role = world.start(HINTS_ONLY).await;
    publish(&world, &role, "1", 190).await;
    world.wait_until_published().await;
    role.stop().await;
    let backup = world.copy_database().await;
    // A new machine, whose roles begin a ledger and a log of their own.
    world.restore_database(empty).await;
    world.nats.kill().await;
    world.nats.wipe();
    world.nats.restart().await;
    let role = world.start(HINTS_ONLY).await;
    publish(&world, &role, "1", 180).await;
    world.wait_until_published().await;
    let undone = stream_origin(&world).await;
    role.stop().await;

    world.restore_database(backup).await;
    let role = Role::start(world.config(HINTS_ONLY)).await;
    wait_until_rebuilt(&world, undone).await;
    world.wait_for_price("1", 180).await;
    world.wait_until_published().await;
    let prices: Vec<_> = offered(&world, "1").await.into_iter().map(|(price, _)| price).collect();
    assert_eq!(prices, [Some(200), Some(190), Some(180)]);
    role.stop().await;
}
