//! Words that no home has.

use contracts::content::{ListingStatus, Property};
use serde_json::json;

use crate::{
    homes::{home, publish},
    node::World,
    places::ask,
};

const OTHER_SITE: &str = "https://www.idealista.com/inmueble/104567890/";

#[tokio::test(flavor = "multi_thread")]
async fn words_that_nothing_has_are_left_out_where_more_is_understood() {
    let mut world = World::start("query_left_out").await;
    let sold = Property { status: ListingStatus::Sold, ..home("AH-1044", 90_000, 0) };
    publish(&mut world, &[home("AH-1042", 300_000, 2), home("AH-1043", 200_000, 1), sold]).await;
    for (query, total, words, left_out) in [
        ("sunny+villa", 2, "sunny", ""),
        ("pet+friendly+villa", 2, "", "pet friendly"),
        // Nothing else says what is looked for, or it is one home.
        ("pet+friendly", 0, "pet friendly", ""),
        ("villa+AH-9999", 0, "AH-9999", ""),
        // They are not what is to be given up.
        ("pet+friendly+villa&maxPrice=1000", 0, "pet friendly", ""),
        (OTHER_SITE, 2, "", OTHER_SITE),
        ("https://almijara.example/property-for-sale/nerja/AH-1044", 1, "AH-1044", ""),
    ] {
        let list = ask(&world, &format!("/api/properties?q={query}")).await;
        let told = json!([list["total"], list["words"], list["leftOut"]]);
        assert_eq!(told, json!([total, words, left_out]), "{query}");
        let map = ask(&world, &format!("/api/properties/map?q={query}")).await;
        assert_eq!(map["total"], total, "the map of {query}");
    }
    let last = ask(&world, "/api/properties?q=pet+friendly+villa&page=2&perPage=1").await;
    assert_eq!(json!([last["items"][0]["ref"], last["loosen"]]), json!(["AH-1043", []]));
}
