//! Signing in, and the data of accounts.

use futures::future::join_all;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    browser::assert_similar_duration,
    world::{World, enquiry},
};

const LINK: &str = "/api/account/sign-in/link";
const CODE: &str = "/api/account/sign-in/code";

async fn count(world: &World, statement: &'static str) -> i64 {
    sqlx::query_scalar(statement).fetch_one(&world.pool).await.expect("postgres answers")
}

#[tokio::test]
async fn a_mailed_link_signs_in_only_the_requesting_browser_and_once() {
    let world = World::start().await;
    let (ann, scanner) = (world.browser(), world.browser());
    let mailed = ann.request_sign_in("ann@x.example").await;
    assert!(mailed.mail.head.contains("auto-generated"));
    assert!(mailed.mail.text.contains("https://almijara.example/login/link?token="));

    let link = json!({ "token": mailed.token });
    let (status, problem) = scanner.post(LINK, link.clone()).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert_eq!(problem["type"], "urn:almijara:problem:other-browser");
    assert_eq!(scanner.signed_in_email().await, None);

    assert_eq!(ann.post(LINK, link.clone()).await.0, StatusCode::OK);
    for cookie in ann.set_cookies.lock().expect("nobody panicked").iter() {
        assert!(cookie.contains("Secure") && cookie.contains("SameSite=Lax"), "{cookie}");
        assert!(cookie.contains("Path=/") && !cookie.contains("Domain"), "{cookie}");
        assert_eq!(cookie.contains("HttpOnly"), cookie.starts_with("__Host-"), "{cookie}");
    }
    assert_eq!(ann.signed_in_email().await.as_deref(), Some("ann@x.example"));
    assert_eq!(ann.post(LINK, link).await.0, StatusCode::GONE, "it is used up");
    let (status, _) = ann.post(CODE, json!({ "code": mailed.code })).await;
    assert_eq!(status, StatusCode::GONE, "the code is used up too");

    let session = ann.cookie("__Host-session").expect("a session");
    let kept = count(&world, "select count(*) from visitor.session where token = ''").await;
    assert_eq!(kept, 0);
    let stored: Vec<u8> = sqlx::query_scalar("select token from visitor.session")
        .fetch_one(&world.pool)
        .await
        .expect("a session");
    assert_eq!(stored.len(), 32);
    assert_ne!(stored, session.as_bytes(), "only a hash is stored");
    world.published().await;
}

#[tokio::test]
async fn a_link_replaces_another_session_and_a_used_one_reports_its_account() {
    let world = World::start().await;
    let shared = world.browser();
    let anns = json!({ "token": shared.request_sign_in("ann@x.example").await.token });
    assert_eq!(shared.post(LINK, anns.clone()).await.0, StatusCode::OK);
    let (status, problem) = shared.post(LINK, anns.clone()).await;
    assert_eq!(status, StatusCode::GONE);
    assert_eq!(problem["type"], "urn:almijara:problem:signed-in-already");

    let bobs = json!({ "token": shared.request_sign_in("bob@x.example").await.token });
    assert_eq!(shared.post(LINK, bobs.clone()).await.0, StatusCode::OK);
    assert_eq!(shared.signed_in_email().await.as_deref(), Some("bob@x.example"));
    let sessions = count(&world, "select count(*) from visitor.session").await;
    assert_eq!(sessions, 1, "Ann's has ended");
    for (browser, link) in [(&shared, anns), (&world.browser(), bobs)] {
        let (status, problem) = browser.post(LINK, link).await;
        assert_eq!(status, StatusCode::GONE);
        assert_eq!(problem["type"], "urn:almijara:problem:sign-in-over");
    }
    assert_eq!(shared.signed_in_email().await.as_deref(), Some("bob@x.example"));
}

