//! What a node says of itself while what it reads from does not answer.

use testkit::eventually;

use crate::node::World;

/// Waits until the checks that fail are those whose names are `expected`.
async fn failing(world: &World, expected: &[&str]) {
    eventually(&format!("what fails is {expected:?}"), async || {
        let failing = world.node.process.health().failing();
        failing.keys().eq(expected).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_does_not_answer_is_not_one_without_news() {
    let mut world = World::start("query_frozen_log").await;
    failing(&world, &[]).await;
    let (mut listener, _) = world.listen(None).await.expect("a stream");
    world.nats.freeze();
    failing(&world, &["index"]).await;
    // Whoever follows is told so.
    while listener.heartbeat().await["failing"]["index"].is_null() {}
    world.nats.thaw();
    failing(&world, &[]).await;
    let position = world.publish("one").await;
    world.told(position).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn read_models_that_do_not_answer_are_not_ones_without_news() {
    let mut world = World::start("query_frozen_models").await;
    failing(&world, &[]).await;
    // A lock that everything waits for stands for a server that is frozen: others use this one too.
    let mut holder = world.pool.begin().await.expect("a transaction");
    sqlx::query("lock table read.checkpoint in access exclusive mode")
        .execute(&mut *holder)
        .await
        .expect("the lock");
    failing(&world, &["read models"]).await;
    holder.rollback().await.expect("an end");
    failing(&world, &[]).await;
    let position = world.publish("one").await;
    world.told(position).await;
}
