//! Deletions and withdrawals survive a lost stream and a restored backup.

use chrono::{DateTime, Utc};
use command::VisitorDeletion;
use event_log::EventLog;
use http::{Method, StatusCode};
use serde_json::json;
use testkit::eventually;
use uuid::Uuid;

use crate::world::{World, enquiry};

const ANN: &str = "ann@x.example";

#[tokio::test]
async fn an_account_deletion_is_published_again_after_the_stream_lost_it() {
    let mut world = World::start().await;
    let before = world.nats.copy_store().await;
    let account = {
        let ann = world.signed_in(ANN).await;
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
    assert_eq!(
        world.count("visitor.event where kind like 'sign_in%'").await,
        0,
        "it is not retained"
    );
    // The stream comes back as after a power cut.
    world.nats.restore_store(&before).await;
    sqlx::query("update visitor.event set published_at = published_at - interval '1 hour'")
        .execute(&world.pool)
        .await
        .expect("postgres answers");
    eventually("it is published again", async || {
        (world.count("visitor.event").await == 0).then_some(())
    })
    .await;
    let log = EventLog::connect(&world.nats.url(), "test").await.expect("NATS answers");
    let records = log.visitor_records("account.deleted").await.expect("the stream");
    let deleted: Vec<Uuid> = records.iter().map(|record| record.subject).collect();
    assert_eq!(deleted, [account]);
}

#[tokio::test]
async fn a_settled_enquiry_is_blocked_again_after_a_restore() {
    let world = World::start().await;
    let done = async |statement: &'static str| {
        sqlx::query(statement).execute(&world.pool).await.expect("postgres answers");
    };
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    world.settled().await;
    done("update visitor.enquiry set state = 'answered'").await;
    done("create table backed_up as select * from visitor.enquiry").await;
    done("update visitor.enquiry set state = 'closed'").await;
    let ann = world.signed_in(ANN).await;
    let typed = Some(json!({ "email": ANN }));
    let (status, _) = ann.call(Method::DELETE, "/api/account", typed).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    world.published().await;
    let log = EventLog::connect(&world.nats.url(), "test").await.expect("NATS answers");
    let kind = VisitorDeletion::EnquiryBlocked.kind();
    let records = log.visitor_records(kind).await.expect("the stream");
    let ended: Vec<_> = records.iter().map(|record| (record.subject, Utc::now())).collect();
    assert_eq!(ended.len(), 1);

    // The enquiry is restored from the backup, and the account is not.
    done("insert into visitor.enquiry select * from backed_up").await;
    done("delete from visitor.blocked_enquiry").await;
    done("delete from visitor.item_to_delete").await;
    let blocked = VisitorDeletion::EnquiryBlocked.reapply(&world.pool, &ended).await;
    assert_eq!(blocked.expect("postgres answers"), 1);
    assert_eq!(world.count("visitor.enquiry").await, 0);
    assert_eq!(world.count("visitor.blocked_enquiry").await, 1);
}

#[tokio::test]
async fn a_restore_keeps_the_dates_of_blocked_enquiries_and_withdrawals() {
    let world = World::start().await;
    let done = async |statement: &'static str| {
        sqlx::raw_sql(statement).execute(&world.pool).await.expect("postgres answers");
    };
    let mut sent = enquiry();
    sent["marketingConsent"] = true.into();
    assert_eq!(world.send(&sent, None).await.0, StatusCode::CREATED);
    world.settled().await;
    let ann = world.signed_in(ANN).await;
    done(
        "update visitor.enquiry set state = 'closed';
         create table backed_up_account as select * from visitor.account;
         create table backed_up_enquiry as select * from visitor.enquiry;
         create table backed_up_consent as select * from visitor.consent;",
    )
    .await;
    let typed = Some(json!({ "email": ANN }));
    let (status, _) = ann.call(Method::DELETE, "/api/account", typed).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    world.published().await;

    done(
        "delete from visitor.blocked_enquiry;
         delete from visitor.blocked_consent;
         delete from visitor.item_to_delete;
         insert into visitor.account select * from backed_up_account;
         insert into visitor.enquiry select * from backed_up_enquiry;
         insert into visitor.consent overriding system value select * from backed_up_consent;",
    )
    .await;
    let log = EventLog::connect(&world.nats.url(), "test").await.expect("NATS answers");
    let mut blocked = Vec::new();
    for ending in VisitorDeletion::ALL {
        let records = log.visitor_records(ending.kind()).await.expect("the stream");
        let ended: Vec<_> =
            records.iter().map(|record| (record.subject, record.at.expect("when"))).collect();
        ending.reapply(&world.pool, &ended).await.expect("postgres answers");
        if ending == VisitorDeletion::EnquiryBlocked {
            blocked.extend(ended.into_iter().map(|(_, at)| at));
        }
    }
    let kept: Vec<DateTime<Utc>> =
        sqlx::query_scalar("select blocked_at from visitor.blocked_enquiry")
            .fetch_all(&world.pool)
            .await
            .expect("postgres answers");
    assert_eq!(blocked.len(), 1);
    assert_eq!(kept, blocked);
    assert_eq!(world.count("visitor.blocked_consent").await, 1);
    assert_eq!(world.count("visitor.blocked_consent where withdrawn_at is null").await, 0);
    assert_eq!(world.count("visitor.account").await, 0);
}
