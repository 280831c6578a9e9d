//! Bounced mails are recorded, and alerts end if their mailbox is gone.

use http::StatusCode;
use mail_catcher::{Answer, Stage};
use runtime::Process;
use serde_json::json;
use sqlx::AssertSqlSafe;
use testkit::{Operator, eventually};
use uuid::Uuid;

use crate::{
    alerts::{Content, house},
    world::{World, enquiry},
};

const ANN: &str = "ann@x.example";
const SECRET: &str = "a-secret-for-bounces";
const HOUR: i32 = 60;
/// What an older command stores of a job that is given up, its state and its error text, and what this
/// says of it: its outcome and status.
const STORED: [[&str; 4]; 5] = [
    ["refused", "the mail server answers 550 5.1.1", "refused", "5.1.1"],
    ["refused", "the mail server answers 550", "refused", ""],
    ["refused", "it may have arrived, and was sent twice: no answer in time", "uncertain", ""],
    ["failed", "it came back: 5.2.2", "bounced", "5.2.2"],
    ["failed", "no answer in time", "failed", ""],
];

impl World {
    /// Reports with `secret` that `to` received a bounce with this `status`.
    async fn report_bounce(&self, secret: &str, to: &str, status: &str) -> StatusCode {
        let request = reqwest::Client::new().post(format!("{}/webhooks/bounces", self.url));
        let request = request.header("authorization", format!("Bearer {secret}"));
        let request = request.json(&json!({ "to": to, "status": status }));
        request.send().await.expect("an answer").status()
    }

    /// Reports that the mail of `job` bounced with `status`.
    async fn bounce(&self, job: Uuid, status: &str) {
        let to = format!("bounce+{}@mail.almijara.example", job.simple());
        assert_eq!(self.report_bounce(SECRET, &to, status).await, StatusCode::NO_CONTENT);
    }

    /// Inserts the job of an alert mail to the only subscriber, sent this many minutes ago.
    async fn insert_sent_alert(&self, minutes: i32) -> Uuid {
        self.insert_alert_job("done", Some(minutes)).await
    }

