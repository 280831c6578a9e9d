//! A Postgres that answers and takes no writes: the console says so, and whoever only looks is answered.

use http::StatusCode;
use serde_json::json;
use sqlx::PgConnection;
use testkit::eventually;

use crate::world::World;

async fn execute(connection: &mut PgConnection, statement: &'static str) {
    sqlx::raw_sql(statement).execute(connection).await.expect("postgres answers");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgres_that_can_only_be_read_is_told_of_and_shown_to_who_looks() {
    const SET: &str = "
        do $$ begin
            execute format('alter database %I set default_transaction_read_only = on', current_database());
        end $$";
    const RESET: &str = "
        do $$ begin
            execute format('alter database %I reset default_transaction_read_only', current_database());
        end $$";
    const CONNECT_ANEW: &str = "
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()";
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", true).await;
    let health = world.process.health();
    let mut postgres = world.pool.acquire().await.expect("postgres answers");
    let a_while_ago = "update operator.session set seen_at = now() - interval '5 minutes'";
    execute(&mut postgres, a_while_ago).await;
    execute(&mut postgres, SET).await;
    execute(&mut postgres, CONNECT_ANEW).await;
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

    execute(&mut postgres, RESET).await;
    execute(&mut postgres, CONNECT_ANEW).await;
    eventually("the console is ready", async || health.failing().is_empty().then_some(())).await;
}
