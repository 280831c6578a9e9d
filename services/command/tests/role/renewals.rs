//! Searches without an account: whoever has them is asked after a year whether they are wanted still, and
//! one that ended can be asked for anew.

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use mail_catcher::Mail;
use serde_json::{Value, json};

use crate::{
    alerts::{Content, house},
    browser::Browser,
    role::{World, after},
};

const ANN: &str = "ann@x.example";

/// Somebody who hears of homes in Nerja without an account; with the end of the links in their mails.
async fn subscriber(world: &World, email: &str) -> String {
    let browser = world.browser();
    let search = json!({ "address": "location=nerja", "name": "Homes in Nerja", "locale": "es",
                         "frequency": "weekly", "email": email });
    assert_eq!(browser.post("/api/alerts", search).await.0, StatusCode::ACCEPTED);
    world.settled().await;
    let mails = world.mails_to(email);
    let token = after(&mails.last().expect("a mail").text, "/es/alerts/confirm?token=");
    let agreement = json!({ "token": token, "name": "Homes in Nerja" });
    let confirm = browser.post("/api/alerts/confirm", agreement).await;
    assert_eq!(confirm.0, StatusCode::OK);
    sqlx::query_scalar("select tokens[1] from visitor.subscriber where email = $1")
        .bind(email)
        .fetch_one(&world.pool)
        .await
        .expect("a subscriber")
}

/// So many days pass for searches and for the questions about them. Then it is looked who is to be asked
/// and what has to end, and what that asks for is sent. The role looks by itself now and then, too.
async fn days_pass(world: &World, days: i32) {
    for sql in [
        "update visitor.job set due_at = due_at - make_interval(days => $1),
             done_at = done_at - make_interval(days => $1) where kind = 'renewal_mail'",
        "update visitor.saved_search set changed_at = changed_at - make_interval(days => $1),
             renewal_asked_at = renewal_asked_at - make_interval(days => $1)",
    ] {
        sqlx::query(sql).bind(days).execute(&world.pool).await.expect("days pass");
    }
    command::renew(&world.pool).await.expect("it is looked");
    world.settled().await;
}

/// Has the question to `email` end otherwise than it did.
async fn set_question(world: &World, email: &str, change: &str) {
    let change = format!(
        "update visitor.job set {change} where kind = 'renewal_mail' and saved_search in (
             select s.id from visitor.saved_search s
             join visitor.subscriber p on p.id = s.subscriber where p.email = $1)"
    );
    let change = sqlx::query(sqlx::AssertSqlSafe(change)).bind(email.to_owned());
    assert_eq!(change.execute(&world.pool).await.expect("it is set").rows_affected(), 1);
}

fn questions(world: &World, email: &str) -> Vec<Mail> {
    let mails = world.mails_to(email).into_iter();
    mails.filter(|mail| mail.text.contains("tres semanas")).collect()
}

async fn subscription(browser: &Browser<'_>, token: &str) -> Value {
    let (status, body) = browser.post("/api/alerts/subscription", json!({ "token": token })).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    body
}

