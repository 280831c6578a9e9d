//! The relay: from the ledger to the log.

use std::{
    collections::BTreeMap,
    time::{Duration, SystemTime},
};

use contracts::{Change, Checkpoint, Epoch, Event, LedgerId, content::Snapshot};
use event_log::{EventLog, Lineage, Outgoing};
use serde_json::{Value, json};
use testkit::eventually;

use crate::{
    complete::wait_until_complete,
    content::house,
    role::{HINTS_ONLY, Role, World},
};

/// Asserts that the log has the newest version of each aggregate exactly once, and equals the ledger.
pub async fn assert_log_is_ledger(world: &World) {
    let log = world.log().await;
    let in_log: BTreeMap<String, i64> =
        log.iter().map(|(_, event)| (event.aggregate.to_string(), event.version.0)).collect();
    assert_eq!(in_log.len(), log.len(), "an aggregate stands in the log twice");
    let latest = world.latest().await.into_iter();
    let in_ledger: BTreeMap<String, i64> =
        latest.map(|(aggregate, entry)| (aggregate, entry.version)).collect();
    assert_eq!(in_log, in_ledger);
}

pub fn price(event: &Event) -> Option<i64> {
    match &event.change {
        Change::Upserted { snapshot } => match &**snapshot {
            Snapshot::Properties(property) => property.price,
            _ => None,
        },
        Change::Removed => None,
    }
}

pub async fn publish(world: &World, role: &Role, value: i64) {
    world.content.change("properties", "1", |house| house["price"] = json!(value));
    role.hint("properties", "1").await;
    world.wait_for_price("1", value).await;
}

/// Returns the ledger that the stream was made from, and the epoch in which it was created.
pub async fn stream_origin(world: &World) -> Option<(LedgerId, Epoch)> {
    let log = EventLog::connect(&world.nats.url(), "test").await.expect("an address");
    let lineage = log.stream_state().await.ok()??.lineage?;
    Some((lineage.ledger, lineage.born))
}

