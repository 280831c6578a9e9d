//! Tests of the servers that all other tests rely on.

use std::time::Duration;

use secrecy::ExposeSecret as _;
use testkit::{Nats, postgres};

#[tokio::test]
async fn databases_of_the_same_name_are_separate() {
    let (one, other) =
        (postgres().await.database("one").await, postgres().await.database("one").await);
    assert_ne!(one.name(), other.name());
    sqlx::raw_sql("create table t (n int)").execute(&one.pool()).await.expect("a new database");
    let found: Option<String> = sqlx::query_scalar("select to_regclass('t')::text")
        .fetch_one(&other.pool())
        .await
        .expect("postgres answers");
    assert_eq!(found, None);
}

#[tokio::test]
async fn nats_restarts_after_a_kill() {
    let mut nats = Nats::start().await;
    let before = nats.url();
    nats.kill().await;
    tokio::time::timeout(Duration::from_secs(30), nats.restart()).await.expect("it comes back");
    assert_eq!(before.expose_secret(), nats.url().expose_secret());
}
