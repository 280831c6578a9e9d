//! Mails that come back: each is noted, and alerts end where that says that their mailbox is no more.

use http::StatusCode;
use mail_catcher::{Answer, Stage};
use runtime::Process;
use serde_json::json;
use sqlx::AssertSqlSafe;
use testkit::eventually;
use uuid::Uuid;

use crate::{
    alerts::{Content, house},
    role::{World, enquiry},
};

const ANN: &str = "ann@x.example";
const SECRET: &str = "a-secret-for-bounces";
const HOUR: i32 = 60;

impl World {
    /// Tells, as who knows `secret`, that what came to `to` is a report with this `status`.
    async fn tell_bounce(&self, secret: &str, to: &str, status: &str) -> StatusCode {
        let request = reqwest::Client::new().post(format!("{}/webhooks/bounces", self.url));
        let request = request.header("authorization", format!("Bearer {secret}"));
        let request = request.json(&json!({ "to": to, "status": status }));
        request.send().await.expect("an answer").status()
    }

    /// The mail of `job` comes back with `status`.
    async fn comes_back(&self, job: Uuid, status: &str) {
        let to = format!("bounce+{}@mail.almijara.example", job.simple());
        assert_eq!(self.tell_bounce(SECRET, &to, status).await, StatusCode::NO_CONTENT);
    }

    /// The job of a mail about homes to the only subscriber, that went out so many minutes ago.
    async fn told_before(&self, minutes: i32) -> Uuid {
        self.tells("done", Some(minutes)).await
    }

    /// The job of a mail about homes to the only subscriber, done so many minutes ago, if it is.
    async fn tells(&self, state: &str, minutes: Option<i32>) -> Uuid {
        sqlx::query_scalar(
            "with mail as (
                insert into visitor.alert_mail (id, subscriber, frequency)
                select gen_random_uuid(), id, 'daily' from visitor.subscriber returning id)
             insert into visitor.job (id, kind, alert_mail, state, done_at)
             select gen_random_uuid(), 'alert_mail', id, $1, now() - make_interval(mins => $2)
             from mail returning id",
        )
        .bind(state)
        .bind(minutes)
        .fetch_one(&self.pool)
        .await
        .expect("a mail")
    }

    /// The only job that `is` so.
    async fn job(&self, is: &str) -> Uuid {
        let job = AssertSqlSafe(format!("select id from visitor.job where {is}"));
        sqlx::query_scalar(job).fetch_one(&self.pool).await.expect("a job")
    }

    async fn bounced(&self) -> i64 {
        self.count("visitor.job where state = 'bounced'").await
    }

    /// How often the only search is told of.
    async fn frequency(&self) -> String {
        let frequency = sqlx::query_scalar("select frequency from visitor.saved_search");
        frequency.fetch_one(&self.pool).await.expect("a search")
    }
}

#[tokio::test]
async fn a_secret_that_is_soon_found_is_refused_at_start() {
    let world = World::start().await;
    let mut config = world.config();
    config.bounces_secret = Some("short".into());
    let refusal = command::run(config, &Process::new()).await.expect_err("it is short");
    assert!(refusal.to_string().starts_with("BOUNCES_SECRET: "), "{refusal}");
}

#[tokio::test]
async fn a_mail_that_comes_back_is_noted() {
    let world = World::start().await;
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    world.settled().await;
    let thanks = world.mails_to(ANN).pop().expect("a mail").from;
    assert!(
        thanks.starts_with("bounce+") && thanks.ends_with("@mail.almijara.example"),
        "{thanks}"
    );
    let stranger = world.tell_bounce("another-secret", &thanks, "5.1.1").await;
    assert_eq!(stranger, StatusCode::UNAUTHORIZED);
    for (to, status) in [("bounce@mail.almijara.example", "5.1.1"), (&*thanks, "'; drop table")] {
        let told = world.tell_bounce(SECRET, to, status).await;
        assert_eq!(told, StatusCode::UNPROCESSABLE_ENTITY);
    }
    assert_eq!(world.tell_bounce(SECRET, &thanks, "4.2.2").await, StatusCode::NO_CONTENT);
    assert_eq!(world.bounced().await, 0, "it may still arrive");
    for _ in 0..2 {
        assert_eq!(world.tell_bounce(SECRET, &thanks, "5.1.1").await, StatusCode::NO_CONTENT);
    }
    assert_eq!(world.bounced().await, 1);
}

#[tokio::test]
async fn a_mail_to_the_office_that_comes_back_is_ours_to_mend() {
    let world = World::start().await;
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    world.settled().await;
    world.comes_back(world.job("kind = 'office_mail'").await, "5.2.2").await;
    let verified = command::verify(&world.pool, true).await.expect("postgres answers");
    assert_eq!((verified.failed, verified.refused), (1, 0));
    assert!(!verified.is_well());
    assert_eq!(world.bounced().await, 0);
}

#[tokio::test]
async fn a_mail_that_comes_back_before_it_is_noted_as_sent_is_noted() {
    let world = World::start().await;
    let change = async |statement: &'static str| {
        sqlx::query(statement).execute(&world.pool).await.expect("postgres answers");
    };
    // Whoever sent it tries to note that again and again.
    change(
        "alter table visitor.job
         add constraint not_yet check (kind <> 'office_mail' or state <> 'done')",
    )
    .await;
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    eventually("the office has it", async || world.mails_to("office@almijara.example").pop()).await;
    world.comes_back(world.job("kind = 'office_mail'").await, "5.2.2").await;
    change("alter table visitor.job drop constraint not_yet").await;
    world.process.clone().finish().await.expect("it ends");
    let failed = "visitor.job where kind = 'office_mail' and state = 'failed'";
    assert_eq!(world.count(failed).await, 1);
}

