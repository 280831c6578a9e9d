//! The price history of a home.

use chrono::TimeDelta;
use contracts::{Change, Offer, Version, content::Snapshot};

use crate::{
    homes::{event, home},
    node::World,
    places::ask,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_history_has_no_mistyped_price_and_no_price_of_another_home_with_the_same_key() {
    let mut world = World::start("query_history").await;
    let now = home("AH-2", 300_000, 1);
    let offers = [
        ("AH-1", 389_000),
        ("AH-2", 320_000),
        ("AH-1", 350_000),
        ("AH-2", 310_000),
        // A higher price again, by mistake.
        ("AH-2", 320_000),
        ("AH-2", 300_000),
    ];
    let offers = offers.iter().zip(1..).map(|(&(reference, price), version)| Offer {
        version: Version(version),
        at: now.listed_at + TimeDelta::minutes(version),
        reference: reference.to_owned(),
        location: now.location.slug.clone(),
        property_type: now.property_type,
        price: Some(price),
        status: now.status,
    });
    let offers = offers.collect();
    let change = Change::Upserted { snapshot: Box::new(Snapshot::Properties(now)) };
    let position = world.log.publish(&event("5", Version(6), change, offers)).await;
    world.wait_for(position).await;
    // The former reference finds the home too.
    for reference in ["AH-2", "AH-1"] {
        let answer = ask(&world, &format!("/api/properties/{reference}")).await;
        assert_eq!(answer["ref"], "AH-2");
        let history = answer["history"].as_array().expect("a history");
        let prices: Vec<_> = history.iter().filter_map(|offer| offer["price"].as_i64()).collect();
        assert_eq!(prices, [320_000, 310_000, 300_000], "{reference}");
    }
}
