//! All tables with personal data are listed on the privacy page, exported, and deleted.

use std::collections::BTreeSet;

use command::EnquiryItems;
use event_log::EventLog;
use http::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::{
    browser::Mailed,
    valuations::picture,
    world::{World, enquiry},
};

/// Tables without personal data, and what they have instead.
const IMPERSONAL: [(&str, &str); 7] = [
    ("event", "ids and kinds"),
    ("home_state", "homes"),
    ("place_name", "places"),
    ("alert_checkpoint", "a place in the log"),
    ("item_to_delete", "ids"),
    ("place_search", "numbers by place and day"),
    ("migration", "versions of the tables"),
];

/// How a table's rows are exported and deleted.
struct TablePolicy {
    table: &'static str,
    /// The JSON pointer in the export; `None` if they must not be exported.
    exported: Option<&'static str>,
    /// Why some stay when the account is deleted.
    retained_because: Option<&'static str>,
}

const fn deleted_with_account(table: &'static str, exported: &'static str) -> TablePolicy {
    TablePolicy { table, exported: Some(exported), retained_because: None }
}

const OFFICE: Option<&str> = Some("the office keeps it, like letters");

const TABLE_POLICIES: [TablePolicy; 18] = [
    TablePolicy {
        table: "enquiry",
        exported: Some("/account/enquiries"),
        retained_because: OFFICE,
    },
    TablePolicy {
        table: "picture",
        exported: Some("/account/enquiries/1/pictures"),
        retained_because: OFFICE,
    },
    TablePolicy {
        table: "idempotency_key",
        exported: Some("/fingerprints"),
        retained_because: OFFICE,
    },
    // The enquiry's consent stays; the account's is blocked.
    TablePolicy { table: "consent", exported: Some("/consents"), retained_because: OFFICE },
    TablePolicy { table: "job", exported: Some("/mails"), retained_because: OFFICE },
    TablePolicy {
        table: "blocked_consent",
        exported: None,
        retained_because: Some("blocked: it is no longer read"),
    },
    TablePolicy {
        table: "blocked_enquiry",
        exported: None,
        retained_because: Some("blocked: it is no longer read"),
    },
    deleted_with_account("account", "/account"),
    deleted_with_account("passkey", "/account/passkeys"),
    deleted_with_account("home", "/homes"),
    deleted_with_account("saved_search", "/account/searches"),
    deleted_with_account("subscriber", "/subscriptions"),
    deleted_with_account("alert_mail", "/alerts"),
    deleted_with_account("alert", "/alerts"),
    deleted_with_account("session", "/account/sessions"),
    deleted_with_account("device", "/devices"),
    deleted_with_account("sign_in", "/signIns"),
    deleted_with_account("ceremony", "/ceremonies"),
];

#[tokio::test]
async fn every_personal_table_is_listed_exported_and_deleted() {
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
    assert_eq!(personal, named, "kept.json lists each table with personal data");
    let policies: BTreeSet<String> =
        TABLE_POLICIES.iter().map(|policy| policy.table.to_owned()).collect();
    assert_eq!(personal, policies);

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
    // Creates rows that an authenticator, the log and the office would cause.
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
    for policy in &TABLE_POLICIES {
        let Some(place) = policy.exported else { continue };
        assert!(count(policy.table).await > 0, "there is a {}", policy.table);
        let found = export.pointer(place).unwrap_or(&Value::Null);
        let is_there = found.is_object() || found.as_array().is_some_and(|rows| !rows.is_empty());
        assert!(is_there, "{} is in {place}: {export}", policy.table);
    }
    assert_exports_each_column(&world, &export).await;
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
    for policy in &TABLE_POLICIES {
        let left = count(policy.table).await;
        match policy.retained_because {
            None => assert_eq!(left, 0, "{} goes with its account", policy.table),
            Some(why) => assert!(left > 0, "{} stays: {why}", policy.table),
        }
    }
}

