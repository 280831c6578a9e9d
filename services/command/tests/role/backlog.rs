//! A large backlog does not delay urgent jobs.

use sqlx::{Postgres, Transaction};
use testkit::eventually;

use crate::world::World;

const ANN: &str = "ann@x.example";

#[tokio::test]
async fn a_sign_in_mail_does_not_wait_for_a_backlog_of_alerts() {
    let world = World::start().await;
    let holding = start_blocked_mails(&world, 200).await;
    world.browser().request_sign_in(ANN).await;
    assert_eq!(world.count("visitor.job where kind = 'alert_mail' and state = 'due'").await, 200);
    holding.rollback().await.expect("the lock ends");
}

#[tokio::test]
async fn jobs_in_flight_are_completed_before_the_role_ends() {
    let world = World::start().await;
    let holding = start_blocked_mails(&world, 3).await;
    world.process.shutdown().cancel();
    holding.rollback().await.expect("the lock ends");
    world.process.clone().finish().await.expect("it ends");
    assert_eq!(world.count("visitor.job where state = 'done'").await, 3);
}

/// Creates `many` alert mails to Bob. Workers start three of them, which are blocked until the returned
/// transaction ends.
async fn start_blocked_mails(world: &World, many: i32) -> Transaction<'static, Postgres> {
    sqlx::query(
        "with bob as (
            insert into visitor.subscriber (id, email, locale, tokens)
            values (gen_random_uuid(), 'bob@x.example', 'en', '{a-token}') returning id),
         mails as (
            insert into visitor.alert_mail (id, subscriber, frequency)
            select gen_random_uuid(), id, 'at_once' from bob, generate_series(1, $1)
            returning id)
         insert into visitor.job (id, kind, alert_mail, due_at)
         select gen_random_uuid(), 'alert_mail', id, now() + interval '1 day' from mails",
    )
    .bind(many)
    .execute(&world.pool)
    .await
    .expect("mails that wait");
    // The subscriber can't be read, which blocks the workers.
    let mut holding = world.pool.begin().await.expect("postgres answers");
    sqlx::query("lock table visitor.subscriber").execute(&mut *holding).await.expect("a lock");
    world.make_jobs_due().await;
    eventually("the jobs are claimed", async || {
        let begun = world.count("visitor.job where lease_until > now()").await;
        (begun >= 3).then_some(())
    })
    .await;
    holding
}
