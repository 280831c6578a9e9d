//! Messages that can't be applied become dead letters, which newer messages, replays or operators remove.

use contracts::{SCHEMA_VERSION, Sequence, content::Snapshot};
use projections::{
    Error,
    dead_letters::{discard, list, replay},
};
use runtime::Process;
use sqlx::PgPool;
use testkit::{eventually, log::Log};

use crate::{
    fixtures::{home, id, shown, store_dead_letter, upserted},
    follow::{Running, generation},
};

/// A title that Postgres can't store.
const POISON: &str = "a \0 in a title";

fn titled(key: &str, version: i64, title: &str) -> contracts::Event {
    let mut home = home(&format!("AH-{key}"), "nerja", 100);
    if let Some(text) = &mut home.text.en {
        title.clone_into(&mut text.title);
    }
    upserted(&id(key), version, Snapshot::Properties(home))
}

/// An event that a later build has written.
fn of_a_later_schema(key: &str, version: i64) -> contracts::Event {
    contracts::Event { schema_version: SCHEMA_VERSION + 1, ..titled(key, version, "Later") }
}

async fn wait_for(pool: &PgPool, key: &str, title: &str) {
    eventually(&format!("{key} shows {title}"), async || {
        shown(pool, key).await.filter(|(shown, _)| shown == title)
    })
    .await;
}

