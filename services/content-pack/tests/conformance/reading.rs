//! Reading items.

use std::collections::BTreeSet;

use content_client::{Hidden, Part, Reading};
use contracts::{AggregateId, Collection, PartCollection};
use serde_json::{Value, json};

use crate::service::{Service, TOKEN};

/// Returns the snapshot of an item, without the timestamps that differ between the services.
async fn snapshot(service: &Service, collection: Collection, key: &str) -> Value {
    let reading = service.read(collection, key).await;
    let snapshot = reading.snapshot();
    let mut json =
        serde_json::to_value(snapshot.expect("it is published")).expect("a snapshot is JSON");
    remove_timestamps(&mut json);
    json
}

fn remove_timestamps(json: &mut Value) {
    match json {
        Value::Object(object) => {
            object.remove("updatedAt");
            object.remove("version");
            object.values_mut().for_each(remove_timestamps);
        }
        Value::Array(entries) => entries.iter_mut().for_each(remove_timestamps),
        _ => {}
    }
}

fn file(number: u8) -> String {
    format!("a0000000-0000-4000-8000-00000000000{number}")
}

fn picture(number: u8, width: u32, alt: &str) -> Value {
    json!({ "file": file(number), "width": width, "height": 4, "alt": alt })
}

pub async fn a_published_property_is_read_completely(service: &Service) {
    let expected = json!({
        "collection": "properties",
        "ref": "AH-1001",
        "status": "under_offer",
        "propertyType": "House",
        "kind": "villa",
        "price": 345_000,
        "previousPrice": 360_000,
        "reduced": true,
        "featured": true,
        "newBuild": true,
        "listedAt": "2026-05-18T00:00:00Z",
        "bedrooms": 3,
        "bathrooms": 2,
        "builtArea": 120,
        "plotArea": 850,
        "terraceArea": 20,
        "yearBuilt": 1998,
        "floor": "2",
        "features": ["air-conditioning", "garden", "mountain-view", "pool", "sea-view", "terrace"],
        "energy": { "rating": "C", "consumption": 98.5, "emissions": 18.2 },
        "annualCosts": { "communityFees": 620, "ibi": 410, "garbage": 92 },
        "coordinates": { "lat": 36.75, "lng": -3.87 },
        "location": {
            "key": "1", "slug": "nerja", "name": { "en": "Nerja", "es": "Nerja" },
        },
        "particulars": {
            "usefulArea": 101,
            "orientation": "sw",
            "beachWalk": { "minutes": 8, "slope": "gentle" },
            "rooms": [
                { "kind": "kitchen", "area": 9.5, "floor": "0" },
                { "kind": "bedroom", "area": 12.0 },
            ],
            "video": { "service": "youtube", "id": "aqz-KE-bpKQ" },
        },
        "images": [
            picture(2, 6, "A kitchen"), picture(1, 8, "A terrace"), picture(3, 5, ""),
        ],
        "floorPlan": picture(3, 5, ""),
        "text": {
            "en": { "title": "House 1", "summary": "Summary 1", "description": "<p>Text 1</p>" },
            "es": { "title": "Casa 1", "summary": "Resumen 1", "description": "<p>Texto 1</p>" },
        },
    });
    assert_eq!(snapshot(service, Collection::Properties, "1").await, expected);

    let reading = service.read(Collection::Properties, "1").await;
    let translations = PartCollection::Translations(Collection::Properties);
    let mut parts = vec![Part::location("1")];
    parts.extend(["1", "2"].map(|key| Part::row(translations, key)));
    parts.extend(["1", "2", "3"].map(|key| Part::row(PartCollection::PropertyFiles, key)));
    parts.extend([1, 2, 3].map(|number| Part::row(PartCollection::Files, file(number))));
    parts.sort_unstable();
    assert_eq!(reading.parts(), parts);
}

pub async fn missing_texts_and_empty_fields_of_a_property_are_distinguished(service: &Service) {
    let property = snapshot(service, Collection::Properties, "8").await;
    assert_eq!(
        property["text"]["es"],
        json!({ "title": "Local", "summary": "", "description": "" })
    );
    assert_eq!(property["text"].get("en"), None);
    assert_eq!(property["price"], json!(null));
    assert_eq!((&property["images"], &property["energy"]), (&json!([]), &json!(null)));
    assert_eq!(property["propertyType"], "Commercial");
}

pub async fn unpublished_items_are_hidden_with_a_reason(service: &Service) {
    let not_published = |status: &str| Hidden::NotPublished { status: status.to_owned() };
    let draft_place = "locations/2 (draft) “secret-valley”";
    for (key, expected) in [
        ("2", not_published("draft")),
        ("3", not_published("archived")),
        ("4", Hidden::NoPublishedLocation { place: draft_place.to_owned() }),
    ] {
        match service.read(Collection::Properties, key).await {
            Reading::Hidden { reason, .. } => assert_eq!(reason, expected, "property {key}"),
            other => panic!("property {key} reads as {other:?}"),
        }
    }
    // The part whose publication would show it is still known.
    let hidden = service.read(Collection::Properties, "4").await;
    assert!(hidden.parts().contains(&Part::location("2")));
}

