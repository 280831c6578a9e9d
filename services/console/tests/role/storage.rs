//! Tests with a read-only Postgres: the console reports it, and still answers reads.

use http::StatusCode;
use serde_json::json;
use testkit::eventually;

use crate::world::World;

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_postgres_is_reported_and_reads_still_work() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", true).await;
    let health = world.process.health();
    sqlx::query("update operator.session set seen_at = now() - interval '5 minutes'")
        .execute(&world.pool)
        .await
        .expect("postgres answers");
    world.database.set_read_only(true).await;
    eventually("the session is found", async || {
        (browser.get("/api/session").await.status == StatusCode::OK).then_some(())
    })
    .await;
    eventually("the action is refused, and the health check names the reason", async || {
        let refused = browser.post("/api/sync/reconcile", json!({})).await;
        assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{refused:?}");
        health.failing().get("database")?.contains("read-only").then_some(())
    })
    .await;
    assert!(world.sync.posts().is_empty(), "{:?}", world.sync.posts());

    world.database.set_read_only(false).await;
    eventually("the console is ready", async || health.failing().is_empty().then_some(())).await;
}
