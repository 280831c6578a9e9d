//! A Postgres that answers and takes no writes: the console says so, and whoever only looks is answered.

use http::StatusCode;
use serde_json::json;
use testkit::eventually;

use crate::world::World;

#[tokio::test(flavor = "multi_thread")]
async fn a_postgres_that_can_only_be_read_is_told_of_and_shown_to_who_looks() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", true).await;
    let health = world.process.health();
    sqlx::query("update operator.session set seen_at = now() - interval '5 minutes'")
        .execute(&world.pool)
        .await
        .expect("postgres answers");
    world.database.only_reads(true).await;
    eventually("who is signed in is known", async || {
        (browser.get("/api/session").await.status == StatusCode::OK).then_some(())
    })
    .await;
    eventually("what can't be noted is refused, and the console says why", async || {
        let refused = browser.post("/api/sync/reconcile", json!({})).await;
        assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{refused:?}");
        health.failing().get("database")?.contains("read-only").then_some(())
    })
    .await;
    assert!(world.sync.done().is_empty(), "{:?}", world.sync.done());

    world.database.only_reads(false).await;
    eventually("the console is ready", async || health.failing().is_empty().then_some(())).await;
}
