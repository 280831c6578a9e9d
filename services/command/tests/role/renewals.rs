//! Searches without an account: whoever has them is asked after a year whether they are wanted still.

use http::StatusCode;
use mail_catcher::Mail;
use serde_json::{Value, json};

use crate::{browser::Browser, role::World};

const ANN: &str = "ann@x.example";
const BOB: &str = "bob@x.example";

/// Somebody who hears of homes in Nerja without an account; with the end of the links in their mails.
async fn subscriber(world: &World, email: &str) -> String {
    let browser = world.browser();
    let search = json!({ "address": "location=nerja", "name": "Homes in Nerja", "locale": "es",
                         "frequency": "weekly", "email": email });
    assert_eq!(browser.post("/api/alerts", search).await.0, StatusCode::ACCEPTED);
    world.settled().await;
    let mails = world.mails_to(email);
    let token = after(&mails.last().expect("a mail").text, "/es/alerts/confirm?token=");
    let confirm = browser.post("/api/alerts/confirm", json!({ "token": token })).await;
    assert_eq!(confirm.0, StatusCode::OK);
    sqlx::query_scalar("select tokens[1] from visitor.subscriber where email = $1")
        .bind(email)
        .fetch_one(&world.pool)
        .await
        .expect("a subscriber")
}

/// Sets what is kept of the searches of `email`.
async fn set_searches(world: &World, email: &str, change: &str) {
    let change = format!(
        "update visitor.saved_search set {change} where subscriber =
             (select id from visitor.subscriber where email = $1)"
    );
    let change = sqlx::query(sqlx::AssertSqlSafe(change)).bind(email.to_owned());
    assert_eq!(change.execute(&world.pool).await.expect("it is set").rows_affected(), 1);
}

/// Looks who is to be asked and what has to end, and sends what that asks for. The role does so itself
/// now and then, too.
async fn renew(world: &World) {
    command::renew(&world.pool).await.expect("it is looked");
    world.settled().await;
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
    set_searches(&world, ANN, "changed_at = now() - interval '364 days'").await;
    renew(&world).await;
    assert_eq!(questions(&world, ANN).len(), 0, "it is no year yet");

    set_searches(&world, ANN, "changed_at = now() - interval '366 days'").await;
    renew(&world).await;
    renew(&world).await;
    let asked = questions(&world, ANN);
    assert_eq!(asked.len(), 1, "once");
    assert!(asked[0].text.contains("Homes in Nerja"), "{}", asked[0].text);
    assert_eq!(after(&asked[0].text, "/es/alerts?token="), token);
    assert!(asked[0].head.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"));

    let browser = world.browser();
    assert!(subscription(&browser, &token).await["endsAt"].is_string());
    let keep =
        async |token: &str| browser.post("/api/alerts/keep", json!({ "token": token })).await;
    assert_eq!(keep("of nobody").await.0, StatusCode::GONE);
    assert_eq!(keep(&token).await.0, StatusCode::OK);
    let kept = subscription(&browser, &token).await;
    assert_eq!(
        (&kept["endsAt"], &kept["searches"][0]["frequency"]),
        (&Value::Null, &json!("weekly"))
    );
    set_searches(&world, ANN, "renewal_asked_at = now() - interval '22 days'").await;
    renew(&world).await;
    assert_eq!(subscription(&browser, &token).await["searches"][0]["frequency"], "weekly");
    assert_eq!(questions(&world, ANN).len(), 1);
}

#[tokio::test]
async fn who_does_not_answer_hears_no_more_unless_the_question_never_went_out() {
    let world = World::start().await;
    let browser = world.browser();
    let (ann, bob) = (subscriber(&world, ANN).await, subscriber(&world, BOB).await);
    for email in [ANN, BOB] {
        set_searches(&world, email, "changed_at = now() - interval '2 years'").await;
    }
    renew(&world).await;
    sqlx::query(
        "update visitor.job set state = 'failed' where kind = 'renewal_mail' and saved_search in (
             select s.id from visitor.saved_search s
             join visitor.subscriber p on p.id = s.subscriber where p.email = $1)",
    )
    .bind(BOB)
    .execute(&world.pool)
    .await
    .expect("it is set");
    let frequency =
        async |token: &str| subscription(&browser, token).await["searches"][0]["frequency"].take();
    for (days, of_ann) in [(20, "weekly"), (22, "never")] {
        for email in [ANN, BOB] {
            let asked = format!("renewal_asked_at = now() - interval '{days} days'");
            set_searches(&world, email, &asked).await;
        }
        renew(&world).await;
        assert_eq!(frequency(&ann).await, of_ann, "after {days} days");
        assert_eq!(frequency(&bob).await, "weekly", "nobody asked him");
    }
    let withdrawn: i64 =
        sqlx::query_scalar("select count(*) from visitor.consent where withdrawn_at is not null")
            .fetch_one(&world.pool)
            .await
            .expect("postgres answers");
    assert_eq!(withdrawn, 1);
    // He is asked again later.
    set_searches(&world, BOB, "renewal_asked_at = now() - interval '61 days'").await;
    renew(&world).await;
    assert_eq!(questions(&world, BOB).len(), 2);
    assert_eq!(questions(&world, ANN).len(), 1);
}

#[tokio::test]
async fn who_has_an_account_is_not_asked() {
    let world = World::start().await;
    let ann = world.browser();
    ann.signs_in(ANN).await;
    let search = json!({ "address": "location=nerja", "name": "Homes in Nerja", "locale": "es",
                         "frequency": "weekly" });
    assert_eq!(ann.post("/api/account/searches", search).await.0, StatusCode::CREATED);
    sqlx::query("update visitor.saved_search set changed_at = now() - interval '2 years'")
        .execute(&world.pool)
        .await
        .expect("it is set");
    renew(&world).await;
    assert_eq!(questions(&world, ANN).len(), 0);
}

/// What stands in `text` after `mark`, up to the next space.
fn after(text: &str, mark: &str) -> String {
    let (_, rest) = text.split_once(mark).expect("a link");
    rest.split_whitespace().next().unwrap_or_default().to_owned()
}
