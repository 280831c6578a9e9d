//! Searches of places that are renamed.

use contracts::content::Property;

use crate::{
    alerts::{Content, house},
    world::World,
};

const ANN: &str = "ann@x.example";

/// Returns a house in the place `key` with this `slug`.
fn house_at(reference: &str, key: &str, slug: &str) -> Property {
    let mut house = house(reference, 300_000);
    key.clone_into(&mut house.location.key);
    slug.clone_into(&mut house.location.slug);
    house
}

/// Returns a house in Nerja (place 1), which lies in the place `around`.
fn house_around(reference: &str, around: &str) -> Property {
    let mut house = house_at(reference, "1", "nerja");
    house.location.ancestors = vec![around.to_owned()];
    house
}

/// Returns the addresses of saved searches, sorted.
pub async fn addresses(world: &World) -> Vec<String> {
    sqlx::query_scalar(
        "select address from visitor.saved_search where address is not null order by address",
    )
    .fetch_all(&world.pool)
    .await
    .expect("postgres answers")
}

#[tokio::test]
async fn a_search_follows_its_renamed_place() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish_place("1", "nerja").await;
    content.publish(&house_at("AH-1", "1", "nerja")).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("kind=villa&location=nerja", "at_once").await;
    ann.save_search("notLocation=nerja", "at_once").await;

    // The homes in the place are captured again after it.
    content.publish_place("1", "nerja-pueblo").await;
    content.publish(&house_at("AH-1", "1", "nerja-pueblo")).await;
    content.publish(&house_at("AH-2", "1", "nerja-pueblo")).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("Villa AH-2") && !text.contains("Villa AH-1"), "{text}");
    assert!(!text.contains("Search notLocation"), "{text}");
    assert_eq!(
        addresses(&world).await,
        ["kind=villa&location=nerja-pueblo", "notLocation=nerja-pueblo"]
    );
}

#[tokio::test]
async fn a_place_that_takes_the_current_slug_of_another_loses_its_history() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish_place("1", "nerja").await;
    content.publish_place("2", "torrox").await;
    content.publish(&house_at("AH-1", "1", "nerja")).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "at_once").await;
    // As after a content service was rebuilt, which assigns its keys again.
    content.publish_place("1", "torrox").await;
    content.publish_place("2", "nerja").await;
    content.publish(&house_at("AH-2", "1", "torrox")).await;
    content.wait_until_read(&world).await;
    assert_eq!(world.alert_mails(ANN).await.len(), 0);
    assert_eq!(addresses(&world).await, ["location=nerja"]);
}

#[tokio::test]
async fn a_search_stays_with_its_place_when_another_takes_the_former_slug() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish_place("1", "nerja").await;
    content.publish_place("2", "nerja-playa").await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja", "at_once").await;
    // The home is known before any place is renamed.
    content.publish(&house_at("AH-1", "1", "nerja")).await;
    content.wait_until_read(&world).await;
    assert_eq!(world.alert_mails(ANN).await.len(), 1);

    content.publish_place("1", "nerja-pueblo").await;
    content.publish_place("3", "nerja").await;
    content.publish(&house_at("AH-2", "1", "nerja-pueblo")).await;
    content.publish(&house_at("AH-3", "3", "nerja")).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 2);
    let text = &mails[1].text;
    assert!(text.contains("Villa AH-2") && !text.contains("Villa AH-3"), "{text}");
}

#[tokio::test]
async fn a_place_that_takes_a_free_slug_is_still_found_by_its_former_one() {
    let world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish_place("1", "nerja").await;
    content.publish_place("2", "nerja-pueblo").await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=nerja-pueblo", "at_once").await;
    content.publish_place("1", "nerja-comarca").await;
    content.publish_place("2", "nerja").await;
    content.wait_until_read(&world).await;
    assert_eq!(addresses(&world).await, ["location=nerja"]);
}

#[tokio::test]
async fn a_place_without_direct_homes_is_known_after_an_upgrade() {
    let mut world = World::start().await;
    let mut content = Content::start(&world).await;
    content.publish_place("8", "axarquia").await;
    content.publish(&house_around("AH-1", "axarquia")).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.save_search("location=axarquia", "at_once").await;
    world.process.clone().finish().await.expect("it ends");
    sqlx::raw_sql("drop table visitor.place_name").execute(&world.pool).await.expect("it is gone");
    sqlx::raw_sql(include_str!("../../migrations/0021_places_under_former_addresses.sql"))
        .execute(&world.pool)
        .await
        .expect("it is made");
    world.start_role().await;
    content.wait_until_read(&world).await;

    content.publish_place("8", "axarquia-este").await;
    content.publish(&house_around("AH-2", "axarquia-este")).await;
    content.wait_until_read(&world).await;
    let mails = world.alert_mails(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("Villa AH-2") && !text.contains("Villa AH-1"), "{text}");
    assert_eq!(addresses(&world).await, ["location=axarquia-este"]);
}
