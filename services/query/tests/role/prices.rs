//! Medians of places and comparable homes, compared with a simple model of the calculation.

use chrono::{TimeDelta, Utc};
use contracts::{
    Change, Event, Offer, Version,
    content::{KindFamily, ListingStatus, Property, PropertyKind, PropertyType, Snapshot},
};
use proptest::{
    collection::vec,
    option,
    prelude::*,
    sample::select,
    test_runner::{Config, TestRunner},
};
use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use crate::{
    homes::{event, home},
    node::World,
    places::{ask, place},
};

/// The places of a world, each with its ancestors, nearest first.
const PLACES: [&[&str]; 4] =
    [&["coast"], &["town", "coast"], &["port", "town", "coast"], &["hill"]];
/// Days since a sale, on both sides of the limit.
const SOLD_DAYS_AGO: [i64; 4] = [5, 400, 720, 760];
const MAX_SALE_AGE_DAYS: i64 = 730;

/// A home and its sale. `sale` is the last asking price and the days since the sale; none if it is not sold, or
/// was sold before the log knew of it.
#[derive(Clone, Debug)]
struct Home {
    place: usize,
    kind: PropertyKind,
    price: Option<i64>,
    area: Option<i64>,
    status: ListingStatus,
    sale: Option<(Option<i64>, i64)>,
}

fn a_home() -> impl Strategy<Value = Home> {
    let kinds = [
        PropertyKind::Villa,
        PropertyKind::Townhouse,
        PropertyKind::Apartment,
        PropertyKind::Penthouse,
        PropertyKind::Apartment,
        PropertyKind::Garage,
        PropertyKind::Office,
    ];
    let price = || option::weighted(0.9, 100_000_i64..900_000);
    let statuses = [
        ListingStatus::ForSale,
        ListingStatus::ForSale,
        ListingStatus::Pending,
        ListingStatus::Sold,
    ];
    (
        0..PLACES.len(),
        select(kinds.to_vec()),
        price(),
        option::weighted(0.9, 60_i64..120),
        select(statuses.to_vec()),
        option::weighted(0.7, (price(), select(&SOLD_DAYS_AGO[..]))),
    )
        .prop_map(|(place, kind, price, area, status, sale)| Home {
            place,
            kind,
            price,
            area,
            status,
            sale: sale.filter(|_| status == ListingStatus::Sold),
        })
}

fn type_of(kind: PropertyKind) -> PropertyType {
    match kind {
        PropertyKind::Villa | PropertyKind::Townhouse => PropertyType::House,
        PropertyKind::Garage | PropertyKind::Office => PropertyType::Commercial,
        _ => PropertyType::Apartment,
    }
}

impl Home {
    fn is_home(&self) -> bool {
        self.kind.family() == KindFamily::Home
    }

    fn lies_in(&self, slug: &str) -> bool {
        PLACES[self.place].contains(&slug)
    }

    /// Returns the asking price. For a sold home it is the last one, if the sale is in the log and recent.
    fn asking_price(&self) -> Option<i64> {
        match (self.status, self.sale) {
            (ListingStatus::Sold, Some((asked, days))) => {
                asked.filter(|_| days < MAX_SALE_AGE_DAYS)
            }
            (ListingStatus::Sold, None) => None,
            _ => self.price,
        }
    }

    /// Returns the event that publishes the home as the `number` of the `world`.
    fn event(&self, world: u32, number: usize) -> Event {
        let reference = format!("W{world}-{number}");
        let mut snapshot: Property = home(&reference, 0, 0);
        let within: Vec<String> =
            PLACES[self.place].iter().map(|slug| named(world, slug)).collect();
        snapshot.location.slug.clone_from(&within[0]);
        snapshot.location.ancestors = within[1..].to_vec();
        (snapshot.kind, snapshot.property_type) = (self.kind, type_of(self.kind));
        (snapshot.price, snapshot.built_area) = (self.price, self.area);
        snapshot.status = self.status;
        let offer = |version, days, price, status| Offer {
            version: Version(version),
            at: Utc::now() - TimeDelta::days(days),
            reference: reference.clone(),
            location: within[0].clone(),
            property_type: snapshot.property_type,
            price,
            status,
        };
        let offers = match self.sale {
            Some((asked, days)) => vec![
                offer(1, days + 90, asked.map(|_| 5_000_000), ListingStatus::ForSale),
                offer(2, days + 60, asked, ListingStatus::ForSale),
                offer(3, days + 30, None, ListingStatus::Pending),
                offer(4, days, self.price, ListingStatus::Sold),
            ],
            // Another home had the key before, and was for sale.
            None => vec![
                Offer {
                    reference: format!("X{reference}"),
                    ..offer(3, 60, Some(1), ListingStatus::ForSale)
                },
                offer(4, 10, self.price, self.status),
            ],
        };
        let change = Change::Upserted { snapshot: Box::new(Snapshot::Properties(snapshot)) };
        event(&reference, Version(4), change, offers)
    }
}