    /// Inserts the job of an alert mail to the only subscriber, done this many minutes ago, if it is
    /// done.
    async fn insert_alert_job(&self, state: &str, minutes: Option<i32>) -> Uuid {
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

    /// Stores states and error texts of `jobs`, as an older command does.
    async fn store_as_older(&self, jobs: &[(Uuid, [&str; 4])]) {
        for (job, [state, error, ..]) in jobs {
            sqlx::query("update visitor.job set state = $2, last_error = $3 where id = $1")
                .bind(job)
                .bind(state)
                .bind(error)
                .execute(&self.pool)
                .await
                .expect("postgres answers");
        }
    }

    /// Asserts that the outcomes of `jobs` are known.
    async fn assert_outcomes(&self, jobs: &[(Uuid, [&str; 4])]) {
        for (job, [_, error, outcome, status]) in jobs {
            let stored: (Option<String>, Option<String>) =
                sqlx::query_as("select outcome, smtp_status from visitor.job where id = $1")
                    .bind(job)
                    .fetch_one(&self.pool)
                    .await
                    .expect("a job");
            let known = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            assert_eq!(stored, (known(outcome), known(status)), "{error}");
        }
    }

    /// Returns the only job with the condition `is`.
    async fn job(&self, is: &str) -> Uuid {
        let job = AssertSqlSafe(format!("select id from visitor.job where {is}"));
        sqlx::query_scalar(job).fetch_one(&self.pool).await.expect("a job")
    }

    async fn bounced_count(&self) -> i64 {
        self.count("visitor.job where state = 'bounced'").await
    }

    /// Returns the frequency of the only search.
    async fn frequency(&self) -> String {
        let frequency = sqlx::query_scalar("select frequency from visitor.saved_search");
        frequency.fetch_one(&self.pool).await.expect("a search")
    }
}

#[tokio::test]
async fn a_short_secret_is_refused_at_start() {
    let world = World::start().await;
    let mut config = world.config();
    config.bounces_secret = Some("short".into());
    let refusal = command::run(config, &Process::new()).await.expect_err("it is short");
    assert!(refusal.to_string().starts_with("BOUNCES_SECRET: "), "{refusal}");
}

#[tokio::test]
async fn a_bounce_is_recorded() {
    let world = World::start().await;
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    world.settled().await;
    let thanks = world.mails_to(ANN).pop().expect("a mail").from;
    assert!(
        thanks.starts_with("bounce+") && thanks.ends_with("@mail.almijara.example"),
        "{thanks}"
    );
    let stranger = world.report_bounce("another-secret", &thanks, "5.1.1").await;
    assert_eq!(stranger, StatusCode::UNAUTHORIZED);
    for (to, status) in [("bounce@mail.almijara.example", "5.1.1"), (&*thanks, "'; drop table")] {
        let answer = world.report_bounce(SECRET, to, status).await;
        assert_eq!(answer, StatusCode::UNPROCESSABLE_ENTITY);
    }
    assert_eq!(world.report_bounce(SECRET, &thanks, "4.2.2").await, StatusCode::NO_CONTENT);
    assert_eq!(world.bounced_count().await, 0, "it may still arrive");
    for _ in 0..2 {
        assert_eq!(world.report_bounce(SECRET, &thanks, "5.1.1").await, StatusCode::NO_CONTENT);
    }
    assert_eq!(world.bounced_count().await, 1);
}

#[tokio::test]
async fn enough_bounces_for_an_alert_are_counted() {
    runtime::metrics::install(command::METRICS);
    let world = World::start().await;
    let operator = Operator::of(&world.process).await;
    let counted = "command_mails_bounced_total{kind=\"visitor_mail\"}";
    let before = operator.metric(counted).await.expect("it starts at zero");
    for number in 1..=6 {
        let mut sent = enquiry();
        sent["message"] = format!("Is house {number} for sale?").into();
        // One mailbox gets fewer mails.
        sent["email"] = format!("ann{number}@example.com").into();
        assert_eq!(world.send(&sent, None).await.0, StatusCode::CREATED);
    }
    world.settled().await;
    let sent: Vec<Uuid> =
        sqlx::query_scalar("select id from visitor.job where kind = 'visitor_mail'")
            .fetch_all(&world.pool)
            .await
            .expect("postgres answers");
    for mail in sent {
        world.bounce(mail, "5.7.1").await;
    }
    // The alert MailsBounce fires with more than five bounces that are more than a tenth of all mails.
    let after = operator.metric(counted).await.expect("a figure");
    assert!(after - before > 5.0, "{before}, {after}");
    let mails = world.count("visitor.job where kind <> 'content_item'").await;
    assert_eq!((world.bounced_count().await, mails), (6, 12));
}

#[tokio::test]
async fn a_bounced_mail_to_the_office_counts_as_failed() {
    let world = World::start().await;
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    world.settled().await;
    world.bounce(world.job("kind = 'office_mail'").await, "5.2.2").await;
    let verified = command::verify(&world.pool, true).await.expect("postgres answers");
    assert_eq!((verified.failed, verified.refused), (1, 0));
    assert!(!verified.is_healthy());
    assert_eq!(world.bounced_count().await, 0);
}

#[tokio::test]
async fn a_bounce_is_recorded_before_the_mail_is_recorded_as_sent() {
    let world = World::start().await;
    let change = async |statement: &'static str| {
        sqlx::query(statement).execute(&world.pool).await.expect("postgres answers");
    };
    // The worker retries to record that it was sent.
    change(
        "alter table visitor.job
         add constraint not_yet check (kind <> 'office_mail' or state <> 'done')",
    )
    .await;
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    eventually("the office has it", async || world.mails_to("office@almijara.example").pop()).await;
    world.bounce(world.job("kind = 'office_mail'").await, "5.2.2").await;
    change("alter table visitor.job drop constraint not_yet").await;
    world.process.clone().finish().await.expect("it ends");
    let failed = "visitor.job where kind = 'office_mail' and state = 'failed'";
    assert_eq!(world.count(failed).await, 1);
}

#[tokio::test]
async fn a_bounce_of_an_uncertain_mail_is_recorded() {
    let world = World::start().await;
    world.mails.answer(Some(Answer { stage: Stage::Drop, code: 0, times: u32::MAX }));
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    world.wait_for_count(2, "visitor.job where is_uncertain and lease_until is null").await;
    // The office's mail bounces before its second attempt, the visitor's after it.
    world.bounce(world.job("kind = 'office_mail'").await, "5.2.2").await;
    world.make_jobs_due().await;
    world.settled().await;
    assert_eq!(world.bounced_count().await, 0);
    assert_eq!(world.count("visitor.job where outcome = 'uncertain'").await, 1);
    world.bounce(world.job("kind = 'visitor_mail'").await, "5.1.1").await;
    assert_eq!(world.bounced_count().await, 1);
    assert_eq!(world.mails_to("office@almijara.example").len(), 1);
    let noted = "visitor.job where outcome = 'bounced' and done_at <= now()";
    assert_eq!(world.count(noted).await, 2);
}

#[tokio::test]
async fn an_uncertain_alert_does_not_end_the_alerts() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "at_once").await;
    let yesterday = world.insert_sent_alert(25 * HOUR).await;
    world.bounce(yesterday, "5.1.1").await;
    content.publish(&house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    world.mails.answer(Some(Answer { stage: Stage::Drop, code: 0, times: u32::MAX }));
    for times in 1..=2 {
        world.make_jobs_due().await;
        let tried = "kind = 'alert_mail' and lease_until is null and attempts";
        world.wait_for_count(1, &format!("visitor.job where {tried} = {times}")).await;
    }
    assert_eq!(world.count("visitor.job where state = 'refused'").await, 1);
    assert_eq!(world.frequency().await, "at_once");
    // Then it bounces.
    world.bounce(world.job("state = 'refused'").await, "5.1.1").await;
    assert_eq!(world.frequency().await, "never");
}