/// Waits until the stream is another one than `before` and the outbox is empty, and returns the new
/// origin.
pub async fn wait_until_rebuilt(
    world: &World,
    before: Option<(LedgerId, Epoch)>,
) -> (LedgerId, Epoch) {
    let rebuilt = eventually("a stream that is made anew", async || {
        stream_origin(world).await.filter(|now| Some(*now) != before)
    })
    .await;
    world.wait_until_published().await;
    rebuilt
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_reach_the_log_in_order() {
    let world = World::new("order").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.content.put("properties", "2", house(2, 500));
    role.hint("properties", "2").await;
    for value in 101..=110 {
        publish(&world, &role, value).await;
    }
    assert_log_is_ledger(&world).await;
    let log = world.log().await;
    let homes: Vec<_> = log.iter().filter_map(|(_, event)| Some((event, price(event)?))).collect();
    let prices: Vec<i64> = homes.iter().map(|(_, price)| *price).collect();
    assert_eq!(prices, [500, 110], "the latest of each, in the order of their publishing");
    // The earlier offers are part of the latest version.
    let offered: Vec<_> = homes[1].0.offers.iter().map(|offer| offer.price).collect();
    assert_eq!(offered, (100..=110).map(Some).collect::<Vec<_>>());
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
    // As after a crash: the entries are in the log, and the ledger does not know that.
    world.sql("update ledger.entry set sequence = null").await;
    world.sql("update ledger.epoch set last = 0").await;
    world
        .sql(
            "insert into ledger.outbox (collection, key, entry)
             select distinct on (collection, key) collection, key, id from ledger.entry
             order by collection, key, version desc",
        )
        .await;
    let role = world.start(HINTS_ONLY).await;
    assert_eq!(world.log().await, before);
    publish(&world, &role, 300).await;
    assert_log_is_ledger(&world).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_captured_while_nats_is_unreachable_are_published_later() {
    let mut world = World::new("nats").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    // Waits until the stream is marked as complete: a server that is killed while it writes that has no
    // stream afterwards.
    wait_until_complete(&world).await;
    let before = stream_origin(&world).await;
    world.nats.kill().await;
    publish(&world, &role, 200).await;
    publish(&world, &role, 300).await;
    eventually("the role saying so", async || (!role.is_ready()).then_some(())).await;
    world.nats.restart().await;
    assert_log_is_ledger(&world).await;
    assert_eq!(stream_origin(&world).await, before, "a restart is no new life of the stream");
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
async fn a_lost_stream_is_rebuilt_completely() {
    let mut world = World::new("lost").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    publish(&world, &role, 200).await;
    let (before, lost) = (world.log().await, stream_origin(&world).await);
    world.nats.kill().await;
    world.nats.wipe();
    world.nats.restart().await;
    let (ledger, _) = wait_until_rebuilt(&world, lost).await;
    assert_eq!(lost.map(|(ledger, _)| ledger), Some(ledger), "it is the same ledger");
    assert_log_is_ledger(&world).await;
    let after = world.log().await;
    let events = |log: &[(_, Event)]| -> BTreeMap<String, Event> {
        log.iter().map(|(_, event)| (event.aggregate.to_string(), event.clone())).collect()
    };
    assert_eq!(events(&after), events(&before));
    assert!(after[0].0 > before[before.len() - 1].0, "positions only rise");
    publish(&world, &role, 300).await;
    assert_log_is_ledger(&world).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_restored_from_an_older_copy_is_rebuilt() {
    let mut world = World::new("older_stream").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    publish(&world, &role, 200).await;
    world.wait_until_published().await;
    let lost = stream_origin(&world).await;
    let copy = world.nats.copy_store().await;
    publish(&world, &role, 300).await;
    world.wait_until_published().await;
    // Under a running relay, as when an operator restores a backup.
    world.nats.restore_store(&copy).await;
    let (ledger, _) = wait_until_rebuilt(&world, lost).await;
    assert_eq!(lost.map(|(ledger, _)| ledger), Some(ledger));
    assert_log_is_ledger(&world).await;
    publish(&world, &role, 400).await;
    assert_log_is_ledger(&world).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ledger_restored_from_an_older_copy_takes_a_new_identity() {
    let mut world = World::new("older_ledger").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    publish(&world, &role, 200).await;
    world.wait_until_published().await;
    role.stop().await;
    let copy = world.copy_database().await;

    let role = world.start(HINTS_ONLY).await;
    for value in [300, 301, 302] {
        publish(&world, &role, value).await;
    }
    world.wait_until_published().await;
    let (undone, end) =
        (stream_origin(&world).await, world.log().await.pop().expect("a message").0);
    role.stop().await;

    world.restore_database(copy).await;
    let role = Role::start(world.config(HINTS_ONLY)).await;
    let (ledger, _) = wait_until_rebuilt(&world, undone).await;
    assert_ne!(undone.map(|(ledger, _)| ledger), Some(ledger), "its versions mean other content");
    // What the copy lacks is read again from the content service.
    world.wait_for_price("1", 302).await;
    publish(&world, &role, 400).await;
    assert_log_is_ledger(&world).await;
    let log = world.log().await;
    assert!(log.iter().all(|(sequence, _)| *sequence > end), "positions only rise");
    // A reader that has read the undone messages is told so.
    let connection = EventLog::connect(&world.nats.url(), "test").await.expect("an address");
    let old = undone.map(|(ledger, _)| Checkpoint::new(ledger, end)).expect("there was a stream");
    let refused = connection.reader(old).next_batch(10, Duration::from_secs(20)).await;
    assert!(matches!(refused, Err(event_log::Error::Diverged(_))), "{refused:?}");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_ledger_beside_an_old_stream_takes_an_identity_of_its_own() {
    let mut world = World::new("lost_ledger").await;
    world.content.put("properties", "1", house(1, 100));
    let empty = world.copy_database().await;
    let role = world.start(HINTS_ONLY).await;
    publish(&world, &role, 200).await;
    world.wait_until_published().await;
    let of_the_lost = stream_origin(&world).await;
    role.stop().await;
    world.restore_database(empty).await;
    let role = Role::start(world.config(HINTS_ONLY)).await;
    let (ledger, _) = wait_until_rebuilt(&world, of_the_lost).await;
    assert_ne!(of_the_lost.map(|(ledger, _)| ledger), Some(ledger));
    world.wait_for_price("1", 200).await;
    assert_log_is_ledger(&world).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ledger_and_stream_restored_together_state_where_they_ended() {
    let mut world = World::new("both_older").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    publish(&world, &role, 200).await;
    world.wait_until_published().await;
    role.stop().await;
    let (stream, database) = (world.nats.copy_store().await, world.copy_database().await);
    let (kept, ledger) =
        (world.log().await.pop().expect("a message").0, stream_origin(&world).await);

    let role = world.start(HINTS_ONLY).await;
    publish(&world, &role, 300).await;
    let undone = world.log().await.pop().expect("a message").0;
    role.stop().await;

    // A copy is restored some seconds after it was overtaken.
    eventually("a later epoch by the clock", async || {
        (Epoch::at(SystemTime::now()) > undone.epoch()).then_some(())
    })
    .await;
    world.nats.restore_store(&stream).await;
    world.restore_database(database).await;
    let role = world.start(HINTS_ONLY).await;
    publish(&world, &role, 400).await;
    assert_log_is_ledger(&world).await;
    let now = stream_origin(&world).await;
    assert_eq!(now, ledger, "nothing says that they are not what they were");
    let ledger = now.expect("a stream").0;
    let connection = EventLog::connect(&world.nats.url(), "test").await.expect("an address");
    let read = async |position| {
        let mut reader = connection.reader(Checkpoint::new(ledger, position));
        reader.next_batch(10, Duration::from_secs(20)).await
    };
    let refused = read(undone).await;
    assert!(matches!(refused, Err(event_log::Error::Diverged(_))), "{refused:?}");
    let next = read(kept).await.expect("what it has read is part of the log");
    assert!(next.iter().all(|message| message.sequence > undone), "positions only rise");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_published_while_a_new_stream_is_filled_does_not_wait_for_it() {
    let mut world = World::new("refill").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.wait_until_published().await;
    let lost = stream_origin(&world).await;
    // A catalogue of some thousand homes, as capture would record it.
    world
        .sql(
            "insert into ledger.entry
                (event_id, collection, key, version, schema_version, change)
             select gen_random_uuid(), 'properties', (1000 + n)::text, 1, 1, change
             from generate_series(1, 5000) as n,
                  (select change from ledger.entry where collection = 'properties' limit 1) as e",
        )
        .await;
    world.sql("insert into ledger.pause (step) values ('relay')").await;
    world.nats.kill().await;
    world.nats.wipe();
    world.nats.restart().await;
    eventually("a new stream", async || {
        stream_origin(&world).await.filter(|now| Some(*now) != lost)
    })
    .await;
    // It is published while all of it still waits.
    publish(&world, &role, 200).await;
    world.sql("delete from ledger.pause").await;
    world.wait_until_published().await;
    let log = world.log().await;
    assert_eq!(log.iter().filter(|(_, event)| price(event).is_some()).count(), 5_001);
    let place = log.iter().position(|(_, event)| price(event) == Some(200));
    assert!(place.is_some_and(|place| place < 500), "it came at {place:?} of {}", log.len());
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_another_relay_has_replaced_meanwhile_is_not_deleted() {
    let mut world = World::new("replaced").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.wait_until_published().await;
    let (ledger, _) = stream_origin(&world).await.expect("a stream");
    role.stop().await;
    world.nats.kill().await;
    world.nats.wipe();
    world.nats.restart().await;

    // The relay waits with what it queues for a new stream.
    let mut held = world.pool.begin().await.expect("a transaction");
    sqlx::query("lock table ledger.outbox in access exclusive mode")
        .execute(&mut *held)
        .await
        .expect("the table is held");
    let role = Role::start(world.config(HINTS_ONLY)).await;
    world.wait_until_locked_out("insert into ledger.outbox as o%").await;
    // Another one, which the ledger knows, leads by then.
    let epoch = Epoch(Epoch::at(SystemTime::now()).0 + 1_000);
    sqlx::query("insert into ledger.epoch (epoch, ledger, born) values ($1, $2, $1)")
        .bind(epoch.0.cast_signed())
        .bind(ledger.0)
        .execute(&world.pool)
        .await
        .expect("the ledger answers");
    let log = EventLog::connect(&world.nats.url(), "test").await.expect("an address");
    let lineage = Lineage { ledger, born: epoch, epoch, ended: Vec::new(), complete: false };
    log.publisher().recreate(&lineage).await.expect("a stream can be made");
    held.rollback().await.expect("the table is let go");

    wait_until_complete(&world).await;
    assert_log_is_ledger(&world).await;
    assert_eq!(stream_origin(&world).await, Some((ledger, epoch)));
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relay_that_finds_another_writer_takes_over_again() {
    let world = World::new("fenced").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.wait_until_published().await;
    // Another relay, which assumes that it is the leader, publishes an entry of the same ledger.
    let id: uuid::Uuid = sqlx::query_scalar(
        "insert into ledger.entry (event_id, collection, key, version, schema_version, change)
         select gen_random_uuid(), collection, '77', 1, 1, change from ledger.entry
         where collection = 'properties' limit 1 returning event_id",
    )
    .fetch_one(&world.pool)
    .await
    .expect("the ledger answers");
    let log = EventLog::connect(&world.nats.url(), "test").await.expect("an address");
    let state = log.stream_state().await.expect("nats").expect("a stream");
    let epoch = state.lineage.as_ref().expect("it is ours").epoch;
    let mut event = world.log().await.pop().expect("a message").1;
    event.id = id;
    event.aggregate.key = "77".to_owned();
    let event = event.recorded().expect("it can be written");
    let events = [Outgoing { event, traceparent: None }];
    let published = log.publisher().publish(epoch, state.last, &events).await;
    assert!(published.failure.is_none(), "{:?}", published.failure);
    let before = stream_origin(&world).await;
    publish(&world, &role, 200).await;
    assert_eq!(world.log().await.len(), world.latest().await.len());
    assert_eq!(stream_origin(&world).await, before, "what it found it knows");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_of_a_later_build_are_published_unchanged() {
    let world = World::new("later").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.wait_until_published().await;
    // During a rolling update, a later build records what an earlier one publishes.
    sqlx::query(
        "with recorded as (
            insert into ledger.entry (event_id, collection, key, version, schema_version, change)
            select gen_random_uuid(), collection, '77', 1, 99,
                   jsonb_set(change, '{snapshot,lift}', '\"glass\"')
            from ledger.entry where collection = 'properties' limit 1
            returning id, collection, key
         )
         insert into ledger.outbox (collection, key, entry) select collection, key, id from recorded",
    )
    .execute(&world.pool)
    .await
    .expect("the ledger answers");
    let log = EventLog::connect(&world.nats.url(), "test").await.expect("an address");
    let later = eventually("it is published", async || {
        let mut reader = log.reader(Checkpoint::START);
        let batch = reader.next_batch(500, Duration::from_millis(100)).await.ok()?;
        batch.into_iter().find_map(|delivered| delivered.event.err())
    })
    .await;
    let body: Value = serde_json::from_slice(&later.body).expect("JSON");
    assert_eq!(body["change"]["snapshot"]["lift"], "glass", "{body}");
    assert_eq!(body["change"]["kind"], "upserted", "{body}");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_of_a_collection_of_a_later_build_wait_for_its_relay() {
    let world = World::new("later_collection").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.wait_until_published().await;
    for refill in [false, true] {
        sqlx::query(
            "with recorded as (
                insert into ledger.entry
                    (event_id, collection, key, version, schema_version, change)
                select gen_random_uuid(), 'rentals', $1::text, 1, 99, change
                from ledger.entry where collection = 'properties' limit 1
                returning id, collection, key
             )
             insert into ledger.outbox (collection, key, entry, refill)
             select collection, key, id, $1 from recorded",
        )
        .bind(refill)
        .execute(&world.pool)
        .await
        .expect("the ledger answers");
    }
    publish(&world, &role, 200).await;
    eventually("the home in the log", async || {
        sqlx::query_scalar::<_, Option<i64>>(
            "select sequence from ledger.entry where collection = 'properties'
             order by version desc limit 1",
        )
        .fetch_one(&world.pool)
        .await
        .expect("the ledger answers")
    })
    .await;
    let waiting: Vec<(String, Option<String>)> = sqlx::query_as(
        "select e.collection, e.refused from ledger.outbox as o join ledger.entry as e on e.id = o.entry",
    )
    .fetch_all(&world.pool)
    .await
    .expect("the ledger answers");
    assert_eq!(waiting, vec![("rentals".to_owned(), None); 2], "both wait, and neither is refused");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_version_is_retried_with_each_rebuilt_stream() {
    let mut world = World::new("refused_again").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.wait_until_published().await;
    let lost = stream_origin(&world).await;
    role.stop().await;
    // As after a relay refused a version and ended before it published the one before it.
    world
        .sql(
            "with refused as (
                insert into ledger.entry
                    (event_id, collection, key, version, schema_version, change, refused)
                values (gen_random_uuid(), 'properties', '1', 2, 1, '{\"snapshot\":{}}', 'no kind')
             )
             insert into ledger.outbox (collection, key, entry, refill)
             select collection, key, id, true from ledger.entry
             where collection = 'properties' and key = '1'",
        )
        .await;
    world.nats.kill().await;
    world.nats.wipe();
    world.nats.restart().await;
    let role = world.start(HINTS_ONLY).await;
    wait_until_rebuilt(&world, lost).await;
    let refused = world.parked().await.refused;
    let refused: Vec<_> = refused.iter().map(|it| (it.key.as_str(), it.version)).collect();
    assert_eq!(refused, [("1", 2)], "it is tried, and told of again");
    let log = world.log().await;
    assert!(log.iter().any(|(_, event)| price(event) == Some(100)), "the one before stands there");
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
async fn a_relay_whose_connection_is_cut_becomes_leader_again() {
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
async fn an_entry_that_can_never_be_published_does_not_block_others() {
    let world = World::new("poison").await;
    world.content.put("properties", "1", house(1, 100));
    world.operator().await;
    world
        .sql(
            "with entry as (
                insert into ledger.entry
                    (event_id, collection, key, version, schema_version, change)
                values (gen_random_uuid(), 'properties', '99', 1, 1, '{\"snapshot\":{}}')
                returning id
             )
             insert into ledger.outbox (collection, key, entry)
             select 'properties', '99', id from entry",
        )
        .await;
    let role = world.start(HINTS_ONLY).await;
    publish(&world, &role, 200).await;
    let refused = eventually("the good entries in the log, the bad one aside", async || {
        let (waiting, refused): (i64, Vec<String>) = sqlx::query_as(
            "select (select count(*) from ledger.outbox),
                 coalesce(array_agg(key) filter (where refused is not null), '{}')
             from ledger.entry",
        )
        .fetch_one(&world.pool)
        .await
        .expect("the ledger answers");
        (waiting == 0 && !refused.is_empty()).then_some(refused)
    })
    .await;
    assert_eq!(refused, ["99"]);
    let named = async || {
        let parked = world.parked().await.refused;
        parked.into_iter().map(|version| (version.key, version.reason)).collect::<Vec<_>>()
    };
    let told = named().await;
    assert!(matches!(&told[..], [(key, reason)] if key == "99" && !reason.is_empty()), "{told:?}");
    // A later version resolves it.
    world
        .sql(
            "insert into ledger.entry (event_id, collection, key, version, schema_version, change)
             values (gen_random_uuid(), 'properties', '99', 2, 1, '{\"kind\":\"removed\"}')",
        )
        .await;
    assert_eq!(named().await, []);
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_publish_is_one_message_in_order() {
    let world = World::new("fast").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.wait_until_published().await;
    let log = EventLog::connect(&world.nats.url(), "test").await.expect("an address");
    let state = log.stream_state().await.expect("nats").expect("a stream");
    let (end, lineage) = (state.position(), state.lineage.expect("it is ours"));
    let end = Checkpoint::new(lineage.ledger, end.expect("it is ours"));
    let mut reader = log.reader(end);
    for (position, value) in (state.last + 1..).zip(101..=130) {
        world.content.change("properties", "1", |house| house["price"] = json!(value));
        role.hint("properties", "1").await;
        let batch = reader.next_batch(1, Duration::from_mins(1)).await.expect("the log");
        let [published] = &batch[..] else { panic!("{batch:?}") };
        assert_eq!(published.event.as_ref().ok().and_then(price), Some(value));
        assert_eq!(published.sequence.stream(), position, "nothing is published twice");
    }
    role.stop().await;
}
