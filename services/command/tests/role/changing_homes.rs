//! Homes that change again while alerts about them are pending: what is no longer true is not reported.

use contracts::content::{ListingStatus, Property};
use http::{Method, StatusCode};
use mail_catcher::{Answer, Stage};
use serde_json::json;

use crate::{
    alerts::{Content, house},
    world::World,
};

const ANN: &str = "ann@x.example";

impl World {
    /// Attempts the pending alert mail; the server refuses it, and the retry is due later.
    async fn fail_one_attempt(&self) {
        self.mails.answer(Some(Answer { stage: Stage::Sender, code: 451, times: 1 }));
        self.make_jobs_due().await;
        let refused = "kind = 'alert_mail' and last_error is not null and lease_until is null";
        self.wait_for_count(1, &format!("visitor.job where {refused}")).await;
        self.execute("update visitor.job set due_at = now() + interval '1 hour'").await;
    }

    async fn execute(&self, statement: &'static str) {
        sqlx::query(statement).execute(&self.pool).await.expect("postgres answers");
    }
}

impl Content {
    /// Publishes a house at `price`, and waits until that is read.
    async fn publish_and_wait(&mut self, world: &World, reference: &str, price: i64) {
        self.publish(&house(reference, price)).await;
        self.wait_until_read(world).await;
    }
}

/// Starts with a log without homes, read to its end, so that everything from now on is new.
async fn start_with_empty_log() -> (World, Content) {
    let world = World::start().await;
    let content = Content::start(&world).await;
    content.wait_until_read(&world).await;
    (world, content)
}

#[tokio::test]
async fn a_corrected_price_is_reported_only_to_searches_that_match_it() {
    let (world, mut content) = start_with_empty_log().await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("maxPrice=50000", "at_once").await;
    content.publish_and_wait(&world, "AH-1", 30_000).await;
    assert_eq!(world.count("visitor.alert").await, 1);
    content.publish_and_wait(&world, "AH-1", 300_000).await;
    assert_eq!(world.count("visitor.alert where not is_lost").await, 0);
    assert_eq!(world.alert_mails(ANN).await.len(), 0);

    // A search that matches both prices reports the current one.
    ann.save_search("maxPrice=400000", "at_once").await;
    content.publish_and_wait(&world, "AH-2", 25_000).await;
    content.publish_and_wait(&world, "AH-2", 250_000).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("New for you") && text.contains("€250,000"), "{text}");
    assert!(text.contains("Search maxPrice=400000:"), "{text}");
    assert!(!text.contains("Search maxPrice=50000:"), "{text}");
}

#[tokio::test]
async fn a_mistyped_price_is_never_reported_as_the_price_before() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish(&house("AH-1", 300_000)).await;
    content.publish_and_wait(&world, "AH-3", 280_000).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("maxPrice=400000", "at_once").await;
    // A new home, one that is reduced, and one with an unchanged price.
    for reference in ["AH-2", "AH-1", "AH-3"] {
        for price in [280_000, 2_800_000, 280_000] {
            content.publish(&house(reference, price)).await;
            content.wait_until_read(&world).await;
        }
    }
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("New for you") && text.contains("Villa AH-2"), "{text}");
    assert!(text.contains("€280,000 (was €300,000)"), "{text}");
    assert!(!text.contains("2,800,000") && !text.contains("AH-3"), "{text}");
}

#[tokio::test]
async fn a_home_is_compared_with_its_last_reported_state() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish(&house("AH-1", 300_000)).await;
    content.publish_and_wait(&world, "AH-2", 280_000).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("maxPrice=400000&minPrice=275000", "at_once").await;
    ann.save_search("minPrice=295000", "at_once").await;
    // The last version has the price of an earlier version that was not reported.
    content.publish(&house("AH-1", 280_000)).await;
    let mut larger = house("AH-1", 280_000);
    larger.bedrooms = Some(4);
    content.publish(&larger).await;
    content.publish_and_wait(&world, "AH-2", 310_000).await;
    let text = world.alert_mails(ANN).await.remove(0).text;
    assert!(text.contains("€280,000 (was €300,000)"), "{text}");
    assert!(text.contains("New for you") && text.contains("Villa AH-2"), "{text}");

    content.publish_and_wait(&world, "AH-2", 300_000).await;
    assert_eq!(world.alert_mails(ANN).await.len(), 1, "it is no longer new");
}

