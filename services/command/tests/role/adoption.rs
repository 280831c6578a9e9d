//! What is agreed to by mail takes the place of what the account has of it.

use http::StatusCode;
use testkit::eventually;

use crate::{
    alerts::{Content, house},
    role::{World, after},
};

const ANN: &str = "ann@x.example";
const LINK: &str = "/es/alerts/confirm?token=";

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

    // Where she is not signed in.
    assert_eq!(phone.asks_for("location=nerja", "daily").await.0, StatusCode::ACCEPTED);
    let asking = eventually("a mail asks", async || {
        world.mails_to(ANN).into_iter().find(|mail| mail.text.contains(LINK))
    })
    .await;
    let link = after(&asking.text, LINK);
    assert_eq!(phone.agrees(&link).await.as_deref(), Ok("daily"));
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("Villa AH-1"), "{}", mails[0].text);
}
