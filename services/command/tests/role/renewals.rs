//! Renewal of searches without an account: owners are asked after a year, and a search that ended can be
//! requested again.

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use mail_catcher::Mail;
use serde_json::{Value, json};

use crate::{
    alerts::{Content, house},
    browser::Browser,
    world::{World, after},
};

const ANN: &str = "ann@x.example";

/// Creates a subscriber without an account for homes in Nerja. Returns the token of its mails' links.
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

/// Lets `days` pass for searches and renewal mails, then asks owners and ends searches, and waits until
/// the mails are sent. The role does so periodically too.
async fn pass_days(world: &World, days: i32) {
    for sql in [
        "update visitor.job set due_at = due_at - make_interval(days => $1),
             done_at = done_at - make_interval(days => $1) where kind = 'renewal_mail'",
        "update visitor.saved_search set changed_at = changed_at - make_interval(days => $1),
             renewal_asked_at = renewal_asked_at - make_interval(days => $1)",
    ] {
        sqlx::query(sql).bind(days).execute(&world.pool).await.expect("days pass");
    }
    command::renew_searches(&world.pool).await.expect("it runs");
    world.settled().await;
}

/// Changes the result of the renewal mail to `email`.
async fn set_renewal_job(world: &World, email: &str, change: &str) {
    let change = format!(
        "update visitor.job set {change} where kind = 'renewal_mail' and saved_search in (
             select s.id from visitor.saved_search s
             join visitor.subscriber p on p.id = s.subscriber where p.email = $1)"
    );
    let change = sqlx::query(sqlx::AssertSqlSafe(change)).bind(email.to_owned());
    assert_eq!(change.execute(&world.pool).await.expect("it is changed").rows_affected(), 1);
}

fn renewal_mails(world: &World, email: &str) -> Vec<Mail> {
    let mails = world.mails_to(email).into_iter();
    mails.filter(|mail| mail.text.contains("tres semanas")).collect()
}

async fn subscription(browser: &Browser<'_>, token: &str) -> Value {
    let (status, body) = browser.post("/api/alerts/subscription", json!({ "token": token })).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    body
}

#[tokio::test]
async fn a_subscriber_who_renews_after_a_year_keeps_the_alerts() {
    let world = World::start().await;
    let token = subscriber(&world, ANN).await;
    pass_days(&world, 364).await;
    assert_eq!(renewal_mails(&world, ANN).len(), 0, "less than a year has passed");

    pass_days(&world, 2).await;
    pass_days(&world, 0).await;
    let asked = renewal_mails(&world, ANN);
    assert_eq!(asked.len(), 1, "only once");
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
    pass_days(&world, 100).await;
    assert_eq!(subscription(&browser, &token).await["searches"][0]["frequency"], "weekly");
    assert_eq!(renewal_mails(&world, ANN).len(), 1);
}

#[tokio::test]
async fn alerts_end_three_weeks_after_an_unanswered_renewal_mail() {
    let world = World::start().await;
    let browser = world.browser();
    let (late, failed, gone) = ("late@x.example", "failed@x.example", "gone@x.example");
    let untrusting = "untrusting@x.example";
    let mut tokens = Vec::new();
    for email in [ANN, late, failed, gone, untrusting] {
        tokens.push(subscriber(&world, email).await);
    }
    pass_days(&world, 366).await;
    set_renewal_job(&world, failed, "state = 'failed', done_at = null").await;
    for (email, status) in [(gone, "5.1.1"), (untrusting, "5.7.26")] {
        let bounced = format!("state = 'bounced', outcome = 'bounced', smtp_status = '{status}'");
        set_renewal_job(&world, email, &bounced).await;
    }
    let frequencies = async || {
        let mut all = Vec::new();
        for token in &tokens {
            let searches = subscription(&browser, token).await["searches"].take();
            // The role erases searches that ended a week ago.
            all.push(searches[0]["frequency"].as_str().unwrap_or("never").to_owned());
        }
        all
    };
    pass_days(&world, 15).await;
    // As if an operator had it sent again.
    set_renewal_job(&world, late, "due_at = now(), done_at = now()").await;
    pass_days(&world, 5).await;
    assert_eq!(frequencies().await, ["weekly"; 5], "after 20 days");
    pass_days(&world, 2).await;
    let now = ["never", "weekly", "weekly", "never", "weekly"];
    assert_eq!(frequencies().await, now, "after 22 days");
    for unasked in [&tokens[2], &tokens[4]] {
        let ends = subscription(&browser, unasked).await["endsAt"].take();
        assert_eq!(ends, Value::Null, "the owner was not asked");
    }
    let withdrawn: i64 =
        sqlx::query_scalar("select count(*) from visitor.consent where withdrawn_at is not null")
            .fetch_one(&world.pool)
            .await
            .expect("postgres answers");
    assert_eq!(withdrawn, 2);
    pass_days(&world, 15).await;
    let now = ["never", "never", "weekly", "never", "weekly"];
    assert_eq!(frequencies().await, now, "after 37 days");
    // Owners who could not be asked are asked again, and only they are.
    pass_days(&world, 24).await;
    let asked = [ANN, late, failed, gone, untrusting];
    assert_eq!(asked.map(|email| renewal_mails(&world, email).len()), [1, 1, 2, 1, 2]);
}

/// Because anybody can type an address.
#[tokio::test]
async fn requesting_the_search_again_does_not_renew_it() {
    let world = World::start().await;
    let token = subscriber(&world, ANN).await;
    pass_days(&world, 366).await;
    assert_eq!(renewal_mails(&world, ANN).len(), 1);
    let browser = world.browser();
    let search = json!({ "address": "location=nerja", "name": "Nerja", "locale": "en",
                         "frequency": "daily", "email": ANN });
    assert_eq!(browser.post("/api/alerts", search).await.0, StatusCode::ACCEPTED);
    pass_days(&world, 22).await;
    assert_eq!(subscription(&browser, &token).await["searches"][0]["frequency"], "never");
}

#[tokio::test]
async fn owners_of_accounts_get_no_renewal_mails() {
    let world = World::start().await;
    let ann = world.signed_in(ANN).await;
    let search = json!({ "address": "location=nerja", "name": "Homes in Nerja", "locale": "es",
                         "frequency": "weekly" });
    assert_eq!(ann.post("/api/account/searches", search).await.0, StatusCode::CREATED);
    pass_days(&world, 800).await;
    pass_days(&world, 800).await;
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
async fn a_search_that_ended_starts_again_when_requested() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.wait_until_read(&world).await;
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
    assert_eq!(mails.len(), 2, "it gets a new confirmation mail");
    let second = after(&mails[1].text, "/alerts/confirm?token=");
    let confirm =
        async |token: &str| browser.post("/api/alerts/confirm", json!({ "token": token })).await;
    assert_eq!(confirm(&first).await.0, StatusCode::GONE, "its search has ended");
    content.publish(&house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    assert_eq!(world.count("visitor.alert").await, 0, "it is not confirmed yet");

    let (status, confirmed) = confirm(&second).await;
    assert_eq!((status, &confirmed["frequency"]), (StatusCode::OK, &json!("at_once")));
    content.publish(&house("AH-2", 300_000)).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("Villa AH-2"), "{}", mails[0].text);
}