#[tokio::test]
async fn a_mail_that_may_have_arrived_and_comes_back_is_noted() {
    let world = World::start().await;
    world.mails.answer(Some(Answer { stage: Stage::Drop, code: 0, times: u32::MAX }));
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    world.comes_to(2, "visitor.job where is_uncertain and lease_until is null").await;
    // The office's comes back before its second try, the visitor's after it.
    world.comes_back(world.job("kind = 'office_mail'").await, "5.2.2").await;
    world.hurry().await;
    world.settled().await;
    assert_eq!(world.bounced().await, 0);
    world.comes_back(world.job("kind = 'visitor_mail'").await, "5.1.1").await;
    assert_eq!(world.bounced().await, 1);
    assert_eq!(world.mails_to("office@almijara.example").len(), 1);
    let noted = "visitor.job where last_error like 'it came back: %' and done_at <= now()";
    assert_eq!(world.count(noted).await, 2);
}

#[tokio::test]
async fn an_alert_that_may_have_arrived_says_nothing_of_its_mailbox() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.saves("location=nerja", "at_once").await;
    let yesterday = world.told_before(25 * HOUR).await;
    world.comes_back(yesterday, "5.1.1").await;
    content.publish(&house("AH-1", 300_000)).await;
    content.read(&world).await;
    world.mails.answer(Some(Answer { stage: Stage::Drop, code: 0, times: u32::MAX }));
    for times in 1..=2 {
        world.hurry().await;
        let tried = "kind = 'alert_mail' and lease_until is null and attempts";
        world.comes_to(1, &format!("visitor.job where {tried} = {times}")).await;
    }
    assert_eq!(world.count("visitor.job where state = 'refused'").await, 1);
    assert_eq!(world.frequency().await, "at_once");
    // Then it comes back.
    world.comes_back(world.job("state = 'refused'").await, "5.1.1").await;
    assert_eq!(world.frequency().await, "never");
}

#[tokio::test]
async fn two_alerts_in_a_row_that_come_back_for_the_mailbox_is_no_more_are_the_last() {
    let world = World::start().await;
    let ann = world.signed_in(ANN).await;
    ann.saves("location=nerja", "daily").await;
    let today = world.told_before(HOUR).await;
    let yesterday = world.told_before(25 * HOUR).await;
    let before = world.told_before(49 * HOUR).await;
    world.comes_back(today, "5.1.1").await;
    world.comes_back(before, "5.1.1").await;
    assert_eq!(world.frequency().await, "daily", "one between them arrived");
    world.comes_back(yesterday, "5.2.1").await;
    assert_eq!(world.frequency().await, "never");
}

#[tokio::test]
async fn two_alerts_in_a_row_that_are_refused_at_once_for_the_same_are_the_last_too() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.saves("location=nerja", "at_once").await;
    for (reference, then) in [("AH-1", "at_once"), ("AH-2", "never")] {
        content.publish(&house(reference, 300_000)).await;
        content.read(&world).await;
        world.mails.answer(Some(Answer { stage: Stage::Recipient, code: 550, times: 1 }));
        // The first one was a day before.
        sqlx::query(
            "update visitor.job set due_at = case state when 'due' then now()
                                             else now() - interval '25 hours' end
             where kind = 'alert_mail'",
        )
        .execute(&world.pool)
        .await
        .expect("postgres answers");
        world.settled().await;
        assert_eq!(world.frequency().await, then);
    }
    assert_eq!(world.count("visitor.job where state = 'refused'").await, 2);
}

#[tokio::test]
async fn an_alert_with_nothing_left_to_tell_is_none_that_arrived() {
    let world = World::start().await;
    let ann = world.signed_in(ANN).await;
    ann.saves("location=nerja", "daily").await;
    let yesterday = world.told_before(25 * HOUR).await;
    let today = world.told_before(1).await;
    world.comes_back(yesterday, "5.1.1").await;
    world.tells("due", None).await;
    world.settled().await;
    assert_eq!(world.count("visitor.job where state = 'done' and done_at is null").await, 1);
    world.comes_back(today, "5.1.1").await;
    assert_eq!(world.frequency().await, "never");
}

#[tokio::test]
async fn alerts_that_come_back_for_another_reason_end_nothing() {
    let world = World::start().await;
    let ann = world.signed_in(ANN).await;
    ann.saves("location=nerja", "daily").await;
    // A key that nobody finds, a list of bad senders, a mailbox that is full, a sender without a domain.
    for (count, status) in (1..).zip(["5.7.26", "5.7.1", "5.2.2", "5.1.8"]) {
        for hours in [count, count + 24] {
            world.comes_back(world.told_before(hours * HOUR).await, status).await;
        }
        assert_eq!(world.bounced().await, i64::from(count) * 2, "{status}");
        assert_eq!(world.frequency().await, "daily", "{status}");
    }
    // Between two that say so they don't matter.
    for minutes in [1, 26 * HOUR] {
        world.comes_back(world.told_before(minutes).await, "5.1.1").await;
    }
    assert_eq!(world.frequency().await, "never");
}

#[tokio::test]
async fn alerts_of_one_morning_that_come_back_are_not_the_last() {
    let world = World::start().await;
    let ann = world.signed_in(ANN).await;
    ann.saves("location=nerja", "at_once").await;
    for minutes in [1, 11, 3 * HOUR] {
        world.comes_back(world.told_before(minutes).await, "5.1.1").await;
    }
    assert_eq!(world.frequency().await, "at_once");
    world.comes_back(world.told_before(25 * HOUR).await, "5.1.1").await;
    assert_eq!(world.frequency().await, "never");
}
