//! What somebody ended is remembered until it is sure that the stream remembers it.

use event_log::EventLog;
use http::{Method, StatusCode};
use serde_json::json;
use testkit::eventually;
use uuid::Uuid;

use crate::role::World;

const ANN: &str = "ann@x.example";

#[tokio::test]
async fn that_an_account_was_deleted_outlasts_a_stream_that_lost_it() {
    let mut world = World::start().await;
    let before = world.nats.copy_store().await;
    let account = {
        let ann = world.browser();
        ann.signs_in(ANN).await;
        let account: Uuid = sqlx::query_scalar("select id from visitor.account")
            .fetch_one(&world.pool)
            .await
            .expect("an account");
        let typed = Some(json!({ "email": ANN }));
        let (status, _) = ann.call(Method::DELETE, "/api/account", typed).await;
        assert_eq!(status, StatusCode::NO_CONTENT);
        account
    };
    world.published().await;
    assert_eq!(world.count("visitor.event where kind = 'account.deleted'").await, 1);
    assert_eq!(world.count("visitor.event where kind like 'sign_in%'").await, 0, "no ending");
    // As a machine that lost its power comes back.
    world.nats.restore_store(&before).await;
    sqlx::query("update visitor.event set published_at = published_at - interval '1 hour'")
        .execute(&world.pool)
        .await
        .expect("postgres answers");
    eventually("it is published once more", async || {
        (world.count("visitor.event").await == 0).then_some(())
    })
    .await;
    let log = EventLog::connect(&world.nats.url(), "test").await.expect("NATS answers");
    let records = log.visitor_records("account.deleted").await.expect("the stream");
    let deleted: Vec<Uuid> = records.iter().map(|record| record.subject).collect();
    assert_eq!(deleted, [account]);
}