#[tokio::test]
async fn other_messages_are_applied_and_a_newer_snapshot_removes_the_letter() {
    let nats = testkit::Nats::start().await;
    let database = testkit::postgres().await.database("dead_letters").await;
    let pool = database.pool();
    projections::migrate(&pool).await.expect("the schema can be made");
    let mut log = Log::create(&nats).await;
    let process = Process::new();
    let config = projections::Config { database_url: database.url(), nats_url: nats.url() };
    projections::run(config, &process).await.expect("the role starts");

    for (key, title) in [("1", "First"), ("2", POISON), ("3", POISON), ("4", "Fourth")] {
        log.publish(&titled(key, 1, title)).await;
    }
    wait_for(&pool, "1", "First").await;
    wait_for(&pool, "4", "Fourth").await;
    let letters = list(&pool).await.expect("the letters can be read");
    let subjects: Vec<_> = letters.iter().map(|letter| letter.subject.as_str()).collect();
    assert_eq!(subjects, ["content.properties.2", "content.properties.3"]);
    assert_eq!(letters[0].tries, 3);
    assert!(letters[0].error.contains("Unicode"), "{}", letters[0].error);
    assert_eq!(shown(&pool, "2").await, None);

    log.publish(&titled("2", 2, "Healed")).await;
    wait_for(&pool, "2", "Healed").await;
    assert_eq!(list(&pool).await.expect("the letters can be read").len(), 1);

    assert_eq!(replay(&pool, None, None).await.expect("it is tried"), 0, "it is as bad as before");
    assert_eq!(list(&pool).await.expect("the letters can be read").len(), 1);
    let third = ["content.properties.3".to_owned()];
    assert_eq!(discard(&pool, Some(&third), None).await.expect("it is dropped"), 1);
    assert_eq!(list(&pool).await.expect("the letters can be read").len(), 0);
    process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn many_messages_that_can_t_be_applied_do_not_stop_those_after_them() {
    const MANY: usize = 30;
    let mut running = Running::start("many_letters").await;
    for key in 1..=MANY {
        running.publish(&titled(&key.to_string(), 1, POISON)).await;
    }
    let good = running.publish(&titled("100", 1, "Good")).await;
    running.wait_for(good).await;
    wait_for(&running.pool, "100", "Good").await;
    let letters = list(&running.pool).await.expect("the letters can be read");
    assert_eq!(letters.len(), MANY);
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn a_newer_letter_replaces_an_older_one_even_if_its_version_is_unreadable() {
    let mut running = Running::start("newer_unreadable").await;
    let refused = running.publish(&titled("1", 5, POISON)).await;
    running.wait_for(refused).await;
    let unreadable = running.publish(&of_a_later_schema("1", 6)).await;
    running.wait_for(unreadable).await;
    let letters = list(&running.pool).await.expect("the letters can be read");
    let found: Vec<_> = letters.iter().map(|letter| (letter.sequence, letter.version)).collect();
    assert_eq!(found, [(unreadable, None)]);
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn an_unreadable_first_message_does_not_look_like_a_diverged_log() {
    let mut running = Running::start("unreadable_first").await;
    let unreadable = running.publish(&of_a_later_schema("1", 1)).await;
    running.wait_for(unreadable).await;
    running.process.clone().finish().await.expect("the role ends well");
    let process = Process::new();
    running.start_role(&process).await;
    let end = running.publish(&titled("2", 1, "Second")).await;
    running.wait_for(end).await;
    assert_eq!(generation(&running).await, 1, "nothing had to be rebuilt");
    process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn a_letter_whose_cause_is_gone_can_be_replayed() {
    let (pool, mut generation) = crate::fixtures::database("replayed").await;
    crate::fixtures::apply_all(&pool, &mut generation, &[titled("1", 1, "First")]).await;
    store_dead_letter(&pool, 1, &titled("2", 1, "Late")).await;
    assert_eq!(replay(&pool, None, None).await.expect("it is tried"), 1);
    wait_for(&pool, "2", "Late").await;
    assert_eq!(list(&pool).await.expect("the letters can be read").len(), 0);
    let revision: i64 = sqlx::query_scalar("select revision from read.checkpoint where live")
        .fetch_one(&pool)
        .await
        .expect("the checkpoint can be read");
    assert_eq!(revision, 1, "caches have to drop everything");
}

#[tokio::test]
async fn a_letter_that_still_can_t_be_applied_stays_with_its_new_error() {
    let (pool, _) = crate::fixtures::database("still_a_letter").await;
    store_dead_letter(&pool, 1, &titled("1", 1, POISON)).await;
    store_dead_letter(&pool, 2, &titled("2", 1, "Late")).await;
    sqlx::query(
        "update read.dead_letter set at = now() - interval '1 hour',
             version = case when sequence = 1 then version end,
             body = case when sequence = 1 then body else 'nonsense' end",
    )
    .execute(&pool)
    .await
    .expect("the letters are written");
    let before = list(&pool).await.expect("the letters can be read");
    assert_eq!(replay(&pool, None, None).await.expect("it is tried"), 0);
    let after = list(&pool).await.expect("the letters can be read");
    let [refused, unreadable] = &after[..] else { panic!("{after:?}") };
    assert!(refused.error.contains("Unicode"), "{refused:?}");
    assert_eq!(unreadable.error, before[1].error, "its error is unchanged");
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(after.tries, before.tries + 1);
        assert!(after.at > before.at, "{after:?}");
    }
}

#[tokio::test]
async fn a_replay_that_waited_for_a_newer_version_changes_nothing() {
    let (pool, mut generation) = crate::fixtures::database("late_letter").await;
    crate::fixtures::apply_all(&pool, &mut generation, &[titled("1", 1, "First")]).await;
    store_dead_letter(&pool, 1, &titled("1", 2, "Late")).await;

    // Both wait for the checkpoint's lock: the newer version first, then the replay.
    let mut holder = pool.begin().await.expect("postgres answers");
    sqlx::query("select from read.checkpoint for update")
        .execute(&mut *holder)
        .await
        .expect("the lock is free");
    let newer = tokio::spawn({
        let pool = pool.clone();
        async move {
            let newer = [titled("1", 3, "Newer")];
            crate::fixtures::apply_batch(&pool, &mut generation, &newer).await;
        }
    });
    waiting_for_locks(&pool, 1).await;
    let letter = tokio::spawn({
        let pool = pool.clone();
        async move { replay(&pool, None, None).await.expect("it is tried") }
    });
    waiting_for_locks(&pool, 2).await;
    holder.rollback().await.expect("postgres answers");
    newer.await.expect("it is applied");
    letter.await.expect("it is replayed");
    assert_eq!(shown(&pool, "1").await.map(|(title, _)| title).as_deref(), Some("Newer"));
}

#[tokio::test]
async fn a_newer_version_that_waited_for_a_replay_replaces_its_rows() {
    let (pool, mut generation) = crate::fixtures::database("letter_first").await;
    crate::fixtures::apply_all(&pool, &mut generation, &[titled("1", 1, "First")]).await;
    store_dead_letter(&pool, 1, &titled("2", 1, "Late")).await;

    let mut holder = pool.begin().await.expect("postgres answers");
    sqlx::query("select from read.checkpoint for update")
        .execute(&mut *holder)
        .await
        .expect("the lock is free");
    let letter = tokio::spawn({
        let pool = pool.clone();
        async move { replay(&pool, None, None).await.expect("it is tried") }
    });
    waiting_for_locks(&pool, 1).await;
    let newer = tokio::spawn({
        let pool = pool.clone();
        async move {
            let newer = [titled("2", 2, "Newer")];
            crate::fixtures::apply_batch(&pool, &mut generation, &newer).await;
        }
    });
    waiting_for_locks(&pool, 2).await;
    holder.rollback().await.expect("postgres answers");
    letter.await.expect("it is replayed");
    newer.await.expect("it is applied");
    assert_eq!(shown(&pool, "2").await.map(|(title, _)| title).as_deref(), Some("Newer"));
}

#[tokio::test]
async fn a_letter_that_is_newer_than_the_operators_list_stays() {
    let (pool, mut generation) = crate::fixtures::database("newer_letter").await;
    crate::fixtures::apply_all(&pool, &mut generation, &[titled("1", 1, "First")]).await;
    let listed_up_to = Sequence::from(2);
    // The operator's list had a letter at the second position, which one at the third has replaced.
    store_dead_letter(&pool, 3, &titled("1", 3, "Third")).await;
    let subjects = ["content.properties.1".to_owned()];
    for subjects in [None, Some(&subjects[..])] {
        let replayed = replay(&pool, subjects, Some(listed_up_to)).await.expect("it is tried");
        let dropped = discard(&pool, subjects, Some(listed_up_to)).await.expect("it is tried");
        assert_eq!((replayed, dropped), (0, 0));
    }
    assert_eq!(list(&pool).await.expect("the letters can be read").len(), 1);

    // An older version does not remove the letter.
    crate::fixtures::apply_all(&pool, &mut generation, &[titled("1", 2, "Second")]).await;
    assert_eq!(list(&pool).await.expect("the letters can be read").len(), 1);
    assert_eq!(discard(&pool, None, Some(Sequence::from(3))).await.expect("it is dropped"), 1);
}

#[tokio::test]
async fn a_replay_does_not_delete_a_letter_that_was_replaced_meanwhile() {
    let (pool, mut generation) = crate::fixtures::database("replaced_meanwhile").await;
    crate::fixtures::apply_all(&pool, &mut generation, &[titled("1", 1, "First")]).await;
    store_dead_letter(&pool, 2, &titled("1", 2, "Second")).await;

    let mut replacing = pool.begin().await.expect("postgres answers");
    for statement in [
        "update read.checkpoint set sequence = 3",
        "update read.dead_letter set sequence = 3, version = 3",
    ] {
        sqlx::query(statement).execute(&mut *replacing).await.expect("the lock is free");
    }
    let letter = tokio::spawn({
        let pool = pool.clone();
        async move { replay(&pool, None, None).await.expect("it is tried") }
    });
    waiting_for_locks(&pool, 1).await;
    replacing.commit().await.expect("postgres answers");
    letter.await.expect("it is replayed");
    assert_eq!(shown(&pool, "1").await.map(|(title, _)| title).as_deref(), Some("Second"));
    let left = list(&pool).await.expect("the letters can be read");
    assert_eq!(left.iter().map(|letter| letter.sequence.get()).collect::<Vec<_>>(), [3]);
}

#[tokio::test]
async fn a_replay_stops_if_another_generation_becomes_live() {
    let (pool, _) = crate::fixtures::database("replaced_letter").await;
    sqlx::query("insert into read.checkpoint (generation, model_version) values (2, 1)")
        .execute(&pool)
        .await
        .expect("the checkpoint is written");
    store_dead_letter(&pool, 1, &titled("1", 1, "Late")).await;

    let mut swapping = pool.begin().await.expect("postgres answers");
    for (generation, live) in [(1, false), (2, true)] {
        sqlx::query("update read.checkpoint set live = $2 where generation = $1")
            .bind(generation)
            .bind(live)
            .execute(&mut *swapping)
            .await
            .expect("the lock is free");
    }
    let letter = tokio::spawn({
        let pool = pool.clone();
        async move { replay(&pool, None, None).await }
    });
    waiting_for_locks(&pool, 1).await;
    swapping.commit().await.expect("postgres answers");
    let replayed = letter.await.expect("it ends");
    assert!(matches!(replayed, Err(Error::Gone)), "{replayed:?}");
    assert_eq!(list(&pool).await.expect("the letters can be read").len(), 1);
}

/// Waits until `count` connections to the database wait for a lock.
pub async fn waiting_for_locks(pool: &PgPool, count: i64) {
    eventually(&format!("{count} waiting for a lock"), async || {
        let waiting: i64 = sqlx::query_scalar(
            "select count(*) from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'",
        )
        .fetch_one(pool)
        .await
        .expect("postgres answers");
        (waiting == count).then_some(())
    })
    .await;
}
