//! A search that is confirmed by mail replaces the same one of the account.

use http::StatusCode;
use testkit::eventually;

use crate::{
    alerts::{Content, house},
    browser::Browser,
    world::{World, after},
};

const ANN: &str = "ann@x.example";
const LINK: &str = "/es/alerts/confirm?token=";

impl Browser<'_> {
    /// Requests daily alerts to Ann without being signed in, and confirms them.
    pub async fn request_and_confirm_daily(&self) {
        assert_eq!(self.request_alerts("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
        let asking = eventually("a confirmation mail arrives", async || {
            self.world.mails_to(ANN).into_iter().find(|mail| mail.text.contains(LINK))
        })
        .await;
        let link = after(&asking.text, LINK);
        assert_eq!(self.confirm(&link).await.as_deref(), Ok("daily"));
    }
}

#[tokio::test]
async fn pending_alerts_survive_a_new_confirmation_of_their_search() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.wait_until_read(&world).await;
    let (ann, phone) = (world.browser(), world.browser());
    ann.sign_in(ANN).await;
    ann.save_search("location=nerja", "weekly").await;
    content.publish(&house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    assert_eq!(world.count("visitor.alert").await, 1, "it waits for Monday");

    phone.request_and_confirm_daily().await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("Villa AH-1"), "{}", mails[0].text);
}

#[tokio::test]
async fn an_accounts_name_of_a_search_survives_a_new_confirmation() {
    let world = World::start().await;
    let (ann, phone) = (world.browser(), world.browser());
    ann.sign_in(ANN).await;
    let saved = ann.save_search("location=nerja", "weekly").await;
    phone.request_and_confirm_daily().await;
    let searches = ann.get("/api/account").await.1["searches"].take();
    assert_eq!(searches.as_array().map(Vec::len), Some(1), "{searches}");
    assert_eq!(searches[0]["name"], saved["name"]);
    assert_eq!(searches[0]["frequency"], "daily");
}
