//! Generations beside the live one: which are shown, and which are dropped.

use std::time::Duration;

use contracts::content::Snapshot;
use event_log::EventLog;
use projections::{Error, Generation};
use runtime::Process;
use serde_json::{Value, json};
use sqlx::Executor as _;
use testkit::{
    ADMIN_TOKEN, Operator, eventually,
    log::{LEDGER, lineage},
};

use crate::{
    dead_letters::waiting_for_locks,
    fixtures::{home, id, shown, upserted},
    follow::{Running, generation, priced},
    operators::{listed, state, unfinished, with_a_home},
};

/// The role, with home 1 at 100, which has ended.
async fn that_has_ended(name: &str) -> Running {
    let mut running = Running::start(name).await;
    let end = running.publish(&priced("1", 1, 100)).await;
    running.wait_for(end).await;
    running.process.clone().finish().await.expect("the role ends well");
    running
}

/// A role that has filled a second generation up to where its log is not complete yet.
async fn that_fills(name: &str) -> (Running, Operator) {
    let mut running = Running::start(name).await;
    let end = running.publish(&priced("1", 1, 100)).await;
    running.wait_for(end).await;
    running.log.describe(unfinished()).await;
    let operator = Operator::of(&running.process).await;
    operator.act("/admin/rebuild", &json!({})).await;
    running.wait_for_new(end).await;
    (running, operator)
}

