//! What is kept of a visitor is named on the page about privacy, given out and deleted: every table of it.

use std::collections::BTreeSet;

use event_log::EventLog;
use http::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::{
    browser::Mailed,
    role::{World, enquiry},
    valuations::picture,
};

/// Tables that hold nothing of anybody, and why.
const IMPERSONAL: [(&str, &str); 7] = [
    ("event", "ids and kinds"),
    ("home_state", "homes"),
    ("place_name", "places"),
    ("alert_checkpoint", "a place in the log"),
    ("item_to_delete", "ids"),
    ("place_search", "numbers by place and day"),
    ("migration", "versions of the tables"),
];

/// What becomes of a table's rows.
struct Fate {
    table: &'static str,
    /// Where the export has them; none where it must not.
    exported: Option<&'static str>,
    /// Why they stay when the account is deleted.
    stays: Option<&'static str>,
}

const fn goes(table: &'static str, exported: &'static str) -> Fate {
    Fate { table, exported: Some(exported), stays: None }
}

const OFFICE: Option<&str> = Some("the office has it, as letters are");

const FATES: [Fate; 18] = [
    Fate { table: "enquiry", exported: Some("/account/enquiries"), stays: OFFICE },
    Fate { table: "picture", exported: Some("/account/enquiries/1/pictures"), stays: OFFICE },
    Fate { table: "idempotency_key", exported: Some("/fingerprints"), stays: OFFICE },
    // Of the enquiry: that of the account is blocked.
    Fate { table: "consent", exported: Some("/consents"), stays: OFFICE },
    Fate { table: "job", exported: Some("/mails"), stays: OFFICE },
    Fate { table: "blocked_consent", exported: None, stays: Some("blocked: nothing reads it") },
    Fate { table: "blocked_enquiry", exported: None, stays: Some("blocked: nothing reads it") },
    goes("account", "/account"),
    goes("passkey", "/account/passkeys"),
    goes("home", "/homes"),
    goes("saved_search", "/account/searches"),
    goes("subscriber", "/subscriptions"),
    goes("alert_mail", "/alerts"),
    goes("alert", "/alerts"),
    goes("session", "/account/sessions"),
    goes("device", "/devices"),
    goes("sign_in", "/signIns"),
    goes("ceremony", "/ceremonies"),
];

#[tokio::test]
async fn every_table_is_named_given_out_and_deleted() {
    let world = World::start().await;
    let kept: Vec<Value> =
        serde_json::from_str(include_str!("../../kept.json")).expect("the table is read");
    let named: BTreeSet<String> = kept
        .iter()
        .flat_map(|kept| kept["tables"].as_array().expect("tables"))
        .map(|table| table.as_str().expect("a name").to_owned())
        .collect();
    let tables: Vec<String> = sqlx::query_scalar(
        "select table_name::text from information_schema.tables where table_schema = 'visitor'",
    )
    .fetch_all(&world.pool)
    .await
    .expect("the tables");
    let personal: BTreeSet<String> = tables
        .into_iter()
        .filter(|table| !IMPERSONAL.iter().any(|(impersonal, _)| impersonal == table))
        .collect();
    assert_eq!(personal, named, "kept.json names each table that holds something of somebody");
    let fates: BTreeSet<String> = FATES.iter().map(|fate| fate.table.to_owned()).collect();
    assert_eq!(personal, fates);

    let ann = world.signed_in("ann@x.example").await;
    ann.call(Method::PATCH, "/api/account", Some(json!({ "marketingConsent": true }))).await;
    ann.call(Method::PUT, "/api/account/homes/AH-1", Some(json!({ "favourite": true }))).await;
    ann.post("/api/account/passkeys/challenge", json!({})).await;
    let search = json!({ "address": "location=nerja", "name": "Nerja", "locale": "en",
                         "frequency": "daily" });
    assert_eq!(ann.post("/api/account/searches", search).await.0, StatusCode::CREATED);
    let (_, uploaded) = world.upload(picture()).await;
    let mut sent = enquiry();
    sent["kind"] = "valuation".into();
    sent["address"] = "Calle Real 1, Nerja".into();
    sent["propertyKind"] = "villa".into();
    sent["phone"] = "600 12 34 56".into();
    sent["mobile"] = "+44 20 7946 0958".into();
    sent["marketingConsent"] = true.into();
    sent["pictures"] = json!([uploaded["id"]]);
    let (status, answer) = world.send(&sent, None).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    world.settled().await;
    // What an authenticator, the log and the office make, without them.
    for made in [
        "insert into visitor.enquiry (id, reference, kind, locale, name, email, state)
         values (gen_random_uuid(), 'E-2', 'general', 'en', 'Ann', 'Ann@x.example', 'closed')",
        "insert into visitor.passkey (id, account, credential_id, passkey)
         select gen_random_uuid(), id, 'id', '{}' from visitor.account",
        "insert into visitor.alert_mail (id, subscriber, frequency)
         select gen_random_uuid(), id, 'daily' from visitor.subscriber",
        "insert into visitor.job (id, kind, alert_mail, state)
         select gen_random_uuid(), 'alert_mail', id, 'done' from visitor.alert_mail",
        "insert into visitor.alert (saved_search, mail, reference, happened, state_number)
         select s.id, m.id, 'AH-1', 'new', 1 from visitor.saved_search s, visitor.alert_mail m",
    ] {
        sqlx::query(made).execute(&world.pool).await.expect("it is made");
    }
    let count = async |table: &str| -> i64 {
        let counted = format!("select count(*) from visitor.{table}");
        sqlx::query_scalar(AssertSqlSafe(counted)).fetch_one(&world.pool).await.expect("a count")
    };

    let (status, export) = ann.get("/api/account/export").await;
    assert_eq!(status, StatusCode::OK);
    for fate in &FATES {
        let Some(place) = fate.exported else { continue };
        assert!(count(fate.table).await > 0, "there is a {}", fate.table);
        let found = export.pointer(place).unwrap_or(&Value::Null);
        let is_there = found.is_object() || found.as_array().is_some_and(|rows| !rows.is_empty());
        assert!(is_there, "{} is in {place}: {export}", fate.table);
    }
    assert_tells_each_column(&world, &export).await;
    assert_eq!(export["consents"].as_array().map(Vec::len), Some(2));
    let kinds: BTreeSet<_> = export["mails"]
        .as_array()
        .expect("mails")
        .iter()
        .filter_map(|mail| mail["kind"].as_str())
        .collect();
    let all = ["alert_mail", "content_item", "office_mail", "sign_in_mail", "visitor_mail"];
    assert_eq!(kinds, BTreeSet::from(all));

    let deleted = json!({ "email": "ann@x.example" });
    let (status, _) = ann.call(Method::DELETE, "/api/account", Some(deleted)).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    for fate in &FATES {
        let left = count(fate.table).await;
        match fate.stays {
            None => assert_eq!(left, 0, "{} goes with its account", fate.table),
            Some(why) => assert!(left > 0, "{} stays: {why}", fate.table),
        }
    }
}