#[tokio::test]
async fn two_consecutive_bounces_of_a_gone_mailbox_end_the_alerts() {
    let world = World::start().await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "daily").await;
    let today = world.insert_sent_alert(HOUR).await;
    let yesterday = world.insert_sent_alert(25 * HOUR).await;
    let before = world.insert_sent_alert(49 * HOUR).await;
    world.bounce(today, "5.1.1").await;
    world.bounce(before, "5.1.1").await;
    assert_eq!(world.frequency().await, "daily", "a mail between them arrived");
    world.bounce(yesterday, "5.2.1").await;
    assert_eq!(world.frequency().await, "never");
}

#[tokio::test]
async fn two_consecutive_refusals_of_a_gone_mailbox_end_the_alerts() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "at_once").await;
    for (reference, then) in [("AH-1", "at_once"), ("AH-2", "never")] {
        content.publish(&house(reference, 300_000)).await;
        content.wait_until_read(&world).await;
        world.mails.answer(Some(Answer { stage: Stage::Recipient, code: 550, times: 1 }));
        // The first one was refused a day earlier.
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
async fn an_alert_with_nothing_to_report_does_not_count_as_arrived() {
    let world = World::start().await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "daily").await;
    let yesterday = world.insert_sent_alert(25 * HOUR).await;
    let today = world.insert_sent_alert(1).await;
    world.bounce(yesterday, "5.1.1").await;
    world.insert_alert_job("due", None).await;
    world.settled().await;
    assert_eq!(world.count("visitor.job where state = 'done' and done_at is null").await, 1);
    world.bounce(today, "5.1.1").await;
    assert_eq!(world.frequency().await, "never");
}

#[tokio::test]
async fn bounces_for_other_reasons_do_not_end_the_alerts() {
    let world = World::start().await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "daily").await;
    // A missing DKIM key, a blocklist, a full mailbox, a sender without a domain.
    for (count, status) in (1..).zip(["5.7.26", "5.7.1", "5.2.2", "5.1.8"]) {
        for hours in [count, count + 24] {
            world.bounce(world.insert_sent_alert(hours * HOUR).await, status).await;
        }
        assert_eq!(world.bounced_count().await, i64::from(count) * 2, "{status}");
        assert_eq!(world.frequency().await, "daily", "{status}");
    }
    // Between two bounces of a gone mailbox they are ignored.
    for minutes in [1, 26 * HOUR] {
        world.bounce(world.insert_sent_alert(minutes).await, "5.1.1").await;
    }
    assert_eq!(world.frequency().await, "never");
}

#[tokio::test]
async fn bounces_of_one_day_do_not_end_the_alerts() {
    let world = World::start().await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "at_once").await;
    for minutes in [1, 11, 3 * HOUR] {
        world.bounce(world.insert_sent_alert(minutes).await, "5.1.1").await;
    }
    assert_eq!(world.frequency().await, "at_once");
    world.bounce(world.insert_sent_alert(25 * HOUR).await, "5.1.1").await;
    assert_eq!(world.frequency().await, "never");
}

#[tokio::test]
async fn outcomes_that_an_older_command_stored_are_known() {
    let world = World::start().await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "daily").await;
    world.process.clone().finish().await.expect("it ends");
    sqlx::raw_sql(
        "drop function visitor.read_job_error cascade;
         alter table visitor.job drop column outcome, drop column smtp_status",
    )
    .execute(&world.pool)
    .await
    .expect("they are gone");
    let mut jobs = Vec::new();
    for stored in STORED {
        jobs.push((world.insert_sent_alert(HOUR).await, stored));
    }
    world.store_as_older(&jobs).await;
    sqlx::raw_sql(include_str!("../../migrations/0025_outcomes_of_jobs.sql"))
        .execute(&world.pool)
        .await
        .expect("the migration runs");
    world.assert_outcomes(&jobs).await;

    // It goes on to store them while it is being replaced.
    let (ids, mut stored): (Vec<Uuid>, Vec<_>) = jobs.into_iter().unzip();
    stored.rotate_left(1);
    let jobs: Vec<_> = ids.into_iter().zip(stored).collect();
    world.store_as_older(&jobs).await;
    world.assert_outcomes(&jobs).await;
}

#[tokio::test]
async fn a_bounce_that_an_older_command_stored_counts_towards_the_end_of_alerts() {
    let world = World::start().await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "daily").await;
    let yesterday = world.insert_sent_alert(25 * HOUR).await;
    let today = world.insert_sent_alert(HOUR).await;
    let bounced = ["bounced", "it came back: 5.1.1", "bounced", "5.1.1"];
    world.store_as_older(&[(yesterday, bounced)]).await;
    world.assert_outcomes(&[(yesterday, bounced)]).await;
    world.bounce(today, "5.1.1").await;
    assert_eq!(world.frequency().await, "never");
}