fn named(world: u32, slug: &str) -> String {
    format!("w{world}-{slug}")
}

/// Returns the median and the count of `figures`, if there are at least five.
fn median(mut figures: Vec<f64>) -> Option<Value> {
    figures.sort_by(f64::total_cmp);
    let half = figures.len() / 2;
    let middle = match figures.len() {
        0..5 => return None,
        odd if odd % 2 == 1 => figures[half],
        _ => f64::midpoint(figures[half - 1], figures[half]),
    };
    Some(json!({ "homes": figures.len(), "euros": Value::from(format!("{:.0}", middle.round())) }))
}

#[expect(clippy::cast_precision_loss, reason = "prices of homes are exact")]
fn prices_of<'a>(homes: impl Iterator<Item = &'a Home>) -> Vec<f64> {
    homes.filter_map(|home| home.price).map(|price| price as f64).collect()
}

#[expect(clippy::cast_precision_loss, reason = "prices and sizes of homes are exact")]
fn metres_of<'a>(homes: impl Iterator<Item = &'a Home>) -> Vec<f64> {
    homes.filter_map(|home| Some(home.price? as f64 / home.area? as f64)).collect()
}

/// Returns the expected medians of the place `slug`.
fn medians(homes: &[Home], slug: &str) -> Option<Value> {
    let there = || {
        homes.iter().filter(|home| {
            home.is_home() && home.status == ListingStatus::ForSale && home.lies_in(slug)
        })
    };
    let of = |wanted| metres_of(there().filter(|home| type_of(home.kind) == wanted));
    let price = median(prices_of(there()))?;
    Some(json!({
        "price": price,
        "metreOfFlats": median(of(PropertyType::Apartment)),
        "metreOfHouses": median(of(PropertyType::House)),
    }))
}

/// Returns the expected comparison of the home `number`.
fn comparison(homes: &[Home], number: usize) -> Option<Value> {
    let this = &homes[number];
    let (price, area) = (this.price?, this.area?);
    if !this.is_home() || this.status == ListingStatus::Sold {
        return None;
    }
    PLACES[this.place].iter().take(2).find_map(|slug| {
        let alike = homes.iter().enumerate().filter(|(other, home)| {
            let is_near =
                home.area.is_some_and(|other| (area * 7..=area * 13).contains(&(other * 10)));
            *other != number
                && home.is_home()
                && type_of(home.kind) == type_of(this.kind)
                && home.lies_in(slug)
                && is_near
                && home.asking_price().is_some()
        });
        let alike: Vec<&Home> = alike.map(|(_, home)| home).collect();
        let mut asked: Vec<i64> = alike.iter().filter_map(|home| home.asking_price()).collect();
        asked.sort_unstable();
        let half = asked.len() / 2;
        let middle = match asked.len() {
            0..5 => return None,
            odd if odd % 2 == 1 => asked[half],
            _ => (asked[half - 1] + asked[half] + 1) / 2,
        };
        let sold = alike.iter().filter(|home| home.status == ListingStatus::Sold).count();
        Some(json!({
            "slug": slug, "price": price, "homes": asked.len(), "sold": sold,
            "lowest": asked.first(), "highest": asked.last(), "median": middle,
            "leastArea": (area * 7 + 9) / 10, "mostArea": area * 13 / 10,
        }))
    })
}

/// Converts a median in an answer to the form of [`median`].
fn read(median: &Value) -> Option<Value> {
    let homes = median["homes"].as_u64()?;
    Some(json!({ "homes": homes, "euros": median["euros"].to_string() }))
}