#[tokio::test]
async fn who_is_asked_after_a_year_and_answers_goes_on_hearing_of_homes() {
    let world = World::start().await;
    let token = subscriber(&world, ANN).await;
    days_pass(&world, 364).await;
    assert_eq!(questions(&world, ANN).len(), 0, "it is no year yet");

    days_pass(&world, 2).await;
    days_pass(&world, 0).await;
    let asked = questions(&world, ANN);
    assert_eq!(asked.len(), 1, "once");
    assert!(asked[0].text.contains("Homes in Nerja"), "{}", asked[0].text);
    assert_eq!(after(&asked[0].text, "/es/alerts?token="), token);
    assert!(asked[0].head.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"));

    let browser = world.browser();
    let ends_at = subscription(&browser, &token).await["endsAt"].take();
    let ends_at: DateTime<Utc> = ends_at.as_str().and_then(|at| at.parse().ok()).expect("a time");
    assert_eq!((ends_at - Utc::now() + TimeDelta::hours(12)).num_days(), 21);
    let keep =
        async |token: &str| browser.post("/api/alerts/keep", json!({ "token": token })).await;
    assert_eq!(keep("of nobody").await.0, StatusCode::GONE);
    assert_eq!(keep(&token).await.0, StatusCode::OK);
    assert_eq!(subscription(&browser, &token).await["endsAt"], Value::Null);
    days_pass(&world, 100).await;
    assert_eq!(subscription(&browser, &token).await["searches"][0]["frequency"], "weekly");
    assert_eq!(questions(&world, ANN).len(), 1);
}

#[tokio::test]
async fn who_does_not_answer_for_three_weeks_after_the_question_hears_no_more() {
    let world = World::start().await;
    let browser = world.browser();
    let (late, failed, gone) = ("late@x.example", "failed@x.example", "gone@x.example");
    let untrusting = "untrusting@x.example";
    let mut tokens = Vec::new();
    for email in [ANN, late, failed, gone, untrusting] {
        tokens.push(subscriber(&world, email).await);
    }
    days_pass(&world, 366).await;
    set_question(&world, failed, "state = 'failed', done_at = null").await;
    set_question(&world, gone, "state = 'bounced', last_error = 'it came back: 5.1.1'").await;
    let came_back = "state = 'bounced', last_error = 'it came back: 5.7.26'";
    set_question(&world, untrusting, came_back).await;
    let frequencies = async || {
        let mut all = Vec::new();
        for token in &tokens {
            let searches = subscription(&browser, token).await["searches"].take();
            // The role erases what ended a week before.
            all.push(searches[0]["frequency"].as_str().unwrap_or("never").to_owned());
        }
        all
    };
    days_pass(&world, 15).await;
    // An operator had it sent once more.
    set_question(&world, late, "due_at = now(), done_at = now()").await;
    days_pass(&world, 5).await;
    assert_eq!(frequencies().await, ["weekly"; 5], "after 20 days");
    days_pass(&world, 2).await;
    let now = ["never", "weekly", "weekly", "never", "weekly"];
    assert_eq!(frequencies().await, now, "after 22 days");
    for unasked in [&tokens[2], &tokens[4]] {
        let ends = subscription(&browser, unasked).await["endsAt"].take();
        assert_eq!(ends, Value::Null, "nobody could ask");
    }
    let withdrawn: i64 =
        sqlx::query_scalar("select count(*) from visitor.consent where withdrawn_at is not null")
            .fetch_one(&world.pool)
            .await
            .expect("postgres answers");
    assert_eq!(withdrawn, 2);
    days_pass(&world, 15).await;
    let now = ["never", "never", "weekly", "never", "weekly"];
    assert_eq!(frequencies().await, now, "after 37 days");
    // Asked again later, and nobody else is.
    days_pass(&world, 24).await;
    let asked = [ANN, late, failed, gone, untrusting];
    assert_eq!(asked.map(|email| questions(&world, email).len()), [1, 1, 2, 1, 2]);
}

/// Anybody can type an address.
#[tokio::test]
async fn that_somebody_asks_for_the_search_again_answers_nothing() {
    let world = World::start().await;
    let token = subscriber(&world, ANN).await;
    days_pass(&world, 366).await;
    assert_eq!(questions(&world, ANN).len(), 1);
    let browser = world.browser();
    let search = json!({ "address": "location=nerja", "name": "Nerja", "locale": "en",
                         "frequency": "daily", "email": ANN });
    assert_eq!(browser.post("/api/alerts", search).await.0, StatusCode::ACCEPTED);
    days_pass(&world, 22).await;
    assert_eq!(subscription(&browser, &token).await["searches"][0]["frequency"], "never");
}

#[tokio::test]
async fn who_has_an_account_is_not_asked() {
    let world = World::start().await;
    let ann = world.signed_in(ANN).await;
    let search = json!({ "address": "location=nerja", "name": "Homes in Nerja", "locale": "es",
                         "frequency": "weekly" });
    assert_eq!(ann.post("/api/account/searches", search).await.0, StatusCode::CREATED);
    days_pass(&world, 800).await;
    days_pass(&world, 800).await;
    let asked: i64 =
        sqlx::query_scalar("select count(*) from visitor.job where kind = 'renewal_mail'")
            .fetch_one(&world.pool)
            .await
            .expect("postgres answers");
    assert_eq!(asked, 0);
    let (_, account) = ann.get("/api/account").await;
    assert_eq!(account["searches"][0]["frequency"], "weekly");
}

#[tokio::test]
async fn a_search_that_was_ended_begins_anew_for_who_asks_again() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.read(&world).await;
    let old = subscriber(&world, ANN).await;
    let mails = world.mails_to(ANN);
    let first = after(&mails[0].text, "/es/alerts/confirm?token=");
    let browser = world.browser();
    let (status, _) = browser.post(&format!("/api/alerts/unsubscribe/{old}"), json!({})).await;
    assert_eq!(status, StatusCode::OK);

    let search = json!({ "address": "location=nerja", "name": "Nerja", "locale": "en",
                         "frequency": "at_once", "email": ANN });
    assert_eq!(browser.post("/api/alerts", search).await.0, StatusCode::ACCEPTED);
    world.settled().await;
    let mails = world.mails_to(ANN);
    assert_eq!(mails.len(), 2, "asked as for the first time");
    let second = after(&mails[1].text, "/alerts/confirm?token=");
    let confirm =
        async |token: &str| browser.post("/api/alerts/confirm", json!({ "token": token })).await;
    assert_eq!(confirm(&first).await.0, StatusCode::GONE, "of what has ended");
    content.publish(&house("AH-1", 300_000)).await;
    content.read(&world).await;
    assert_eq!(world.count("visitor.alert").await, 0, "nobody has agreed yet");

    let (status, confirmed) = confirm(&second).await;
    assert_eq!((status, &confirmed["frequency"]), (StatusCode::OK, &json!("at_once")));
    content.publish(&house("AH-2", 300_000)).await;
    content.read(&world).await;
    let told = world.told(ANN).await;
    assert_eq!(told.len(), 1);
    assert!(told[0].text.contains("Villa AH-2"), "{}", told[0].text);
}