/// An alert that becomes invalid meanwhile is not sent when mails are wanted again.
#[tokio::test]
async fn alerts_become_lost_while_their_search_is_paused() {
    let mut world = World::start().await;
    let mut content = Content::start(&world).await;
    content.wait_until_read(&world).await;
    {
        let ann = world.signed_in(ANN).await;
        ann.save_search("maxPrice=40000", "at_once").await;
        ann.save_search("maxPrice=50000", "at_once").await;
    }
    for price in [30_000, 45_000] {
        content.publish_and_wait(&world, "AH-1", price).await;
    }
    let lost = "visitor.alert where is_lost";
    assert_eq!((world.count("visitor.alert").await, world.count(lost).await), (2, 1));
    let change = async |statement: &'static str| {
        let changed = sqlx::query(statement).execute(&world.pool).await;
        assert_eq!(changed.expect("postgres answers").rows_affected(), 1, "{statement}");
    };
    change("update visitor.saved_search set frequency = 'never' where address like '%50000'").await;
    // And one search becomes unreadable.
    change("update visitor.saved_search set address = 'maxPrice=x' where address like '%40000'")
        .await;
    // A new process knows only what it reads.
    world.process.clone().finish().await.expect("it ends");
    world.start_role().await;
    content.publish_and_wait(&world, "AH-1", 300_000).await;
    assert_eq!(world.count(lost).await, 2, "an unreadable search is not changed");

    let on = "update visitor.saved_search set frequency = 'at_once' where address like '%50000'";
    sqlx::query(on).execute(&world.pool).await.expect("postgres answers");
    assert_eq!(world.alert_mails(ANN).await.len(), 0);
}

#[tokio::test]
async fn a_lost_alert_is_still_reported_for_a_favourite() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish_and_wait(&world, "AH-1", 250_000).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("maxPrice=50000", "at_once").await;
    ann.follow("AH-1").await;
    content.publish_and_wait(&world, "AH-1", 25_000).await;
    content.publish_and_wait(&world, "AH-1", 240_000).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("€240,000 (was €250,000)"), "{text}");
    assert!(text.contains("Your favourites") && !text.contains("Search maxPrice"), "{text}");
}

#[tokio::test]
async fn a_favourite_that_returns_before_the_mail_is_not_reported() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish_and_wait(&world, "AH-1", 300_000).await;
    let ann = world.signed_in(ANN).await;
    ann.follow("AH-1").await;
    content.remove("AH-1").await;
    content.wait_until_read(&world).await;
    content.publish_and_wait(&world, "AH-1", 300_000).await;
    assert_eq!(world.alert_mails(ANN).await.len(), 0);

    content.remove("AH-1").await;
    content.wait_until_read(&world).await;
    content.publish_and_wait(&world, "AH-1", 290_000).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].subject, "Price reduced: Villa AH-1");
    assert!(mails[0].text.contains("€290,000 (was €300,000)"), "{}", mails[0].text);
}

#[tokio::test]
async fn a_former_favourite_is_not_reported() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish_as("1", &house("AH-1", 300_000)).await;
    content.publish_as("2", &house("AH-2", 300_000)).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.follow("AH-1").await;
    ann.follow("AH-2").await;
    content.publish_as("1", &house("AH-1", 290_000)).await;
    // It stays a favourite by its former reference.
    content.publish_as("2", &house("AH-3", 300_000)).await;
    content.wait_until_read(&world).await;
    content.publish_as("2", &house("AH-3", 280_000)).await;
    content.wait_until_read(&world).await;
    assert_eq!(world.count("visitor.alert").await, 2);
    let no_more = json!({ "favourite": false });
    let (status, _) = ann.call(Method::PUT, "/api/account/homes/AH-1", Some(no_more)).await;
    assert_eq!(status, StatusCode::OK);
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("Villa AH-3") && !text.contains("AH-1"), "{text}");
}

#[tokio::test]
async fn a_home_that_was_for_sale_again_and_sold_is_reported_as_sold() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    let with = |status| Property { status, ..house("AH-1", 300_000) };
    content.publish(&with(ListingStatus::UnderOffer)).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.follow("AH-1").await;
    content.publish(&with(ListingStatus::ForSale)).await;
    content.wait_until_read(&world).await;
    content.publish(&with(ListingStatus::Sold)).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("Sale status changed: sold"), "{text}");
    assert!(!text.contains("For sale again"), "{text}");
}

#[tokio::test]
async fn a_home_with_a_new_reference_is_the_same_home() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish_as("1", &house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "at_once").await;
    ann.follow("AH-1").await;
    content.publish_as("1", &house("AH-2", 300_000)).await;
    content.wait_until_read(&world).await;
    assert_eq!(world.count("visitor.alert").await, 0, "it is not new");

    content.publish_as("1", &house("AH-2", 290_000)).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("€290,000 (was €300,000)") && text.contains("/AH-2"), "{text}");
    assert!(text.contains("Your favourites") && text.contains("Search location=nerja"), "{text}");

    // A new home is reported with its current reference.
    content.publish_as("2", &house("AH-3", 350_000)).await;
    content.wait_until_read(&world).await;
    content.publish_as("2", &house("AH-4", 350_000)).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 2);
    assert_eq!(mails[1].subject, "New for you: Villa AH-4");

    content.remove("1").await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 3);
    assert!(mails[2].text.contains("No longer on our site"), "{}", mails[2].text);
}