/// What is kept of enquiries and consents is told, each under its own name but for ids and hashes.
async fn assert_tells_each_column(world: &World, export: &Value) {
    let told = &export["account"]["enquiries"][1];
    for (name, value) in [
        ("name", "Ann Lee"),
        ("email", "ann@x.example"),
        ("phone", "+34600123456"),
        ("mobile", "+442079460958"),
        ("locale", "en"),
    ] {
        assert_eq!(told[name], value, "{told}");
    }
    for (table, place, untold) in [
        ("enquiry", "/account/enquiries/0", &["id"][..]),
        ("consent", "/consents/0", &["id", "account", "enquiry", "savedSearch", "wordsHash"][..]),
    ] {
        let columns: Vec<String> = sqlx::query_scalar(
            "select lower(left(name, 1)) || substr(replace(initcap(name), '_', ''), 2)
             from (select column_name::text as name from information_schema.columns
                   where table_schema = 'visitor' and table_name = $1) as known",
        )
        .bind(table)
        .fetch_all(&world.pool)
        .await
        .expect("its columns");
        assert!(!columns.is_empty());
        let told = export.pointer(place).and_then(Value::as_object).expect("one of them");
        for column in columns.iter().filter(|column| !untold.contains(&column.as_str())) {
            assert!(told.contains_key(column), "{table} has {column}: {told:?}");
        }
    }
}

#[tokio::test]
async fn an_export_has_every_enquiry_and_what_was_agreed_to_with_one_can_be_ended() {
    let world = World::start().await;
    let mut sent = enquiry();
    sent["marketingConsent"] = true.into();
    assert_eq!(world.send(&sent, None).await.0, StatusCode::CREATED);
    sqlx::query(
        "insert into visitor.enquiry (id, reference, kind, locale, name, email)
         select gen_random_uuid(), 'E-' || number, 'general', 'en', 'Ann', 'ANN@x.example'
         from generate_series(1, 230) as number",
    )
    .execute(&world.pool)
    .await
    .expect("enquiries");
    world.settled().await;
    let (ann, eve) = (world.browser(), world.browser());
    ann.signs_in("ann@x.example").await;
    eve.signs_in("eve@x.example").await;
    let (_, account) = ann.get("/api/account").await;
    assert_eq!(account["enquiries"].as_array().map(Vec::len), Some(200));
    assert_eq!(account["marketingConsent"], true);
    let (_, export) = ann.get("/api/account/export").await;
    assert_eq!(export["account"]["enquiries"].as_array().map(Vec::len), Some(231));

    let no = || Some(json!({ "marketingConsent": false }));
    eve.call(Method::PATCH, "/api/account", no()).await;
    assert_eq!(ann.get("/api/account").await.1["marketingConsent"], true, "it is not hers");
    let (_, account) = ann.call(Method::PATCH, "/api/account", no()).await;
    assert_eq!(account["marketingConsent"], false);
    let (_, export) = ann.get("/api/account/export").await;
    assert!(export["consents"][0]["withdrawnAt"].is_string(), "{export}");
    assert_eq!(eve.get("/api/account/export").await.1["consents"], json!([]));
}

