//! How many mails a mailbox gets: no more for another spelling of its address, and one network does not use up what
//! another may ask for.

use http::StatusCode;
use mail_catcher::{Answer, Stage};
use serde_json::{Value, json};

use crate::{
    browser::Mailed,
    role::{World, enquiry},
};

const ANN: &str = "ann@x.example";
/// Addresses of two networks.
const STRANGERS: &str = "192.0.2.66";
const HERS: &str = "192.0.2.7";

impl World {
    /// Asks for a sign-in of Ann, from the network address `from`.
    async fn asks_from(&self, from: &str) {
        let asked = json!({ "email": ANN });
        let status = self.press("/api/account/sign-in", "/login", from, &asked).await;
        assert_eq!(status, StatusCode::ACCEPTED);
    }

    /// Asks for mails to `email` about homes in `place`, from the network address `from`.
    async fn asks_about(&self, place: &str, email: &str, from: &str) {
        let asked = search(&format!("location={place}"), email);
        let status = self.press("/api/alerts", "/property-for-sale", from, &asked).await;
        assert_eq!(status, StatusCode::ACCEPTED);
    }

    /// What the link ends with in the latest mail to `email`.
    async fn latest_link(&self, email: &str) -> String {
        self.settled().await;
        Mailed::token(&self.mails_to(email).pop().expect("a mail"))
    }

    async fn agrees_by(&self, link: &str) {
        let agreement = json!({ "token": link });
        let (status, _) = self.browser().post("/api/alerts/confirm", agreement).await;
        assert_eq!(status, StatusCode::OK);
    }

    /// The mails that ask about homes in `place`.
    async fn asking_about(&self, place: &str) -> i64 {
        let of = format!("select id from visitor.saved_search where address = 'location={place}'");
        self.count(&format!("visitor.job where saved_search in ({of})")).await
    }
}

fn search(address: &str, email: &str) -> Value {
    json!({ "address": address, "name": "Mine", "locale": "en", "frequency": "daily",
            "email": email })
}

#[tokio::test]
async fn a_browser_that_never_was_here_gets_its_mail_whatever_a_stranger_asks_for() {
    let world = World::start().await;
    let mails = async || {
        world.settled().await;
        world.mails_to(ANN).len()
    };
    for _ in 0..8 {
        world.asks_from(STRANGERS).await;
    }
    assert_eq!(mails().await, 6, "an hour's mails for one network");
    world.asks_from(HERS).await;
    assert_eq!(mails().await, 7);
    for network in 100..110 {
        world.asks_from(&format!("192.0.2.{network}")).await;
    }
    assert_eq!(mails().await, 12, "an hour's mails for all");
}

#[tokio::test]
async fn who_asks_again_when_no_more_are_sent_can_use_the_last_mail() {
    let world = World::start().await;
    let ann = world.browser();
    for _ in 0..5 {
        ann.asks(ANN).await;
    }
    let last = ann.asks(ANN).await;
    let asked = json!({ "email": ANN });
    assert_eq!(ann.post("/api/account/sign-in", asked).await.0, StatusCode::ACCEPTED);
    world.settled().await;
    assert_eq!(world.mails_to(ANN).len(), 6);
    let code = json!({ "code": last.code });
    assert_eq!(ann.post("/api/account/sign-in/code", code).await.0, StatusCode::OK);
}

