//! What the role says of itself while what it needs does not answer.

use testkit::Postgres;

use crate::{
    content::house,
    role::{HINTS_ONLY, World},
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
    // Hints are taken and captured meanwhile.
    role.hint("properties", "1").await;
    world.wait_for_price("1", 200).await;
    world.nats.thaw();
    role.wait_until_failing(&[]).await;
    world.published().await;
    role.stop().await;
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
    postgres.thaw().await;
    role.wait_until_failing(&[]).await;
    world.content.put("properties", "1", house(1, 200));
    role.hint("properties", "1").await;
    world.wait_for_price("1", 200).await;
    world.published().await;
    role.stop().await;
}