#[tokio::test]
async fn what_its_mailbox_saved_without_it_is_the_accounts_and_goes_with_it() {
    let world = World::start().await;
    let mut sent = enquiry();
    sent["marketingConsent"] = true.into();
    assert_eq!(world.send(&sent, None).await.0, StatusCode::CREATED);
    world.settled().await;
    let (ann, phone) = (world.browser(), world.browser());
    ann.signs_in("ann@x.example").await;
    let search = |address: &str, frequency: &str| {
        json!({ "address": address, "name": address, "locale": "en", "frequency": frequency,
                "email": "ann@x.example" })
    };
    let ended = search("location=nerja", "never");
    assert_eq!(ann.post("/api/account/searches", ended).await.0, StatusCode::CREATED);
    let asks = async |address: &str| {
        let (status, _) = phone.post("/api/alerts", search(address, "daily")).await;
        assert_eq!(status, StatusCode::ACCEPTED);
        world.settled().await;
        Mailed::token(&world.mails_to("ann@x.example").pop().expect("a mail"))
    };
    let link = json!({ "token": asks("location=nerja").await });
    // Nobody agrees to this one, so it is of the mailbox still.
    asks("location=maro").await;
    // And once more, in another tab.
    for _ in 0..2 {
        assert_eq!(phone.post("/api/alerts/confirm", link.clone()).await.0, StatusCode::OK);
    }
    let (_, export) = ann.get("/api/account/export").await;
    let searches = export["account"]["searches"].as_array().expect("searches");
    assert_eq!(searches.len(), 1, "{export}");
    assert_eq!(searches[0]["frequency"], "daily", "what she wanted last");
    assert_eq!(export["consents"].as_array().map(Vec::len), Some(2));

    let ids: Vec<Uuid> = sqlx::query_scalar("select id from visitor.saved_search")
        .fetch_all(&world.pool)
        .await
        .expect("postgres answers");
    assert_eq!(ids.len(), 2);
    let deleted = json!({ "email": "ann@x.example" });
    let (status, _) = ann.call(Method::DELETE, "/api/account", Some(deleted)).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    for left in [
        "select count(*) from visitor.subscriber",
        "select count(*) from visitor.saved_search",
        "select count(*) from visitor.consent where withdrawn_at is null",
    ] {
        let count: i64 = sqlx::query_scalar(left).fetch_one(&world.pool).await.expect("a count");
        assert_eq!(count, 0, "{left}");
    }
    // A backup of before the account is told of them too.
    world.published().await;
    let log = EventLog::connect(&world.nats.url(), "test").await.expect("NATS answers");
    let records = log.visitor_records("search.deleted").await.expect("they are kept");
    for id in ids {
        assert!(records.iter().any(|record| record.subject == id), "{records:?}");
    }
}

#[tokio::test]
async fn settled_enquiries_of_a_deleted_account_are_blocked_and_leave_the_office() {
    let world = World::start().await;
    for (number, state) in [(1, "closed"), (2, "answered")] {
        let mut sent = enquiry();
        sent["message"] = format!("Question number {number} of mine").into();
        assert_eq!(world.send(&sent, None).await.0, StatusCode::CREATED);
        let changed = "update visitor.enquiry set state = $1 where message = $2";
        let message = sent["message"].as_str().expect("text");
        let changed = sqlx::query(changed).bind(state).bind(message).execute(&world.pool).await;
        assert_eq!(changed.expect("postgres answers").rows_affected(), 1);
    }
    world.settled().await;
    assert_eq!(world.items.lock().expect("nobody panicked").len(), 2);
    let (ann, eve) = (world.browser(), world.browser());
    eve.signs_in("eve@x.example").await;
    let deleted = |email: &str| Some(json!({ "email": email }));
    eve.call(Method::DELETE, "/api/account", deleted("eve@x.example")).await;
    let blocked = async || -> Vec<String> {
        sqlx::query_scalar("select enquiry ->> 'message' from visitor.blocked_enquiry")
            .fetch_all(&world.pool)
            .await
            .expect("postgres answers")
    };
    assert!(blocked().await.is_empty(), "they are not hers");
    ann.signs_in("ann@x.example").await;
    let (status, _) = ann.call(Method::DELETE, "/api/account", deleted("ann@x.example")).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(blocked().await, ["Question number 1 of mine"]);
    let left: Vec<String> = sqlx::query_scalar("select message from visitor.enquiry")
        .fetch_all(&world.pool)
        .await
        .expect("postgres answers");
    assert_eq!(left, ["Question number 2 of mine"], "the office works on it");
    command::delete_items(&world.pool, &world.config()).await.expect("the office is told");
    let items = world.items.lock().expect("nobody panicked").clone();
    let left: Vec<&Value> = items.values().map(|item| &item["message"]).collect();
    assert_eq!(left, ["Question number 2 of mine"]);
    let waiting: i64 = sqlx::query_scalar("select count(*) from visitor.item_to_delete")
        .fetch_one(&world.pool)
        .await
        .expect("postgres answers");
    assert_eq!(waiting, 0);
}
