//! Mails are delivered once, whatever fails meanwhile.

use http::StatusCode;
use mail_catcher::{Answer, Stage};
use testkit::{Operator, eventually};

use crate::world::{World, enquiry};

const fn answer(stage: Stage, code: u16, times: u32) -> Answer {
    Answer { stage, code, times }
}

async fn wait_for_failed_attempt(world: &World) {
    eventually("a mail was tried", async || {
        let tried: i64 = sqlx::query_scalar(
            "select count(*) from visitor.job where attempts > 0 and last_error is not null",
        )
        .fetch_one(&world.pool)
        .await
        .expect("postgres answers");
        (tried > 0).then_some(())
    })
    .await;
}

/// Returns the value that the alert `VisitorMailsUndelivered` watches.
async fn undelivered(world: &World) -> i64 {
    command::undelivered_visitor_mails(&world.pool).await.expect("postgres answers")
}

#[tokio::test]
async fn a_mail_is_retried_until_a_busy_server_takes_it_once() {
    let world = World::start().await;
    world.mails.answer(Some(answer(Stage::Sender, 451, 2)));
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    wait_for_failed_attempt(&world).await;
    world.make_jobs_due().await;
    world.settled().await;
    assert_eq!(world.mails_to("office@almijara.example").len(), 1);
    assert_eq!(world.mails_to("ann@x.example").len(), 1);
}

#[tokio::test]
async fn an_uncertain_mail_is_sent_at_most_twice_with_one_message_id() {
    let world = World::start().await;
    let mut sent = enquiry();
    sent["email"] = "".into();
    sent["phone"] = "600123456".into();
    world.mails.answer(Some(answer(Stage::Drop, 0, 9)));
    assert_eq!(world.send(&sent, None).await.0, StatusCode::CREATED);
    wait_for_failed_attempt(&world).await;
    world.make_jobs_due().await;
    world.settled().await;
    let mails = world.mails_to("office@almijara.example");
    assert_eq!(mails.len(), 2);
    assert_eq!(mails[0].message_id, mails[1].message_id);
    let verified = command::verify(&world.pool, true).await.expect("postgres answers");
    assert_eq!(verified.failed, 1, "an operator has to check whether the office has it");
}

#[tokio::test]
async fn an_uncertain_mail_to_a_visitor_is_sent_again_later_and_then_listed() {
    runtime::metrics::install(command::METRICS);
    let world = World::start().await;
    let operator = Operator::of(&world.process).await;
    let counted = "command_jobs_uncertain_total{kind=\"visitor_mail\"}";
    let before = operator.metric(counted).await.expect("it starts at zero");
    world.mails.answer(Some(answer(Stage::Drop, 0, u32::MAX)));
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    world.wait_for_count(2, "visitor.job where is_uncertain and lease_until is null").await;
    let soon = "visitor.job where is_uncertain and due_at < now() + interval '1 minute'";
    assert_eq!(world.count(soon).await, 0, "both attempts would fall into the same outage");
    world.make_jobs_due().await;
    world.settled().await;
    assert_eq!(world.mails_to("ann@x.example").len(), 2);
    let after = operator.metric(counted).await.expect("a figure");
    assert!(after > before, "the alert MailsUncertain fires: {before}, {after}");

    let listed = command::unfinished_jobs(&world.pool).await.expect("postgres answers");
    let thanks = listed.iter().find(|job| job.kind == "visitor_mail").expect("it is listed");
    assert!(thanks.is_given_up, "{thanks:?}");
    let why = thanks.error.as_deref().unwrap_or_default();
    assert!(why.starts_with("it may have arrived, and was sent twice: "), "{why}");
    assert_eq!(
        world.count("visitor.job where done_at is not null").await,
        1,
        "only the item is done"
    );
    let verified = command::verify(&world.pool, true).await.expect("postgres answers");
    assert_eq!(
        (verified.failed, verified.refused),
        (1, 1),
        "only the office's mail needs an operator"
    );
    // An operator has it sent again.
    world.mails.answer(None);
    let which = "visitor_mail".parse().expect("a kind");
    assert_eq!(command::retry_jobs(&world.pool, which).await.expect("postgres answers"), 1);
    world.settled().await;
    assert_eq!(world.count("visitor.job where kind = 'visitor_mail' and state = 'done'").await, 1);
}

#[tokio::test]
async fn a_mail_is_sent_once_a_hanging_server_answers_again() {
    let world = World::start().await;
    world.mails.answer(Some(answer(Stage::Connect, 0, u32::MAX)));
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    wait_for_failed_attempt(&world).await;
    world.make_jobs_due().await;
    // A mail that may have been handed over is not sent a third time.
    let tried_twice = "visitor.job
        where kind <> 'content_item' and attempts > 1 and lease_until is null";
    world.wait_for_count(2, tried_twice).await;
    world.mails.answer(None);
    world.make_jobs_due().await;
    world.settled().await;
    assert_eq!(world.mails_to("office@almijara.example").len(), 1);
    assert_eq!(world.mails_to("ann@x.example").len(), 1);
}