pub async fn items_that_violate_a_rule_are_invalid_and_not_hidden(service: &Service) {
    for (key, expected) in [("5", "location"), ("7", "translations.title")] {
        match service.read(Collection::Properties, key).await {
            Reading::Invalid { violations, .. } => {
                let fields: Vec<&str> = violations.iter().map(|it| it.field.as_str()).collect();
                assert_eq!(fields, [expected], "property {key}");
            }
            other => panic!("property {key} reads as {other:?}"),
        }
    }
}

pub async fn snapshots_contain_nothing_of_a_draft_place(service: &Service) {
    let client = service.client();
    for collection in Collection::ALL {
        let page = client.read_all(collection, None, 500).await.expect("a page");
        for (id, reading) in page.readings {
            let json = serde_json::to_string(&reading.snapshot()).expect("JSON");
            for word in ["Secret", "Secreto", "secret-valley"] {
                assert!(!json.contains(word), "{id} shows {word}");
            }
        }
    }
}

pub async fn places_articles_and_pages_are_read(service: &Service) {
    let article = "b0000000-0000-4000-8000-000000000001";
    let place = picture(4, 7, "A beach");
    for (collection, key, expected) in [
        (
            Collection::Locations,
            "1",
            json!({
                "collection": "locations", "slug": "nerja", "sort": 1, "image": place,
                "coordinates": { "lat": 36.7555, "lng": -3.9535 },
                "text": {
                    "en": { "name": "Nerja", "intro": "Nerja in a sentence.", "description": "<p>Nerja.</p>" },
                    "es": { "name": "Nerja", "intro": "Nerja en una frase.", "description": "<p>Nerja.</p>" },
                },
            }),
        ),
        (
            Collection::Articles,
            article,
            json!({
                "collection": "articles", "slug": "news-1", "publishedAt": "2026-03-01T10:00:00Z",
                "image": place,
                "text": { "en": { "title": "News 1", "summary": "In short", "body": "<p>At length</p>" } },
            }),
        ),
        (
            Collection::Pages,
            "1",
            json!({
                "collection": "pages", "slug": "buying-a-property", "kind": "guide", "image": null,
                "location": null,
                "text": { "en": {
                    "title": "Buying", "intro": "Step by step.", "body": "<h2>First</h2>",
                    "metaDescription": "How to buy.",
                    "faq": [{ "question": "How long?", "answer": "Two months." }],
                } },
            }),
        ),
        // Its location is a draft.
        (
            Collection::Pages,
            "2",
            json!({
                "collection": "pages", "slug": "quiet-valley", "kind": "landing", "image": null,
                "location": null,
                "text": { "en": {
                    "title": "A quiet valley", "intro": "", "body": "", "metaDescription": "", "faq": [],
                } },
            }),
        ),
        (
            Collection::Pages,
            "3",
            json!({
                "collection": "pages", "slug": "nerja-by-the-sea", "kind": "landing", "image": null,
                "location": "nerja",
                "text": { "en": {
                    "title": "Nerja", "intro": "", "body": "", "metaDescription": "", "faq": [],
                } },
            }),
        ),
        (
            Collection::Docs,
            "1",
            json!({
                "collection": "docs", "slug": "", "sort": 1,
                "text": { "en": { "title": "Documentation", "summary": "All of it.", "body": "<p>…</p>" } },
            }),
        ),
        (
            Collection::Docs,
            "2",
            json!({
                "collection": "docs", "slug": "buying/nie-number", "sort": 2,
                "text": { "en": { "title": "NIE", "summary": "The number.", "body": "<p>…</p>" } },
            }),
        ),
    ] {
        assert_eq!(snapshot(service, collection, key).await, expected, "{collection} {key}");
    }
}

pub async fn settings_menus_people_and_redirects_are_read(service: &Service) {
    let place = picture(4, 7, "A beach");
    for (collection, key, expected) in [
        (
            Collection::Team,
            "1",
            json!({
                "collection": "team", "name": "Ana Ruiz", "administration": true,
                "sort": 1, "photo": place, "email": "ana@example.com", "phone": "+34 600 000 001",
                "text": { "es": { "role": "Ventas", "bio": "De Nerja." } },
            }),
        ),
        (
            Collection::Navigation,
            "2",
            json!({
                "collection": "navigation", "menu": "header", "parent": "1", "sort": 1,
                "url": "/properties/villas", "target": null, "icon": null, "badge": "New",
                "disabled": false,
                "text": { "en": { "label": "Villas", "description": "" } },
            }),
        ),
        (
            Collection::SiteSettings,
            AggregateId::SINGLETON_KEY,
            json!({
                "collection": "site_settings", "companyName": "Almijara Homes",
                "legalName": "Almijara Homes S.L.", "taxId": null, "phones": ["+34 952 000 000"],
                "emails": ["hello@example.com"], "whatsapp": null, "street": "Calle Real 1",
                "postalCode": "29780", "town": "Nerja", "province": "Málaga",
                "coordinates": { "lat": 36.745, "lng": -3.875 }, "socialUrl": null,
                "openingHours": [{ "months": [7, 8], "weekdays": [1, 2, 3, 4, 5],
                                   "opens": "09:00", "closes": "15:00" }],
                "figures": { "transferTax": { "rate": 7, "source": "BOJA" } }, "hero": place,
                "text": { "en": {
                    "titleSuffix": "Almijara Homes", "tagline": "Homes by the sea",
                    "description": "Estate agency.", "footerNote": "", "sampleNotice": "",
                } },
            }),
        ),
        (
            Collection::Redirects,
            "1",
            json!({
                "collection": "redirects", "fromPath": "/old", "toPath": "/new", "code": 308,
            }),
        ),
        (
            Collection::Redirects,
            "2",
            json!({
                "collection": "redirects", "fromPath": "/gone", "toPath": null, "code": 410,
            }),
        ),
    ] {
        assert_eq!(snapshot(service, collection, key).await, expected, "{collection} {key}");
    }
}

