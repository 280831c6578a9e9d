//! Similar homes: of the same family, in the same place, at about the same price.

use contracts::content::{ListingStatus, Property, PropertyKind, PropertyType};

use crate::{
    homes::{home, publish, withdrawn},
    node::World,
    places::{ask, place},
};

fn of(reference: &str, property_type: PropertyType, kind: PropertyKind, price: i64) -> Property {
    Property { property_type, kind, ..home(reference, price, 1) }
}

fn references(answer: &serde_json::Value) -> Vec<&str> {
    let similar = answer["similar"].as_array().expect("similar homes");
    similar.iter().filter_map(|home| home["ref"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn similar_homes_have_its_kind_and_price_and_new_builds_prefer_new_builds() {
    use PropertyKind::{Apartment, Bar, Garage, Land, Office, Penthouse, Premises, Villa};
    use PropertyType::{Commercial, House};
    let flats = PropertyType::Apartment;
    let mut world = World::start("query_similar_kinds").await;
    let last = world.log.publish(&place("maro", &["nerja", "axarquia"])).await;
    world.wait_for(last).await;
    let mut new_flat = of("FLAT-NEW", flats, Penthouse, 400_000);
    let mut new_villa = of("VILLA-NEW", House, Villa, 380_000);
    (new_flat.new_build, new_villa.new_build) = (true, true);
    let mut in_maro = of("FLAT-MARO", flats, Apartment, 260_000);
    in_maro.location.slug = "maro".to_owned();
    in_maro.location.ancestors = vec!["nerja".to_owned(), "axarquia".to_owned()];
    let mut in_torrox = of("FLAT-TORROX", flats, Apartment, 201_000);
    in_torrox.location.slug = "torrox".to_owned();
    let mut sold = of("FLAT-SOLD", flats, Apartment, 200_000);
    sold.status = ListingStatus::Sold;
    let homes = [
        of("FLAT-1", flats, Apartment, 200_000),
        of("FLAT-2", flats, Penthouse, 300_000),
        of("FLAT-GRAND", flats, Apartment, 900_000),
        of("VILLA-1", House, Villa, 210_000),
        of("GARAGE-1", Commercial, Garage, 20_000),
        of("GARAGE-2", Commercial, Garage, 25_000),
        of("LAND-1", Commercial, Land, 90_000),
        of("SHOP-1", Commercial, Premises, 150_000),
        of("BAR-1", Commercial, Bar, 150_000),
        of("OFFICE-1", Commercial, Office, 150_000),
        new_flat,
        new_villa,
        in_maro,
        in_torrox,
        sold,
    ];
    publish(&mut world, &homes).await;

    for (reference, expected) in [
        ("FLAT-1", &["FLAT-MARO", "FLAT-2", "FLAT-NEW", "VILLA-1", "VILLA-NEW"][..]),
        ("VILLA-1", &["VILLA-NEW", "FLAT-1", "FLAT-MARO", "FLAT-2", "FLAT-NEW"]),
        ("FLAT-NEW", &["VILLA-NEW", "FLAT-2", "FLAT-MARO", "FLAT-1", "VILLA-1"]),
        ("FLAT-SOLD", &["FLAT-1", "FLAT-MARO", "FLAT-2", "FLAT-NEW", "VILLA-1", "VILLA-NEW"]),
        // None costs even half of that, but distant matches are better than none.
        ("FLAT-GRAND", &["FLAT-NEW", "FLAT-2", "FLAT-MARO", "FLAT-1", "VILLA-NEW", "VILLA-1"]),
        // Only homes in the place itself count.
        ("FLAT-MARO", &[]),
        ("GARAGE-1", &["GARAGE-2"]),
        ("SHOP-1", &["BAR-1"]),
        ("OFFICE-1", &[]),
        ("LAND-1", &[]),
    ] {
        let answer = ask(&world, &format!("/api/properties/{reference}")).await;
        assert_eq!(references(&answer), expected, "{reference}");
    }

    // Of a withdrawn property only the type is known, which does not tell a garage from a bar.
    let mut last = world.log.publish(&withdrawn("VILLA-1")).await;
    for gone in ["GARAGE-1", "FLAT-2"] {
        last = world.log.publish(&withdrawn(gone)).await;
    }
    world.wait_for(last).await;
    for (reference, expected) in [
        ("VILLA-1", &["VILLA-NEW", "FLAT-1", "FLAT-MARO", "FLAT-NEW"][..]),
        ("FLAT-2", &["FLAT-MARO", "FLAT-1", "FLAT-NEW", "VILLA-NEW"]),
        ("GARAGE-1", &[]),
    ] {
        let answer = reqwest::get(format!("{}/api/properties/{reference}", world.node.url)).await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.status(), 410, "{reference}");
        let problem: serde_json::Value = answer.json().await.expect("JSON");
        assert_eq!(references(&problem), expected, "{reference}");
    }
}
