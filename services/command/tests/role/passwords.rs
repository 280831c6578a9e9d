//! Passwords: nobody needs one, and who guesses learns nothing and gets nowhere.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    browser::{Browser, assert_cost_alike},
    role::World,
};

const ANN: &str = "ann@x.example";
const HERS: &str = "ganso-teja-limonero";

impl Browser<'_> {
    pub async fn tries(&self, email: &str, password: &str) -> (StatusCode, Value) {
        let request = json!({ "email": email, "password": password, "next": "/account/compare" });
        self.post("/api/account/sign-in/password", request).await
    }

    pub async fn chooses(&self, password: &str) -> (StatusCode, Value) {
        let request = json!({ "password": password });
        self.call(Method::PUT, "/api/account/password", Some(request)).await
    }

    /// Guesses Ann's, and is slowed as one that never was signed in to her account.
    async fn guesses_in_vain(&self) {
        let mut refused = 0;
        for number in 0..15 {
            let (status, _) = self.tries(ANN, &format!("guessed-password-{number}")).await;
            refused += usize::from(status == StatusCode::TOO_MANY_REQUESTS);
        }
        assert!(refused >= 4, "{refused}");
    }

    /// Ends the session that asks, or the other one, by its id.
    async fn ends_session(&self, is_current: bool) {
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
async fn a_password_signs_in_until_its_owner_takes_it_away() {
    let world = World::start().await;
    let (desk, phone, other) = (world.browser(), world.browser(), world.browser());
    assert_eq!(desk.chooses(HERS).await.0, StatusCode::UNAUTHORIZED);
    desk.signs_in(ANN).await;
    phone.signs_in(ANN).await;
    for weak in ["short", "password123", "ann@x.example", &"x7$".repeat(60)] {
        let (status, problem) = desk.chooses(weak).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{weak}");
        assert_eq!(problem["errors"][0]["field"], "password");
    }
    assert_eq!(desk.get("/api/account").await.1["hasPassword"], false);
    assert_eq!(desk.chooses(HERS).await.0, StatusCode::NO_CONTENT);
    assert_eq!(desk.get("/api/account").await.1["hasPassword"], true);
    assert_eq!(phone.who().await, None, "whoever was in besides is out");
    assert_eq!(desk.who().await.as_deref(), Some(ANN));

    // A session that somebody planted is not the one that is signed in.
    let planted = "A".repeat(43);
    other.plant("__Host-session", &planted);
    let (status, welcome) = other.tries("ANN@x.example", HERS).await;
    assert_eq!((status, &welcome["next"]), (StatusCode::OK, &json!("/account/compare")));
    assert_ne!(other.cookie("__Host-session"), Some(planted));
    assert_eq!(other.who().await.as_deref(), Some(ANN));
    let elsewhere = json!({ "email": ANN, "password": HERS, "next": "https://evil.example" });
    let (_, welcome) = other.post("/api/account/sign-in/password", elsewhere).await;
    assert_eq!(welcome["next"], Value::Null, "nobody is sent to another site");

    let kept: String = sqlx::query_scalar("select password from visitor.account")
        .fetch_one(&world.pool)
        .await
        .expect("postgres answers");
    assert!(kept.starts_with("$argon2id$"), "{kept}");
    let (status, _) = desk.call(Method::DELETE, "/api/account/password", None).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(other.who().await, None);
    assert_eq!(other.tries(ANN, HERS).await.0, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn who_guesses_learns_nothing() {
    let world = World::start().await;
    let (ann, eve) = (world.browser(), world.browser());
    ann.signs_in(ANN).await;
    let without = eve.tries(ANN, HERS).await;
    assert_eq!(ann.chooses(HERS).await.0, StatusCode::NO_CONTENT);
    let wrong = eve.tries(ANN, "ganso-teja-limonera").await;
    let unknown = eve.tries("nobody@x.example", HERS).await;
    let too_long = eve.tries(ANN, &"x".repeat(5_000)).await;
    assert_eq!(wrong.0, StatusCode::UNPROCESSABLE_ENTITY);
    for other in [&without, &unknown, &too_long] {
        assert_eq!(*other, wrong);
    }
    // A hash is most of that. Somebody who was guessed ten times is another matter.
    let others = ["bob@x.example", "cleo@x.example"];
    for email in others {
        let browser = world.signed_in(email).await;
        assert_eq!(browser.chooses(HERS).await.0, StatusCode::NO_CONTENT);
    }
    let known = [ANN].into_iter().chain(others).flat_map(|email| [email; 6]);
    let costs = async |email: &str| drop(eve.tries(email, "ganso-teja-limonera").await);
    assert_cost_alike(known, costs).await;
}

#[tokio::test]
async fn lists_of_stolen_passwords_get_nowhere_and_lock_nobody_out() {
    let world = World::start().await;
    let (ann, eve) = (world.browser(), world.browser());
    ann.signs_in(ANN).await;
    assert_eq!(ann.chooses(HERS).await.0, StatusCode::NO_CONTENT);
    let mut refused = 0;
    for number in 0..15 {
        let (status, _) = eve.tries(ANN, &format!("stolen-password-{number}")).await;
        refused += usize::from(status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused >= 4, "{refused}");
    assert_eq!(eve.tries(ANN, HERS).await.0, StatusCode::TOO_MANY_REQUESTS, "right or wrong");
    // Whoever was in from this browser before gets in, and so does whoever reads the mail.
    ann.post("/api/account/sign-out", json!({})).await;
    assert_eq!(ann.tries(ANN, HERS).await.0, StatusCode::OK);
    let new_phone = world.signed_in(ANN).await;
    assert_eq!(new_phone.who().await.as_deref(), Some(ANN));
}

#[tokio::test]
async fn a_browser_that_was_signed_out_from_elsewhere_guesses_no_more_than_any_other() {
    let world = World::start().await;
    let (desk, phone) = (world.browser(), world.browser());
    desk.signs_in(ANN).await;
    assert_eq!(desk.chooses(HERS).await.0, StatusCode::NO_CONTENT);
    phone.signs_in(ANN).await;
    let (status, _) = desk.call(Method::DELETE, "/api/account/sessions", None).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    phone.guesses_in_vain().await;
    // The one that asked for it is known still.
    desk.post("/api/account/sign-out", json!({})).await;
    assert_eq!(desk.tries(ANN, HERS).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_browser_that_was_signed_out_by_its_own_button_elsewhere_guesses_no_more_either() {
    let world = World::start().await;
    let (desk, phone) = (world.browser(), world.browser());
    desk.signs_in(ANN).await;
    assert_eq!(desk.chooses(HERS).await.0, StatusCode::NO_CONTENT);
    phone.signs_in(ANN).await;
    desk.ends_session(false).await;
    phone.guesses_in_vain().await;
    // One that ends its own is known still, in whichever way it was signed in.
    for _ in 0..2 {
        desk.ends_session(true).await;
        assert_eq!(desk.tries(ANN, HERS).await.0, StatusCode::OK);
    }
}

#[tokio::test]
async fn one_guess_at_each_of_many_accounts_gets_nowhere_either() {
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
    // One more each minute, however long this takes.
    assert!((10..20).contains(&let_through), "{let_through}");
    let elsewhere = tries(200, "192.0.2.2").await;
    assert_eq!(elsewhere, StatusCode::UNPROCESSABLE_ENTITY, "nobody else is slowed");
}

#[tokio::test]
async fn nobody_has_passwords_kept_faster_than_people_choose_them() {
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
    // One more each minute, however long this takes.
    assert!((10..16).contains(&kept), "{kept}");
}
