//! Taking over as leader, and what a rebuilt stream is filled with.

use std::time::Duration;

use contracts::{Checkpoint, Sequence};
use event_log::{EventLog, Outgoing};
use testkit::eventually;

use crate::{
    content::house,
    relay::{assert_log_is_ledger, price, publish, stream_origin, wait_until_rebuilt},
    role::{HINTS_ONLY, Role, World},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_rebuilt_stream_has_the_last_good_version_of_a_home_whose_newest_is_too_large() {
    let mut world = World::new("too_large").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    publish(&world, &role, 200).await;
    world.wait_until_published().await;
    let lost = stream_origin(&world).await;
    world
        .sql(
            "with numbered as (
                update ledger.aggregate set version = version + 1 where collection = 'properties'
             ), large as (
                insert into ledger.entry
                    (event_id, collection, key, version, schema_version, change)
                select gen_random_uuid(), collection, key, version + 1, schema_version,
                       jsonb_set(change, '{snapshot,lift}', to_jsonb(repeat('x', 3000000)))
                from ledger.entry where collection = 'properties'
                order by version desc limit 1
                returning id, collection, key
             )
             insert into ledger.outbox (collection, key, entry)
             select collection, key, id from large",
        )
        .await;
    eventually("the large one set aside", async || {
        (world.parked().await.refused.len() == 1).then_some(())
    })
    .await;
    world.nats.kill().await;
    world.nats.wipe();
    world.nats.restart().await;
    wait_until_rebuilt(&world, lost).await;
    let log = EventLog::connect(&world.nats.url(), "test").await.expect("an address");
    eventually("a log that is complete", async || {
        let lineage = log.stream_state().await.ok()??.lineage?;
        lineage.complete.then_some(())
    })
    .await;
    let log = world.log().await;
    let prices: Vec<i64> = log.iter().filter_map(|(_, event)| price(event)).collect();
    assert_eq!(prices, [200], "what the site showed all along");
    assert_eq!(world.parked().await.refused.len(), 1, "it goes on being told");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_takeover_deletes_no_epoch_from_the_ledger() {
    let world = World::new("no_lead").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.wait_until_published().await;
    let before = stream_origin(&world).await;
    role.stop().await;
    // As many epochs before it as are remembered, each of which published something.
    world
        .sql(
            "insert into ledger.epoch (epoch, ledger, born, last)
             select epoch - n, ledger, epoch - n, 1
             from (select epoch, ledger from ledger.epoch order by epoch limit 1) as earliest,
                  generate_series(1, 99) as n",
        )
        .await;
    // The stream names the last epoch, which published nothing.
    world.start(HINTS_ONLY).await.stop().await;
    world.sql("create sequence ledger.attempts").await;
    world
        .sql(
            "create function ledger.refuse() returns trigger language plpgsql as $$
             begin
                perform nextval('ledger.attempts');
                raise exception 'not now';
             end $$",
        )
        .await;
    world
        .sql(
            "create trigger refused before insert on ledger.epoch
             for each row execute function ledger.refuse()",
        )
        .await;
    let role = Role::start(world.config(HINTS_ONLY)).await;
    eventually("a lead that can't begin", async || {
        // A sequence is not rolled back.
        let tried: bool = sqlx::query_scalar("select is_called from ledger.attempts")
            .fetch_one(&world.pool)
            .await
            .expect("the ledger answers");
        tried.then_some(())
    })
    .await;
    world.sql("drop trigger refused on ledger.epoch").await;
    publish(&world, &role, 200).await;
    assert_log_is_ledger(&world).await;
    assert_eq!(stream_origin(&world).await, before, "the stream is the one that it was");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_message_of_the_previous_leader_is_marked_in_its_epoch() {
    let world = World::new("late_message").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.wait_until_published().await;
    role.stop().await;
    let log = EventLog::connect(&world.nats.url(), "test").await.expect("an address");
    let lineage = async || {
        let state = log.stream_state().await.expect("nats answers").expect("a stream");
        (state.last, state.lineage.expect("it is ours"))
    };
    let before = lineage().await.1.epoch;
    let role = world.start(HINTS_ONLY).await;
    // Postgres may release the lock of the previous leader a little later.
    let (last, led) = eventually("another lead", async || {
        let now = lineage().await;
        (now.1.epoch > before).then_some(now)
    })
    .await;
    // The entry waits in the outbox; the previous leader sent it but got no answer, and it arrives only
    // now.
    let mut messages = world.log().await.into_iter();
    let (_, mut event) = messages.find(|(_, event)| price(event).is_some()).expect("a home");
    world.sql("insert into ledger.pause (step) values ('relay')").await;
    let id: uuid::Uuid = sqlx::query_scalar(
        "with recorded as (
            insert into ledger.entry (event_id, collection, key, version, schema_version, change)
            select gen_random_uuid(), collection, '77', 1, 1, change from ledger.entry
            where collection = 'properties' limit 1
            returning id, event_id, collection, key
         ), waits as (
            insert into ledger.outbox (collection, key, entry) select collection, key, id from recorded
         )
         select event_id from recorded",
    )
    .fetch_one(&world.pool)
    .await
    .expect("the ledger answers");
    event.id = id;
    event.aggregate.key = "77".to_owned();
    let event = event.recorded().expect("it can be written");
    let events = [Outgoing { event, traceparent: None }];
    let late = log.publisher().publish(before, last, &events).await;
    assert!(late.failure.is_none(), "{:?}", late.failure);
    world.sql("delete from ledger.pause").await;
    world.wait_until_published().await;
    let noted: Option<i64> =
        sqlx::query_scalar("select sequence from ledger.entry where key = '77'")
            .fetch_one(&world.pool)
            .await
            .expect("the ledger answers");
    assert_eq!(noted.map(Sequence::from_i64), Some(Sequence::new(before, last + 1)));
    eventually("a lead that tells of it", async || {
        (lineage().await.1.epoch > led.epoch).then_some(())
    })
    .await;
    // A reader that has read it continues from there.
    let mut reader = log.reader(Checkpoint::new(led.ledger, Sequence::new(before, last + 1)));
    let next = reader.next_batch(10, Duration::from_secs(2)).await;
    assert!(next.as_ref().is_ok_and(Vec::is_empty), "{next:?}");
    publish(&world, &role, 200).await;
    assert_log_is_ledger(&world).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lock_of_a_host_that_disappeared_is_released_soon() {
    let world = World::new("gone_host").await;
    let (silence, unanswered): (String, String) = sqlx::query_as(
        "select current_setting('tcp_keepalives_idle'), current_setting('tcp_user_timeout')",
    )
    .fetch_one(&world.pool)
    .await
    .expect("the ledger answers");
    // The first in seconds (two hours by default), the second in milliseconds.
    assert_eq!((silence.as_str(), unanswered.as_str()), ("10", "20000"));
}
