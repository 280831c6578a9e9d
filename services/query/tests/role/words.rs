//! Typed words: those that match no home, exclusions, references.

use contracts::content::{ListingStatus, Property};
use serde_json::json;

use crate::{
    homes::{home, publish},
    node::World,
    places::ask,
};

const OTHER_SITE: &str = "https://www.idealista.com/inmueble/104567890/";

#[tokio::test(flavor = "multi_thread")]
async fn words_that_match_nothing_are_dropped_if_there_are_filters() {
    let mut world = World::start("query_left_out").await;
    let sold = Property { status: ListingStatus::Sold, ..home("AH-1044", 90_000, 0) };
    publish(&mut world, &[home("AH-1042", 300_000, 2), home("AH-1043", 200_000, 1), sold]).await;
    for (query, total, words, left_out) in [
        ("sunny+villa", 2, "sunny", ""),
        ("pet+friendly+villa", 2, "", "pet friendly"),
        // There is no other filter, or the words are a reference.
        ("pet+friendly", 0, "pet friendly", ""),
        ("villa+AH-9999", 0, "AH-9999", ""),
        // Without the words there is still no result, because of the price.
        ("pet+friendly+villa&maxPrice=1000", 0, "pet friendly", ""),
        (OTHER_SITE, 2, "", OTHER_SITE),
        ("https://almijara.example/property-for-sale/nerja/AH-1044", 1, "AH-1044", ""),
    ] {
        let list = ask(&world, &format!("/api/properties?q={query}")).await;
        let found = json!([list["total"], list["words"], list["leftOut"]]);
        assert_eq!(found, json!([total, words, left_out]), "{query}");
        let map = ask(&world, &format!("/api/properties/map?q={query}")).await;
        assert_eq!(map["total"], total, "the map of {query}");
    }
    let last = ask(&world, "/api/properties?q=pet+friendly+villa&page=2&perPage=1").await;
    assert_eq!(json!([last["items"][0]["ref"], last["loosen"]]), json!(["AH-1043", []]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exclusion_that_is_no_filter_is_ignored_and_reported() {
    let mut world = World::start("query_ruled_out").await;
    let mut steep = home("AH-1042", 300_000, 2);
    let text = steep.text.en.as_mut().expect("a text");
    text.description = "<p>Stairs lead up to it</p>".to_owned();
    publish(&mut world, &[steep, home("AH-1043", 200_000, 1)]).await;
    for (query, total, ruled_out) in [
        ("no+stairs", 2, "no stairs"),
        ("villa+no+stairs", 2, "no stairs"),
        ("stairs", 1, ""),
        // A phrase that sellers use, and not an exclusion.
        ("no+chain", 0, ""),
        ("no+villas", 0, ""),
    ] {
        let list = ask(&world, &format!("/api/properties?q={query}")).await;
        let found = json!([list["total"], list["ruledOut"], list["leftOut"]]);
        assert_eq!(found, json!([total, ruled_out, ""]), "{query}");
        let map = ask(&world, &format!("/api/properties/map?q={query}")).await;
        assert_eq!(map["total"], total, "the map of {query}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn typed_filters_override_parameters() {
    let mut world = World::start("query_typed").await;
    publish(&mut world, &[home("AH-1042", 300_000, 2), home("AH-1043", 200_000, 1)]).await;
    for (query, total) in [
        ("maxPrice=250000&q=under+350k", 2),
        ("maxPrice=350000&q=under+250k", 1),
        ("kind=penthouse&q=villa", 2),
        // The limits contradict each other.
        ("maxPrice=250000&q=from+310k", 1),
        ("features=garden&q=without+garden", 0),
    ] {
        let list = ask(&world, &format!("/api/properties?{query}")).await;
        assert_eq!(list["total"], total, "{query}");
        let map = ask(&world, &format!("/api/properties/map?{query}")).await;
        assert_eq!(map["total"], total, "the map of {query}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn dropping_a_reference_finds_as_many_as_the_list_without_it() {
    let mut world = World::start("query_no_reference").await;
    let sold = Property { status: ListingStatus::Sold, ..home("AH-1044", 90_000, 0) };
    publish(&mut world, &[home("AH-1042", 300_000, 2), home("AH-1043", 200_000, 1), sold]).await;
    let list = ask(&world, "/api/properties?q=AH-9999").await;
    let without = ask(&world, "/api/properties").await;
    assert_eq!(list["loosen"], json!([{ "parameters": ["q"], "count": without["total"] }]));
    assert_eq!(without["total"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reference_of_any_form_finds_its_home_and_is_not_taken_for_a_price() {
    let mut world = World::start("query_references").await;
    let sold = Property { status: ListingStatus::Sold, ..home("V-10234", 90_000, 0) };
    let homes = [home("R4567890", 300_000, 1), home("1234567", 200_000, 2), sold];
    publish(&mut world, &homes).await;
    publish(&mut world, &[home("AH-100001", 250_000, 3), home("AH-1042", 150_000, 4)]).await;
    for (query, reference) in [
        ("R4567890", "R4567890"),
        ("r-4567890", "R4567890"),
        ("1234567", "1234567"),
        ("v10234", "V-10234"),
        ("AH+100001", "AH-100001"),
        ("Ref.+AH-1042", "AH-1042"),
        ("referencia+R4567890", "R4567890"),
        ("https://almijara.example/property-for-sale/nerja/V-10234", "V-10234"),
    ] {
        let list = ask(&world, &format!("/api/properties?q={query}")).await;
        let found = json!([list["total"], list["items"][0]["ref"], list["words"]]);
        assert_eq!(found, json!([1, reference, reference]), "{query}");
        assert_eq!(list["understood"], json!([]), "{query}");
        let map = ask(&world, &format!("/api/properties/map?q={query}")).await;
        assert_eq!(map["total"], 1, "the map of {query}");
        let suggested = ask(&world, &format!("/api/suggest?q={query}")).await;
        let suggested = suggested["items"].as_array().expect("items");
        assert_eq!((suggested.len(), &suggested[0]["kind"]), (1, &json!("reference")), "{query}");
    }
    // A home with only parts of the reference, in its own reference or its texts, is not found.
    let mut near = home("AH-1043", 150_000, 5);
    let text = near.text.en.as_mut().expect("a text");
    text.description = "<p>12 minutes from the beach, 450 from the church</p>".to_owned();
    let others = [home("AH-12", 150_000, 6), home("450", 150_000, 7), home("V-450", 150_000, 8)];
    publish(&mut world, &others).await;
    publish(&mut world, &[near]).await;
    for reference in ["AH-12", "450"] {
        let query = format!("/api/properties?q={reference}&sort=newest");
        let list = ask(&world, &query).await;
        let found = json!([list["total"], list["items"][0]["ref"], list["words"]]);
        assert_eq!(found, json!([1, reference, reference]));
    }
    let list = ask(&world, "/api/properties?q=ref+1042").await;
    assert_eq!(json!([list["total"], list["items"][0]["ref"]]), json!([1, "AH-1042"]));
}
