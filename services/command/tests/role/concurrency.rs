//! Concurrent transactions, maybe of several processes: the blocked one sees the other's changes.

use http::{Method, StatusCode};
use serde_json::json;
use sqlx::{Postgres, Transaction};
use uuid::Uuid;

use crate::{
    alerts::{Content, house},
    world::{World, after},
};

const ANN: &str = "ann@x.example";
const HERS: &str = "ganso-teja-limonero";

impl World {
    /// Executes `statements` in a transaction that stays open.
    async fn begin_transaction(
        &self,
        statements: &[&'static str],
    ) -> Transaction<'static, Postgres> {
        let mut transaction = self.pool.begin().await.expect("postgres answers");
        for statement in statements {
            sqlx::query(*statement).execute(&mut *transaction).await.expect("it is done");
        }
        transaction
    }

    /// Commits a transaction once another one is blocked by it.
    async fn commit_when_awaited(&self, begun: Transaction<'static, Postgres>) {
        self.wait_for_blocked_lock().await;
        begun.commit().await.expect("postgres answers");
    }
}

#[tokio::test]
async fn unsubscribing_during_a_sign_in_ends_the_mails() {
    let world = World::start().await;
    let browser = world.browser();
    world.subscribe(&browser, "location=nerja", "daily", 1).await;
    let token = world.manage_token().await;
    let signing_in = world.begin_transaction(&[
        "insert into visitor.account (id, email, locale)
         values (gen_random_uuid(), 'ann@x.example', 'es')",
        "insert into visitor.subscriber (id, account, locale, tokens)
         select gen_random_uuid(), a.id, 'es', p.tokens
         from visitor.account a, visitor.subscriber p",
        "update visitor.saved_search set subscriber =
            (select id from visitor.subscriber where account is not null)",
        "delete from visitor.subscriber where account is null",
    ]);
    let signing_in = world.commit_when_awaited(signing_in.await);
    tokio::join!(browser.unsubscribe(&token), signing_in);
    assert_eq!(world.count("visitor.saved_search where frequency = 'never'").await, 1);
}

#[tokio::test]
async fn a_mail_that_was_created_while_its_search_moved_can_end_it() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish(&house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    let browser = world.browser();
    world.subscribe(&browser, "location=nerja", "daily", 1).await;
    // The mailbox's subscriber stays because of this unconfirmed search.
    assert_eq!(browser.request_alerts("location=torrox", "daily").await.0, StatusCode::ACCEPTED);
    world.settled().await;
    browser.sign_in(ANN).await;
    sqlx::query(
        "with mail as (
            insert into visitor.alert_mail (id, subscriber, frequency)
            select gen_random_uuid(), id, 'daily' from visitor.subscriber where account is null
            returning id),
         told as (
            insert into visitor.alert (saved_search, mail, reference, happened, state_number)
            select s.id, mail.id, 'AH-1', 'new', 1 from visitor.saved_search s, mail
            where s.address = 'location=nerja')
         insert into visitor.job (id, kind, alert_mail)
         select gen_random_uuid(), 'alert_mail', id from mail",
    )
    .execute(&world.pool)
    .await
    .expect("a mail");
    let mail = world.alert_mails(ANN).await.pop().expect("a mail");
    browser.unsubscribe(&after(&mail.text, "/alerts?token=")).await;
    let ended = "visitor.saved_search where address = 'location=nerja' and frequency = 'never'";
    assert_eq!(world.count(ended).await, 1);
}

#[tokio::test]
async fn an_alert_that_is_being_added_survives_a_new_confirmation() {
    let world = World::start().await;
    let (ann, phone) = (world.browser(), world.browser());
    ann.sign_in(ANN).await;
    ann.save_search("location=nerja", "weekly").await;
    let alerting = world.begin_transaction(&[
        "insert into visitor.alert_mail (id, subscriber, frequency)
         select gen_random_uuid(), subscriber, 'weekly' from visitor.saved_search",
        "insert into visitor.alert (saved_search, mail, reference, happened, state_number)
         select s.id, m.id, 'AH-1', 'new', 1 from visitor.saved_search s, visitor.alert_mail m",
    ]);
    let alerting = world.commit_when_awaited(alerting.await);
    tokio::join!(phone.request_and_confirm_daily(), alerting);
    let rows = "visitor.alert t join visitor.saved_search s on s.id = t.saved_search
        where s.frequency = 'daily'";
    assert_eq!(world.count(rows).await, 1);
}