#[tokio::test]
async fn a_code_works_only_in_the_requesting_browser_and_for_five_attempts() {
    let world = World::start().await;
    let ann = world.browser();
    let mailed = ann.request_sign_in("ann@x.example").await;
    let stranger = world.browser();
    assert_eq!(stranger.post(CODE, json!({ "code": mailed.code })).await.0, StatusCode::GONE);
    let (status, problem) = ann.post(CODE, json!({ "code": "12ab56" })).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(problem["errors"][0]["field"], "code");
    assert_eq!(ann.post(CODE, json!({ "code": mailed.code })).await.0, StatusCode::OK);

    let guesser = world.browser();
    let mailed = guesser.request_sign_in("bob@x.example").await;
    let right: u32 = mailed.code.replace(' ', "").parse().expect("a code");
    for guess in 1..=5 {
        let wrong = format!("{:06}", (right + guess) % 1_000_000);
        assert_ne!(guesser.post(CODE, json!({ "code": wrong })).await.0, StatusCode::OK);
    }
    let (status, _) = guesser.post(CODE, json!({ "code": mailed.code })).await;
    assert_eq!(status, StatusCode::GONE, "the right code is refused after too many attempts");
    assert_eq!(guesser.signed_in_email().await, None);
}

#[tokio::test]
async fn responses_do_not_reveal_accounts() {
    let world = World::start().await;
    world.browser().sign_in("ann@x.example").await;
    let ask = async |email: &str| {
        let browser = world.browser();
        let (status, body) = browser.post("/api/account/sign-in", json!({ "email": email })).await;
        let names: Vec<String> = body.as_object().expect("JSON").keys().cloned().collect();
        (status, names, browser.set_cookies.lock().expect("nobody panicked").len())
    };
    assert_eq!(ask("ANN@x.example").await, ask("nobody@x.example").await);
    world.settled().await;
    let text = |email: &str| world.mails_to(email).pop().expect("a mail").text;
    assert!(text("nobody@x.example").contains("There is no account with this address yet"));
    assert!(!text("ANN@x.example").contains("no account"));
    assert_eq!(count(&world, "select count(*) from visitor.account").await, 1);

    let others = ["bob@x.example", "cleo@x.example", "dan@x.example"];
    for email in others {
        world.browser().sign_in(email).await;
    }
    // Several accounts, because a mailbox at its limit behaves differently.
    let known = ["ann@x.example"].into_iter().chain(others).flat_map(|email| [email; 5]);
    let costs = async |email: &str| drop(ask(email).await);
    assert_similar_duration(known, costs).await;
}

#[tokio::test]
async fn a_mail_does_not_use_an_unverified_name() {
    let world = World::start().await;
    let ann = world.browser();
    let name = "Call 600 123 456 at once";
    let asked = json!({ "email": "ann@x.example", "name": name });
    assert_eq!(ann.post("/api/account/sign-in", asked).await.0, StatusCode::ACCEPTED);
    world.settled().await;
    let mail = world.mails_to("ann@x.example").pop().expect("a mail");
    assert!(!mail.text.contains(name) && !mail.head.contains(name), "{}", mail.text);

    ann.sign_in("ann@x.example").await;
    let change = json!({ "name": "Ann" });
    assert_eq!(ann.call(Method::PATCH, "/api/account", Some(change)).await.0, StatusCode::OK);
    assert!(ann.request_sign_in("ann@x.example").await.mail.text.contains("Hello Ann,"));
}

#[tokio::test]
async fn requests_of_strangers_do_not_lock_the_owner_out() {
    let world = World::start().await;
    let ann = world.signed_in("ann@x.example").await;
    ann.post("/api/account/sign-out", json!({})).await;
    let mailed = ann.request_sign_in("ann@x.example").await;
    for _ in 0..20 {
        let attacker = world.browser();
        let asked = json!({ "email": "ann@x.example" });
        assert_eq!(attacker.post("/api/account/sign-in", asked).await.0, StatusCode::ACCEPTED);
    }
    world.settled().await;
    assert_eq!(world.mails_to("ann@x.example").len(), 6, "an hour's mails");
    assert_eq!(ann.post(LINK, json!({ "token": mailed.token })).await.0, StatusCode::OK);
    ann.post("/api/account/sign-out", json!({})).await;
    // Her own browser still gets a mail.
    ann.sign_in("ann@x.example").await;
    assert_eq!(ann.signed_in_email().await.as_deref(), Some("ann@x.example"));
}

