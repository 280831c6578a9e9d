//! What is agreed to by mail takes the place of what the account has of it.

use http::StatusCode;
use testkit::eventually;

use crate::{
    alerts::{Content, house},
    browser::Browser,
    role::{World, after},
};

const ANN: &str = "ann@x.example";
const LINK: &str = "/es/alerts/confirm?token=";

impl Browser<'_> {
    /// Asks for mails to Ann each day where she is not signed in, and agrees to them.
    pub async fn agrees_anew(&self) {
        assert_eq!(self.asks_for("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
        let asking = eventually("a mail asks", async || {
            self.world.mails_to(ANN).into_iter().find(|mail| mail.text.contains(LINK))
        })
        .await;
        let link = after(&asking.text, LINK);
        assert_eq!(self.agrees(&link).await.as_deref(), Ok("daily"));
    }
}

#[tokio::test]
async fn news_that_waits_is_told_though_its_search_is_agreed_to_anew() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.read(&world).await;
    let (ann, phone) = (world.browser(), world.browser());
    ann.signs_in(ANN).await;
    ann.saves("location=nerja", "weekly").await;
    content.publish(&house("AH-1", 300_000)).await;
    content.read(&world).await;
    assert_eq!(world.count("visitor.alert").await, 1, "it waits for Monday");

    phone.agrees_anew().await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("Villa AH-1"), "{}", mails[0].text);
}

#[tokio::test]
async fn what_an_account_calls_its_search_stays_though_it_is_agreed_to_anew() {
    let world = World::start().await;
    let (ann, phone) = (world.browser(), world.browser());
    ann.signs_in(ANN).await;
    let saved = ann.saves("location=nerja", "weekly").await;
    phone.agrees_anew().await;
    let searches = ann.get("/api/account").await.1["searches"].take();
    assert_eq!(searches.as_array().map(Vec::len), Some(1), "{searches}");
    assert_eq!(searches[0]["name"], saved["name"]);
    assert_eq!(searches[0]["frequency"], "daily");
}
