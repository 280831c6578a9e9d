//! A message that can't be applied is put aside, and heals.

use contracts::{SCHEMA_VERSION, Sequence, content::Snapshot};
use projections::{Error, discard, list, replay};
use runtime::Process;
use sqlx::PgPool;
use testkit::{eventually, log::Log};

use crate::{
    fixtures::{home, id, put_aside, shown, upserted},
    follow::{Running, generation},
};

/// No column of Postgres can hold this.
const POISON: &str = "a \0 in a title";

fn titled(key: &str, version: i64, title: &str) -> contracts::Event {
    let mut home = home(&format!("AH-{key}"), "nerja", 100);
    if let Some(text) = &mut home.text.en {
        title.clone_into(&mut text.title);
    }
    upserted(&id(key), version, Snapshot::Properties(home))
}

/// What a build to come has written.
fn of_the_future(key: &str, version: i64) -> contracts::Event {
    contracts::Event { schema_version: SCHEMA_VERSION + 1, ..titled(key, version, "Later") }
}

async fn wait_for(pool: &PgPool, key: &str, title: &str) {
    eventually(&format!("{key} shows {title}"), async || {
        shown(pool, key).await.filter(|(shown, _)| shown == title)
    })
    .await;
}

#[tokio::test]
async fn the_rest_goes_on_and_a_newer_snapshot_heals() {
    let nats = testkit::Nats::start().await;
    let database = testkit::postgres().await.database("dead_letters").await;
    let pool = database.pool();
    projections::migrate(&pool).await.expect("the schema can be made");
    let mut log = Log::make(&nats).await;
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
async fn the_newer_of_two_is_kept_also_where_its_version_can_not_be_read() {
    let mut running = Running::start("newer_unreadable").await;
    let refused = running.publish(&titled("1", 5, POISON)).await;
    running.wait_for(refused).await;
    let unreadable = running.publish(&of_the_future("1", 6)).await;
    running.wait_for(unreadable).await;
    let letters = list(&running.pool).await.expect("the letters can be read");
    let kept: Vec<_> = letters.iter().map(|letter| (letter.sequence, letter.version)).collect();
    assert_eq!(kept, [(unreadable, None)]);
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn a_log_of_which_the_first_can_not_be_read_is_no_other_one() {
    let mut running = Running::start("unreadable_first").await;
    let unreadable = running.publish(&of_the_future("1", 1)).await;
    running.wait_for(unreadable).await;
    running.process.clone().finish().await.expect("the role ends well");
    let process = Process::new();
    running.start_role(&process).await;
    let end = running.publish(&titled("2", 1, "Second")).await;
    running.wait_for(end).await;
    assert_eq!(generation(&running).await, 1, "nothing had to be filled anew");
    process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn a_letter_that_was_not_at_fault_can_be_applied_later() {
    let (pool, mut generation) = crate::fixtures::database("replayed").await;
    crate::fixtures::apply_all(&pool, &mut generation, &[titled("1", 1, "First")]).await;
    put_aside(&pool, 1, &titled("2", 1, "Late")).await;
    assert_eq!(replay(&pool, None, None).await.expect("it is tried"), 1);
    wait_for(&pool, "2", "Late").await;
    assert_eq!(list(&pool).await.expect("the letters can be read").len(), 0);
    let revision: i64 = sqlx::query_scalar("select revision from read.checkpoint where live")
        .fetch_one(&pool)
        .await
        .expect("the checkpoint can be read");
    assert_eq!(revision, 1, "caches are told to drop what they hold");
}

#[tokio::test]
async fn a_letter_that_still_can_t_be_applied_stays_with_why_not_now() {
    let (pool, _) = crate::fixtures::database("still_a_letter").await;
    put_aside(&pool, 1, &titled("1", 1, POISON)).await;
    put_aside(&pool, 2, &titled("2", 1, "Late")).await;
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
    assert_eq!(unreadable.error, before[1].error, "it said already why not");
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(after.tries, before.tries + 1);
        assert!(after.at > before.at, "{after:?}");
    }
}

#[tokio::test]
async fn a_letter_that_waited_for_a_newer_version_changes_nothing() {
    let (pool, mut generation) = crate::fixtures::database("late_letter").await;
    crate::fixtures::apply_all(&pool, &mut generation, &[titled("1", 1, "First")]).await;
    put_aside(&pool, 1, &titled("1", 2, "Late")).await;

    // Both wait for the checkpoint's lock: the newer version first, the letter behind it.
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
async fn a_version_that_waited_for_a_letter_goes_on_from_what_that_changed() {
    let (pool, mut generation) = crate::fixtures::database("letter_first").await;
    crate::fixtures::apply_all(&pool, &mut generation, &[titled("1", 1, "First")]).await;
    put_aside(&pool, 1, &titled("2", 1, "Late")).await;

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
async fn a_letter_that_took_the_place_of_the_one_that_was_shown_stays() {
    let (pool, mut generation) = crate::fixtures::database("newer_letter").await;
    crate::fixtures::apply_all(&pool, &mut generation, &[titled("1", 1, "First")]).await;
    let shown_up_to = Sequence::from(2);
    // The version at the second position was put aside and shown; now it is the one at the third.
    put_aside(&pool, 3, &titled("1", 3, "Third")).await;
    let subjects = ["content.properties.1".to_owned()];
    for subjects in [None, Some(&subjects[..])] {
        let replayed = replay(&pool, subjects, Some(shown_up_to)).await.expect("it is tried");
        let dropped = discard(&pool, subjects, Some(shown_up_to)).await.expect("it is tried");
        assert_eq!((replayed, dropped), (0, 0));
    }
    assert_eq!(list(&pool).await.expect("the letters can be read").len(), 1);

    // What is older than a letter is no reason to forget it.
    crate::fixtures::apply_all(&pool, &mut generation, &[titled("1", 2, "Second")]).await;
    assert_eq!(list(&pool).await.expect("the letters can be read").len(), 1);
    assert_eq!(discard(&pool, None, Some(Sequence::from(3))).await.expect("it is dropped"), 1);
}

#[tokio::test]
async fn a_letter_that_another_replaces_while_it_is_replayed_is_not_taken_with_it() {
    let (pool, mut generation) = crate::fixtures::database("replaced_meanwhile").await;
    crate::fixtures::apply_all(&pool, &mut generation, &[titled("1", 1, "First")]).await;
    put_aside(&pool, 2, &titled("1", 2, "Second")).await;

    let mut putting_aside = pool.begin().await.expect("postgres answers");
    for statement in [
        "update read.checkpoint set sequence = 3",
        "update read.dead_letter set sequence = 3, version = 3",
    ] {
        sqlx::query(statement).execute(&mut *putting_aside).await.expect("the lock is free");
    }
    let letter = tokio::spawn({
        let pool = pool.clone();
        async move { replay(&pool, None, None).await.expect("it is tried") }
    });
    waiting_for_locks(&pool, 1).await;
    putting_aside.commit().await.expect("postgres answers");
    letter.await.expect("it is replayed");
    assert_eq!(shown(&pool, "1").await.map(|(title, _)| title).as_deref(), Some("Second"));
    let left = list(&pool).await.expect("the letters can be read");
    assert_eq!(left.iter().map(|letter| letter.sequence.get()).collect::<Vec<_>>(), [3]);
}

#[tokio::test]
async fn a_letter_of_another_generation_that_is_shown_meanwhile_stays() {
    let (pool, _) = crate::fixtures::database("replaced_letter").await;
    sqlx::query("insert into read.checkpoint (generation, model_version) values (2, 1)")
        .execute(&pool)
        .await
        .expect("the checkpoint is written");
    put_aside(&pool, 1, &titled("1", 1, "Late")).await;

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
    assert!(matches!(replayed, Err(Error::Gone)), "{replayed:?}: what is shown has it as before");
    assert_eq!(list(&pool).await.expect("the letters can be read").len(), 1);
}

/// Waits until so many wait for a lock in the database.
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
