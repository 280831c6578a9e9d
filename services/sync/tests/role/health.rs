//! What the role says of itself while what it needs does not answer.

use serde_json::json;
use testkit::{Postgres, eventually};

use crate::{
    content::{Mood, house},
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
async fn a_token_that_is_refused_makes_the_role_not_ready_until_a_reading_goes_well() {
    let world = World::new("refused_token").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    role.wait_until_failing(&[]).await;
    world.content.set(Mood::Refusing);
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    role.wait_until_failing(&["content service"]).await;
    // Between the tries nothing is due, which is no reading that went well.
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
