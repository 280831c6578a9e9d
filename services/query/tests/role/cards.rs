//! Cards: exactly what lists show of a home.

use contracts::{Change, Offer, Version, content::Snapshot};
use serde_json::{Value, json};

use crate::{
    homes::{event, home, publish, withdrawn},
    node::World,
};

const ON_A_CARD: [&str; 15] = [
    "bathrooms",
    "bedrooms",
    "builtArea",
    "images",
    "kind",
    "location",
    "newBuild",
    "plotArea",
    "previousPrice",
    "price",
    "publishedAt",
    "reduced",
    "ref",
    "status",
    "title",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_cards_is_the_same_list_with_fewer_fields() {
    let mut world = World::start("query_cards").await;
    let homes = [home("AH-1", 300_000, 2), home("AH-2", 200_000, 1), home("AH-3", 100_000, 0)];
    publish(&mut world, &homes).await;

    // Cached cards have both forms, so each list is requested before and after the other.
    for order in ["price-asc", "price-desc"] {
        let whole = format!("/api/properties?sort={order}");
        let (_, mut list) = ask(&world, &whole).await;
        let (_, mut cards) = ask(&world, &format!("{whole}&fields=card")).await;
        assert_eq!(ask(&world, &whole).await.1, list);
        let (items, shown) = (list["items"].take(), cards["items"].take());
        assert_eq!(cards, list, "total, facets and the rest are the same");
        let (items, shown) = (items.as_array().expect("items"), shown.as_array().expect("cards"));
        assert_eq!((items.len(), shown.len()), (3, 3));
        for (item, card) in items.iter().zip(shown) {
            assert_card_of(item, card);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn homes_are_requested_by_reference_and_missing_ones_are_listed() {
    let mut world = World::start("query_chosen").await;
    publish(&mut world, &[home("AH-1", 300_000, 2), home("AH-2", 200_000, 1)]).await;
    let (status, chosen) =
        ask(&world, "/api/cards?reference=AH-2&reference=AH-9&reference=AH-1&locale=es").await;
    assert_eq!(status, 200);
    let references: Vec<&Value> =
        chosen["items"].as_array().expect("items").iter().map(|card| &card["ref"]).collect();
    assert_eq!(references, ["AH-2", "AH-1"]);
    assert_eq!(chosen["items"][0]["language"], "en", "they are not translated");
    assert_eq!(chosen["gone"], json!(["AH-9"]));
    assert_eq!(ask(&world, "/api/cards").await.1, json!({ "items": [], "gone": [] }));
    let many = (0..51).map(|n| format!("AH-{n}")).collect::<Vec<_>>().join("&reference=");
    for reference in ["..", "", many.as_str()] {
        let (status, problem) = ask(&world, &format!("/api/cards?reference={reference}")).await;
        let refused = (status, &problem["errors"][0]["field"]);
        assert_eq!(refused, (400, &json!("reference")), "{reference}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_home_is_found_by_its_former_reference() {
    let mut world = World::start("query_chosen_moved").await;
    publish(&mut world, &[home("AH-2", 200_000, 1)]).await;
    let mut offers = Vec::new();
    for (version, reference) in [(1, "AH-1"), (2, "AH-9")] {
        let called = home(reference, 300_000, 1);
        offers.push(Offer {
            version: Version(version),
            at: called.listed_at,
            reference: reference.to_owned(),
            location: called.location.slug.clone(),
            property_type: called.property_type,
            price: called.price,
            status: called.status,
        });
        let change = Change::Upserted { snapshot: Box::new(Snapshot::Properties(called)) };
        let renamed = event("1", Version(version), change, offers.clone());
        let position = world.log.publish(&renamed).await;
        world.wait_for(position).await;
    }
    let moved = json!({ "AH-1": "AH-9" });
    assert_eq!(
        chosen(&world, &["AH-1", "AH-2", "AH-7"]).await,
        (json!(["AH-2", "AH-9"]), json!(["AH-1", "AH-7"]), moved.clone())
    );
    assert_eq!(chosen(&world, &["AH-9", "AH-1"]).await, (json!(["AH-9"]), json!(["AH-1"]), moved));
    let gone = world.log.publish(&event("1", Version(9), Change::Removed, Vec::new())).await;
    world.wait_for(gone).await;
    assert_eq!(chosen(&world, &["AH-1"]).await, (json!([]), json!(["AH-1"]), Value::Null));
}

/// Returns the homes found by `references`, those that are gone, and those that have moved.
async fn chosen(world: &World, references: &[&str]) -> (Value, Value, Value) {
    let asked = references.join("&reference=");
    let (_, chosen) = ask(world, &format!("/api/cards?reference={asked}")).await;
    let items = chosen["items"].as_array().expect("items").iter();
    let found: Vec<Value> = items.map(|card| card["ref"].clone()).collect();
    (json!(found), chosen["gone"].clone(), chosen["moved"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_choice_of_fields_is_refused() {
    let world = World::start("query_fields").await;
    for query in ["fields=other", "fields=", "fields=card&fields=card"] {
        let (status, problem) = ask(&world, &format!("/api/properties?{query}")).await;
        assert_eq!(status, 400, "{query}");
        assert_eq!(problem["errors"][0]["field"], "fields", "{problem}");
    }
    // A map has no items to shorten.
    let (status, _) = ask(&world, "/api/properties/map?fields=card").await;
    assert_eq!(status, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn similar_homes_are_cards_even_if_the_home_is_withdrawn() {
    let mut world = World::start("query_similar").await;
    let homes = [home("AH-1", 300_000, 2), home("AH-2", 290_000, 1), home("AH-3", 200_000, 0)];
    publish(&mut world, &homes).await;
    let (_, page) = ask(&world, "/api/properties/AH-1").await;
    let (_, list) = ask(&world, "/api/properties?sort=price-desc").await;
    let others = &list["items"].as_array().expect("items")[1..];
    let assert_cards = |similar: &Value| {
        let similar = similar.as_array().expect("similar homes");
        assert_eq!(similar.len(), others.len());
        others.iter().zip(similar).for_each(|(item, card)| assert_card_of(item, card));
    };
    assert_cards(&page["similar"]);
    assert_eq!(page["images"].as_array().map(Vec::len), Some(3), "its own pictures are all there");

    let gone = world.log.publish(&withdrawn("AH-1")).await;
    world.wait_for(gone).await;
    let (status, problem) = ask(&world, "/api/properties/AH-1").await;
    assert_eq!(status, 410);
    assert_cards(&problem["similar"]);
}

/// Asserts that `card` has the fields of a card in the requested language, except those that are null or
/// false in `item`, each with the value it has in `item`, and only the cover of its pictures.
fn assert_card_of(item: &Value, card: &Value) {
    let card = card.as_object().expect("a card");
    let mut fields: Vec<&str> = card.keys().map(String::as_str).collect();
    fields.sort_unstable();
    let is_present = |field: &&str| !item[*field].is_null() && item[*field] != json!(false);
    assert_eq!(fields, ON_A_CARD.into_iter().filter(is_present).collect::<Vec<_>>());
    for (field, value) in card {
        if field == "images" {
            assert_eq!(value, &json!([item["images"][0]]));
            assert!(value[0]["placeholder"].is_string(), "{value}");
        } else {
            assert_eq!(value, &item[field], "{field}");
        }
    }
}

async fn ask(world: &World, path: &str) -> (u16, Value) {
    let answer = reqwest::get(format!("{}{path}", world.node.url)).await.expect("an answer");
    let status = answer.status().as_u16();
    (status, serde_json::from_str(&answer.text().await.expect("a body")).expect("JSON"))
}