#[tokio::test]
async fn sign_in_mails_are_limited_for_one_browser_and_for_concurrent_ones() {
    let world = World::start().await;
    let (eve, stale) = (world.browser(), world.browser());
    let first = eve.request_sign_in("ann@x.example").await;
    stale.set_cookie("__Host-sign-in", &eve.cookie("__Host-sign-in").expect("what it is known by"));
    for _ in 0..5 {
        eve.request_sign_in("ann@x.example").await;
    }
    let asked = json!({ "email": "ANN@x.example" });
    assert_eq!(eve.post("/api/account/sign-in", asked).await.0, StatusCode::ACCEPTED);
    world.settled().await;
    let mails = |email: &str| world.mails_to(email).len();
    assert_eq!((mails("ann@x.example"), mails("ANN@x.example")), (6, 0));
    let (status, _) = stale.post(CODE, json!({ "code": first.code })).await;
    assert_eq!(status, StatusCode::GONE, "a new request voids the earlier mail");

    let world = &world;
    join_all((0..10).map(|_| async move {
        let asked = json!({ "email": "bob@x.example" });
        let (status, _) = world.browser().post("/api/account/sign-in", asked).await;
        assert_eq!(status, StatusCode::ACCEPTED);
    }))
    .await;
    world.settled().await;
    assert_eq!(mails("bob@x.example"), 6);
}

#[tokio::test]
async fn using_a_session_extends_it_and_its_cookies() {
    let world = World::start().await;
    let ann = world.signed_in("ann@x.example").await;
    let session = ann.cookie("__Host-session").expect("a session");
    assert!(ann.signed_in_email().await.is_some());
    let cookies = ann.set_cookies.lock().expect("nobody panicked").clone();
    for kept in [format!("__Host-session={session};"), "account=1;".to_owned()] {
        let cookie = cookies.iter().find(|cookie| cookie.starts_with(&kept)).expect(&kept);
        assert!(cookie.contains("Max-Age=7776000"), "for 90 days more: {cookie}");
    }
    assert_eq!(cookies.len(), 2, "{cookies:?}");
}

