//! Limits of mails to one mailbox: other spellings of its address count too, and one network does not
//! use up what another may request.

use http::StatusCode;
use mail_catcher::{Answer, Stage};
use serde_json::{Value, json};

use crate::{
    browser::Mailed,
    world::{World, enquiry},
};

const ANN: &str = "ann@x.example";
/// Addresses of two networks.
const STRANGERS: &str = "192.0.2.66";
const HERS: &str = "192.0.2.7";

impl World {
    /// Requests a sign-in of Ann from the network address `from`.
    async fn request_sign_in_from(&self, from: &str) {
        let asked = json!({ "email": ANN });
        let status = self.submit("/api/account/sign-in", "/login", from, &asked).await;
        assert_eq!(status, StatusCode::ACCEPTED);
    }

    /// Requests alerts to `email` about homes in `place` from the network address `from`.
    async fn request_alerts_from(&self, place: &str, email: &str, from: &str) {
        let asked = search(&format!("location={place}"), email);
        let status = self.submit("/api/alerts", "/property-for-sale", from, &asked).await;
        assert_eq!(status, StatusCode::ACCEPTED);
    }

    /// Returns the token of the link in the latest mail to `email`.
    async fn latest_link(&self, email: &str) -> String {
        self.settled().await;
        Mailed::token(&self.mails_to(email).pop().expect("a mail"))
    }

    async fn confirm_by(&self, link: &str) {
        let agreement = json!({ "token": link });
        let (status, _) = self.browser().post("/api/alerts/confirm", agreement).await;
        assert_eq!(status, StatusCode::OK);
    }

    /// Counts the confirmation mails about homes in `place`.
    async fn confirm_mail_count(&self, place: &str) -> i64 {
        let of = format!("select id from visitor.saved_search where address = 'location={place}'");
        self.count(&format!("visitor.job where saved_search in ({of})")).await
    }
}

fn search(address: &str, email: &str) -> Value {
    json!({ "address": address, "name": "Mine", "locale": "en", "frequency": "daily",
            "email": email })
}

#[tokio::test]
async fn a_stranger_can_not_use_up_the_sign_in_mails_of_a_mailbox() {
    let world = World::start().await;
    let mails = async || {
        world.settled().await;
        world.mails_to(ANN).len()
    };
    for _ in 0..8 {
        world.request_sign_in_from(STRANGERS).await;
    }
    assert_eq!(mails().await, 6, "an hour's mails for one network");
    world.request_sign_in_from(HERS).await;
    assert_eq!(mails().await, 7);
    for network in 100..110 {
        world.request_sign_in_from(&format!("192.0.2.{network}")).await;
    }
    assert_eq!(mails().await, 12, "an hour's mails for all");
}

#[tokio::test]
async fn the_last_sign_in_mail_stays_valid_at_the_limit() {
    let world = World::start().await;
    let ann = world.browser();
    for _ in 0..5 {
        ann.request_sign_in(ANN).await;
    }
    let last = ann.request_sign_in(ANN).await;
    let asked = json!({ "email": ANN });
    assert_eq!(ann.post("/api/account/sign-in", asked).await.0, StatusCode::ACCEPTED);
    world.settled().await;
    assert_eq!(world.mails_to(ANN).len(), 6);
    let code = json!({ "code": last.code });
    assert_eq!(ann.post("/api/account/sign-in/code", code).await.0, StatusCode::OK);
}

