//! Searches of places whose addresses change.

use contracts::content::Property;

use crate::{
    alerts::{Content, house},
    role::World,
};

const ANN: &str = "ann@x.example";

/// A house in the place `key`, which is called `slug`.
fn house_at(reference: &str, key: &str, slug: &str) -> Property {
    let mut house = house(reference, 300_000);
    key.clone_into(&mut house.location.key);
    slug.clone_into(&mut house.location.slug);
    house
}

/// A house in the place 1 in Nerja, which lies in the place `around`.
fn house_around(reference: &str, around: &str) -> Property {
    let mut house = house_at(reference, "1", "nerja");
    house.location.ancestors = vec![around.to_owned()];
    house
}

/// What searches are saved, in order.
async fn addresses(world: &World) -> Vec<String> {
    sqlx::query_scalar(
        "select address from visitor.saved_search where address is not null order by address",
    )
    .fetch_all(&world.pool)
    .await
    .expect("postgres answers")
}

#[tokio::test]
async fn a_search_goes_on_where_its_place_gets_another_address() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.publish_place("1", "nerja").await;
    content.publish(&house_at("AH-1", "1", "nerja")).await;
    content.read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.saves("kind=villa&location=nerja", "at_once").await;
    ann.saves("excludedLocation=nerja", "at_once").await;

    // What lies there is captured anew after it.
    content.publish_place("1", "nerja-pueblo").await;
    content.publish(&house_at("AH-1", "1", "nerja-pueblo")).await;
    content.publish(&house_at("AH-2", "1", "nerja-pueblo")).await;
    content.read(&world).await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("Villa AH-2") && !text.contains("Villa AH-1"), "{text}");
    assert!(!text.contains("Search excludedLocation"), "{text}");
    assert_eq!(
        addresses(&world).await,
        ["excludedLocation=nerja-pueblo", "kind=villa&location=nerja-pueblo"]
    );
}

#[tokio::test]
async fn a_place_that_takes_the_address_of_another_is_not_taken_for_what_it_was() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.publish_place("1", "nerja").await;
    content.publish_place("2", "torrox").await;
    content.publish(&house_at("AH-1", "1", "nerja")).await;
    content.read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.saves("location=nerja", "at_once").await;
    // As after a content service was made anew, which gives its keys again.
    content.publish_place("1", "torrox").await;
    content.publish_place("2", "nerja").await;
    content.publish(&house_at("AH-2", "1", "torrox")).await;
    content.read(&world).await;
    assert_eq!(world.told(ANN).await.len(), 0);
    assert_eq!(addresses(&world).await, ["location=nerja"]);
}

#[tokio::test]
async fn a_search_stays_with_its_place_where_another_takes_the_address_that_it_gave_up() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.publish_place("1", "nerja").await;
    content.publish_place("2", "nerja-playa").await;
    content.read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.saves("location=nerja", "at_once").await;
    // It is known before any place is renamed.
    content.publish(&house_at("AH-1", "1", "nerja")).await;
    content.read(&world).await;
    assert_eq!(world.told(ANN).await.len(), 1);

    content.publish_place("1", "nerja-pueblo").await;
    content.publish_place("3", "nerja").await;
    content.publish(&house_at("AH-2", "1", "nerja-pueblo")).await;
    content.publish(&house_at("AH-3", "3", "nerja")).await;
    content.read(&world).await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 2);
    let text = &mails[1].text;
    assert!(text.contains("Villa AH-2") && !text.contains("Villa AH-3"), "{text}");
}

#[tokio::test]
async fn a_place_that_takes_a_free_address_is_still_found_under_its_own_former_one() {
    let world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.publish_place("1", "nerja").await;
    content.publish_place("2", "nerja-pueblo").await;
    content.read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.saves("location=nerja-pueblo", "at_once").await;
    content.publish_place("1", "nerja-comarca").await;
    content.publish_place("2", "nerja").await;
    content.read(&world).await;
    assert_eq!(addresses(&world).await, ["location=nerja"]);
}

#[tokio::test]
async fn a_place_without_homes_of_its_own_is_known_after_an_upgrade() {
    let mut world = World::start().await;
    let mut content = Content::begin(&world).await;
    content.publish_place("8", "axarquia").await;
    content.publish(&house_around("AH-1", "axarquia")).await;
    content.read(&world).await;
    let ann = world.signed_in(ANN).await;
    ann.saves("location=axarquia", "at_once").await;
    world.process.clone().finish().await.expect("it ends");
    sqlx::raw_sql("drop table visitor.place_name").execute(&world.pool).await.expect("it is gone");
    sqlx::raw_sql(include_str!("../../migrations/0021_places_under_former_addresses.sql"))
        .execute(&world.pool)
        .await
        .expect("it is made");
    world.open().await;
    content.read(&world).await;

    content.publish_place("8", "axarquia-este").await;
    content.publish(&house_around("AH-2", "axarquia-este")).await;
    content.read(&world).await;
    let mails = world.told(ANN).await;
    assert_eq!(mails.len(), 1);
    let text = &mails[0].text;
    assert!(text.contains("Villa AH-2") && !text.contains("Villa AH-1"), "{text}");
    assert_eq!(addresses(&world).await, ["location=axarquia-este"]);
}
