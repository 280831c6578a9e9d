//! Homes that change once more while somebody waits to be told of them: what is true no more is not told.
//! The log keeps the latest message of each home alone, so each change is read before the next is published.

use contracts::content::{ListingStatus, Property};
use http::{Method, StatusCode};
use mail_catcher::{Answer, Stage};
use serde_json::json;

use crate::{
    alerts::{Content, house},
    role::World,
};

const ANN: &str = "ann@x.example";

impl World {
    /// Tries the mail about homes that waits; the server takes it not, and the next try is late.
    async fn refuses_once(&self) {
        self.mails.answer(Some(Answer { stage: Stage::Sender, code: 451, times: 1 }));
        self.hurry().await;
        let refused = "kind = 'alert_mail' and last_error is not null and lease_until is null";
        self.comes_to(1, &format!("visitor.job where {refused}")).await;
        self.changes_jobs("update visitor.job set due_at = now() + interval '1 hour'").await;
    }

    async fn changes_jobs(&self, statement: &'static str) {
        sqlx::query(statement).execute(&self.pool).await.expect("postgres answers");
    }
}

impl Content {
    /// Publishes a house at `price`, and has that read before what comes next.
    async fn offers(&mut self, world: &World, reference: &str, price: i64) {
        self.publish(&house(reference, price)).await;
        self.read(world).await;
    }
}

/// A log without homes, read to its end: what comes from now on is news.
async fn begun() -> (World, Content) {
    let world = World::start().await;
    let content = Content::begin(&world).await;
    content.read(&world).await;
    (world, content)
}

#[tokio::test]
async fn a_mistyped_price_that_was_mended_is_told_to_nobody_whom_the_right_one_does_not_suit() {
    let (world, mut content) = begun().await;
    let ann = world.signed_in(ANN).await;
    ann.saves("maxPrice=50000", "at_once").await;
    content.offers(&world, "AH-1", 30_000).await;
    assert_eq!(world.count("visitor.alert").await, 1);
    content.offers(&world, "AH-1", 300_000).await;
    assert_eq!(world.count("visitor.alert where not is_lost").await, 0);
    assert_eq!(world.told(ANN).await.len(), 0);

    // Whom it suits either way is told of it as it is.
    ann.saves("maxPrice=400000", "at_once").await;
    content.offers(&world, "AH-2", 25_000).await;
    content.offers(&world, "AH-2", 250_000).await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("New for you") && text.contains("€250,000"), "{text}");
    assert!(text.contains("Search maxPrice=400000:"), "{text}");
    assert!(!text.contains("Search maxPrice=50000:"), "{text}");
}

#[tokio::test]
async fn a_price_that_was_mistyped_in_between_is_told_to_nobody_as_what_a_home_cost() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.publish(&house("AH-1", 300_000)).await;
    content.offers(&world, "AH-3", 280_000).await;
    let ann = world.signed_in(ANN).await;
    ann.saves("maxPrice=400000", "at_once").await;
    // One that nobody knew, one that costs less, and one that costs the same.
    for reference in ["AH-2", "AH-1", "AH-3"] {
        for price in [280_000, 2_800_000, 280_000] {
            content.publish(&house(reference, price)).await;
            content.read(&world).await;
        }
    }
    content.read(&world).await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("New for you") && text.contains("Villa AH-2"), "{text}");
    assert!(text.contains("€280,000 (before €300,000)"), "{text}");
    assert!(!text.contains("2,800,000") && !text.contains("AH-3"), "{text}");
}

#[tokio::test]
async fn a_home_is_compared_with_what_was_told_of_it_and_is_new_once() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.publish(&house("AH-1", 300_000)).await;
    content.offers(&world, "AH-2", 280_000).await;
    let ann = world.signed_in(ANN).await;
    ann.saves("maxPrice=400000&minPrice=275000", "at_once").await;
    ann.saves("minPrice=295000", "at_once").await;
    // What is read in the end costs what it cost in a version that nobody was told of.
    content.publish(&house("AH-1", 280_000)).await;
    let mut larger = house("AH-1", 280_000);
    larger.bedrooms = Some(4);
    content.publish(&larger).await;
    content.offers(&world, "AH-2", 310_000).await;
    let text = world.told(ANN).await.remove(0).text;
    assert!(text.contains("€280,000 (before €300,000)"), "{text}");
    assert!(text.contains("New for you") && text.contains("Villa AH-2"), "{text}");

    content.offers(&world, "AH-2", 300_000).await;
    assert_eq!(world.told(ANN).await.len(), 1, "it is new no more");
}