#[tokio::test]
async fn each_sign_in_has_a_new_session_that_only_its_owner_can_end() {
    let world = World::start().await;
    let (phone, desk, bob) = (world.browser(), world.browser(), world.browser());
    phone.set_cookie("__Host-session", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    assert_eq!(phone.signed_in_email().await, None);
    phone.set_cookie("__Host-session", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    phone.sign_in("ann@x.example").await;
    let first = phone.cookie("__Host-session").expect("a session");
    assert!(!first.starts_with("aaa"), "a planted session is not used");
    phone.sign_in("ann@x.example").await;
    assert_ne!(phone.cookie("__Host-session").as_deref(), Some(first.as_str()));
    let thief = world.browser();
    thief.set_cookie("__Host-session", &first);
    assert_eq!(thief.signed_in_email().await, None, "the previous session has ended");

    desk.sign_in("ann@x.example").await;
    bob.sign_in("bob@x.example").await;
    let (_, account) = desk.get("/api/account").await;
    let sessions = account["sessions"].as_array().expect("sessions");
    assert_eq!(sessions.len(), 2);
    assert_eq!(sessions[0]["userAgent"], "Firefox of a test");
    let other = sessions.iter().find(|session| session["isCurrent"] == false).expect("the phone");
    let path = format!("/api/account/sessions/{}", other["id"].as_str().expect("an id"));
    assert_eq!(bob.call(Method::DELETE, &path, None).await.0, StatusCode::NOT_FOUND);
    assert!(phone.signed_in_email().await.is_some());
    assert_eq!(desk.call(Method::DELETE, &path, None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(phone.signed_in_email().await, None);
    assert_eq!(phone.cookie("account"), None, "the marker cookie is removed");
    assert!(desk.signed_in_email().await.is_some());

    assert_eq!(desk.post("/api/account/sign-out", json!({})).await.0, StatusCode::NO_CONTENT);
    assert_eq!(desk.get("/api/account").await.0, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn invalid_and_unknown_fields_are_refused() {
    let world = World::start().await;
    let ann = world.browser();
    let refused = async |body: Value| {
        let (status, problem) = ann.post("/api/account/sign-in", body).await;
        (status, problem["errors"][0]["field"].as_str().unwrap_or_default().to_owned())
    };
    let unprocessable = StatusCode::UNPROCESSABLE_ENTITY;
    for next in ["//evil.example", "https://evil.example", "/\\evil.example", "account"] {
        let asked = json!({ "email": "ann@x.example", "next": next });
        assert_eq!(refused(asked).await, (unprocessable, "next".to_owned()), "{next}");
    }
    for email in ["ann", "ann@x", "ann@x.example\r\nBcc: b@x.example", ""] {
        assert_eq!(refused(json!({ "email": email })).await, (unprocessable, "email".to_owned()));
    }
    let more = json!({ "email": "ann@x.example", "id": "1" });
    assert_eq!(refused(more).await, (StatusCode::BAD_REQUEST, "id".to_owned()));
    ann.sign_in("ann@x.example").await;
    let change = json!({ "email": "bob@x.example" });
    let changed = ann.call(Method::PATCH, "/api/account", Some(change)).await.0;
    assert_eq!(changed, StatusCode::BAD_REQUEST, "an address is proved, not set");
}

#[tokio::test]
async fn homes_are_stored_and_merged_with_those_of_a_browser() {
    let world = World::start().await;
    let (ann, bob) = (world.browser(), world.browser());
    let put = async |reference: &str, change: Value| {
        let path = format!("/api/account/homes/{reference}");
        ann.call(Method::PUT, &path, Some(change)).await
    };
    let favourite = json!({ "favourite": true, "note": "Lovely patio" });
    assert_eq!(put("AH-1", favourite.clone()).await.0, StatusCode::UNAUTHORIZED);
    ann.sign_in("ann@x.example").await;
    assert_eq!(put("AH-1", favourite).await.0, StatusCode::OK);
    let (_, seen) = put("AH-1", json!({ "seen": true })).await;
    assert_eq!((&seen["favourite"], &seen["note"]), (&json!(true), &json!("Lovely patio")));
    assert!(seen["seenAt"].is_string());
    assert_eq!(put("..", json!({ "seen": true })).await.0, StatusCode::NOT_FOUND);
    assert_eq!(put("a%20b", json!({ "seen": true })).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    let long = json!({ "note": "x".repeat(2_001) });
    assert_eq!(put("AH-1", long).await.0, StatusCode::UNPROCESSABLE_ENTITY);

    let brought = json!({ "homes": [
        { "reference": "AH-1", "note": "Ask about the lift", "hidden": false },
        { "reference": "AH-2", "favourite": true, "seenAt": "2026-11-01T10:00:00Z" },
        { "reference": "AH-3", "hidden": true },
    ] });
    assert_eq!(ann.post("/api/account/homes", brought.clone()).await.0, StatusCode::OK);
    let (_, merged) = ann.post("/api/account/homes", brought).await;
    let home = |reference: &str| {
        let homes = merged["homes"].as_array().expect("homes");
        homes.iter().find(|home| home["reference"] == reference).expect("the home").clone()
    };
    assert_eq!(home("AH-1")["note"], "Lovely patio\n\nAsk about the lift");
    assert_eq!(home("AH-1")["favourite"], true);
    assert_eq!(home("AH-2")["favourite"], true);
    assert_eq!(home("AH-3")["hidden"], true);
    let seen = ["AH-1", "AH-2", "AH-3"].map(|reference| home(reference)["seenAt"].is_string());
    assert_eq!(seen, [true, true, false], "a home that was not opened is not seen");

    for reference in ["AH-1", "AH-2", "AH-3", "AH-4"] {
        assert_eq!(put(reference, json!({ "compared": true })).await.0, StatusCode::OK);
    }
    let (status, problem) = put("AH-5", json!({ "compared": true })).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert_eq!(problem["type"], "urn:almijara:problem:too-many-compared");
    assert_eq!(put("AH-4", json!({ "compared": true })).await.0, StatusCode::OK);
    put("AH-4", json!({ "compared": false })).await;
    let (_, me) = ann.get("/api/me").await;
    assert_eq!(me["homes"].as_array().expect("homes").len(), 3, "AH-4 has no content left");

    bob.sign_in("bob@x.example").await;
    assert_eq!(bob.get("/api/me").await.1["homes"], json!([]));
}

#[tokio::test]
async fn forgetting_seen_homes_keeps_everything_else() {
    let world = World::start().await;
    let (ann, bob) = (world.browser(), world.browser());
    let forget = async || ann.call(Method::DELETE, "/api/account/seen-homes", None).await.0;
    assert_eq!(forget().await, StatusCode::UNAUTHORIZED);
    let seen = json!({ "homes": [
        { "reference": "AH-1", "favourite": true, "seenAt": "2026-11-01T10:00:00Z" },
        { "reference": "AH-2", "seenAt": "2026-11-02T10:00:00Z" },
    ] });
    for (browser, email) in [(&ann, "ann@x.example"), (&bob, "bob@x.example")] {
        browser.sign_in(email).await;
        assert_eq!(browser.post("/api/account/homes", seen.clone()).await.0, StatusCode::OK);
    }
    assert_eq!(forget().await, StatusCode::NO_CONTENT);
    let (_, me) = ann.get("/api/me").await;
    let homes = me["homes"].as_array().expect("homes");
    assert_eq!(homes.len(), 1, "AH-2 has no content left");
    assert_eq!((&homes[0]["favourite"], &homes[0]["seenAt"]), (&json!(true), &Value::Null));
    assert_eq!(bob.get("/api/me").await.1["homes"].as_array().expect("homes").len(), 2);
    let favourite = json!({ "homes": [{ "reference": "AH-1", "favourite": true }] });
    let (_, merged) = ann.post("/api/account/homes", favourite).await;
    assert_eq!(merged["homes"][0]["seenAt"], Value::Null, "it stays forgotten");

    // The owner can restore them from a browser.
    let (_, back) = ann.post("/api/account/homes", seen).await;
    for home in back["homes"].as_array().expect("homes") {
        assert!(home["seenAt"].is_string(), "{home}");
    }
}

#[tokio::test]
async fn an_account_is_exported_and_deleted() {
    let world = World::start().await;
    let ann = world.signed_in("ann@x.example").await;
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    let change = json!({ "name": "Ann\r\nLee", "locale": "es", "marketingConsent": true });
    let (status, account) = ann.call(Method::PATCH, "/api/account", Some(change)).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(account["name"], "Ann Lee");
    assert_eq!(account["locale"], "es");
    assert_eq!(account["enquiries"][0]["state"], "new");
    let withdrawn = json!({ "marketingConsent": false });
    ann.call(Method::PATCH, "/api/account", Some(withdrawn)).await;
    ann.call(Method::PUT, "/api/account/homes/AH-1", Some(json!({ "note": "Mine" }))).await;

    let (_, export) = ann.get("/api/account/export").await;
    assert_eq!(export["account"]["email"], "ann@x.example");
    assert_eq!(export["homes"][0]["note"], "Mine");
    assert!(export["consents"][0]["withdrawnAt"].is_string());
    assert_eq!(export["account"]["enquiries"][0]["message"], enquiry()["message"]);

    let delete = async |email: &str| {
        ann.call(Method::DELETE, "/api/account", Some(json!({ "email": email }))).await.0
    };
    assert_eq!(delete("bob@x.example").await, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(delete("Ann@X.example").await, StatusCode::NO_CONTENT);
    assert_eq!(ann.signed_in_email().await, None);
    for table in [
        "select count(*) from visitor.account",
        "select count(*) from visitor.session",
        "select count(*) from visitor.device",
        "select count(*) from visitor.home",
        "select count(*) from visitor.sign_in",
        "select count(*) from visitor.consent where account is not null",
    ] {
        assert_eq!(count(&world, table).await, 0, "{table}");
    }
    let proof = "select count(*) from visitor.blocked_consent
                 where given_by = 'ann@x.example' and withdrawn_at > given_at";
    assert_eq!(count(&world, proof).await, 1, "the consent can still be proved");
}

/// Postgres can't store it in a text, so a response that asks for a retry would cause endless retries.
#[tokio::test]
async fn null_characters_are_refused_and_cause_no_failure() {
    let world = World::start().await;
    let ann = world.signed_in("ann@x.example").await;
    let note = json!({ "note": "before\0after" });
    let (status, problem) = ann.call(Method::PUT, "/api/account/homes/AH-1042", Some(note)).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{problem}");
    let search = json!({ "address": "location=nerja", "name": "Ner\0ja", "locale": "en",
                         "frequency": "daily" });
    assert_eq!(ann.post("/api/account/searches", search).await.0, StatusCode::BAD_REQUEST);
    let token = json!({ "token": "\0" });
    assert_eq!(ann.post("/api/alerts/subscription", token).await.0, StatusCode::BAD_REQUEST);
    let (status, problem) = ann.post("/api/alerts/unsubscribe/a%00b", json!({})).await;
    assert!(status.is_client_error(), "{status} {problem}");
}
