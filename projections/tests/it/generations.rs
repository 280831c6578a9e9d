//! Generations beside the live one: which are swapped in, and which are dropped.

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

/// Starts the role, publishes home 1 at a price of 100, and stops the role.
async fn stopped_role(name: &str) -> Running {
    let mut running = Running::start(name).await;
    let end = running.publish(&priced("1", 1, 100)).await;
    running.wait_for(end).await;
    running.process.clone().finish().await.expect("the role ends well");
    running
}

/// Starts a role that has filled a second generation from a log that is not complete yet.
async fn filling_role(name: &str) -> (Running, Operator) {
    let mut running = Running::start(name).await;
    let end = running.publish(&priced("1", 1, 100)).await;
    running.wait_for(end).await;
    running.log.set_lineage(unfinished()).await;
    let operator = Operator::of(&running.process).await;
    operator.act("/admin/rebuild", &json!({})).await;
    running.wait_for_new(end).await;
    (running, operator)
}

/// Rebuilds like the operator's command.
async fn rebuild(running: &Running) -> Result<Generation, Error> {
    let log = EventLog::connect(&running.nats.url(), "rebuild").await.expect("nats answers");
    projections::rebuild(&running.pool, &log, &Process::new().shutdown()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fill_job_that_waits_for_the_rest_of_the_log_does_not_look_abandoned() {
    let (running, _) = filling_role("filling_idle").await;
    running
        .pool
        .execute(
            "update read.checkpoint set updated_at = now() - interval '2 minutes'
             where generation = 2",
        )
        .await
        .expect("the checkpoint can be written");
    eventually("the generation being marked as filling", async || {
        let is_marked: bool = sqlx::query_scalar(
            "select updated_at > now() - interval '1 minute' from read.checkpoint
             where generation = 2",
        )
        .fetch_one(&running.pool)
        .await
        .expect("the checkpoint can be read");
        is_marked.then_some(())
    })
    .await;
    running.log.set_lineage(lineage(1, &[])).await;
    eventually("it is shown", async || (generation(&running).await == 2).then_some(())).await;
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fill_job_continues_at_its_position_when_postgres_accepts_writes_again() {
    let (mut running, operator) = filling_role("filling_refused").await;
    // This marks the generation, because a new one would have the same number.
    running
        .pool
        .execute("update read_0002.property set title = 'Filled once' where key = '1'")
        .await
        .expect("the table can be written");

    running.only_reads(true).await;
    eventually("what the fill job waits for", async || {
        // Each closed connection in the pool fails one query, which may be that of this call.
        let (_, state) = operator.ask("/admin/state", Some(ADMIN_TOKEN)).await;
        state["rebuild"]["error"].as_str()?.contains("read-only").then_some(())
    })
    .await;
    // As after some minutes: the generation looks abandoned to the first process that reconnects.
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
    running.log.set_lineage(lineage(1, &[])).await;
    eventually("it is shown", async || (generation(&running).await == 2).then_some(())).await;
    assert_eq!(shown(&running.pool, "1").await, Some(("Filled once".to_owned(), Some(100))));
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn a_fill_job_starts_over_if_another_process_dropped_its_generation() {
    let mut running = stopped_role("filling_dropped").await;
    running.make_older().await;
    running.log.set_lineage(unfinished()).await;
    let end = running.publish(&priced("2", 1, 200)).await;
    let process = Process::new();
    running.start_role(&process).await;
    running.wait_for_new(end).await;
    running
        .pool
        .execute("delete from read.checkpoint where generation = 2; drop schema read_0002 cascade")
        .await
        .expect("it can be dropped");
    running.log.set_lineage(lineage(1, &[])).await;
    wait_until_second_is_followed(&running, &process).await;
    assert_eq!(shown(&running.pool, "2").await, Some(("Villa".to_owned(), Some(200))));
    process.finish().await.expect("the role ends well");
}

/// Waits until the role follows the second generation.
async fn wait_until_second_is_followed(running: &Running, process: &Process) {
    eventually("it follows the new generation", async || {
        let is_ready = process.health().failing().is_empty();
        (is_ready && generation(running).await == 2).then_some(())
    })
    .await;
}

/// Starts a role with read models of an older version, which runs out of disk space while it fills new ones.
async fn role_without_disk_space(name: &str) -> (Running, Process) {
    let running = stopped_role(name).await;
    running.make_older().await;
    // A sequence also counts attempts that are rolled back.
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
    eventually("the lack of space being reported", async || {
        let failing = process.health().failing();
        failing.get("read models")?.contains("no room to fill new read models").then_some(())
    })
    .await;
    (running, process)
}

/// Returns how many fill jobs ran out of disk space.
async fn failed_attempts(running: &Running) -> i64 {
    sqlx::query_scalar("select case when is_called then last_value else 0 end from read.fillings")
        .fetch_one(&running.pool)
        .await
        .expect("the sequence can be read")
}

/// Lets fill jobs succeed from now on.
async fn free_disk_space(running: &Running) {
    running
        .pool
        .execute("drop trigger no_room on read.checkpoint")
        .await
        .expect("it can be dropped");
}

#[tokio::test]
async fn after_a_full_disk_a_fill_job_is_retried_when_an_operator_resumes() {
    let (running, process) = role_without_disk_space("no_room").await;
    let operator = Operator::of(&process).await;
    operator.act("/admin/resume", &json!({})).await;
    eventually("another try", async || (failed_attempts(&running).await == 2).then_some(())).await;
    free_disk_space(&running).await;
    operator.act("/admin/resume", &json!({})).await;
    wait_until_second_is_followed(&running, &process).await;
    assert_eq!(failed_attempts(&running).await, 2, "there was no automatic retry");
    process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn a_role_that_waits_for_disk_space_follows_another_process_s_generation() {
    let (running, process) = role_without_disk_space("room_elsewhere").await;
    free_disk_space(&running).await;
    assert_eq!(rebuild(&running).await.expect("it is rebuilt").number, 2);
    wait_until_second_is_followed(&running, &process).await;
    process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn an_operator_s_rebuild_replaces_the_automatic_one() {
    let (running, process) = role_without_disk_space("room_by_operator").await;
    free_disk_space(&running).await;
    running.log.set_lineage(unfinished()).await;
    let operator = Operator::of(&process).await;
    operator.act("/admin/rebuild", &json!({})).await;
    operator.act("/admin/resume", &json!({})).await;
    eventually("the automatic rebuild waiting for the operator's", async || {
        let failing = process.health().failing();
        failing.get("read models")?.contains("filling a new generation").then_some(())
    })
    .await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    running.log.set_lineage(lineage(1, &[])).await;
    wait_until_second_is_followed(&running, &process).await;
    let newest: Option<i32> = sqlx::query_scalar("select max(generation) from read.checkpoint")
        .fetch_one(&running.pool)
        .await
        .expect("the checkpoint can be read");
    assert_eq!(newest, Some(2));
    process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn a_generation_swapped_in_meanwhile_is_not_replaced_by_one_that_is_behind() {
    check_swap_by_another_process("shown_by_another", false).await;
}

#[tokio::test]
async fn a_generation_swapped_in_at_the_same_moment_is_not_replaced_by_one_that_is_behind() {
    check_swap_by_another_process("shown_at_once", true).await;
}

/// Swaps in a generation that is ahead of the one being filled, either before that is complete or just as it
/// is swapped in.
async fn check_swap_by_another_process(name: &str, at_once: bool) {
    let mut running = Running::start(name).await;
    let end = running.publish(&priced("1", 1, 100)).await;
    running.wait_for(end).await;
    running.log.set_lineage(unfinished()).await;
    // The live generation at the start of the fill job has diverged from the log.
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
        running.log.set_lineage(lineage(1, &[])).await;
        waiting_for_locks(&running.pool, 1).await;
    }
    swapping.commit().await.expect("postgres answers");
    running.log.set_lineage(lineage(1, &[])).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(generation(&running).await, 3, "the filled generation is behind it");

    running.publish(&priced("2", 1, 200)).await;
    eventually("the swap", async || (generation(&running).await == 2).then_some(())).await;
    let revision: i64 = sqlx::query_scalar("select revision from read.checkpoint where live")
        .fetch_one(&running.pool)
        .await
        .expect("the checkpoint can be read");
    assert_eq!(revision, 10);
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn an_abandoned_generation_that_becomes_live_meanwhile_is_not_dropped() {
    let running = stopped_role("shown_meanwhile").await;
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
async fn generations_of_killed_fill_jobs_are_dropped_when_the_role_starts() {
    let running = stopped_role("left_over").await;
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
        // Another process may be filling the other one.
        assert!(left.iter().any(|schema| schema == "read_0003"), "{left:?}");
        (left.len() == 1).then_some(())
    })
    .await;
    process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn a_rebuild_ahead_of_the_live_generation_may_have_later_dead_letters() {
    let mut running = stopped_role("ahead_letter").await;
    let mut broken = home("AH-2", "nerja", 100);
    if let Some(text) = &mut broken.text.en {
        text.title = "a \0 in a title".to_owned();
    }
    // The live generation has not reached this message.
    running.publish(&upserted(&id("2"), 1, Snapshot::Properties(broken))).await;
    assert_eq!(rebuild(&running).await.expect("it is rebuilt").number, 2);
    let letters =
        projections::dead_letters::list(&running.pool).await.expect("the letters can be read");
    assert_eq!(letters.len(), 1);
}

#[tokio::test]
async fn a_rebuild_succeeds_while_a_query_keeps_the_replaced_generation_from_being_dropped() {
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
    let state = rebuilt(3).await;
    assert_eq!(state["rebuild"]["error"], Value::Null, "{state}");
    assert_eq!(listed(&state)[1..], [(2, false, true), (1, false, false)], "{state}");
    reader.rollback().await.expect("postgres answers");
    running.process.finish().await.expect("the role ends well");
}