/// A restored content service assigns keys again that homes had after its backup.
#[tokio::test]
async fn a_reused_key_is_a_different_home() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish_as("1", &house("AH-1", 300_000)).await;
    content.wait_until_read(&world).await;
    content.publish_as("1", &house("AH-2", 300_000)).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "at_once").await;
    ann.follow("AH-1").await;
    ann.follow("AH-2").await;
    content.remove("1").await;
    content.wait_until_read(&world).await;
    content.publish_as("1", &house("AH-3", 300_000)).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("No longer on our site") && text.contains("Villa AH-2"), "{text}");
    assert!(text.contains("New for you") && text.contains("Villa AH-3"), "{text}");

    content.publish_as("1", &house("AH-3", 290_000)).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 2);
    let text = &mails[1].text;
    assert!(text.contains("€290,000 (was €300,000)"), "{text}");
    assert!(!text.contains("Your favourites"), "she follows another one: {text}");

    // A home that is back under its reference is the same home.
    content.remove("1").await;
    content.wait_until_read(&world).await;
    content.publish_as("1", &house("AH-3", 280_000)).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 3);
    assert_eq!(mails[2].subject, "Price reduced: Villa AH-3");
}

#[tokio::test]
async fn alerts_in_a_refused_mail_are_still_updated() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish_and_wait(&world, "AH-2", 300_000).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("maxPrice=50000", "at_once").await;
    content.publish_and_wait(&world, "AH-1", 30_000).await;
    world.fail_one_attempt().await;
    content.publish_and_wait(&world, "AH-1", 300_000).await;
    assert_eq!(world.alert_mails(ANN).await.len(), 0);

    ann.follow("AH-2").await;
    content.publish_and_wait(&world, "AH-2", 290_000).await;
    world.fail_one_attempt().await;
    content.publish_and_wait(&world, "AH-2", 300_000).await;
    assert_eq!(world.alert_mails(ANN).await.len(), 0, "no other price was reported to her");
}

#[tokio::test]
async fn changes_during_an_outage_share_one_mail() {
    let (world, mut content) = start_with_empty_log().await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "at_once").await;
    content.publish_and_wait(&world, "AH-1", 300_000).await;
    world.fail_one_attempt().await;
    content.publish_and_wait(&world, "AH-2", 300_000).await;
    assert_eq!(world.count("visitor.alert_mail").await, 1);
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("AH-1") && mails[0].text.contains("AH-2"));
}

#[tokio::test]
async fn changes_after_an_uncertain_or_old_mail_get_a_new_one() {
    let (world, mut content) = start_with_empty_log().await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "at_once").await;
    content.publish_and_wait(&world, "AH-1", 300_000).await;
    // Its process ended, perhaps after the server had accepted it.
    world.execute("update visitor.job set lease_until = now() - interval '1 minute'").await;
    world.fail_one_attempt().await;
    content.publish_and_wait(&world, "AH-2", 300_000).await;
    assert_eq!(world.count("visitor.alert_mail").await, 2);
    world.execute("update visitor.job set attempts = 57").await;
    content.publish_and_wait(&world, "AH-3", 300_000).await;
    assert_eq!(world.count("visitor.alert_mail").await, 3);
}

#[tokio::test]
async fn a_new_home_that_a_mail_omitted_is_reported_when_it_is_back() {
    let (world, mut content) = start_with_empty_log().await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "at_once").await;
    content.publish_and_wait(&world, "AH-1", 300_000).await;
    // First it is not reported, then as new, and then not again.
    for count in [0, 1, 1] {
        content.remove("AH-1").await;
        content.wait_until_read(&world).await;
        assert_eq!(world.alert_mails(ANN).await.len(), count);
        content.publish_and_wait(&world, "AH-1", 300_000).await;
        let mails = world.alert_mails(ANN).await;
        assert_eq!(mails.len(), 1);
        assert_eq!(mails[0].subject, "New for you: Villa AH-1");
    }
    assert_eq!(world.count("visitor.alert").await, 1);
}

#[tokio::test]
async fn a_new_home_that_a_mail_omitted_is_reported_when_its_price_is_corrected() {
    let (world, mut content) = start_with_empty_log().await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("maxPrice=400000", "at_once").await;
    for (price, count) in [(300_000, None), (3_000_000, Some(0)), (300_000, Some(1))] {
        content.publish_and_wait(&world, "AH-1", price).await;
        if let Some(count) = count {
            assert_eq!(world.alert_mails(ANN).await.len(), count);
        }
    }
}
