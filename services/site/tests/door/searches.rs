//! Counts of the places that visitors search for, recorded without identifying the visitor.

use std::collections::BTreeMap;

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use reqwest::Method;
use serde_json::Value;

use crate::world::World;

type Headers = &'static [(&'static str, &'static str)];

/// The headers that browsers send for a document, and for a client-side navigation.
const DOCUMENT: Headers = &[
    ("user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0"),
    ("sec-fetch-dest", "document"),
    ("sec-fetch-mode", "navigate"),
    ("sec-fetch-site", "none"),
];
const STEP: Headers = &[
    ("user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0"),
    ("sec-fetch-dest", "empty"),
    ("sec-fetch-mode", "cors"),
    ("sec-fetch-site", "same-origin"),
    ("referer", "http://localhost/"),
];

/// Returns the headers `usual`, overridden by `others`.
fn headers(usual: Headers, others: &[(&'static str, &'static str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in usual.iter().chain(others) {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers
}

/// Closes the door, and returns the counts that the write side received.
async fn reported(world: &World) -> Vec<Value> {
    world.close().await;
    world.backend.searches.lock().expect("searches").clone()
}

/// Closes the door, which sends its counts periodically, and returns the total for each place.
async fn totals(world: &World) -> BTreeMap<String, u64> {
    let mut totals = BTreeMap::<String, u64>::new();
    for counts in reported(world).await {
        for (place, count) in counts.as_object().expect("counts") {
            *totals.entry(place.clone()).or_default() += count.as_u64().expect("a number");
        }
    }
    totals
}

#[tokio::test(flavor = "multi_thread")]
async fn each_visit_of_a_place_by_a_person_counts() {
    let world = World::start().await.connected().await;
    let visits: [(&str, Headers, Headers); 6] = [
        ("/property-for-sale/nerja", DOCUMENT, &[]),
        // Served from the cache.
        ("/property-for-sale/nerja", DOCUMENT, &[]),
        ("/es/property-for-sale/nerja?view=map&utm_source=x", DOCUMENT, &[]),
        ("/property-for-sale/maro", DOCUMENT, &[("referer", "http://localhost/nerja")]),
        (
            "/property-for-sale/maro",
            DOCUMENT,
            &[("referer", "http://localhost/property-for-sale/nerja/AH-1")],
        ),
        ("/api/properties?fields=card&location=nerja&locale=en&sort=newest", STEP, &[]),
    ];
    for (path, usual, others) in visits {
        let answer = world.site.get_with(path, &headers(usual, others)).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
    }
    let expected = BTreeMap::from([("maro".to_owned(), 2), ("nerja".to_owned(), 4)]);
    assert_eq!(totals(&world).await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_else_counts() {
    let world = World::start().await.connected().await;
    let nerja = "/property-for-sale/nerja";
    for others in [
        ("user-agent", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"),
        ("user-agent", ""),
        // The service worker, which caches the page for offline use.
        ("sec-fetch-dest", "empty"),
        ("sec-purpose", "prefetch;prerender"),
        ("purpose", "prefetch"),
        ("dnt", "1"),
        ("sec-gpc", "1"),
        // The visitor is already at this place.
        ("referer", "http://localhost/property-for-sale/nerja?sort=oldest"),
        ("referer", "http://localhost/es/property-for-sale/nerja/AH-1"),
    ] {
        let answer = world.site.get_with(nerja, &headers(DOCUMENT, &[others])).await;
        assert_eq!(answer.status(), StatusCode::OK, "{others:?}");
    }
    for path in [
        "/property-for-sale",
        "/property-for-sale/nerja/AH-1",
        "/property-for-sale/atlantis",
        "/estepona",
        "/assets/app-1a2b.js",
        "/api/properties?location=nerja",
    ] {
        world.site.get_with(path, &headers(DOCUMENT, &[])).await;
    }
    let list = "/api/properties?location=nerja";
    for (path, others) in [
        // A page that refreshes after a change.
        (list, ("referer", "http://localhost/property-for-sale/nerja")),
        (list, ("sec-fetch-site", "cross-site")),
        (list, ("user-agent", "curl/8.5.0")),
        ("/api/properties?location=nerja&location=maro", STEP[1]),
        ("/api/properties?location=nerja&perPage=3", STEP[1]),
        ("/api/properties?location=%2F", STEP[1]),
        ("/api/properties", STEP[1]),
    ] {
        let answer = world.site.get_with(path, &headers(STEP, &[others])).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
    }
    let asked = world.site.request(Method::HEAD, nerja).headers(headers(DOCUMENT, &[]));
    assert_eq!(asked.send().await.expect("an answer").status(), StatusCode::OK);
    assert_eq!(reported(&world).await, Vec::<Value>::new());
}
