//! Passkeys work only for their owner, and each ceremony accepts one answer.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{authenticator::Authenticator, browser::Browser, world::World};

const ANN: &str = "ann@x.example";
const SIGN_IN: &str = "/api/account/sign-in/passkey";

impl Browser<'_> {
    /// Starts a ceremony at `path`.
    async fn start_ceremony(&self, path: &str) -> Value {
        let (status, ceremony) = self.post(&format!("{path}/challenge"), json!({})).await;
        assert_eq!(status, StatusCode::OK, "{ceremony}");
        ceremony
    }

    /// Registers a passkey for the signed-in account. Returns its authenticator.
    async fn register_passkey(&self, seed: u8) -> Authenticator {
        let ceremony = self.start_ceremony("/api/account/passkeys").await;
        let (authenticator, credential) = Authenticator::make(seed, &ceremony["options"]);
        let answer = json!({ "ceremony": ceremony["ceremony"], "credential": credential });
        let (status, account) = self.post("/api/account/passkeys", answer).await;
        assert_eq!(status, StatusCode::CREATED, "{account}");
        authenticator
    }

    async fn first_passkey_id(&self) -> String {
        let (_, account) = self.get("/api/account").await;
        account["passkeys"][0]["id"].as_str().expect("a passkey").to_owned()
    }
}

#[tokio::test]
async fn a_passkey_answer_signs_in_its_owner_once() {
    let world = World::start().await;
    let (ann, phone, thief) = (world.browser(), world.browser(), world.browser());
    ann.sign_in(ANN).await;
    let key = ann.register_passkey(7).await;

    // A planted session is replaced at sign-in.
    let planted = "A".repeat(43);
    phone.set_cookie("__Host-session", &planted);
    let ceremony = phone.start_ceremony(SIGN_IN).await;
    let credential = key.sign(&ceremony["options"]);
    let answer = json!({ "ceremony": ceremony["ceremony"], "credential": credential });
    let (status, welcome) = phone.post(SIGN_IN, answer.clone()).await;
    assert_eq!(status, StatusCode::OK, "{welcome}");
    assert_eq!(phone.signed_in_email().await.as_deref(), Some(ANN));
    let session = phone.cookie("__Host-session").expect("a session");
    assert_ne!(session, planted);
    thief.set_cookie("__Host-session", &planted);
    assert_eq!(thief.signed_in_email().await, None);

    // A replayed answer is refused.
    assert_eq!(thief.post(SIGN_IN, answer).await.0, StatusCode::GONE);
    assert_eq!(thief.signed_in_email().await, None);
    // A failed ceremony is used up too, and a registration can't be used to sign in.
    let ceremony = thief.start_ceremony(SIGN_IN).await;
    let wrong = json!({ "ceremony": ceremony["ceremony"], "credential": {} });
    assert_eq!(thief.post(SIGN_IN, wrong).await.0, StatusCode::GONE);
    let right = json!({ "ceremony": ceremony["ceremony"],
                        "credential": key.sign(&ceremony["options"]) });
    assert_eq!(thief.post(SIGN_IN, right).await.0, StatusCode::GONE);
    let making = ann.start_ceremony("/api/account/passkeys").await;
    let answer = json!({ "ceremony": making["ceremony"],
                         "credential": key.sign(&making["options"]) });
    assert_eq!(thief.post(SIGN_IN, answer).await.0, StatusCode::GONE);
    assert_eq!(thief.signed_in_email().await, None);
}

#[tokio::test]
async fn passkeys_belong_to_one_account() {
    let world = World::start().await;
    let (ann, eve, phone) = (world.browser(), world.browser(), world.browser());
    ann.sign_in(ANN).await;
    eve.sign_in("eve@x.example").await;
    let _anns = ann.register_passkey(7).await;
    let eves = eve.register_passkey(9).await;
    let path = format!("/api/account/passkeys/{}", ann.first_passkey_id().await);
    assert_eq!(eve.call(Method::DELETE, &path, None).await.0, StatusCode::NOT_FOUND);
    assert_eq!(phone.call(Method::DELETE, &path, None).await.0, StatusCode::UNAUTHORIZED);

    // The same key can't be registered for a second account.
    let ceremony = eve.start_ceremony("/api/account/passkeys").await;
    let (_, credential) = Authenticator::make(7, &ceremony["options"]);
    let answer = json!({ "ceremony": ceremony["ceremony"], "credential": credential });
    assert_eq!(eve.post("/api/account/passkeys", answer).await.0, StatusCode::GONE);
    // An answer to another account's ceremony is refused.
    let ceremony = ann.start_ceremony("/api/account/passkeys").await;
    let (_, credential) = Authenticator::make(11, &ceremony["options"]);
    let answer = json!({ "ceremony": ceremony["ceremony"], "credential": credential });
    assert_eq!(eve.post("/api/account/passkeys", answer).await.0, StatusCode::GONE);
    // A key that claims another owner is refused.
    let ceremony = phone.start_ceremony(SIGN_IN).await;
    let anns_account =
        ann.start_ceremony("/api/account/passkeys").await["options"]["user"]["id"].clone();
    let anns_account = anns_account.as_str().expect("an owner");
    let answer = json!({ "ceremony": ceremony["ceremony"],
                         "credential": eves.sign_for(anns_account, &ceremony["options"]) });
    assert_eq!(phone.post(SIGN_IN, answer).await.0, StatusCode::GONE);
    assert_eq!(phone.signed_in_email().await, None);

    assert_eq!(ann.call(Method::DELETE, &path, None).await.0, StatusCode::NO_CONTENT);
}