#[tokio::test]
async fn who_asks_again_while_the_mail_server_is_away_gets_a_mail_when_it_is_back() {
    let world = World::start().await;
    let ann = world.browser();
    world.mails.answer(Some(Answer { stage: Stage::Sender, code: 451, times: u32::MAX }));
    for _ in 0..7 {
        let asked = json!({ "email": ANN });
        assert_eq!(ann.post("/api/account/sign-in", asked).await.0, StatusCode::ACCEPTED);
        world.comes_to(1, "visitor.job where last_error is not null and lease_until is null").await;
    }
    // A try that is under way when the next one is asked for counts.
    let counted = world.count("visitor.sign_in where is_mailed").await;
    assert!(counted < 6, "what nobody got is not counted: {counted}");
    world.mails.answer(None);
    world.hurry().await;
    let link = json!({ "token": world.latest_link(ANN).await });
    assert_eq!(world.mails_to(ANN).len(), 1);
    assert_eq!(ann.post("/api/account/sign-in/link", link).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_stranger_keeps_nobodys_search_from_being_asked_about() {
    let world = World::start().await;
    let asked = async || world.count("visitor.job where kind = 'confirm_mail'").await;
    for place in ["nerja", "frigiliana", "torrox", "maro"] {
        world.asks_about(place, ANN, STRANGERS).await;
    }
    assert_eq!(asked().await, 3, "a day's mails for one network");
    world.asks_about("competa", ANN, HERS).await;
    assert_eq!(asked().await, 4);

    // As many as can be, which nobody has agreed to.
    let stranger = world.browser();
    for thousands in 100..160 {
        let many = search(&format!("maxPrice={thousands}000"), "bob@x.example");
        assert_eq!(stranger.post("/api/alerts", many).await.0, StatusCode::ACCEPTED);
    }
    let bobs = "visitor.saved_search where address like 'maxPrice=%'";
    assert_eq!(world.count(bobs).await, 50);
    world.asks_about("nerja", "bob@x.example", HERS).await;
    assert_eq!(world.count("visitor.saved_search where address = 'location=nerja'").await, 2);
}

#[tokio::test]
async fn a_stranger_uses_up_no_mail_about_the_same_search() {
    let world = World::start().await;
    for _ in 0..3 {
        world.asks_about("nerja", ANN, STRANGERS).await;
        world.settled().await;
    }
    world.asks_about("nerja", ANN, HERS).await;
    let link = world.latest_link(ANN).await;
    world.asks_about("torrox", ANN, HERS).await;
    assert_eq!(world.asking_about("nerja").await, 4);
    assert_eq!(world.asking_about("torrox").await, 1);

    // Nor where it is agreed to, from when on all are counted anew.
    world.agrees_by(&link).await;
    for _ in 0..4 {
        world.asks_about("nerja", ANN, STRANGERS).await;
        world.settled().await;
    }
    world.asks_about("maro", ANN, HERS).await;
    assert_eq!(world.asking_about("maro").await, 1);
}

#[tokio::test]
async fn who_answers_a_mail_is_asked_next_about_what_they_asked_for_themselves() {
    let world = World::start().await;
    for place in ["nerja", "frigiliana", "torrox", "maro"] {
        world.asks_about(place, ANN, STRANGERS).await;
    }
    world.settled().await;
    world.asks_about("competa", ANN, HERS).await;
    let link = world.latest_link(ANN).await;
    for place in ["salares", "sedella", "arenas"] {
        world.asks_about(place, ANN, HERS).await;
    }
    assert_eq!(world.asking_about("arenas").await, 0);
    world.agrees_by(&link).await;
    assert_eq!(world.asking_about("arenas").await, 1);
    assert_eq!(world.asking_about("maro").await, 0, "a stranger's comes after hers");
}

#[tokio::test]
async fn what_had_to_wait_is_asked_about_under_another_spelling_too() {
    let world = World::start().await;
    for place in ["nerja", "frigiliana", "torrox"] {
        world.asks_about(place, "ann+1@x.example", HERS).await;
    }
    world.asks_about("maro", "ann+2@x.example", HERS).await;
    let link = world.latest_link("ann+1@x.example").await;
    assert!(world.mails_to("ann+2@x.example").is_empty());
    world.agrees_by(&link).await;
    world.settled().await;
    assert_eq!(world.mails_to("ann+2@x.example").len(), 1);
}

#[tokio::test]
async fn what_stands_behind_a_plus_and_dots_at_gmail_are_the_same_mailbox() {
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
    // Whoever has each is somebody else all the same.
    assert_eq!(world.count("visitor.subscriber").await, 20);
    // Elsewhere a dot is another mailbox.
    asks_to_sign_in("a.nn@x.example").await;
    assert_eq!(jobs("sign_in_mail").await, 13);
}