#[tokio::test]
async fn repeated_sign_ins_during_an_outage_send_one_mail_after_it() {
    let world = World::start().await;
    let ann = world.browser();
    world.mails.answer(Some(Answer { stage: Stage::Sender, code: 451, times: u32::MAX }));
    for _ in 0..7 {
        let asked = json!({ "email": ANN });
        assert_eq!(ann.post("/api/account/sign-in", asked).await.0, StatusCode::ACCEPTED);
        world
            .wait_for_count(1, "visitor.job where last_error is not null and lease_until is null")
            .await;
    }
    // An attempt that is in flight when the next one is requested counts.
    let counted = world.count("visitor.sign_in where is_mailed").await;
    assert!(counted < 6, "what nobody got is not counted: {counted}");
    world.mails.answer(None);
    world.make_jobs_due().await;
    let link = json!({ "token": world.latest_link(ANN).await });
    assert_eq!(world.mails_to(ANN).len(), 1);
    assert_eq!(ann.post("/api/account/sign-in/link", link).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_stranger_can_not_use_up_the_limits_of_searches() {
    let world = World::start().await;
    let asked = async || world.count("visitor.job where kind = 'confirm_mail'").await;
    for place in ["nerja", "frigiliana", "torrox", "maro"] {
        world.request_alerts_from(place, ANN, STRANGERS).await;
    }
    assert_eq!(asked().await, 3, "a day's mails for one network");
    world.request_alerts_from("competa", ANN, HERS).await;
    assert_eq!(asked().await, 4);

    // The limit of searches is reached with unconfirmed ones.
    let stranger = world.browser();
    for thousands in 100..160 {
        let many = search(&format!("maxPrice={thousands}000"), "bob@x.example");
        assert_eq!(stranger.post("/api/alerts", many).await.0, StatusCode::ACCEPTED);
    }
    let bobs = "visitor.saved_search where address like 'maxPrice=%'";
    assert_eq!(world.count(bobs).await, 50);
    world.request_alerts_from("nerja", "bob@x.example", HERS).await;
    assert_eq!(world.count("visitor.saved_search where address = 'location=nerja'").await, 2);
}

#[tokio::test]
async fn a_stranger_can_not_use_up_the_mails_about_the_same_search() {
    let world = World::start().await;
    for _ in 0..3 {
        world.request_alerts_from("nerja", ANN, STRANGERS).await;
        world.settled().await;
    }
    world.request_alerts_from("nerja", ANN, HERS).await;
    let link = world.latest_link(ANN).await;
    world.request_alerts_from("torrox", ANN, HERS).await;
    assert_eq!(world.confirm_mail_count("nerja").await, 4);
    assert_eq!(world.confirm_mail_count("torrox").await, 1);

    // Neither after it is confirmed, which restarts the counts.
    world.confirm_by(&link).await;
    for _ in 0..4 {
        world.request_alerts_from("nerja", ANN, STRANGERS).await;
        world.settled().await;
    }
    world.request_alerts_from("maro", ANN, HERS).await;
    assert_eq!(world.confirm_mail_count("maro").await, 1);
}

#[tokio::test]
async fn the_next_confirmation_mail_prefers_the_same_network() {
    let world = World::start().await;
    for place in ["nerja", "frigiliana", "torrox", "maro"] {
        world.request_alerts_from(place, ANN, STRANGERS).await;
    }
    world.settled().await;
    world.request_alerts_from("competa", ANN, HERS).await;
    let link = world.latest_link(ANN).await;
    for place in ["salares", "sedella", "arenas"] {
        world.request_alerts_from(place, ANN, HERS).await;
    }
    assert_eq!(world.confirm_mail_count("arenas").await, 0);
    world.confirm_by(&link).await;
    assert_eq!(world.confirm_mail_count("arenas").await, 1);
    assert_eq!(world.confirm_mail_count("maro").await, 0, "a stranger's comes after hers");
}

#[tokio::test]
async fn a_waiting_search_of_another_spelling_gets_the_next_mail() {
    let world = World::start().await;
    for place in ["nerja", "frigiliana", "torrox"] {
        world.request_alerts_from(place, "ann+1@x.example", HERS).await;
    }
    world.request_alerts_from("maro", "ann+2@x.example", HERS).await;
    let link = world.latest_link("ann+1@x.example").await;
    assert!(world.mails_to("ann+2@x.example").is_empty());
    world.confirm_by(&link).await;
    world.settled().await;
    assert_eq!(world.mails_to("ann+2@x.example").len(), 1);
}

#[tokio::test]
async fn plus_suffixes_and_gmail_dots_are_the_same_mailbox() {
    let world = World::start().await;
    let asks_to_sign_in = async |email: &str| {
        let asked = json!({ "email": email });
        let (status, _) = world.browser().post("/api/account/sign-in", asked).await;
        assert_eq!(status, StatusCode::ACCEPTED);
    };
    let plus = |number: usize| format!("ann+{number}@x.example");
    let dots = |number: usize| {
        let (before, after) = "almijarahomes".split_at(number + 1);
        format!("{before}.{after}@gmail.com")
    };
    for email in (0..10).flat_map(|number| [plus(number), dots(number)]) {
        asks_to_sign_in(&email).await;
        let mut sent = enquiry();
        sent["email"] = email.as_str().into();
        assert_eq!(world.send(&sent, None).await.0, StatusCode::CREATED);
        let asked = search("location=nerja", &email);
        assert_eq!(world.browser().post("/api/alerts", asked).await.0, StatusCode::ACCEPTED);
    }
    let jobs = async |kind: &str| world.count(&format!("visitor.job where kind = '{kind}'")).await;
    for (kind, most) in [("sign_in_mail", 6), ("visitor_mail", 3), ("confirm_mail", 3)] {
        assert_eq!(jobs(kind).await, 2 * most, "{kind}");
    }
    // Each address still has a subscriber of its own.
    assert_eq!(world.count("visitor.subscriber").await, 20);
    // At other providers a dot means another mailbox.
    asks_to_sign_in("a.nn@x.example").await;
    assert_eq!(jobs("sign_in_mail").await, 13);
}
