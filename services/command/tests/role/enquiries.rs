//! Enquiries are stored once, or refused with the invalid fields.

use std::collections::{BTreeSet, HashMap};

use axum::{Json, Router, extract::Query, routing::get};
use command::EnquiryItems;
use futures::future::join_all;
use http::StatusCode;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::{World, enquiry, serve};

#[tokio::test]
async fn unknown_query_parameters_are_refused_by_name() {
    let world = World::start().await;
    let no_redirect = reqwest::redirect::Policy::none();
    let client = reqwest::Client::builder().redirect(no_redirect).build().expect("a client");
    for (call, name) in [
        ("/api/enquiries?colour=red", "colour"),
        ("/api/alerts?locale=es", "locale"),
        ("/api/enquiries/pictures?colour=red", "colour"),
        ("/api/enquiries/pictures?locale=fr", "locale"),
    ] {
        let sent = client.post(format!("{}{call}", world.url)).json(&enquiry());
        let answer = sent.send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{call}");
        let problem: Value = answer.json().await.expect("JSON");
        assert_eq!(problem["errors"][0]["field"], name, "{problem}");
    }
    // The unsubscribe link works even if a mail program adds parameters.
    let linked = format!("{}/api/alerts/unsubscribe/a-token?utm_source=mail", world.url);
    let led = client.get(linked).send().await.expect("an answer");
    assert_eq!(led.status(), StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn an_enquiry_is_stored_and_delivered() {
    let world = World::start().await;
    let mut sent = enquiry();
    sent["kind"] = "property".into();
    sent["ref"] = "AH-1042".into();
    sent["phone"] = "600 12 34 56".into();
    sent["mobile"] = "+44 20 7946 0958".into();
    sent["marketingConsent"] = true.into();
    let (status, receipt) = world.send(&sent, None).await;
    assert_eq!(status, StatusCode::CREATED, "{receipt}");
    let reference = receipt["reference"].as_str().expect("a reference").to_owned();
    world.settled().await;

    let office = world.mails_to("office@almijara.example");
    assert_eq!(office.len(), 1);
    assert_eq!(office[0].reply_to.as_deref(), Some("ann@x.example"));
    assert!(office[0].subject.contains(&reference), "{}", office[0].subject);
    for word in ["AH-1042", "House with a patio", "385.000", "a lift"] {
        assert!(office[0].text.contains(word), "{word}: {}", office[0].text);
    }
    for number in ["Teléfono: +34600123456", "Móvil: +442079460958"] {
        assert!(office[0].text.contains(number), "{number}: {}", office[0].text);
    }
    let numbers: (Option<String>, Option<String>) =
        sqlx::query_as("select phone, mobile from visitor.enquiry")
            .fetch_one(&world.pool)
            .await
            .expect("postgres answers");
    let kept = (numbers.0.as_deref(), numbers.1.as_deref());
    assert_eq!(kept, (Some("+34600123456"), Some("+442079460958")));
    let thanks = world.mails_to("ann@x.example");
    assert_eq!(thanks.len(), 1);
    assert!(thanks[0].text.contains(&reference) && thanks[0].head.contains("auto-replied"));
    assert!(thanks[0].text.contains("https://almijara.example/property-for-sale/nerja/AH-1042"));

    let items = world.items.lock().expect("nobody panicked").clone();
    let item = items.values().next().expect("an item");
    assert_eq!(items.len(), 1);
    assert_eq!(item["reference"], json!(reference));
    assert_eq!(item["property_price"], 385_000);
    let consents: i64 = sqlx::query_scalar("select count(*) from visitor.consent")
        .fetch_one(&world.pool)
        .await
        .expect("postgres answers");
    assert_eq!(consents, 1);
    world.published().await;
}

#[tokio::test]
async fn the_same_enquiry_is_stored_once() {
    let world = World::start().await;
    let sent = enquiry();
    let key = Some("0123456789abcdef");
    let answers = join_all((0..10).map(|_| world.send(&sent, key))).await;
    let references: BTreeSet<_> =
        answers.iter().map(|(_, receipt)| receipt["reference"].to_string()).collect();
    assert_eq!(references.len(), 1, "{answers:?}");
    assert!(answers.iter().all(|(status, _)| *status == StatusCode::CREATED));

    let mut other = enquiry();
    other["message"] = "Something else altogether".into();
    let (status, problem) = world.send(&other, key).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(problem["type"], "urn:almijara:problem:idempotency-key-reused");

    // A form without script sends no key, so its content identifies it.
    let answers = join_all((0..5).map(|_| world.send(&other, None))).await;
    let references: BTreeSet<_> =
        answers.iter().map(|(_, receipt)| receipt["reference"].to_string()).collect();
    assert_eq!(references.len(), 1, "{answers:?}");
    world.settled().await;
    assert_eq!(world.mails_to("office@almijara.example").len(), 2);
}

#[tokio::test]
async fn a_repeated_enquiry_gets_the_first_answer_whatever_has_changed_since() {
    let mut world = World::start().await;
    let mut viewing = enquiry();
    viewing["kind"] = "viewing".into();
    viewing["ref"] = "AH-1042".into();
    viewing["times"] = json!(["2026-11-25T10:30"]);
    let keys = [Some("0123456789abcdef"), None];
    let mut first = Vec::new();
    for key in keys {
        let (status, receipt) = world.send(&viewing, key).await;
        assert_eq!(status, StatusCode::CREATED, "{receipt}");
        first.push(receipt);
    }

    // The home is removed, the limit is lower, and the proposed day has begun in Torrox.
    world.process.clone().finish().await.expect("it ends");
    let mut config = world.config();
    config.query_url = serve(Router::new()).await.parse().expect("an address");
    config.enquiry_burst = 1;
    world.clock.set("2026-11-24T23:30:00Z".parse().expect("a time"));
    world.start_role_with(config).await;
    let send = async |sent: &Value, key: Option<&str>| {
        let request = reqwest::Client::new().post(format!("{}/api/enquiries", world.url));
        let request = request.header("x-forwarded-for", "192.0.2.1");
        let request = match key {
            Some(key) => request.header("idempotency-key", key),
            None => request,
        };
        let answer = request.json(sent).send().await.expect("an answer");
        (answer.status(), answer.json::<Value>().await.expect("JSON"))
    };
    let mut other = viewing.clone();
    other["message"] = "A different question".into();
    let (_, problem) = send(&other, None).await;
    assert_eq!(problem["errors"][0]["code"], "invalid_time", "{problem}");
    other["times"] = json!(["2026-11-26T10:30"]);
    let (_, problem) = send(&other, None).await;
    assert_eq!(problem["errors"][0]["code"], "unknown_home", "{problem}");
    assert_eq!(send(&other, None).await.0, StatusCode::TOO_MANY_REQUESTS);

    for (key, receipt) in keys.into_iter().zip(first) {
        assert_eq!(send(&viewing, key).await, (StatusCode::CREATED, receipt));
    }
    let (_, problem) = send(&other, keys[0]).await;
    assert_eq!(problem["type"], "urn:almijara:problem:idempotency-key-reused");
    assert_eq!(world.count("visitor.enquiry").await, 2);
}

#[tokio::test]
async fn invalid_fields_are_refused_in_the_senders_language() {
    let world = World::start().await;
    let sent = json!({
        "kind": "property", "locale": "es", "name": "", "email": "ann", "ref": "AH-9999",
        "message": "Corto", "privacyAccepted": true,
    });
    let (status, problem) = world.send(&sent, None).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let fields: Vec<_> = problem["errors"]
        .as_array()
        .expect("errors")
        .iter()
        .map(|error| {
            (error["field"].as_str().expect("text"), error["code"].as_str().expect("text"))
        })
        .collect();
    assert_eq!(
        fields,
        [("name", "required"), ("email", "invalid_email"), ("message", "too_short")]
    );
    assert_eq!(problem["errors"][2]["detail"], "Escriba al menos 10 caracteres.");

    let mut unknown = enquiry();
    unknown["kind"] = "property".into();
    unknown["ref"] = "AH-9999".into();
    let (status, problem) = world.send(&unknown, None).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(problem["errors"][0]["code"], "unknown_home");

    let mut more = enquiry();
    more["state"] = "answered".into();
    let (status, problem) = world.send(&more, None).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "unknown fields are refused");
    assert!(problem["errors"][0]["detail"].as_str().expect("text").contains("state"));
    assert_eq!(world.mails.all().len(), 0);
}

#[tokio::test]
async fn enquiries_are_limited_by_address_and_mails_by_mailbox() {
    let world = World::start().await;
    let client = reqwest::Client::new();
    let send = async |number: usize, address: &str| {
        let mut sent = enquiry();
        sent["message"] = format!("Question number {number} of many").into();
        let request = client.post(format!("{}/api/enquiries", world.url));
        let request = request.header("x-forwarded-for", address);
        request.json(&sent).send().await.expect("an answer").status()
    };
    let mut kept = 0;
    for number in 0..1_000 {
        kept += usize::from(send(number, "192.0.2.1").await == StatusCode::CREATED);
    }
    // One more is allowed each minute, however long this takes.
    assert!((10..40).contains(&kept), "{kept}");
    assert_eq!(
        send(1_000, "192.0.2.2").await,
        StatusCode::CREATED,
        "other addresses are not limited"
    );
    world.settled().await;
    assert_eq!(world.mails_to("office@almijara.example").len(), kept + 1);
    assert_eq!(world.mails_to("ann@x.example").len(), 3, "the address may be another person's");
}

#[tokio::test]
async fn concurrent_enquiries_send_at_most_three_confirmations() {
    let world = &World::start().await;
    join_all((0..10).map(|number| async move {
        let mut sent = enquiry();
        sent["message"] = format!("Question number {number} of many").into();
        assert_eq!(world.send(&sent, None).await.0, StatusCode::CREATED);
    }))
    .await;
    assert_eq!(world.count("visitor.job where kind = 'visitor_mail'").await, 3);
}

#[tokio::test]
async fn a_mail_is_sent_once_although_recording_it_fails() {
    let world = World::start().await;
    let fails_at_first = "
        create sequence visitor.noted;
        create function visitor.fail() returns trigger language plpgsql as $$ begin
            if nextval('visitor.noted') <= 4 then raise 'it fails'; end if;
            return new;
        end $$;
        create trigger fail before update on visitor.job for each row
            when (new.state = 'done') execute function visitor.fail();";
    sqlx::raw_sql(fails_at_first).execute(&world.pool).await.expect("a trigger");
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    world.settled().await;
    assert_eq!(world.count("visitor.job where attempts > 1").await, 0);
    assert_eq!(world.mails_to("office@almijara.example").len(), 1);
    assert_eq!(world.mails_to("ann@x.example").len(), 1);
}

#[tokio::test]
async fn the_webhook_updates_the_state_of_an_enquiry() {
    let world = World::start().await;
    let (_, receipt) = world.send(&enquiry(), None).await;
    let id: Uuid = sqlx::query_scalar("select id from visitor.enquiry")
        .fetch_one(&world.pool)
        .await
        .expect("an enquiry");
    let webhook = async |secret: &str, state: &str| {
        let body = json!({
            "event": "enquiries.items.update", "collection": "enquiries", "keys": [id],
            "payload": { "state": state, "name": "Somebody else" },
        });
        let client = reqwest::Client::new();
        let request = client.post(format!("{}/webhooks/enquiries", world.url));
        let request = request.header("authorization", format!("Bearer {secret}"));
        request.json(&body).send().await.expect("an answer").status()
    };
    assert_eq!(webhook("another-secret", "closed").await, StatusCode::UNAUTHORIZED);
    assert_eq!(webhook("a-secret-of-a-test", "burnt").await, StatusCode::BAD_REQUEST);
    assert_eq!(webhook("a-secret-of-a-test", "answered").await, StatusCode::NO_CONTENT);
    // Wait for the confirmation mail, so that it is not mistaken for the sign-in mail.
    world.settled().await;
    let ann = world.signed_in("ann@x.example").await;
    let (_, account) = ann.get("/api/account").await;
    let sent = &account["enquiries"][0];
    assert_eq!(sent["reference"], receipt["reference"]);
    assert_eq!(sent["state"], "answered");
    let name: String = sqlx::query_scalar("select name from visitor.enquiry")
        .fetch_one(&world.pool)
        .await
        .expect("an enquiry");
    assert_eq!(name, "Ann Lee", "only the state is taken from the item");
}

#[tokio::test]
async fn a_webhook_during_a_sync_wins_over_the_older_response() {
    let world = World::start().await;
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    let pool = world.pool.clone();
    // A webhook changes the state before the older response arrives.
    let states = get(move |Query(query): Query<HashMap<String, String>>| {
        let pool = pool.clone();
        async move {
            let ids: Vec<Uuid> = sqlx::query_scalar(
                "update visitor.enquiry set state = 'answered' where $1 = '1' returning id",
            )
            .bind(query.get("page").cloned())
            .fetch_all(&pool)
            .await
            .expect("postgres answers");
            let said = ids.into_iter().map(|id| json!({ "id": id, "state": "closed" }));
            Json(json!({ "data": said.collect::<Vec<Value>>() }))
        }
    });
    let content = serve(Router::new().route("/items/enquiries", states)).await;
    let mut config = world.config();
    config.content_url = Some(content.parse().expect("an address"));
    let items = EnquiryItems::with_erase_token(&config).expect("a client").expect("a token");
    command::sync_enquiry_states(&world.pool, &items).await.expect("the content service answers");
    assert_eq!(world.count("visitor.enquiry where state = 'answered'").await, 1);
}

#[tokio::test]
async fn a_flood_about_one_home_is_stored_as_suspect_without_confirmations() {
    let world = World::start().await;
    for number in 0..33 {
        let mut sent = enquiry();
        sent["kind"] = "property".into();
        sent["ref"] = "AH-1042".into();
        sent["email"] = format!("ann{number}@x.example").into();
        assert_eq!(world.send(&sent, None).await.0, StatusCode::CREATED);
    }
    let mut elsewhere = enquiry();
    elsewhere["email"] = "bob@x.example".into();
    assert_eq!(world.send(&elsewhere, None).await.0, StatusCode::CREATED);
    world.settled().await;
    assert_eq!(world.mails_to("office@almijara.example").len(), 34);
    assert_eq!(world.mails_to("ann29@x.example").len(), 1);
    assert_eq!(world.mails_to("ann32@x.example").len(), 0, "the address may be another person's");
    assert_eq!(world.mails_to("bob@x.example").len(), 1, "this enquiry is not part of the flood");
}
