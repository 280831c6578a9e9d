//! Places, and the hierarchy of places.

use chrono::{DateTime, Utc};
use contracts::{
    AggregateId, Change, Collection, Event, Localized, SCHEMA_VERSION, Version,
    content::{Location, LocationText, Property, Snapshot},
};
use serde_json::{Value, json};
use testkit::{eventually, log::page_event};
use uuid::Uuid;

use crate::{
    homes::{home, publish, withdrawn},
    node::World,
};

fn written_at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).expect("a time of ours")
}

/// Returns an event that publishes the place `slug`, which is in `ancestors`.
pub fn place(slug: &str, ancestors: &[&str]) -> Event {
    let text = LocationText {
        name: slug.to_uppercase(),
        intro: String::new(),
        description: String::new(),
    };
    let place = Location {
        slug: slug.to_owned(),
        ancestors: ancestors.iter().map(|slug| (*slug).to_owned()).collect(),
        sort: None,
        coordinates: None,
        image: None,
        text: Localized { en: Some(text), es: None },
    };
    Event {
        id: Uuid::new_v4(),
        schema_version: SCHEMA_VERSION,
        aggregate: AggregateId::new(Collection::Locations, slug),
        version: Version(1),
        captured_at: written_at(0),
        change: Change::Upserted { snapshot: Box::new(Snapshot::Locations(place)) },
        offers: Vec::new(),
    }
}

/// Returns a villa in the place `slug`, which is in `ancestors`.
pub fn at(reference: &str, slug: &str, ancestors: &[&str]) -> Property {
    let mut home = home(reference, 100_000, 1);
    slug.clone_into(&mut home.location.slug);
    home.location.ancestors = ancestors.iter().map(|slug| (*slug).to_owned()).collect();
    home
}

pub async fn ask(world: &World, path: &str) -> Value {
    let answer = reqwest::get(format!("{}{path}", world.node.url)).await.expect("an answer");
    answer.error_for_status().expect("it is answered").json().await.expect("JSON")
}

