//! The health checks of a node while its sources do not answer.

use contracts::MIN_SEQUENCE_HEADER;
use event_log::Lineage;
use testkit::{eventually, log::lineage};

use crate::node::World;

/// Waits until exactly the checks named `expected` fail.
async fn failing(world: &World, expected: &[&str]) {
    eventually(&format!("the failing checks are {expected:?}"), async || {
        let failing = world.node.process.health().failing();
        failing.keys().eq(expected).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_does_not_answer_fails_the_index_check() {
    let mut world = World::start("query_frozen_log").await;
    failing(&world, &[]).await;
    let (mut listener, _) = world.listen(None).await.expect("a stream");
    world.nats.freeze();
    failing(&world, &["index"]).await;
    // Heartbeats report it to subscribers.
    while listener.heartbeat().await["failing"]["index"].is_null() {}
    world.nats.thaw();
    failing(&world, &[]).await;
    let position = world.publish("one").await;
    world.wait_for(position).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn read_models_that_do_not_answer_fail_their_check() {
    let mut world = World::start("query_frozen_models").await;
    failing(&world, &[]).await;
    let (_, hello) = world.listen(None).await.expect("a stream");
    // A lock that every query waits for simulates a frozen server; other tests use the same one.
    let mut holder = world.pool.begin().await.expect("a transaction");
    sqlx::query("lock table read.checkpoint in access exclusive mode")
        .execute(&mut *holder)
        .await
        .expect("the lock");
    failing(&world, &["read models"]).await;
    // A subscriber that reconnects resumes where it was.
    let (_, resumed) = world.listen(Some(&hello.id)).await.expect("a stream");
    assert_eq!((&*resumed.name, &resumed.id), ("resumed", &hello.id));
    holder.rollback().await.expect("an end");
    failing(&world, &[]).await;
    let position = world.publish("one").await;
    world.wait_for(position).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_of_an_incomplete_log_is_not_ready() {
    let mut world = World::start("query_half_a_log").await;
    world.stop_node().await;
    world.node.delete_index();
    world.log.set_lineage(Lineage { complete: false, ..lineage(1, &[]) }).await;
    let last = world.publish("one").await;
    world.start_node().await;
    let url = format!("{}/api/properties", world.node.url);
    eventually("the node has the entire log", async || {
        let request = reqwest::Client::new().get(&url).header(MIN_SEQUENCE_HEADER, last.get());
        request.send().await.ok()?.error_for_status().ok().map(drop)
    })
    .await;
    failing(&world, &["index"]).await;
    world.log.set_lineage(lineage(1, &[])).await;
    failing(&world, &[]).await;
    // Once complete, the index does not become incomplete again.
    world.log.set_lineage(Lineage { complete: false, ..lineage(1, &[]) }).await;
    let position = world.publish("two").await;
    world.wait_for(position).await;
}
