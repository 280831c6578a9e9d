//! The readiness of the role while a dependency does not answer.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::json;
use sync::Intervals;
use testkit::{Postgres, eventually};

use crate::{
    content::{FakeContent, Mood, house},
    role::{HINTS_ONLY, Role, World, hint},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_does_not_answer_makes_the_relay_not_ready_until_it_does() {
    let world = World::new("frozen_log").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    role.wait_until_failing(&[]).await;
    world.nats.freeze();
    role.wait_until_failing(&["log"]).await;
    world.content.put("properties", "1", house(1, 200));
    // Meanwhile hints are accepted and captured.
    role.hint("properties", "1").await;
    world.wait_for_price("1", 200).await;
    world.nats.thaw();
    role.wait_until_failing(&[]).await;
    world.wait_until_published().await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_token_makes_the_role_not_ready_until_a_read_succeeds() {
    let world = World::new("refused_token").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    role.wait_until_failing(&[]).await;
    world.content.set(Mood::Refusing);
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    role.wait_until_failing(&["content service"]).await;
    // Between the attempts nothing is due, which does not count as a successful read.
    let before = world.content.readings_of("properties");
    eventually("three more tries", async || {
        assert!(!role.is_ready(), "nothing has been read since");
        (world.content.readings_of("properties") >= before + 3).then_some(())
    })
    .await;
    world.content.set(Mood::Fair);
    role.wait_until_failing(&[]).await;
    world.wait_for_price("1", 200).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_content_service_makes_the_role_not_ready_though_nothing_is_published() {
    let world = World::new("frozen_content").await;
    let every_second = Intervals { activity: Duration::from_secs(1), ..HINTS_ONLY };
    let role = world.start(every_second).await;
    role.wait_until_failing(&[]).await;
    world.content.set(Mood::Stalling);
    role.wait_until_failing(&["content service"]).await;
    world.content.set(Mood::Fair);
    role.wait_until_failing(&[]).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_is_ready_again_when_another_has_read_what_it_could_not() {
    let world = World::new("read_elsewhere").await;
    let elsewhere = FakeContent::start().await;
    for content in [&world.content, &elsewhere] {
        content.put("properties", "1", house(1, 100));
    }
    let role = world.start(HINTS_ONLY).await;
    let mut config = world.config(HINTS_ONLY);
    config.content.content_url = elsewhere.url().parse().expect("a URL");
    let other = world.start_with(config).await;
    // Only the second of them can read the change, and not yet.
    world.content.set(Mood::Refusing);
    elsewhere.set(Mood::Stalling);
    for content in [&world.content, &elsewhere] {
        content.change("properties", "1", |house| house["price"] = json!(200));
    }
    role.hint("properties", "1").await;
    role.wait_until_failing(&["content service"]).await;
    elsewhere.set(Mood::Fair);
    other.hint("properties", "1").await;
    world.wait_for_price("1", 200).await;
    // Otherwise the first one would try to read it once more.
    world.sql("update ledger.aggregate set recheck_at = null").await;
    world.wait_until_idle().await;
    role.wait_until_failing(&[]).await;
    for role in [role, other] {
        role.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_does_not_answer_makes_the_role_not_ready_until_it_does() {
    let postgres = Postgres::start().await;
    let world = World::new_on(&postgres, "frozen_database").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    role.wait_until_failing(&[]).await;
    postgres.freeze().await;
    role.wait_until_failing(&["database", "log"]).await;
    // What `almijara parked` and `almijara verify` read.
    let ledger = world.ledger();
    let reads = async {
        tokio::join!(
            ledger.parked(),
            ledger.parked_counts(),
            ledger.last_good(),
            ledger.all_offers(),
            ledger.unreadable_pictures(),
        )
    };
    let reads = tokio::time::timeout(Duration::from_mins(1), reads).await;
    let (parked, counts, good, offers, unreadable) = reads.expect("no read waits for ever");
    assert!(parked.is_err() && counts.is_err() && good.is_err());
    assert!(offers.is_err() && unreadable.is_err());
    postgres.thaw().await;
    role.wait_until_failing(&[]).await;
    world.content.put("properties", "1", house(1, 200));
    role.hint("properties", "1").await;
    world.wait_for_price("1", 200).await;
    world.wait_until_published().await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_database_makes_the_role_not_ready_until_it_accepts_writes() {
    let world = World::new("no_room").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    role.wait_until_failing(&[]).await;
    // As on a full disk: only statements that need more space fail.
    world
        .sql(
            "create function ledger.no_hint() returns trigger language plpgsql as $$
             begin raise exception 'no space left on device' using errcode = 'disk_full'; end $$",
        )
        .await;
    world
        .sql(
            "create function ledger.no_table() returns event_trigger language plpgsql as $$
             begin raise exception 'no space left on device' using errcode = 'disk_full'; end $$",
        )
        .await;
    world
        .sql(
            "create trigger no_hint before insert on ledger.inbox
             for each row execute function ledger.no_hint()",
        )
        .await;
    world
        .sql(
            "create event trigger no_table on ddl_command_start when tag in ('CREATE TABLE AS')
             execute function ledger.no_table()",
        )
        .await;
    let refusal = role.post(&hint("properties", "1")).await;
    assert_eq!(refusal.status(), StatusCode::SERVICE_UNAVAILABLE);
    role.wait_until_failing(&["database"]).await;
    world.sql("drop trigger no_hint on ledger.inbox").await;
    world.sql("drop event trigger no_table").await;
    role.wait_until_failing(&[]).await;
    role.hint("properties", "1").await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_database_makes_the_role_not_ready_until_it_accepts_writes() {
    let postgres = Postgres::start().await;
    let world = World::new_on(&postgres, "read_only").await;
    let role = world.start(HINTS_ONLY).await;
    role.wait_until_failing(&[]).await;
    world.wait_until_published().await;
    world.sql("alter system set default_transaction_read_only = on").await;
    world.sql("select pg_reload_conf()").await;
    role.wait_until_failing(&["content service", "database"]).await;
    world.sql("alter system reset default_transaction_read_only").await;
    world.sql("select pg_reload_conf()").await;
    role.wait_until_failing(&[]).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_capture_that_the_ledger_refuses_makes_the_role_not_ready_until_it_succeeds() {
    let world = World::new("refused_capture").await;
    let role = world.start(HINTS_ONLY).await;
    role.wait_until_failing(&[]).await;
    world.sql("alter table ledger.aggregate rename column fence to barrier").await;
    role.wait_until_failing(&["content service"]).await;
    world.sql("alter table ledger.aggregate rename column barrier to fence").await;
    role.wait_until_failing(&[]).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_database_does_not_answer_hints_are_refused_and_nothing_is_lost() {
    let postgres = Postgres::start().await;
    let world = World::new_on(&postgres, "frozen_hints").await;
    for id in 1..=2 {
        world.content.put("properties", &id.to_string(), house(id, 100));
    }
    let role = world.start(HINTS_ONLY).await;
    role.wait_until_failing(&[]).await;
    // One change is being read when the database stops answering; another one is announced after that.
    world.content.set(Mood::Stalling);
    let before = world.content.readings_of("properties");
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    eventually("the reading", async || {
        (world.content.readings_of("properties") > before).then_some(())
    })
    .await;
    postgres.freeze().await;
    world.content.set(Mood::Fair);
    world.content.change("properties", "2", |house| house["price"] = json!(200));
    let refusal = role.post(&hint("properties", "2")).await;
    assert_eq!(refusal.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refusal.headers()["content-type"], "application/problem+json");
    assert!(refusal.headers().contains_key("retry-after"));
    postgres.thaw().await;
    eventually("a hint being taken again", async || {
        let answer = role.post(&hint("properties", "2")).await;
        answer.status().is_success().then_some(())
    })
    .await;
    for key in ["1", "2"] {
        world.wait_for_price(key, 200).await;
    }
    world.wait_until_published().await;
    role.wait_until_failing(&[]).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_whose_tables_are_gone_ends_and_the_next_one_recreates_them() {
    let world = World::new("no_tables").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.wait_for_price("1", 100).await;
    // Postgres may end this statement because of a deadlock with the role.
    eventually("it is dropped", async || {
        sqlx::query("drop schema if exists ledger cascade").execute(&world.pool).await.ok()
    })
    .await;
    let why = role.ended().await;
    assert!(why.contains("the tables of the ledger are gone"), "{why}");
    let role = world.start(HINTS_ONLY).await;
    world.wait_for_price("1", 100).await;
    world.wait_until_published().await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_locked_by_a_long_backup_does_not_fail_the_start() {
    let world = World::new("held_schema").await;
    world.operator().await;
    let mut held = world.pool.begin().await.expect("a transaction");
    sqlx::query("lock table ledger.migration in access exclusive mode")
        .execute(&mut *held)
        .await
        .expect("the table is held");
    let role = Role::start(world.config(HINTS_ONLY)).await;
    // Longer than the lock timeout of a statement.
    tokio::time::sleep(Duration::from_secs(6)).await;
    assert!(!role.is_ready(), "it waits");
    held.rollback().await.expect("the table is let go");
    eventually("the role being ready", async || role.is_ready().then_some(())).await;
    role.stop().await;
}