/// Requests every home and place of the world `number`, and compares the answers with the model.
async fn compare(world: &World, number: u32, homes: &[Home]) -> Result<(), TestCaseError> {
    let list = ask(world, "/api/locations").await;
    for around in PLACES {
        let slug = around[0];
        let expected = medians(homes, slug);
        let text = ask(world, &format!("/api/locations/{}", named(number, slug))).await;
        let found = text["prices"].is_object().then(|| {
            json!({
                "price": read(&text["prices"]["price"]),
                "metreOfFlats": read(&text["prices"]["metreOfFlats"]),
                "metreOfHouses": read(&text["prices"]["metreOfHouses"]),
            })
        });
        prop_assert_eq!(&found, &expected, "{}", slug);
        let items = list["items"].as_array().expect("places");
        let item = items.iter().find(|item| item["slug"] == named(number, slug).as_str());
        let listed = item.and_then(|item| read(&item["median"]));
        prop_assert_eq!(listed, expected.map(|it| it["price"].clone()), "{}", slug);
    }
    for index in 0..homes.len() {
        let path = format!("/api/properties/W{number}-{index}/comparable");
        let answer = ask(world, &path).await;
        let it = &answer["homes"];
        let found = it.is_object().then(|| {
            let slug = it["location"]["slug"].as_str().unwrap_or_default();
            json!({
                "slug": slug.strip_prefix(&named(number, "")), "price": it["price"],
                "homes": it["homes"], "sold": it["sold"],
                "lowest": it["lowest"], "highest": it["highest"], "median": it["median"],
                "leastArea": it["leastArea"], "mostArea": it["mostArea"],
            })
        });
        prop_assert_eq!(found, comparison(homes, index), "{:?} of {:?}", &homes[index], homes);
    }
    Ok(())
}

#[test]
fn medians_and_comparable_homes_match_the_model() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let world = runtime.block_on(World::start("query_prices"));
    let world = tokio::sync::Mutex::new((world, 0_u32));
    let config =
        Config { cases: 5, failure_persistence: None, max_shrink_iters: 0, ..Config::default() };
    let result = TestRunner::new(config).run(&vec(a_home(), 40..90), |homes| {
        runtime.block_on(async {
            let mut world = world.lock().await;
            let (world, number) = &mut *world;
            *number += 1;
            for around in PLACES {
                let slugs: Vec<String> = around.iter().map(|slug| named(*number, slug)).collect();
                let ancestors: Vec<&str> = slugs[1..].iter().map(String::as_str).collect();
                world.log.publish(&place(&slugs[0], &ancestors)).await;
            }
            let mut last = None;
            for (index, home) in homes.iter().enumerate() {
                last = Some(world.log.publish(&home.event(*number, index)).await);
            }
            world.wait_for(last.expect("there are homes")).await;
            compare(world, *number, &homes).await
        })
    });
    result.expect("every figure matches the model");
}

#[tokio::test(flavor = "multi_thread")]
async fn prices_are_tagged_with_the_places_and_homes_they_depend_on() {
    let mut world = World::start("query_prices_tags").await;
    world.log.publish(&place("w1-coast", &[])).await;
    world.log.publish(&place("w1-town", &["w1-coast"])).await;
    let flat = |place| Home {
        place,
        kind: PropertyKind::Apartment,
        price: Some(200_000),
        area: Some(80),
        status: ListingStatus::ForSale,
        sale: None,
    };
    for number in 0..6 {
        world.log.publish(&flat(0).event(1, number)).await;
    }
    let last = world.log.publish(&flat(1).event(1, 6)).await;
    world.wait_for(last).await;

    let tags = async |path: &str| {
        let answer = reqwest::get(format!("{}{path}", world.node.url)).await.expect("an answer");
        tags_of(answer.headers())
    };
    assert_eq!(tags("/api/locations/w1-coast").await, ["location:w1-coast", "day"]);
    assert_eq!(tags("/api/locations").await, ["list:locations", "list:properties"]);
    assert_eq!(
        tags("/api/properties/w1-0/comparable").await,
        ["property:w1-0", "property:W1-0", "location:w1-coast", "day"]
    );
    // Its town has no other home, so it is compared with those of the coast.
    assert_eq!(
        tags("/api/properties/W1-6/comparable").await,
        ["property:W1-6", "location:w1-town", "location:w1-coast", "day"]
    );
    let missing = reqwest::get(format!("{}/api/properties/W1-99/comparable", world.node.url)).await;
    let missing = missing.expect("an answer");
    assert_eq!(missing.status(), 404);
    assert_eq!(tags_of(missing.headers()), ["property:W1-99"]);
    let refused = reqwest::get(format!("{}/api/properties/W1-0/comparable?x=1", world.node.url));
    assert_eq!(refused.await.expect("an answer").status(), 400);
}

fn tags_of(headers: &HeaderMap) -> Vec<String> {
    let tags = headers.get("surrogate-key").and_then(|tags| tags.to_str().ok()).unwrap_or_default();
    tags.split(' ').map(str::to_owned).collect()
}
