//! Data is erased when its retention period is over, and not earlier.

use http::StatusCode;
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::{
    valuations::picture,
    world::{World, enquiry},
};

/// The column with the age of each entry of `kept.json` that has a retention period.
const AGES: [(&str, &str); 14] = [
    ("enquiry", "received_at"),
    ("picture", "created_at"),
    ("consent", "withdrawn_at"),
    ("blocked_consent", "blocked_at"),
    ("blocked_enquiry", "blocked_at"),
    ("saved_search", "changed_at"),
    ("subscriber", "created_at"),
    ("alert_mail", "created_at"),
    ("session", "seen_at"),
    ("device", "created_at"),
    ("sign_in", "created_at"),
    ("job", "due_at"),
    ("ceremony", "expires_at"),
    ("idempotency_key", "expires_at"),
];

#[tokio::test]
async fn each_entry_is_erased_when_its_period_is_over_and_not_before() {
    let kept: Vec<Value> =
        serde_json::from_str(include_str!("../../kept.json")).expect("the table is read");
    let timed: Vec<&str> = kept
        .iter()
        .filter(|kept| kept["days"].is_i64())
        .map(|kept| kept["key"].as_str().expect("a key"))
        .collect();
    let mut known: Vec<&str> = AGES.iter().map(|(key, _)| *key).collect();
    known.sort_by_key(|key| timed.iter().position(|each| each == key));
    assert_eq!(timed, known, "every entry with a retention period is tested here");

    let world = World::start().await;
    let ann = world.signed_in("ann@x.example").await;
    for wanted in [true, false] {
        let change = json!({ "marketingConsent": wanted });
        ann.call(http::Method::PATCH, "/api/account", Some(change)).await;
    }
    let asked = ann.post("/api/account/passkeys/challenge", json!({})).await.0;
    assert_eq!(asked, StatusCode::OK);
    let mut agreed = enquiry();
    agreed["marketingConsent"] = true.into();
    assert_eq!(world.send(&agreed, None).await.0, StatusCode::CREATED);
    assert_eq!(world.upload(picture()).await.0, StatusCode::CREATED);
    let search = json!({ "address": "location=nerja", "name": "Nerja", "locale": "en",
                         "frequency": "daily", "email": "bob@x.example" });
    assert_eq!(ann.post("/api/alerts", search).await.0, StatusCode::ACCEPTED);
    sqlx::query(
        "insert into visitor.alert_mail (id, subscriber, frequency)
         select gen_random_uuid(), id, 'daily' from visitor.subscriber",
    )
    .execute(&world.pool)
    .await
    .expect("a mail");
    world.settled().await;
    sqlx::query(
        "insert into visitor.blocked_enquiry (id, enquiry) values (gen_random_uuid(), '{}')",
    )
    .execute(&world.pool)
    .await
    .expect("one that was blocked");
    let count = async |table: &str| -> i64 {
        let counted = format!("select count(*) from visitor.{table}");
        sqlx::query_scalar(AssertSqlSafe(counted)).fetch_one(&world.pool).await.expect("a count")
    };
    // Dependent rows come first.
    for key in [
        "idempotency_key",
        "picture",
        "ceremony",
        "alert_mail",
        "saved_search",
        "subscriber",
        "job",
        "enquiry",
        "consent",
        "session",
        "device",
        "sign_in",
        "blocked_consent",
        "blocked_enquiry",
    ] {
        let column = AGES.iter().find(|(name, _)| *name == key).expect("its age").1;
        let days = kept.iter().find(|kept| kept["key"] == key).expect("it")["days"].as_i64();
        let days = if column == "expires_at" { 0 } else { days.expect("its days") };
        let set = async |age: &str| {
            let aged = format!("update visitor.{key} set {column} = now() - interval '{age}'");
            sqlx::query(AssertSqlSafe(aged)).execute(&world.pool).await.expect("its age is set");
        };
        let before = count(key).await;
        assert!(before > 0, "there is a {key}");
        set(&format!("{days} days -1 hour")).await;
        command::erase_old(&world.pool).await.expect("it runs");
        assert_eq!(count(key).await, before, "{key} is young");
        set(&format!("{days} days 1 hour")).await;
        command::erase_old(&world.pool).await.expect("it runs");
        assert_eq!(count(key).await, 0, "{key} is old");
    }
}
