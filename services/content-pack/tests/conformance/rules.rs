//! The validation rules of the model, which Directus checks when an item is saved. These tests run
//! against Directus only, since nothing validates the files of a folder.

use reqwest::Method;
use serde_json::{Value, json};

use crate::service::directus;

#[tokio::test]
async fn invalid_values_cannot_be_saved() {
    let service = directus().await;
    let long = "A".repeat(300);
    for (path, fields) in [
        ("items/properties/1", json!({ "price": -5 })),
        ("items/properties/1", json!({ "price": 2_000_000_000 })),
        ("items/properties/1", json!({ "lat": 999 })),
        ("items/properties/1", json!({ "lng": "-180.5" })),
        ("items/properties/1", json!({ "status": "review" })),
        ("items/properties/1", json!({ "status": null })),
        ("items/properties/1", json!({ "listing_status": "banana" })),
        ("items/properties/1", json!({ "property_type": "castle" })),
        ("items/properties/1", json!({ "energy_rating": "H" })),
        ("items/properties/1", json!({ "location": null })),
        ("items/properties/1", json!({ "ref": "AH 1001" })),
        ("items/properties/1", json!({ "ref": "AH/1001" })),
        ("items/properties/1", json!({ "ref": ".." })),
        ("items/properties/1", json!({ "ref": "" })),
        ("items/properties_translations/1", json!({ "title": "" })),
        ("items/properties_translations/1", json!({ "title": "  " })),
        ("items/properties_translations/1", json!({ "title": null })),
        ("items/properties/1", json!({ "translations": [{ "id": 1, "title": "" }] })),
        ("items/locations/1", json!({ "slug": "a/b" })),
        ("items/locations/1", json!({ "slug": long })),
        ("items/pages/1", json!({ "kind": "poem" })),
        ("items/docs/2", json!({ "slug": "/buying" })),
        ("items/redirects/1", json!({ "code": 200 })),
        ("items/redirects/1", json!({ "from_path": "old" })),
        ("items/redirects/1", json!({ "from_path": "/old?x=1" })),
        ("items/redirects/1", json!({ "from_path": "/old#a" })),
        ("items/redirects/1", json!({ "to_path": "https://elsewhere.example" })),
        ("items/redirects/1", json!({ "to_path": "//elsewhere.example" })),
        ("items/redirects/1", json!({ "to_path": "/\\elsewhere.example" })),
        ("items/navigation/1", json!({ "url": "contact-us" })),
        ("items/navigation/1", json!({ "url": "https://" })),
        ("items/navigation/1", json!({ "url": "mailto: ann@x.example" })),
        ("items/site_settings", json!({ "social_url": "www.elsewhere.example" })),
    ] {
        let (status, answer) = service.try_save(Method::PATCH, path, &fields).await;
        assert_eq!(status, 400, "{path} accepts {fields}: {answer}");
        let code = &answer["errors"][0]["extensions"]["code"];
        assert!(["FAILED_VALIDATION", "VALUE_TOO_LONG"].iter().any(|it| code == it), "{answer}");
    }
}

#[tokio::test]
async fn valid_values_and_incomplete_drafts_can_be_saved() {
    let service = directus().await;
    for (method, path, fields) in [
        (
            Method::POST,
            "items/properties",
            json!({
                "id": 900, "ref": "AH-1900", "property_type": "house", "kind": "villa",
                "translations": [{ "languages_code": "es-ES", "summary": "Todo por escribir" }],
            }),
        ),
        (Method::PATCH, "items/properties/900", json!({ "price": null, "lat": null })),
        (Method::PATCH, "items/properties/900", json!({ "price": "250000", "lat": "-36.75" })),
        (Method::PATCH, "items/properties/900", json!({ "energy_rating": "" })),
        (Method::PATCH, "items/properties/900", json!({ "ref": "AH_1900.x", "bedrooms": 0 })),
        (Method::PATCH, "items/docs/1", json!({ "slug": "" })),
        (
            Method::POST,
            "items/redirects",
            json!({ "id": 900, "from_path": "/a", "to_path": "/b", "code": null }),
        ),
        (Method::PATCH, "items/redirects/900", json!({ "code": 410, "to_path": null })),
        (
            Method::POST,
            "items/navigation",
            json!({ "id": 901, "menu": "footer", "url": "https://elsewhere.example/a?b#c" }),
        ),
        (Method::PATCH, "items/navigation/901", json!({ "url": "tel:+34 952 000 000" })),
        (Method::PATCH, "items/navigation/901", json!({ "url": "/contact-us?kind=valuation" })),
        (Method::PATCH, "items/navigation/901", json!({ "url": null })),
    ] {
        let (status, answer) = service.try_save(method, path, &fields).await;
        assert_eq!(status, 200, "{path} refuses {fields}: {answer}");
    }
}

#[tokio::test]
async fn rules_have_a_message_in_the_language_of_the_editor() {
    let service = directus().await;
    let (_, answer) = service.try_save(Method::GET, "fields/properties/price", &Value::Null).await;
    let message = answer["data"]["meta"]["validation_message"].as_str().expect("a message");
    let key = message.strip_prefix("$t:").expect("it is a translation key");
    for (language, words) in [
        ("en-GB", "Must be a whole number from 0 to 1000000000, or empty."),
        ("es-ES", "Debe ser un número entero de 0 a 1000000000, o quedar vacío."),
    ] {
        let path = format!("translations?filter[key][_eq]={key}&filter[language][_eq]={language}");
        let (_, answer) = service.try_save(Method::GET, &path, &Value::Null).await;
        assert_eq!(answer["data"][0]["value"], words, "{language}");
    }
}

#[tokio::test]
async fn another_set_up_adds_missing_rules() {
    let service = directus().await;
    // A rule that no other test depends on.
    let path = "fields/navigation/target";
    let none = json!({ "meta": { "validation": null, "validation_message": null } });
    assert_eq!(service.try_save(Method::PATCH, path, &none).await.0, 200);
    let link = json!({ "id": 900, "menu": "header", "target": "_top" });
    assert_eq!(service.try_save(Method::POST, "items/navigation", &link).await.0, 200);

    let plan = service.rest().set_up_again().await;
    let changes: Vec<String> = plan.changes.iter().map(ToString::to_string).collect();
    assert_eq!(changes.len(), 2, "{changes:#?}");
    assert!(
        changes.iter().all(|it| it.starts_with("~ field navigation.target: valid")),
        "{changes:#?}"
    );
    let invalid = json!({ "target": "_parent" });
    assert_eq!(service.try_save(Method::PATCH, "items/navigation/900", &invalid).await.0, 400);
    let plan = service.rest().set_up_again().await;
    assert!(plan.is_empty(), "{:#?}", plan.changes);
}