/// What is set right meanwhile is not told after all, once mails are wanted again.
#[tokio::test]
async fn a_search_loses_homes_too_while_no_mails_of_it_are_wanted() {
    let mut world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.read(&world).await;
    {
        let ann = world.signed_in(ANN).await;
        ann.saves("maxPrice=40000", "at_once").await;
        ann.saves("maxPrice=50000", "at_once").await;
    }
    for price in [30_000, 45_000] {
        content.offers(&world, "AH-1", price).await;
    }
    let lost = "visitor.alert where is_lost";
    assert_eq!((world.count("visitor.alert").await, world.count(lost).await), (2, 1));
    let change = async |statement: &'static str| {
        let changed = sqlx::query(statement).execute(&world.pool).await;
        assert_eq!(changed.expect("postgres answers").rows_affected(), 1, "{statement}");
    };
    change("update visitor.saved_search set frequency = 'never' where address like '%50000'").await;
    // And one that nobody can read any more.
    change("update visitor.saved_search set address = 'maxPrice=x' where address like '%40000'")
        .await;
    // Another process knows what it reads, and nothing from before.
    world.process.clone().finish().await.expect("it ends");
    world.open().await;
    content.offers(&world, "AH-1", 300_000).await;
    assert_eq!(world.count(lost).await, 2, "what nobody can say stays as it was");

    let on = "update visitor.saved_search set frequency = 'at_once' where address like '%50000'";
    sqlx::query(on).execute(&world.pool).await.expect("postgres answers");
    assert_eq!(world.told(ANN).await.len(), 0);
}

#[tokio::test]
async fn what_a_search_lost_is_still_told_of_a_favourite() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.offers(&world, "AH-1", 250_000).await;
    let ann = world.signed_in(ANN).await;
    ann.saves("maxPrice=50000", "at_once").await;
    ann.follows("AH-1").await;
    content.offers(&world, "AH-1", 25_000).await;
    content.offers(&world, "AH-1", 240_000).await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("€240,000 (before €250,000)"), "{text}");
    assert!(text.contains("Your favourites") && !text.contains("Search maxPrice"), "{text}");
}

#[tokio::test]
async fn a_favourite_that_went_and_came_back_between_two_mails_was_missed_by_nobody() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.offers(&world, "AH-1", 300_000).await;
    let ann = world.signed_in(ANN).await;
    ann.follows("AH-1").await;
    content.remove("AH-1").await;
    content.read(&world).await;
    content.offers(&world, "AH-1", 300_000).await;
    assert_eq!(world.told(ANN).await.len(), 0);

    content.remove("AH-1").await;
    content.read(&world).await;
    content.offers(&world, "AH-1", 290_000).await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].subject, "Costs less now: Villa AH-1");
    assert!(mails[0].text.contains("€290,000 (before €300,000)"), "{}", mails[0].text);
}

#[tokio::test]
async fn a_home_that_is_no_favourite_any_more_is_not_told_of_as_one() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.publish_as("1", &house("AH-1", 300_000)).await;
    content.publish_as("2", &house("AH-2", 300_000)).await;
    content.read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.follows("AH-1").await;
    ann.follows("AH-2").await;
    content.publish_as("1", &house("AH-1", 290_000)).await;
    // A favourite by the reference that it had before.
    content.publish_as("2", &house("AH-3", 300_000)).await;
    content.read(&world).await;
    content.publish_as("2", &house("AH-3", 280_000)).await;
    content.read(&world).await;
    assert_eq!(world.count("visitor.alert").await, 2);
    let no_more = json!({ "favourite": false });
    let (status, _) = ann.call(Method::PUT, "/api/account/homes/AH-1", Some(no_more)).await;
    assert_eq!(status, StatusCode::OK);
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("Villa AH-3") && !text.contains("AH-1"), "{text}");
}

#[tokio::test]
async fn a_home_that_was_for_sale_again_and_is_sold_is_told_as_sold() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    let with = |status| Property { status, ..house("AH-1", 300_000) };
    content.publish(&with(ListingStatus::UnderOffer)).await;
    content.read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.follows("AH-1").await;
    content.publish(&with(ListingStatus::ForSale)).await;
    content.read(&world).await;
    content.publish(&with(ListingStatus::Sold)).await;
    content.read(&world).await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("Sale status changed: sold"), "{text}");
    assert!(!text.contains("For sale again"), "{text}");
}

#[tokio::test]
async fn a_home_with_another_reference_is_the_same_to_whoever_waits_for_it() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.publish_as("1", &house("AH-1", 300_000)).await;
    content.read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.saves("location=nerja", "at_once").await;
    ann.follows("AH-1").await;
    content.publish_as("1", &house("AH-2", 300_000)).await;
    content.read(&world).await;
    assert_eq!(world.count("visitor.alert").await, 0, "it is nothing new");

    content.publish_as("1", &house("AH-2", 290_000)).await;
    content.read(&world).await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("€290,000 (before €300,000)") && text.contains("/AH-2"), "{text}");
    assert!(text.contains("Your favourites") && text.contains("Search location=nerja"), "{text}");

    // One that is told of first with the reference that it has by then.
    content.publish_as("2", &house("AH-3", 350_000)).await;
    content.read(&world).await;
    content.publish_as("2", &house("AH-4", 350_000)).await;
    content.read(&world).await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 2);
    assert_eq!(mails[1].subject, "New for you: Villa AH-4");

    content.remove("1").await;
    content.read(&world).await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 3);
    assert!(mails[2].text.contains("No longer on our site"), "{}", mails[2].text);
}