#[tokio::test]
async fn two_simultaneous_bounces_end_the_alerts() {
    let world = World::start().await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "daily").await;
    let sent: Vec<Uuid> = sqlx::query_scalar(
        "with mails as (
            insert into visitor.alert_mail (id, subscriber, frequency)
            select gen_random_uuid(), id, 'daily' from visitor.subscriber, generate_series(1, 2)
            returning id)
         insert into visitor.job (id, kind, alert_mail, state, done_at)
         select gen_random_uuid(), 'alert_mail', id, 'done',
            now() - interval '1 day' * row_number() over ()
         from mails returning id",
    )
    .fetch_all(&world.pool)
    .await
    .expect("two mails, the latest first");
    let first = world.begin_transaction(&[
        "select from visitor.subscriber for no key update",
        "update visitor.job set state = 'bounced', outcome = 'bounced', smtp_status = '5.1.1'
         where done_at = (select max(done_at) from visitor.job where kind = 'alert_mail')",
    ]);
    let first = world.commit_when_awaited(first.await);
    let second = async {
        let to = format!("bounce+{}@mail.almijara.example", sent[1].simple());
        let request = reqwest::Client::new().post(format!("{}/webhooks/bounces", world.url));
        let request = request.header("authorization", "Bearer a-secret-for-bounces");
        request.json(&json!({ "to": to, "status": "5.1.1" })).send().await.expect("an answer")
    };
    let (second, ()) = tokio::join!(second, first);
    assert_eq!(second.status(), StatusCode::NO_CONTENT);
    assert_eq!(world.count("visitor.saved_search where frequency = 'never'").await, 1);
}

#[tokio::test]
async fn a_request_during_erasure_is_not_lost() {
    let world = World::start().await;
    // The role erases periodically too.
    world.process.clone().finish().await.expect("it ends well");
    sqlx::query(
        "insert into visitor.subscriber (id, email, locale, tokens, created_at)
         values (gen_random_uuid(), 'ann@x.example', 'en', '{}', now() - interval '1 year')",
    )
    .execute(&world.pool)
    .await
    .expect("postgres answers");
    let asking = world.begin_transaction(&[
        "update visitor.subscriber set locale = locale",
        "insert into visitor.saved_search (id, subscriber, address, name, locale, frequency)
         select gen_random_uuid(), id, 'location=nerja', 'Nerja', 'en', 'daily'
         from visitor.subscriber",
    ]);
    let asking = world.commit_when_awaited(asking.await);
    let (erased, ()) = tokio::join!(command::erase_old(&world.pool), asking);
    erased.expect("it runs");
    assert_eq!(world.count("visitor.saved_search").await, 1);
}

#[tokio::test]
async fn a_session_that_a_new_password_ended_can_not_set_another() {
    let world = World::start().await;
    let ann = world.signed_in(ANN).await;
    assert_eq!(ann.set_password(HERS).await.0, StatusCode::NO_CONTENT);
    let passwords = async || -> Vec<String> {
        let kept = sqlx::query_scalar("select password from visitor.account");
        kept.fetch_all(&world.pool).await.expect("postgres answers")
    };
    let before = passwords().await;
    let other = ["select from visitor.account for no key update", "delete from visitor.session"];
    let other = world.commit_when_awaited(world.begin_transaction(&other).await);
    let another = format!("{HERS}-2");
    let ((status, problem), ()) = tokio::join!(ann.set_password(&another), other);
    assert_eq!(status, StatusCode::UNAUTHORIZED, "{problem}");
    assert_eq!(passwords().await, before);
}

#[tokio::test]
async fn an_enquiry_closed_during_account_deletion_is_blocked() {
    let world = World::start().await;
    let ann = world.signed_in(ANN).await;
    sqlx::query(
        "insert into visitor.enquiry (id, reference, kind, locale, name, email, state)
         select gen_random_uuid(), state, 'general', 'en', 'Ann', 'ann@x.example', state
         from unnest(array['closed', 'answered']) as sent (state)",
    )
    .execute(&world.pool)
    .await
    .expect("postgres answers");
    let closing = ["update visitor.enquiry set state = 'closed' where reference = 'answered'"];
    let closing = world.commit_when_awaited(world.begin_transaction(&closing).await);
    let deleted = ann.call(Method::DELETE, "/api/account", Some(json!({ "email": ANN })));
    let ((status, _), ()) = tokio::join!(deleted, closing);
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(world.count("visitor.enquiry").await, 0);
    assert_eq!(world.count("visitor.blocked_enquiry").await, 2);
    let rows = "visitor.event where kind = 'enquiry.blocked'";
    assert_eq!(world.count(rows).await, 2, "a backup that is restored knows of both");
}