/// Rebuilds, as the operator's command does.
async fn rebuild(running: &Running) -> Result<Generation, Error> {
    let log = EventLog::connect(&running.nats.url(), "rebuild").await.expect("nats answers");
    projections::rebuild(&running.pool, &log, &Process::new().shutdown()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filling_that_waits_for_the_rest_of_the_log_does_not_look_abandoned() {
    let (running, _) = that_fills("filling_idle").await;
    running
        .pool
        .execute(
            "update read.checkpoint set updated_at = now() - interval '2 minutes'
             where generation = 2",
        )
        .await
        .expect("the checkpoint can be written");
    eventually("somebody saying that it is filled", async || {
        let is_told: bool = sqlx::query_scalar(
            "select updated_at > now() - interval '1 minute' from read.checkpoint
             where generation = 2",
        )
        .fetch_one(&running.pool)
        .await
        .expect("the checkpoint can be read");
        is_told.then_some(())
    })
    .await;
    running.log.describe(lineage(1, &[])).await;
    eventually("it is shown", async || (generation(&running).await == 2).then_some(())).await;
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filling_goes_on_where_it_stood_when_postgres_takes_writes_again() {
    let (mut running, operator) = that_fills("filling_refused").await;
    // By this it is known again: the next would have its number too.
    running
        .pool
        .execute("update read_0002.property set title = 'Filled once' where key = '1'")
        .await
        .expect("the table can be written");

    running.only_reads(true).await;
    eventually("it is told what is waited for", async || {
        // Of the connections that were cut off each fails somebody once, and so perhaps this call.
        let (_, told) = operator.ask("/admin/state", Some(ADMIN_TOKEN)).await;
        told["rebuild"]["error"].as_str()?.contains("read-only").then_some(())
    })
    .await;
    // As after minutes: to whoever is back first it looks abandoned.
    running
        .pool
        .execute(
            "begin read write;
             update read.checkpoint set updated_at = now() - interval '2 minutes'
             where generation = 2;
             commit",
        )
        .await
        .expect("the checkpoint can be written");
    running.only_reads(false).await;
    running.log.describe(lineage(1, &[])).await;
    eventually("it is shown", async || (generation(&running).await == 2).then_some(())).await;
    assert_eq!(shown(&running.pool, "1").await, Some(("Filled once".to_owned(), Some(100))));
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn a_filling_that_another_process_dropped_is_begun_anew() {
    let mut running = that_has_ended("filling_dropped").await;
    running.make_older().await;
    running.log.describe(unfinished()).await;
    let end = running.publish(&priced("2", 1, 200)).await;
    let process = Process::new();
    running.start_role(&process).await;
    running.wait_for_new(end).await;
    running
        .pool
        .execute("delete from read.checkpoint where generation = 2; drop schema read_0002 cascade")
        .await
        .expect("it can be dropped");
    running.log.describe(lineage(1, &[])).await;
    follows_the_new_one(&running, &process).await;
    assert_eq!(shown(&running.pool, "2").await, Some(("Villa".to_owned(), Some(200))));
    process.finish().await.expect("the role ends well");
}

/// Waits until the role follows the second generation.
async fn follows_the_new_one(running: &Running, process: &Process) {
    eventually("it follows the new generation", async || {
        let is_ready = process.health().failing().is_empty();
        (is_ready && generation(running).await == 2).then_some(())
    })
    .await;
}

/// The role with read models of an older form, which has met no room to fill new ones.
async fn without_room(name: &str) -> (Running, Process) {
    let running = that_has_ended(name).await;
    running.make_older().await;
    // A sequence counts what is undone too.
    running
        .pool
        .execute(
            "create sequence read.fillings;
             create function read.refuse() returns trigger language plpgsql as $$ begin
                 perform nextval('read.fillings');
                 raise exception 'no space left on device' using errcode = 'disk_full';
             end $$;
             create trigger no_room before update of sequence on read.checkpoint
             for each row when (not new.live) execute function read.refuse()",
        )
        .await
        .expect("it can be refused");
    let process = Operator::process();
    running.start_role(&process).await;
    eventually("it is told", async || {
        let failing = process.health().failing();
        failing.get("read models")?.contains("no room to fill new read models").then_some(())
    })
    .await;
    (running, process)
}

/// How many fillings met no room.
async fn refused(running: &Running) -> i64 {
    sqlx::query_scalar("select case when is_called then last_value else 0 end from read.fillings")
        .fetch_one(&running.pool)
        .await
        .expect("the sequence can be read")
}

/// Has room for what is filled from now on.
async fn make_room(running: &Running) {
    running
        .pool
        .execute("drop trigger no_room on read.checkpoint")
        .await
        .expect("it can be dropped");
}

#[tokio::test]
async fn a_filling_that_met_no_room_is_not_begun_again_before_an_operator_says_so() {
    let (running, process) = without_room("no_room").await;
    let operator = Operator::of(&process).await;
    operator.act("/admin/resume", &json!({})).await;
    eventually("another try", async || (refused(&running).await == 2).then_some(())).await;
    make_room(&running).await;
    operator.act("/admin/resume", &json!({})).await;
    follows_the_new_one(&running, &process).await;
    assert_eq!(refused(&running).await, 2, "no other was begun by itself");
    process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn who_waits_for_room_follows_what_another_process_has_filled() {
    let (running, process) = without_room("room_elsewhere").await;
    make_room(&running).await;
    assert_eq!(rebuild(&running).await.expect("it is rebuilt").number, 2);
    follows_the_new_one(&running, &process).await;
    process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn what_an_operator_fills_meanwhile_is_not_filled_once_more() {
    let (running, process) = without_room("room_by_operator").await;
    make_room(&running).await;
    running.log.describe(unfinished()).await;
    let operator = Operator::of(&process).await;
    operator.act("/admin/rebuild", &json!({})).await;
    operator.act("/admin/resume", &json!({})).await;
    eventually("it waits for its turn", async || {
        let failing = process.health().failing();
        failing.get("read models")?.contains("filling a new generation").then_some(())
    })
    .await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    running.log.describe(lineage(1, &[])).await;
    follows_the_new_one(&running, &process).await;
    let newest: Option<i32> = sqlx::query_scalar("select max(generation) from read.checkpoint")
        .fetch_one(&running.pool)
        .await
        .expect("the checkpoint can be read");
    assert_eq!(newest, Some(2));
    process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn what_another_process_shows_meanwhile_is_not_replaced_by_less() {
    is_not_replaced_by_less("shown_by_another", false).await;
}

#[tokio::test]
async fn what_another_process_shows_in_the_same_moment_is_not_replaced_by_less() {
    is_not_replaced_by_less("shown_at_once", true).await;
}

/// Has another generation be shown that is further than the one that is being filled: before that is whole,
/// or while it is about to be shown.
async fn is_not_replaced_by_less(name: &str, at_once: bool) {
    let mut running = Running::start(name).await;
    let end = running.publish(&priced("1", 1, 100)).await;
    running.wait_for(end).await;
    running.log.describe(unfinished()).await;
    // What is shown when the filling begins is of a history that is no more.
    running
        .pool
        .execute("update read.checkpoint set ledger = gen_random_uuid()")
        .await
        .expect("the checkpoint can be written");
    let operator = Operator::of(&running.process).await;
    operator.act("/admin/rebuild", &json!({})).await;
    running.wait_for_new(end).await;
    let mut swapping = running.pool.begin().await.expect("postgres answers");
    sqlx::query("update read.checkpoint set live = false where live")
        .execute(&mut *swapping)
        .await
        .expect("the checkpoint can be written");
    sqlx::query(
        "insert into read.checkpoint
             (generation, model_version, sequence, ledger, revision, live)
         select 3, model_version, sequence + 1, $1, 9, true
         from read.checkpoint where generation = 1",
    )
    .bind(LEDGER.0)
    .execute(&mut *swapping)
    .await
    .expect("the checkpoint can be written");
    if at_once {
        running.log.describe(lineage(1, &[])).await;
        waiting_for_locks(&running.pool, 1).await;
    }
    swapping.commit().await.expect("postgres answers");
    running.log.describe(lineage(1, &[])).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(generation(&running).await, 3, "the filling is behind it");

    running.publish(&priced("2", 1, 200)).await;
    eventually("it has come", async || (generation(&running).await == 2).then_some(())).await;
    let revision: i64 = sqlx::query_scalar("select revision from read.checkpoint where live")
        .fetch_one(&running.pool)
        .await
        .expect("the checkpoint can be read");
    assert_eq!(revision, 10);
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn what_is_shown_while_abandoned_generations_are_dropped_is_not_among_them() {
    let running = that_has_ended("shown_meanwhile").await;
    running
        .pool
        .execute(
            "create schema read_0002; create table read_0002.property (key text);
             create schema read_0003; create table read_0003.property (key text);
             insert into read.checkpoint (generation, model_version, updated_at)
             select number, model_version, now() - interval '2 minutes'
             from read.checkpoint, generate_series(2, 3) as number",
        )
        .await
        .expect("they can be made");
    let mut reader = running.pool.begin().await.expect("postgres answers");
    sqlx::query("lock table read_0002.property in access share mode")
        .execute(&mut *reader)
        .await
        .expect("the lock is free");
    let shown = async {
        // The first of the two is being dropped.
        waiting_for_locks(&running.pool, 1).await;
        running
            .pool
            .execute(
                "update read.checkpoint set live = false where live;
                 update read.checkpoint set live = true where generation = 3",
            )
            .await
            .expect("the checkpoints can be written");
        reader.rollback().await.expect("postgres answers");
    };
    let (rebuilt, ()) = tokio::join!(rebuild(&running), shown);
    assert_eq!(rebuilt.expect("it is rebuilt").number, 4);
    let schemas: Vec<String> =
        sqlx::query_scalar("select nspname::text from pg_namespace where nspname like 'read%'")
            .fetch_all(&running.pool)
            .await
            .expect("the catalogue can be read");
    let is_there = |name: &str| schemas.iter().any(|schema| schema == name);
    assert!(is_there("read_0003") && !is_there("read_0002"), "{schemas:?}");
}

#[tokio::test]
async fn what_a_killed_filling_left_goes_when_the_role_starts() {
    let running = that_has_ended("left_over").await;
    running
        .pool
        .execute(
            "create schema read_0002; create schema read_0003;
             insert into read.checkpoint (generation, model_version, updated_at)
             select number, model_version, now() - (3 - number) * interval '2 minutes'
             from read.checkpoint, generate_series(2, 3) as number",
        )
        .await
        .expect("they can be made");
    let process = Process::new();
    running.start_role(&process).await;
    eventually("it is gone", async || {
        let left: Vec<String> = sqlx::query_scalar(
            "select nspname::text from pg_namespace where nspname in ('read_0002', 'read_0003')",
        )
        .fetch_all(&running.pool)
        .await
        .expect("the catalogue can be read");
        // Somebody may be filling the other.
        assert!(left.iter().any(|schema| schema == "read_0003"), "{left:?}");
        (left.len() == 1).then_some(())
    })
    .await;
    process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn a_rebuild_that_is_ahead_is_shown_with_what_it_put_aside_there() {
    let mut running = that_has_ended("ahead_letter").await;
    let mut broken = home("AH-2", "nerja", 100);
    if let Some(text) = &mut broken.text.en {
        text.title = "a \0 in a title".to_owned();
    }
    // What is live has not come to it.
    running.publish(&upserted(&id("2"), 1, Snapshot::Properties(broken))).await;
    assert_eq!(rebuild(&running).await.expect("it is rebuilt").number, 2);
    let letters = projections::list(&running.pool).await.expect("the letters can be read");
    assert_eq!(letters.len(), 1);
}

#[tokio::test]
async fn a_rebuild_that_is_shown_has_not_failed_where_what_it_replaced_is_still_read() {
    let (running, operator) = with_a_home("op_replaced_is_read").await;
    let rebuilt = async |number: u64| {
        operator.act("/admin/rebuild", &json!({})).await;
        state(&operator, "its end", |it| {
            it["rebuild"]["running"] == false && listed(it)[0] == (number, true, false)
        })
        .await
    };
    rebuilt(2).await;
    let mut reader = running.pool.begin().await.expect("postgres answers");
    sqlx::query("lock table read_0001.property in access share mode")
        .execute(&mut *reader)
        .await
        .expect("the lock is free");
    let told = rebuilt(3).await;
    assert_eq!(told["rebuild"]["error"], Value::Null, "{told}");
    assert_eq!(listed(&told)[1..], [(2, false, true), (1, false, false)], "{told}");
    reader.rollback().await.expect("postgres answers");
    running.process.finish().await.expect("the role ends well");
}