/// A content service that was restored gives the keys of what came after its backup to what comes next.
#[tokio::test]
async fn a_home_with_the_key_of_one_that_is_gone_is_another() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.publish_as("1", &house("AH-1", 300_000)).await;
    content.read(&world).await;
    content.publish_as("1", &house("AH-2", 300_000)).await;
    content.read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.saves("location=nerja", "at_once").await;
    ann.follows("AH-1").await;
    ann.follows("AH-2").await;
    content.remove("1").await;
    content.read(&world).await;
    content.publish_as("1", &house("AH-3", 300_000)).await;
    content.read(&world).await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("No longer on our site") && text.contains("Villa AH-2"), "{text}");
    assert!(text.contains("New for you") && text.contains("Villa AH-3"), "{text}");

    content.publish_as("1", &house("AH-3", 290_000)).await;
    content.read(&world).await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 2);
    let text = &mails[1].text;
    assert!(text.contains("€290,000 (before €300,000)"), "{text}");
    assert!(!text.contains("Your favourites"), "she follows another one: {text}");

    // What is back under the reference that it had is the same.
    content.remove("1").await;
    content.read(&world).await;
    content.publish_as("1", &house("AH-3", 280_000)).await;
    content.read(&world).await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 3);
    assert_eq!(mails[2].subject, "Costs less now: Villa AH-3");
}

#[tokio::test]
async fn what_was_tried_and_did_not_arrive_is_mended_like_what_nobody_tried() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.offers(&world, "AH-2", 300_000).await;
    let ann = world.signed_in(ANN).await;
    ann.saves("maxPrice=50000", "at_once").await;
    content.offers(&world, "AH-1", 30_000).await;
    world.refuses_once().await;
    content.offers(&world, "AH-1", 300_000).await;
    assert_eq!(world.told(ANN).await.len(), 0);

    ann.follows("AH-2").await;
    content.offers(&world, "AH-2", 290_000).await;
    world.refuses_once().await;
    content.offers(&world, "AH-2", 300_000).await;
    assert_eq!(world.told(ANN).await.len(), 0, "she heard of no other price");
}

#[tokio::test]
async fn what_happens_while_the_mail_server_is_away_is_one_mail() {
    let (world, mut content) = begun().await;
    let ann = world.signed_in(ANN).await;
    ann.saves("location=nerja", "at_once").await;
    content.offers(&world, "AH-1", 300_000).await;
    world.refuses_once().await;
    content.offers(&world, "AH-2", 300_000).await;
    assert_eq!(world.count("visitor.alert_mail").await, 1);
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("AH-1") && mails[0].text.contains("AH-2"));
}

#[tokio::test]
async fn what_happens_after_a_mail_may_have_been_sent_or_was_long_in_vain_is_another_mail() {
    let (world, mut content) = begun().await;
    let ann = world.signed_in(ANN).await;
    ann.saves("location=nerja", "at_once").await;
    content.offers(&world, "AH-1", 300_000).await;
    // Its process ended, perhaps once the server had taken it.
    world.changes_jobs("update visitor.job set lease_until = now() - interval '1 minute'").await;
    world.refuses_once().await;
    content.offers(&world, "AH-2", 300_000).await;
    assert_eq!(world.count("visitor.alert_mail").await, 2);
    world.changes_jobs("update visitor.job set attempts = 57").await;
    content.offers(&world, "AH-3", 300_000).await;
    assert_eq!(world.count("visitor.alert_mail").await, 3);
}

#[tokio::test]
async fn a_new_home_that_was_away_when_a_mail_went_out_is_told_once_it_is_back() {
    let (world, mut content) = begun().await;
    let ann = world.signed_in(ANN).await;
    ann.saves("location=nerja", "at_once").await;
    content.offers(&world, "AH-1", 300_000).await;
    // The first time it is told to nobody, then as new, and then not again.
    for told in [0, 1, 1] {
        content.remove("AH-1").await;
        content.read(&world).await;
        assert_eq!(world.told(ANN).await.len(), told);
        content.offers(&world, "AH-1", 300_000).await;
        let mails = world.told(ANN).await;
        assert_eq!(mails.len(), 1);
        assert_eq!(mails[0].subject, "New for you: Villa AH-1");
    }
    assert_eq!(world.count("visitor.alert").await, 1);
}

#[tokio::test]
async fn a_new_home_that_was_mistyped_when_a_mail_went_out_is_told_once_it_is_mended() {
    let (world, mut content) = begun().await;
    let ann = world.signed_in(ANN).await;
    ann.saves("maxPrice=400000", "at_once").await;
    for (price, told) in [(300_000, None), (3_000_000, Some(0)), (300_000, Some(1))] {
        content.offers(&world, "AH-1", price).await;
        if let Some(told) = told {
            assert_eq!(world.told(ANN).await.len(), told);
        }
    }
}