#[tokio::test]
async fn a_refused_mail_is_given_up_and_recorded() {
    let world = World::start().await;
    world.mails.answer(Some(answer(Stage::Recipient, 550, 2)));
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    world.settled().await;
    let errors: Vec<Option<String>> = sqlx::query_scalar(
        "select last_error from visitor.job
             where state = case kind when 'office_mail' then 'failed' else 'refused' end
               and outcome = 'refused' and smtp_status = '5.1.1'",
    )
    .fetch_all(&world.pool)
    .await
    .expect("postgres answers");
    assert_eq!(errors.len(), 2);
    for error in errors {
        let error = error.expect("a reason");
        assert!(error.contains("550") && !error.contains('@'), "{error}");
    }
    let verified = command::verify(&world.pool, true).await.expect("postgres answers");
    assert_eq!(
        (verified.failed, verified.refused),
        (1, 1),
        "only one of them can be fixed by operators"
    );
    assert_eq!(undelivered(&world).await, 1, "the office's mail is not counted");
    sqlx::query("update visitor.job set due_at = now() - interval '2 hours'")
        .execute(&world.pool)
        .await
        .expect("postgres answers");
    assert_eq!(undelivered(&world).await, 0, "it is reported for an hour");
}

#[tokio::test]
async fn mails_that_no_visitor_gets_are_measured() {
    runtime::metrics::install(command::METRICS);
    let world = World::start().await;
    let operator = Operator::of(&world.process).await;
    world.mails.answer(Some(answer(Stage::Recipient, 550, u32::MAX)));
    for name in ["ann", "bea", "carla"] {
        let mut sent = enquiry();
        sent["email"] = format!("{name}@x.example").into();
        assert_eq!(world.send(&sent, None).await.0, StatusCode::CREATED);
    }
    world.settled().await;
    assert_eq!(world.count("visitor.job where state = 'refused'").await, 3);
    eventually("the alert VisitorMailsUndelivered fires", async || {
        let undelivered = operator.metric("command_visitor_mails_undelivered").await;
        undelivered.filter(|mails| *mails > 2.0)
    })
    .await;
}

/// A server without SMTPUTF8 is not even given the mail, so nothing has been sent and nothing may count
/// as sent.
#[tokio::test]
async fn a_mail_that_needs_a_missing_server_feature_waits() {
    let world = World::start().await;
    sqlx::query(
        "with sent as (
            insert into visitor.enquiry (id, reference, kind, locale, name, email, message)
            values (gen_random_uuid(), 'E-2', 'general', 'en', 'Ann', $1, 'Is there a lift?')
            returning id)
         insert into visitor.job (id, enquiry, kind)
         select gen_random_uuid(), id, 'visitor_mail' from sent",
    )
    .bind("a\u{f1}a@x.example")
    .execute(&world.pool)
    .await
    .expect("postgres answers");
    wait_for_failed_attempt(&world).await;
    let (state, is_uncertain): (String, bool) =
        sqlx::query_as("select state, is_uncertain from visitor.job")
            .fetch_one(&world.pool)
            .await
            .expect("a mail");
    assert_eq!((&*state, is_uncertain), ("due", false));
    assert_eq!(undelivered(&world).await, 1);
}

#[tokio::test]
async fn failed_jobs_are_listed_and_retried_by_operators() {
    let world = World::start().await;
    world.mails.answer(Some(answer(Stage::Recipient, 550, 2)));
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    world.settled().await;
    let listed = command::unfinished_jobs(&world.pool).await.expect("postgres answers");
    assert_eq!(listed.len(), 2);
    assert!(listed.iter().all(|job| job.is_given_up && job.attempts == 1), "{listed:?}");
    let office = listed.iter().find(|job| job.kind == "office_mail").expect("the office's");

    let retry = async |which: &str| {
        let which = which.parse().expect("an id or a kind");
        command::retry_jobs(&world.pool, which).await.expect("postgres answers")
    };
    assert_eq!(retry("content_item").await, 0, "done jobs are not retried");
    assert_eq!(retry(&office.id.to_string()).await, 1);
    world.settled().await;
    let without_outcome = "visitor.job where kind = 'office_mail' and outcome is null";
    assert_eq!(world.count(without_outcome).await, 1, "it is no longer given up");
    assert_eq!(world.mails_to("office@almijara.example").len(), 1);
    assert_eq!(world.mails_to("ann@x.example").len(), 0);
    assert_eq!(retry("visitor_mail").await, 1);
    world.settled().await;
    assert_eq!(world.mails_to("ann@x.example").len(), 1);
    assert!(command::unfinished_jobs(&world.pool).await.expect("postgres answers").is_empty());
    assert!("thanks".parse::<command::JobSelector>().is_err());
}

#[tokio::test]
async fn nothing_is_lost_without_nats_or_with_the_process() {
    let mut world = World::start().await;
    world.nats.kill().await;
    let (status, receipt) = world.send(&enquiry(), None).await;
    assert_eq!(status, StatusCode::CREATED, "{receipt}");
    world.settled().await;
    assert_eq!(world.mails_to("office@almijara.example").len(), 1, "mails do not depend on NATS");

    let mut second = enquiry();
    second["message"] = "Another question of mine".into();
    world.mails.answer(Some(answer(Stage::Sender, 421, 100)));
    assert_eq!(world.send(&second, None).await.0, StatusCode::CREATED);
    world.process.clone().finish().await.expect("it ends");
    world.mails.answer(None);
    world.nats.restart().await;
    world.end_leases().await;
    world.start_role().await;
    world.settled().await;
    assert_eq!(world.mails_to("office@almijara.example").len(), 2);
    assert_eq!(world.items.lock().expect("nobody panicked").len(), 2);
    world.published().await;
}
