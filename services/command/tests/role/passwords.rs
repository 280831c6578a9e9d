//! Passwords are optional, and guessing reveals nothing and is limited.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    browser::{Browser, assert_similar_duration},
    world::World,
};

const ANN: &str = "ann@x.example";
const HERS: &str = "ganso-teja-limonero";

impl Browser<'_> {
    pub async fn try_password(&self, email: &str, password: &str) -> (StatusCode, Value) {
        let request = json!({ "email": email, "password": password, "next": "/account/compare" });
        self.post("/api/account/sign-in/password", request).await
    }

    pub async fn set_password(&self, password: &str) -> (StatusCode, Value) {
        let request = json!({ "password": password });
        self.call(Method::PUT, "/api/account/password", Some(request)).await
    }

    /// Guesses Ann's password, and is limited like a browser that was never signed in to her account.
    async fn assert_guesses_are_limited(&self) {
        let mut refused = 0;
        for number in 0..15 {
            let (status, _) = self.try_password(ANN, &format!("guessed-password-{number}")).await;
            refused += usize::from(status == StatusCode::TOO_MANY_REQUESTS);
        }
        assert!(refused >= 4, "{refused}");
    }

    /// Ends the current session or the other one, by its id.
    async fn end_session(&self, is_current: bool) {
        let (_, account) = self.get("/api/account").await;
        let mut sessions = account["sessions"].as_array().expect("sessions").iter();
        let session = sessions.find(|session| session["isCurrent"] == is_current);
        let id = session.and_then(|session| session["id"].as_str()).expect("its id");
        let (status, _) =
            self.call(Method::DELETE, &format!("/api/account/sessions/{id}"), None).await;
        assert_eq!(status, StatusCode::NO_CONTENT);
    }
}