/// Asserts that all columns of enquiries and consents are exported, except for ids and hashes.
async fn assert_exports_each_column(world: &World, export: &Value) {
    let exported = &export["account"]["enquiries"][1];
    for (name, value) in [
        ("name", "Ann Lee"),
        ("email", "ann@x.example"),
        ("phone", "+34600123456"),
        ("mobile", "+442079460958"),
        ("locale", "en"),
    ] {
        assert_eq!(exported[name], value, "{exported}");
    }
    for (table, place, omitted) in [
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
        let exported = export.pointer(place).and_then(Value::as_object).expect("one of them");
        for column in columns.iter().filter(|column| !omitted.contains(&column.as_str())) {
            assert!(exported.contains_key(column), "{table} has {column}: {exported:?}");
        }
    }
}

#[tokio::test]
async fn an_export_has_all_enquiries_and_their_consents_can_be_withdrawn() {
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
    ann.sign_in("ann@x.example").await;
    eve.sign_in("eve@x.example").await;
    let (_, account) = ann.get("/api/account").await;
    assert_eq!(account["enquiries"].as_array().map(Vec::len), Some(200));
    assert_eq!(account["marketingConsent"], true);
    let (_, export) = ann.get("/api/account/export").await;
    assert_eq!(export["account"]["enquiries"].as_array().map(Vec::len), Some(231));

    let no = || Some(json!({ "marketingConsent": false }));
    eve.call(Method::PATCH, "/api/account", no()).await;
    assert_eq!(
        ann.get("/api/account").await.1["marketingConsent"],
        true,
        "the consent is not hers"
    );
    let (_, account) = ann.call(Method::PATCH, "/api/account", no()).await;
    assert_eq!(account["marketingConsent"], false);
    let (_, export) = ann.get("/api/account/export").await;
    assert!(export["consents"][0]["withdrawnAt"].is_string(), "{export}");
    assert_eq!(eve.get("/api/account/export").await.1["consents"], json!([]));
}

#[tokio::test]
async fn searches_of_the_mailbox_are_exported_and_deleted_with_the_account() {
    let world = World::start().await;
    let mut sent = enquiry();
    sent["marketingConsent"] = true.into();
    assert_eq!(world.send(&sent, None).await.0, StatusCode::CREATED);
    world.settled().await;
    let (ann, phone) = (world.browser(), world.browser());
    ann.sign_in("ann@x.example").await;
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
    // This one stays unconfirmed, so it still belongs to the mailbox.
    asks("location=maro").await;
    // Confirmed twice, as from two tabs.
    for _ in 0..2 {
        assert_eq!(phone.post("/api/alerts/confirm", link.clone()).await.0, StatusCode::OK);
    }
    let (_, export) = ann.get("/api/account/export").await;
    let searches = export["account"]["searches"].as_array().expect("searches");
    assert_eq!(searches.len(), 1, "{export}");
    assert_eq!(searches[0]["frequency"], "daily", "her latest choice");
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
    // Each search has its own event, for a backup from before the account existed.
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
    eve.sign_in("eve@x.example").await;
    let deleted = |email: &str| Some(json!({ "email": email }));
    eve.call(Method::DELETE, "/api/account", deleted("eve@x.example")).await;
    let blocked = async || -> Vec<String> {
        sqlx::query_scalar("select enquiry ->> 'message' from visitor.blocked_enquiry")
            .fetch_all(&world.pool)
            .await
            .expect("postgres answers")
    };
    assert!(blocked().await.is_empty(), "the enquiries are not hers");
    ann.sign_in("ann@x.example").await;
    let (status, _) = ann.call(Method::DELETE, "/api/account", deleted("ann@x.example")).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(blocked().await, ["Question number 1 of mine"]);
    let left: Vec<String> = sqlx::query_scalar("select message from visitor.enquiry")
        .fetch_all(&world.pool)
        .await
        .expect("postgres answers");
    assert_eq!(left, ["Question number 2 of mine"], "the office works on it");
    let items = EnquiryItems::with_erase_token(&world.config()).expect("a client");
    command::delete_blocked_items(&world.pool, &items.expect("a token"))
        .await
        .expect("the items are deleted");
    let items = world.items.lock().expect("nobody panicked").clone();
    let left: Vec<&Value> = items.values().map(|item| &item["message"]).collect();
    assert_eq!(left, ["Question number 2 of mine"]);
    let waiting: i64 = sqlx::query_scalar("select count(*) from visitor.item_to_delete")
        .fetch_one(&world.pool)
        .await
        .expect("postgres answers");
    assert_eq!(waiting, 0);
}
