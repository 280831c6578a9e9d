//! Passkeys: their owner's alone, and each ceremony good for one answer.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{authenticator::Authenticator, browser::Browser, role::World};

const ANN: &str = "ann@x.example";
const SIGN_IN: &str = "/api/account/sign-in/passkey";

impl Browser<'_> {
    /// What the site asks, at `path`.
    async fn is_asked(&self, path: &str) -> Value {
        let (status, ceremony) = self.post(&format!("{path}/challenge"), json!({})).await;
        assert_eq!(status, StatusCode::OK, "{ceremony}");
        ceremony
    }

    /// Makes a passkey for whoever is signed in, and gives what holds it.
    async fn makes_passkey(&self, seed: u8) -> Authenticator {
        let ceremony = self.is_asked("/api/account/passkeys").await;
        let (authenticator, credential) = Authenticator::make(seed, &ceremony["options"]);
        let answer = json!({ "ceremony": ceremony["ceremony"], "credential": credential });
        let (status, account) = self.post("/api/account/passkeys", answer).await;
        assert_eq!(status, StatusCode::CREATED, "{account}");
        authenticator
    }

    async fn passkey(&self) -> String {
        let (_, account) = self.get("/api/account").await;
        account["passkeys"][0]["id"].as_str().expect("a passkey").to_owned()
    }
}

#[tokio::test]
async fn a_passkey_signs_its_owner_in_once_an_answer_and_nobody_else() {
    let world = World::start().await;
    let (ann, phone, thief) = (world.browser(), world.browser(), world.browser());
    ann.signs_in(ANN).await;
    let key = ann.makes_passkey(7).await;

    // A session that somebody planted is not the one that is signed in.
    let planted = "A".repeat(43);
    phone.plant("__Host-session", &planted);
    let ceremony = phone.is_asked(SIGN_IN).await;
    let credential = key.sign(&ceremony["options"]);
    let answer = json!({ "ceremony": ceremony["ceremony"], "credential": credential });
    let (status, welcome) = phone.post(SIGN_IN, answer.clone()).await;
    assert_eq!(status, StatusCode::OK, "{welcome}");
    assert_eq!(phone.who().await.as_deref(), Some(ANN));
    let session = phone.cookie("__Host-session").expect("a session");
    assert_ne!(session, planted);
    thief.plant("__Host-session", &planted);
    assert_eq!(thief.who().await, None);

    // What was overheard is used up.
    assert_eq!(thief.post(SIGN_IN, answer).await.0, StatusCode::GONE);
    assert_eq!(thief.who().await, None);
    // So is a ceremony that was answered wrongly; and one that is to make a key signs nobody in.
    let ceremony = thief.is_asked(SIGN_IN).await;
    let wrong = json!({ "ceremony": ceremony["ceremony"], "credential": {} });
    assert_eq!(thief.post(SIGN_IN, wrong).await.0, StatusCode::GONE);
    let right = json!({ "ceremony": ceremony["ceremony"],
                        "credential": key.sign(&ceremony["options"]) });
    assert_eq!(thief.post(SIGN_IN, right).await.0, StatusCode::GONE);
    let making = ann.is_asked("/api/account/passkeys").await;
    let answer = json!({ "ceremony": making["ceremony"],
                         "credential": key.sign(&making["options"]) });
    assert_eq!(thief.post(SIGN_IN, answer).await.0, StatusCode::GONE);
    assert_eq!(thief.who().await, None);
}

#[tokio::test]
async fn another_visitors_passkeys_are_nobody_elses() {
    let world = World::start().await;
    let (ann, eve, phone) = (world.browser(), world.browser(), world.browser());
    ann.signs_in(ANN).await;
    eve.signs_in("eve@x.example").await;
    let _anns = ann.makes_passkey(7).await;
    let eves = eve.makes_passkey(9).await;
    let path = format!("/api/account/passkeys/{}", ann.passkey().await);
    assert_eq!(eve.call(Method::DELETE, &path, None).await.0, StatusCode::NOT_FOUND);
    assert_eq!(phone.call(Method::DELETE, &path, None).await.0, StatusCode::UNAUTHORIZED);

    // The same key can't be made once more for another account.
    let ceremony = eve.is_asked("/api/account/passkeys").await;
    let (_, credential) = Authenticator::make(7, &ceremony["options"]);
    let answer = json!({ "ceremony": ceremony["ceremony"], "credential": credential });
    assert_eq!(eve.post("/api/account/passkeys", answer).await.0, StatusCode::GONE);
    // Nor is an answer to what another was asked taken.
    let ceremony = ann.is_asked("/api/account/passkeys").await;
    let (_, credential) = Authenticator::make(11, &ceremony["options"]);
    let answer = json!({ "ceremony": ceremony["ceremony"], "credential": credential });
    assert_eq!(eve.post("/api/account/passkeys", answer).await.0, StatusCode::GONE);
    // A key that says that it is somebody else's signs nobody in.
    let ceremony = phone.is_asked(SIGN_IN).await;
    let anns_account = ann.is_asked("/api/account/passkeys").await["options"]["user"]["id"].clone();
    let anns_account = anns_account.as_str().expect("an owner");
    let answer = json!({ "ceremony": ceremony["ceremony"],
                         "credential": eves.sign_for(anns_account, &ceremony["options"]) });
    assert_eq!(phone.post(SIGN_IN, answer).await.0, StatusCode::GONE);
    assert_eq!(phone.who().await, None);

    assert_eq!(ann.call(Method::DELETE, &path, None).await.0, StatusCode::NO_CONTENT);
}