#[tokio::test]
async fn a_password_signs_in_until_it_is_removed() {
    let world = World::start().await;
    let (desk, phone, other) = (world.browser(), world.browser(), world.browser());
    assert_eq!(desk.set_password(HERS).await.0, StatusCode::UNAUTHORIZED);
    desk.sign_in(ANN).await;
    phone.sign_in(ANN).await;
    for weak in ["short", "password123", "ann@x.example", &"x7$".repeat(60)] {
        let (status, problem) = desk.set_password(weak).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{weak}");
        assert_eq!(problem["errors"][0]["field"], "password");
    }
    assert_eq!(desk.get("/api/account").await.1["hasPassword"], false);
    assert_eq!(desk.set_password(HERS).await.0, StatusCode::NO_CONTENT);
    assert_eq!(desk.get("/api/account").await.1["hasPassword"], true);
    assert_eq!(phone.signed_in_email().await, None, "all other sessions have ended");
    assert_eq!(desk.signed_in_email().await.as_deref(), Some(ANN));

    // A planted session is replaced at sign-in.
    let planted = "A".repeat(43);
    other.set_cookie("__Host-session", &planted);
    let (status, welcome) = other.try_password("ANN@x.example", HERS).await;
    assert_eq!((status, &welcome["next"]), (StatusCode::OK, &json!("/account/compare")));
    assert_ne!(other.cookie("__Host-session"), Some(planted));
    assert_eq!(other.signed_in_email().await.as_deref(), Some(ANN));
    let elsewhere = json!({ "email": ANN, "password": HERS, "next": "https://evil.example" });
    let (_, welcome) = other.post("/api/account/sign-in/password", elsewhere).await;
    assert_eq!(welcome["next"], Value::Null, "no redirect to another site");

    let kept: String = sqlx::query_scalar("select password from visitor.account")
        .fetch_one(&world.pool)
        .await
        .expect("postgres answers");
    assert!(kept.starts_with("$argon2id$"), "{kept}");
    let (status, _) = desk.call(Method::DELETE, "/api/account/password", None).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(other.signed_in_email().await, None);
    assert_eq!(other.try_password(ANN, HERS).await.0, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn guesses_reveal_nothing() {
    let world = World::start().await;
    let (ann, eve) = (world.browser(), world.browser());
    ann.sign_in(ANN).await;
    let without = eve.try_password(ANN, HERS).await;
    assert_eq!(ann.set_password(HERS).await.0, StatusCode::NO_CONTENT);
    let wrong = eve.try_password(ANN, "ganso-teja-limonera").await;
    let unknown = eve.try_password("nobody@x.example", HERS).await;
    let too_long = eve.try_password(ANN, &"x".repeat(5_000)).await;
    assert_eq!(wrong.0, StatusCode::UNPROCESSABLE_ENTITY);
    for other in [&without, &unknown, &too_long] {
        assert_eq!(*other, wrong);
    }
    // Hashing takes most of the time. There are several accounts because one is limited after ten
    // guesses.
    let others = ["bob@x.example", "cleo@x.example"];
    for email in others {
        let browser = world.signed_in(email).await;
        assert_eq!(browser.set_password(HERS).await.0, StatusCode::NO_CONTENT);
    }
    let known = [ANN].into_iter().chain(others).flat_map(|email| [email; 6]);
    let costs = async |email: &str| drop(eve.try_password(email, "ganso-teja-limonera").await);
    assert_similar_duration(known, costs).await;
}

#[tokio::test]
async fn many_guesses_at_one_account_are_limited_and_lock_nobody_out() {
    let world = World::start().await;
    let (ann, eve) = (world.browser(), world.browser());
    ann.sign_in(ANN).await;
    assert_eq!(ann.set_password(HERS).await.0, StatusCode::NO_CONTENT);
    let mut refused = 0;
    for number in 0..15 {
        let (status, _) = eve.try_password(ANN, &format!("stolen-password-{number}")).await;
        refused += usize::from(status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused >= 4, "{refused}");
    assert_eq!(
        eve.try_password(ANN, HERS).await.0,
        StatusCode::TOO_MANY_REQUESTS,
        "even the right password"
    );
    // A known browser can still sign in, and so can the owner by mail.
    ann.post("/api/account/sign-out", json!({})).await;
    assert_eq!(ann.try_password(ANN, HERS).await.0, StatusCode::OK);
    let new_phone = world.signed_in(ANN).await;
    assert_eq!(new_phone.signed_in_email().await.as_deref(), Some(ANN));
}

#[tokio::test]
async fn a_browser_whose_session_was_ended_with_all_others_is_no_longer_known() {
    let world = World::start().await;
    let (desk, phone) = (world.browser(), world.browser());
    desk.sign_in(ANN).await;
    assert_eq!(desk.set_password(HERS).await.0, StatusCode::NO_CONTENT);
    phone.sign_in(ANN).await;
    let (status, _) = desk.call(Method::DELETE, "/api/account/sessions", None).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    phone.assert_guesses_are_limited().await;
    // The calling browser is still known.
    desk.post("/api/account/sign-out", json!({})).await;
    assert_eq!(desk.try_password(ANN, HERS).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_browser_whose_session_was_ended_remotely_is_no_longer_known() {
    let world = World::start().await;
    let (desk, phone) = (world.browser(), world.browser());
    desk.sign_in(ANN).await;
    assert_eq!(desk.set_password(HERS).await.0, StatusCode::NO_CONTENT);
    phone.sign_in(ANN).await;
    desk.end_session(false).await;
    phone.assert_guesses_are_limited().await;
    // A browser that ends its own session is still known, however it was signed in.
    for _ in 0..2 {
        desk.end_session(true).await;
        assert_eq!(desk.try_password(ANN, HERS).await.0, StatusCode::OK);
    }
}

#[tokio::test]
async fn guesses_at_many_accounts_are_limited_by_address() {
    let world = World::start().await;
    let client = reqwest::Client::new();
    let tries = async |number: usize, from: &str| {
        let stolen = json!({ "email": format!("ann{number}@x.example"), "password": HERS });
        let request = client.post(format!("{}/api/account/sign-in/password", world.url));
        let request = request.header("x-forwarded-for", from);
        request.json(&stolen).send().await.expect("an answer").status()
    };
    let mut let_through = 0;
    for number in 0..200 {
        let_through +=
            usize::from(tries(number, "192.0.2.1").await != StatusCode::TOO_MANY_REQUESTS);
    }
    // One more is allowed each minute, however long this takes.
    assert!((10..20).contains(&let_through), "{let_through}");
    let elsewhere = tries(200, "192.0.2.2").await;
    assert_eq!(elsewhere, StatusCode::UNPROCESSABLE_ENTITY, "other addresses are not limited");
}

#[tokio::test]
async fn setting_passwords_is_limited_by_address() {
    let world = World::start().await;
    let ann = world.signed_in(ANN).await;
    let session = ann.cookie("__Host-session").expect("a session");
    let client = reqwest::Client::new();
    let mut kept = 0;
    for number in 0..16 {
        let chosen = json!({ "password": format!("{HERS}-{number}") });
        let request = client.put(format!("{}/api/account/password", world.url));
        let request = request
            .header("x-forwarded-for", "192.0.2.1")
            .header("cookie", format!("__Host-session={session}"));
        let status = request.json(&chosen).send().await.expect("an answer").status();
        kept += usize::from(status == StatusCode::NO_CONTENT);
    }
    // One more is allowed each minute, however long this takes.
    assert!((10..16).contains(&kept), "{kept}");
}
