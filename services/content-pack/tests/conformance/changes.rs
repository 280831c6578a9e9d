//! Edits: the posted webhooks, and the content read afterwards. Each case uses its own items.

use content_client::{Hidden, Reading};
use contracts::{Collection, content::Snapshot};
use serde_json::{Value, json};

use crate::service::{Edit, Service, picture};

/// Whether `body` is about `event` and `key`, with the key in either field and of any type.
fn is_event(body: &Value, event: &str, key: &str) -> bool {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let has_key = match (body.get("key"), body.get("keys")) {
        (Some(one), None) => text(one) == key,
        (None, Some(Value::Array(keys))) => keys.iter().any(|one| text(one) == key),
        _ => false,
    };
    body["event"] == event && has_key
}

fn price(reading: &Reading) -> Option<i64> {
    match reading.snapshot() {
        Some(Snapshot::Properties(property)) => property.price,
        _ => None,
    }
}

pub async fn a_changed_field_is_posted_and_read(service: &Service) {
    let fields = json!({ "price": 512_000 });
    service.edit(Edit::Update { collection: "properties", key: json!(12), fields }).await;
    let event = "properties.items.update";
    let body = service.webhook("the change is posted", |body| is_event(body, event, "12")).await;
    assert_eq!(body["collection"], "properties");
    assert_eq!(body["keys"], json!(["12"]), "the key of a single item is a string");
    assert_eq!(body["payload"], json!({ "price": 512_000 }), "only what changed");
    assert_eq!(price(&service.read(Collection::Properties, "12").await), Some(512_000));
}

pub async fn a_changed_translation_is_posted_with_its_own_key(service: &Service) {
    service
        .edit(Edit::Translate {
            collection: "properties",
            parent: json!(13),
            row: 25,
            fields: json!({ "title": "Another house" }),
        })
        .await;
    let event = "properties_translations.items.update";
    let body = service.webhook("the change is posted", |body| is_event(body, event, "25")).await;
    assert_eq!(body["collection"], "properties_translations");
    assert_eq!(
        body["payload"],
        json!({ "title": "Another house" }),
        "the payload does not contain the parent"
    );
    match service.read(Collection::Properties, "13").await.snapshot() {
        Some(Snapshot::Properties(property)) => {
            let title = property.text.en.as_ref().map(|text| text.title.as_str());
            assert_eq!(title, Some("Another house"));
        }
        other => panic!("{other:?}"),
    }
}

pub async fn a_new_item_is_posted_with_its_key(service: &Service) {
    let item = json!({
        "id": 40, "status": "published", "ref": "AH-1040", "listing_status": "for_sale",
        "property_type": "apartment", "kind": "studio", "energy_rating": "F",
        "price": 99_000, "location": 1,
        "translations": [{ "id": 79, "languages_code": "en-GB", "title": "A new studio" }],
    });
    service.edit(Edit::Create { collection: "properties", item }).await;
    let event = "properties.items.create";
    let body = service.webhook("the item is posted", |body| is_event(body, event, "40")).await;
    assert_eq!(body["collection"], "properties");
    assert_eq!(body["payload"]["ref"], "AH-1040");
    let event = "properties_translations.items.create";
    service.webhook("its translation is posted too", |body| is_event(body, event, "79")).await;
    assert_eq!(price(&service.read(Collection::Properties, "40").await), Some(99_000));
}

pub async fn a_deleted_item_is_posted_and_absent(service: &Service) {
    service.edit(Edit::Delete { collection: "properties", key: json!(14) }).await;
    let event = "properties.items.delete";
    let body = service.webhook("the deletion is posted", |body| is_event(body, event, "14")).await;
    assert_eq!((&body["keys"], &body["payload"]), (&json!(["14"]), &json!(["14"])));
    assert_eq!(service.read(Collection::Properties, "14").await, Reading::Absent);
    let ids = service.client().ids(Collection::Properties).await.expect("ids");
    assert!(ids.iter().all(|id| id.key != "14"));
    assert!(service.client().canary(Collection::Properties).await.expect("the canary answers"));
}

pub async fn an_unpublished_item_is_hidden(service: &Service) {
    let fields = json!({ "status": "draft" });
    service.edit(Edit::Update { collection: "docs", key: json!(3), fields }).await;
    service.webhook("it is posted", |body| is_event(body, "docs.items.update", "3")).await;
    let reading = service.read(Collection::Docs, "3").await;
    let reason = Hidden::NotPublished { status: "draft".to_owned() };
    assert!(matches!(&reading, Reading::Hidden { reason: found, .. } if *found == reason));
}

pub async fn a_replaced_picture_has_another_version(service: &Service) {
    let file = "a0000000-0000-4000-8000-000000000005";
    let image = |reading: &Reading| match reading.snapshot() {
        Some(Snapshot::Properties(property)) => property.images.first().cloned(),
        _ => None,
    };
    let before = image(&service.read(Collection::Properties, "16").await).expect("a picture");
    assert_eq!((before.width, before.height), (9, 4));
    service.edit(Edit::Replace { file, picture: picture(21, 13) }).await;
    service.webhook("the upload is posted", |body| is_event(body, "files.upload", file)).await;
    let event = "files.update";
    let body = service.webhook("and the update", |body| is_event(body, event, file)).await;
    assert_eq!(body["collection"], "directus_files");
    let after = image(&service.read(Collection::Properties, "16").await).expect("a picture");
    assert_eq!((after.file, after.width, after.height), (before.file, 21, 13));
    assert_ne!(after.version, before.version);
}

pub async fn an_unpublished_place_hides_its_properties(service: &Service) {
    let published = service.read(Collection::Properties, "15").await;
    assert!(published.snapshot().is_some());
    let fields = json!({ "status": "draft" });
    service.edit(Edit::Update { collection: "locations", key: json!(4), fields }).await;
    service.webhook("it is posted", |body| is_event(body, "locations.items.update", "4")).await;
    let reading = service.read(Collection::Properties, "15").await;
    assert!(matches!(reading, Reading::Hidden { reason: Hidden::NoPublishedLocation { .. }, .. }));
    assert_eq!(reading.parts(), published.parts(), "the parts that can show it again are known");
}
