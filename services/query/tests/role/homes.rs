//! Builds and publishes homes.

use chrono::{DateTime, Utc};
use contracts::{
    AggregateId, Change, Collection, Event, Localized, Offer, SCHEMA_VERSION, Version,
    content::{
        AnnualCosts, Coordinates, ListingStatus, LocationRef, Particulars, Picture, Property,
        PropertyKind, PropertyText, PropertyType, Snapshot,
    },
};
use uuid::Uuid;

use crate::node::World;

/// Publishes `homes`, and waits until the node has announced each.
pub async fn publish(world: &mut World, homes: &[Property]) {
    for home in homes {
        let position = world.log.publish(&offered(home)).await;
        world.wait_for(position).await;
    }
}

fn day(number: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_750_000_000 + number * 86_400, 0).expect("a date of our time")
}

/// A villa in Nerja, listed on the day `listed`.
pub fn home(reference: &str, price: i64, listed: i64) -> Property {
    let pictures = (1..=3).map(|number| Picture {
        file: Uuid::from_u128(number),
        version: "1".to_owned(),
        width: 1_200,
        height: 800,
        alt: "A terrace".to_owned(),
        alt_es: None,
        placeholder: Some("UklGRg==".to_owned()),
    });
    let text = PropertyText {
        title: format!("Villa {reference}"),
        summary: "Quiet and sunny".to_owned(),
        description: "<p>With a garden</p>".to_owned(),
    };
    Property {
        reference: reference.to_owned(),
        status: ListingStatus::ForSale,
        property_type: PropertyType::House,
        kind: PropertyKind::Villa,
        price: Some(price),
        previous_price: None,
        reduced: false,
        featured: true,
        new_build: false,
        listed_at: day(listed),
        updated_at: day(listed),
        bedrooms: Some(3),
        bathrooms: Some(2),
        built_area: Some(120),
        plot_area: Some(900),
        terrace_area: None,
        year_built: None,
        floor: None,
        features: vec!["garden".to_owned()],
        energy: None,
        annual_costs: AnnualCosts::default(),
        coordinates: Some(Coordinates { lat: 36.73, lng: -3.95 }),
        location: LocationRef {
            key: "nerja".to_owned(),
            slug: "nerja".to_owned(),
            name: Localized { en: Some("Nerja".to_owned()), es: None },
            ancestors: vec!["axarquia".to_owned()],
        },
        particulars: Particulars::default(),
        floor_plan: None,
        images: pictures.collect(),
        text: Localized { en: Some(text), es: None },
    }
}

fn offered(home: &Property) -> Event {
    offered_as(home, Version(1))
}

/// Returns the event that publishes `home` in `version`, reduced by ten thousand since it was listed.
pub fn offered_as(home: &Property, version: Version) -> Event {
    let offer = |version, price| Offer {
        version,
        at: home.listed_at,
        reference: home.reference.clone(),
        location: home.location.slug.clone(),
        property_type: home.property_type,
        price,
        status: home.status,
    };
    let before = offer(Version(0), home.price.map(|price| price + 10_000));
    let offers = vec![before, offer(version, home.price)];
    let snapshot = Box::new(Snapshot::Properties(home.clone()));
    event(&home.reference, version, Change::Upserted { snapshot }, offers)
}

/// Returns the event that removes the home `reference` from the site.
pub fn withdrawn(reference: &str) -> Event {
    event(reference, Version(9), Change::Removed, Vec::new())
}

/// Returns an event for the home `key` in `version`, with its `offers` so far.
pub fn event(key: &str, version: Version, change: Change, offers: Vec<Offer>) -> Event {
    Event {
        id: Uuid::new_v4(),
        schema_version: SCHEMA_VERSION,
        aggregate: AggregateId::new(Collection::Properties, key),
        version,
        captured_at: DateTime::from_timestamp(version.0, 0).expect("a time of ours"),
        change,
        offers,
    }
}
