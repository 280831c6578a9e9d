//! What was kept reaches people once, whatever is lost meanwhile.

use http::StatusCode;
use mail_catcher::{Answer, Stage};
use testkit::eventually;

use crate::role::{World, enquiry};

const fn answer(stage: Stage, code: u16, times: u32) -> Answer {
    Answer { stage, code, times }
}

async fn waits(world: &World) {
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

/// What the alert `VisitorMailsUndelivered` goes by.
async fn undelivered(world: &World) -> i64 {
    command::undelivered_visitor_mails(&world.pool).await.expect("postgres answers")
}

#[tokio::test]
async fn a_mail_server_that_is_busy_gets_it_later_and_once() {
    let world = World::start().await;
    world.mails.answer(Some(answer(Stage::Sender, 451, 2)));
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    waits(&world).await;
    world.hurry().await;
    world.settled().await;
    assert_eq!(world.mails_to("office@almijara.example").len(), 1);
    assert_eq!(world.mails_to("ann@x.example").len(), 1);
}

#[tokio::test]
async fn a_mail_whose_fate_is_unknown_is_sent_twice_at_the_most_under_one_name() {
    let world = World::start().await;
    let mut sent = enquiry();
    sent["email"] = "".into();
    sent["phone"] = "600123456".into();
    world.mails.answer(Some(answer(Stage::Drop, 0, 9)));
    assert_eq!(world.send(&sent, None).await.0, StatusCode::CREATED);
    waits(&world).await;
    world.hurry().await;
    world.settled().await;
    let mails = world.mails_to("office@almijara.example");
    assert_eq!(mails.len(), 2);
    assert_eq!(mails[0].message_id, mails[1].message_id);
    let verified = command::verify(&world.pool, true).await.expect("postgres answers");
    assert_eq!(verified.failed, 1, "somebody looks whether the office has it");
}

#[tokio::test]
async fn a_visitors_mail_that_may_have_arrived_is_sent_once_more_later_and_then_listed() {
    let world = World::start().await;
    world.mails.answer(Some(answer(Stage::Drop, 0, u32::MAX)));
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    world.comes_to(2, "visitor.job where is_uncertain and lease_until is null").await;
    let soon = "visitor.job where is_uncertain and due_at < now() + interval '1 minute'";
    assert_eq!(world.count(soon).await, 0, "the same outage would meet both tries");
    world.hurry().await;
    world.settled().await;
    assert_eq!(world.mails_to("ann@x.example").len(), 2);

    let listed = command::unfinished_jobs(&world.pool).await.expect("postgres answers");
    let thanks = listed.iter().find(|job| job.kind == "visitor_mail").expect("it is listed");
    assert!(thanks.is_given_up, "{thanks:?}");
    let why = thanks.error.as_deref().unwrap_or_default();
    assert!(why.starts_with("it may have arrived, and was sent twice: "), "{why}");
    assert_eq!(world.count("visitor.job where done_at is not null").await, 1, "the item alone");
    let verified = command::verify(&world.pool, true).await.expect("postgres answers");
    assert_eq!((verified.failed, verified.refused), (1, 1), "only the office's is looked after");
    // Whoever looked and found nothing has it sent once more.
    world.mails.answer(None);
    let which = "visitor_mail".parse().expect("a kind");
    assert_eq!(command::retry_jobs(&world.pool, which).await.expect("postgres answers"), 1);
    world.settled().await;
    assert_eq!(world.count("visitor.job where kind = 'visitor_mail' and state = 'done'").await, 1);
}

#[tokio::test]
async fn a_mail_server_that_hangs_has_nothing_and_gets_it_when_it_answers_again() {
    let world = World::start().await;
    world.mails.answer(Some(answer(Stage::Connect, 0, u32::MAX)));
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    waits(&world).await;
    world.hurry().await;
    // Whatever it takes for handed over is not sent a third time.
    let tried_twice = "visitor.job
        where kind <> 'content_item' and attempts > 1 and lease_until is null";
    world.comes_to(2, tried_twice).await;
    world.mails.answer(None);
    world.hurry().await;
    world.settled().await;
    assert_eq!(world.mails_to("office@almijara.example").len(), 1);
    assert_eq!(world.mails_to("ann@x.example").len(), 1);
}

#[tokio::test]
async fn a_mailbox_that_is_refused_is_given_up_and_noted() {
    let world = World::start().await;
    world.mails.answer(Some(answer(Stage::Recipient, 550, 2)));
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    world.settled().await;
    let errors: Vec<Option<String>> = sqlx::query_scalar(
        "select last_error from visitor.job
             where state = case kind when 'office_mail' then 'failed' else 'refused' end",
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
    assert_eq!((verified.failed, verified.refused), (1, 1), "one of them is ours to mend");
    assert_eq!(undelivered(&world).await, 1, "the office's is none of them");
    sqlx::query("update visitor.job set due_at = now() - interval '2 hours'")
        .execute(&world.pool)
        .await
        .expect("postgres answers");
    assert_eq!(undelivered(&world).await, 0, "it is told of for an hour");
}

/// A server that knows no SMTPUTF8 is not even asked: nothing has gone, and nobody may take it for sent.
#[tokio::test]
async fn a_mail_that_the_server_has_no_way_to_take_waits() {
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
    waits(&world).await;
    let (state, is_uncertain): (String, bool) =
        sqlx::query_as("select state, is_uncertain from visitor.job")
            .fetch_one(&world.pool)
            .await
            .expect("a mail");
    assert_eq!((&*state, is_uncertain), ("due", false));
    assert_eq!(undelivered(&world).await, 1);
}

#[tokio::test]
async fn what_was_given_up_is_listed_and_tried_again_when_an_operator_says_so() {
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
    assert_eq!(retry("content_item").await, 0, "what is done stays done");
    assert_eq!(retry(&office.id.to_string()).await, 1);
    world.settled().await;
    assert_eq!(world.mails_to("office@almijara.example").len(), 1);
    assert_eq!(world.mails_to("ann@x.example").len(), 0);
    assert_eq!(retry("visitor_mail").await, 1);
    world.settled().await;
    assert_eq!(world.mails_to("ann@x.example").len(), 1);
    assert!(command::unfinished_jobs(&world.pool).await.expect("postgres answers").is_empty());
    assert!("thanks".parse::<command::Unfinished>().is_err());
}

#[tokio::test]
async fn nothing_is_lost_with_nats_or_with_the_process() {
    let mut world = World::start().await;
    world.nats.kill().await;
    let (status, receipt) = world.send(&enquiry(), None).await;
    assert_eq!(status, StatusCode::CREATED, "{receipt}");
    world.settled().await;
    assert_eq!(world.mails_to("office@almijara.example").len(), 1, "nobody waits for NATS");

    let mut second = enquiry();
    second["message"] = "Another question of mine".into();
    world.mails.answer(Some(answer(Stage::Sender, 421, 100)));
    assert_eq!(world.send(&second, None).await.0, StatusCode::CREATED);
    world.process.clone().finish().await.expect("it ends");
    world.mails.answer(None);
    world.nats.restart().await;
    world.end_leases().await;
    world.open().await;
    world.settled().await;
    assert_eq!(world.mails_to("office@almijara.example").len(), 2);
    assert_eq!(world.items.lock().expect("nobody panicked").len(), 2);
    world.published().await;
}