/// Returns an event by which the page `slug` introduces `place`.
fn introduction(slug: &str, version: i64, place: Option<&str>) -> Event {
    let mut event = page_event(slug, version, slug);
    if let Change::Upserted { snapshot } = &mut event.change
        && let Snapshot::Pages(page) = snapshot.as_mut()
    {
        page.location = place.map(str::to_owned);
    }
    event
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_links_to_the_page_that_introduces_it() {
    let mut world = World::start("query_introductions").await;
    world.log.publish(&place("nerja", &[])).await;
    world.log.publish(&place("maro", &["nerja"])).await;
    for (version, introduced) in [(1, Some("nerja")), (2, Some("maro")), (3, None)] {
        let event = introduction("homes-by-the-caves", version, introduced);
        let position = world.log.publish(&event).await;
        world.wait_for(position).await;
        let page = ask(&world, "/api/pages/homes-by-the-caves").await;
        assert_eq!(page["location"], json!(introduced));
        for slug in ["nerja", "maro"] {
            let place = ask(&world, &format!("/api/locations/{slug}")).await;
            let page = (introduced == Some(slug)).then_some("homes-by-the-caves");
            assert_eq!(place["page"], json!(page), "{slug} in version {version}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_includes_the_homes_of_its_parts_in_counts_lists_and_dates() {
    let mut world = World::start("query_places").await;
    let mut position = None;
    for event in [
        place("axarquia", &[]),
        place("nerja", &["axarquia"]),
        place("maro", &["nerja", "axarquia"]),
        place("maro-alto", &["axarquia"]),
    ] {
        position = Some(world.log.publish(&event).await);
    }
    world.wait_for(position.expect("a position")).await;
    let homes = [
        at("AH-1", "nerja", &["axarquia"]),
        at("AH-2", "maro", &["nerja", "axarquia"]),
        at("AH-3", "maro", &["nerja", "axarquia"]),
    ];
    publish(&mut world, &homes).await;

    let places = ask(&world, "/api/locations").await;
    let mut found: Vec<_> = places["items"]
        .as_array()
        .expect("places")
        .iter()
        .map(|place| json!([place["slug"], place["partOf"], place["count"]]))
        .collect();
    found.sort_by_key(ToString::to_string);
    assert_eq!(
        Value::from(found),
        json!([
            ["axarquia", null, 3],
            ["maro", "nerja", 2],
            ["maro-alto", "axarquia", 0],
            ["nerja", "axarquia", 3],
        ])
    );
    let site = ask(&world, "/api/site").await;
    let maro = json!({ "slug": "maro", "name": "MARO", "partOf": "nerja" });
    assert!(site["locations"].as_array().expect("places").contains(&maro), "{site}");

    for (asked, total) in [("axarquia", 3), ("nerja", 3), ("maro", 2), ("maro-alto", 0), ("mar", 0)]
    {
        let list = ask(&world, &format!("/api/properties?location={asked}")).await;
        assert_eq!(list["total"], total, "{asked}");
        let counts = json!({ "axarquia": 3, "maro": 2, "nerja": 3 });
        assert_eq!(list["facets"]["location"], counts, "{asked}");
    }
    let sitemap = ask(&world, "/api/sitemap").await;
    let mapped = |path: &str| -> (DateTime<Utc>, Value) {
        let addresses = sitemap["items"].as_array().expect("addresses");
        let address = addresses.iter().find(|address| address["path"] == path).expect(path);
        let lastmod = address["lastmod"].as_str().and_then(|date| date.parse().ok());
        (lastmod.expect("a date"), address["locales"].clone())
    };
    let both = json!(["en", "es"]);
    // Each home is newer than its place. The list of all homes and the home page have no text of their own.
    let lists = ["axarquia", "nerja", "maro"].map(|slug| format!("/property-for-sale/{slug}"));
    for path in lists.iter().map(String::as_str).chain(["/", "/property-for-sale"]) {
        assert_eq!(mapped(path), (written_at(1), both.clone()), "{path}");
    }
    assert_eq!(mapped("/property-for-sale/maro-alto"), (written_at(0), both));
    assert_eq!(mapped("/property-for-sale/maro/AH-2").1, json!(["en"]));
    assert_eq!(mapped("/first").1, json!(["en"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_from_a_replayed_dead_letter_is_suggested() {
    let world = World::start("query_late_place").await;
    let suggested = async || ask(&world, "/api/suggest?q=ner").await["items"].clone();
    assert_eq!(suggested().await, json!([]));
    let nerja = place("nerja", &[]);
    sqlx::query(
        "insert into read.dead_letter (generation, subject, sequence, version, body, error, tries)
         select generation, $1, sequence, 1, $2, 'the disk was full', 3
         from read.checkpoint where live",
    )
    .bind(nerja.aggregate.subject())
    .bind(serde_json::to_vec(&nerja).expect("an event is JSON"))
    .execute(&world.pool)
    .await
    .expect("the letter is written");
    assert_eq!(
        projections::dead_letters::replay(&world.pool, None, None).await.expect("it is tried"),
        1
    );
    eventually("it is suggested", async || {
        (suggested().await[0]["label"] == "NERJA").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawn_home_names_its_place_as_long_as_that_exists() {
    let mut world = World::start("query_gone_with_its_place").await;
    world.log.publish(&place("nerja", &[])).await;
    publish(&mut world, &[at("AH-1", "nerja", &[])]).await;
    let mut removed = place("nerja", &[]);
    (removed.version, removed.change) = (Version(2), Change::Removed);
    for (event, name, is_gone) in
        [(withdrawn("AH-1"), "NERJA", Value::Null), (removed, "nerja", json!(true))]
    {
        let position = world.log.publish(&event).await;
        world.wait_for(position).await;
        let address = format!("{}/api/properties/AH-1", world.node.url);
        let answer = reqwest::get(address).await.expect("an answer");
        assert_eq!(answer.status(), 410);
        let tags = answer.headers()["surrogate-key"].to_str().expect("tags").to_owned();
        assert!(tags.contains("location:nerja"), "{tags}");
        let gone: Value = answer.json().await.expect("JSON");
        assert_eq!(gone["location"], json!({ "slug": "nerja", "name": name }));
        assert_eq!(gone["placeGone"], is_gone);
    }
}