pub async fn every_requested_key_has_a_reading(service: &Service) {
    let client = service.client();
    let keys = ["1", "2", "987654", "banana", "99999999999", "-1"].map(str::to_owned);
    let readings =
        client.read_many(Collection::Properties, &keys).await.expect("readings").readings;
    assert!(readings["1"].snapshot().is_some());
    assert!(matches!(readings["2"], Reading::Hidden { .. }));
    for key in &keys[2..] {
        assert_eq!(readings[key], Reading::Absent, "{key}");
    }

    let keys = ["b0000000-0000-4000-8000-00000000000f", "1"].map(str::to_owned);
    let readings = client.read_many(Collection::Articles, &keys).await.expect("readings").readings;
    assert!(readings.values().all(|reading| *reading == Reading::Absent));
}

pub async fn pages_contain_every_item_exactly_once(service: &Service) {
    let client = service.client();
    for collection in [Collection::Properties, Collection::Articles, Collection::SiteSettings] {
        let mut keys = Vec::new();
        let mut after = None;
        loop {
            let page = client.read_all(collection, after.as_deref(), 2).await.expect("a page");
            assert!(page.readings.len() <= 2);
            keys.extend(page.readings.into_iter().map(|(id, _)| id.key));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        let unique: BTreeSet<&str> = keys.iter().map(String::as_str).collect();
        assert_eq!(unique.len(), keys.len(), "{collection} has an item on two pages");
        for key in fixture_keys(collection) {
            assert!(unique.contains(key), "{collection} {key} is on no page");
        }
    }
}

/// Returns items of the fixture that no case deletes.
fn fixture_keys(collection: Collection) -> &'static [&'static str] {
    match collection {
        Collection::Properties => &["1", "2", "3", "4", "5", "6", "7", "8", "11", "12", "15", "16"],
        Collection::Articles => &[
            "b0000000-0000-4000-8000-000000000001",
            "b0000000-0000-4000-8000-000000000002",
            "b0000000-0000-4000-8000-000000000003",
        ],
        _ => &["1"],
    }
}

pub async fn ids_include_the_published_state(service: &Service) {
    let ids = service.client().ids(Collection::Properties).await.expect("ids");
    for (key, published) in [("1", true), ("2", false), ("3", false), ("6", true)] {
        let id = ids.iter().find(|id| id.key == key).expect("it is listed");
        assert_eq!(id.published, published, "property {key}");
    }
    let settings = service.client().ids(Collection::SiteSettings).await.expect("ids");
    assert_eq!(settings.iter().map(|id| id.key.as_str()).collect::<Vec<_>>(), ["1"]);
}

pub async fn the_parents_of_parts_are_found(service: &Service) {
    let client = service.client();
    let parents = async |part, keys: &[&str]| {
        let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        client.parents(part, &keys).await.expect("parents")
    };
    let property = |key| AggregateId::new(Collection::Properties, key);
    let translations = PartCollection::Translations(Collection::Properties);
    let found = parents(translations, &["1", "2", "15", "987654", "x"]).await;
    assert_eq!(found, [property("1"), property("8")]);
    assert_eq!(parents(PartCollection::PropertyFiles, &["3"]).await, [property("1")]);
    let settings = PartCollection::Translations(Collection::SiteSettings);
    assert_eq!(parents(settings, &["1"]).await, [AggregateId::singleton(Collection::SiteSettings)]);
    assert_eq!(parents(PartCollection::Files, &[&file(1)]).await, []);
    assert_eq!(parents(translations, &[]).await, []);
}

pub async fn the_canary_is_found(service: &Service) {
    for collection in Collection::ALL {
        let seen = service.client().canary(collection).await.expect("the canary answers");
        assert!(seen, "{collection}");
    }
}

pub async fn pictures_are_served_unchanged(service: &Service) {
    let path = format!("assets/{}?v=1a2b", file(1));
    let response = service.request(&path, Some(TOKEN)).await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "image/png");
    let bytes = response.bytes().await.expect("bytes");
    assert_eq!(bytes, crate::service::picture(8, 4));
}
