//! Much to do at once: whoever waits for a part of it does not wait for all.

use sqlx::{Postgres, Transaction};
use testkit::eventually;

use crate::role::World;

const ANN: &str = "ann@x.example";

#[tokio::test]
async fn who_wants_to_be_signed_in_does_not_wait_for_mails_about_homes() {
    let world = World::start().await;
    let holding = with_mails_begun(&world, 200).await;
    world.browser().asks(ANN).await;
    assert_eq!(world.count("visitor.job where kind = 'alert_mail' and state = 'due'").await, 200);
    holding.rollback().await.expect("the lock ends");
}

#[tokio::test]
async fn what_is_begun_is_ended_and_noted_before_the_role_ends() {
    let world = World::start().await;
    let holding = with_mails_begun(&world, 3).await;
    world.process.shutdown().cancel();
    holding.rollback().await.expect("the lock ends");
    world.process.clone().finish().await.expect("it ends");
    assert_eq!(world.count("visitor.job where state = 'done'").await, 3);
}

/// So `many` mails to Bob about homes; three of them are begun, and end no earlier than what this gives.
async fn with_mails_begun(world: &World, many: i32) -> Transaction<'static, Postgres> {
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
    // Whose they are can not be read, so whoever begins one is held up.
    let mut holding = world.pool.begin().await.expect("postgres answers");
    sqlx::query("lock table visitor.subscriber").execute(&mut *holding).await.expect("a lock");
    world.hurry().await;
    eventually("they are begun", async || {
        let begun = world.count("visitor.job where lease_until > now()").await;
        (begun >= 3).then_some(())
    })
    .await;
    holding
}
