//! Items that Directus does not normally send, or sends in more than one form. What it normally sends is
//! tested against a real Directus, with the content pack.

use contracts::{
    Collection, Locale, PictureFault, Violation,
    content::{Coordinates, EnergyExemption, Property, Redirect, Snapshot},
};
use serde_json::{Value, json};

use super::reading;
use crate::{
    raw::Raw,
    reading::{Hidden, Reading},
};

pub(super) fn read(collection: Collection, item: &Value) -> Reading {
    reading(collection, Raw::new(item.as_object().expect("an item")))
}

/// Reads a complete property with some `fields` changed.
pub(super) fn property_with(fields: &Value) -> Reading {
    read(Collection::Properties, &property_item(fields))
}

/// Returns the same property as the service sends it.
pub(super) fn property_item(fields: &Value) -> Value {
    let mut item = json!({
        "id": 42, "status": "published", "ref": "AH-1042", "listing_status": "for_sale",
        "property_type": "house", "kind": "villa", "price": 250_000, "energy_rating": "C",
        "location": {
            "id": 7, "status": "published", "slug": "nerja",
            "translations": [{ "languages_code": "en-GB", "name": "Nerja" }],
        },
        "translations": [{ "id": 1, "languages_code": "en-GB", "title": "A villa" }],
    });
    for (field, value) in fields.as_object().expect("fields") {
        item[field] = value.clone();
    }
    item
}

pub(super) fn published(reading: &Reading) -> &Property {
    match reading.snapshot() {
        Some(Snapshot::Properties(property)) => property,
        _ => panic!("{reading:?}"),
    }
}

pub(super) fn reason(reading: Reading) -> Hidden {
    match reading {
        Reading::Hidden { reason, .. } => reason,
        other => panic!("{other:?}"),
    }
}

/// Returns the violations, and checks that each is reported in both languages.
pub(super) fn violations(reading: Reading) -> Vec<Violation> {
    let violations = match reading {
        Reading::Invalid { violations, .. } => violations,
        other => panic!("{other:?}"),
    };
    for violation in &violations {
        assert_ne!(violation.rule_in(Locale::Es), violation.rule, "it is reported in English only");
    }
    violations
}

/// Returns the field and the value of the only violation.
pub(super) fn broken(reading: Reading) -> (String, String) {
    match violations(reading).as_slice() {
        [Violation { field, value, .. }] => (field.clone(), value.clone()),
        other => panic!("{other:?}"),
    }
}

pub(super) fn holding(field: &str, value: &str) -> (String, String) {
    (field.to_owned(), value.to_owned())
}

#[test]
fn numbers_may_be_text_and_texts_may_be_numbers() {
    let reading = property_with(&json!({
        "price": "1250000", "lat": 36.75, "lng": "-3.870000", "energy_rating": "B",
        "energy_value": 71, "bedrooms": "",
    }));
    let property = published(&reading);
    assert_eq!(property.price, Some(1_250_000));
    assert_eq!(property.coordinates, Some(Coordinates { lat: 36.75, lng: -3.87 }));
    assert_eq!(property.energy.as_ref().and_then(|energy| energy.consumption), Some(71.0));
    assert_eq!(property.bedrooms, None);
}

#[test]
fn an_invalid_value_is_reported_and_does_not_hide_the_item() {
    for (field, value, found) in [
        ("listing_status", json!("banana"), "\"banana\""),
        ("listing_status", json!(null), "null"),
        ("property_type", json!("castle"), "\"castle\""),
        ("kind", json!("House"), "\"House\""),
        ("energy_rating", json!("H"), "\"H\""),
        ("status", json!("review"), "\"review\""),
        ("price", json!("a lot"), "\"a lot\""),
        ("status", json!(null), "null"),
        ("price", json!(12.5), "12.5"),
        ("price", json!(-5), "-5"),
        ("lat", json!("136.0"), "\"136.0\""),
        ("lat", json!(999), "999"),
        ("floor", json!("1\0"), "\"1\\u0000\""),
        ("location", json!(null), "null"),
        ("reduced", json!("yes"), "\"yes\""),
        ("features", json!("lift"), "\"lift\""),
        ("listed_on", json!("yesterday"), "\"yesterday\""),
    ] {
        let fields = json!({ field: value, "lng": "-3.870000" });
        assert_eq!(broken(property_with(&fields)), holding(field, found));
    }
}

#[test]
fn a_home_needs_an_energy_rating_or_an_exemption_with_its_reason() {
    for (fields, found) in [
        (json!({ "energy_rating": null }), ("energy_rating", "null")),
        (json!({ "energy_rating": " " }), ("energy_rating", "\" \"")),
        (json!({ "energy_rating": "in_process" }), ("energy_rating", "\"in_process\"")),
        (json!({ "energy_rating": "exempt" }), ("energy_exemption", "null")),
    ] {
        assert_eq!(broken(property_with(&fields)), holding(found.0, found.1));
    }
    let exempt = json!({ "energy_rating": "exempt", "energy_exemption": "protected" });
    let energy = |fields| published(&property_with(&fields)).energy.clone();
    let label = energy(exempt).expect("a label");
    assert_eq!(label.exemption, Some(EnergyExemption::Protected));
    let rated = energy(json!({ "energy_rating": "B", "energy_exemption": "protected" }));
    assert_eq!(rated.and_then(|label| label.exemption), None, "a rating needs no reason");
    // Kinds that the decree does not cover need no rating, and show none.
    for rating in [json!(null), json!("exempt"), json!("in_process"), json!("A")] {
        let garage = json!({ "kind": "garage", "energy_rating": rating });
        assert_eq!(energy(garage), None, "{rating}");
    }
}

#[test]
fn a_reference_that_would_break_a_url_or_a_tag_is_invalid() {
    for wrong in ["", "AH 1042", "AH/1042", "AH,1042", "..", "ÁH-1"] {
        assert_eq!(broken(property_with(&json!({ "ref": wrong }))).0, "ref", "{wrong}");
    }
}

#[test]
fn all_violations_are_reported_at_once() {
    let invalid = json!({
        "price": -5, "kind": "castle",
        "translations": [
            { "id": 1, "languages_code": "en-GB", "title": "A\0villa" },
            { "id": 2, "languages_code": "es-ES", "summary": 7 },
            { "id": 3, "languages_code": "fr-FR", "title": 8 },
        ],
        "images": [{ "id": 1, "sort": 1, "directus_files_id": {
            "id": "0f8470da-8519-4420-8d5d-ae4d58b58e5f", "width": "wide",
        } }],
    });
    let reading = property_with(&invalid);
    assert!(!reading.parts().is_empty(), "a change of a part may mend it");
    let named: Vec<String> = violations(reading).into_iter().map(|it| it.field).collect();
    let expected = [
        "kind",
        "price",
        "translations.en-GB.title",
        "translations.es-ES.summary",
        "images.0f8470da-8519-4420-8d5d-ae4d58b58e5f.width",
    ];
    assert_eq!(named, expected);
}

#[test]
fn an_item_without_its_leading_text_in_any_language_is_invalid() {
    for translations in [
        json!([]),
        json!(null),
        json!([{ "id": 1, "languages_code": "en-GB", "title": " " }]),
        json!([{ "id": 1, "languages_code": "fr-FR", "title": "Villa" }]),
    ] {
        let invalid = json!({ "translations": translations });
        assert_eq!(broken(property_with(&invalid)).0, "translations.title");
    }
}

#[test]
fn settings_and_team_members_without_their_leading_text_are_invalid() {
    let texts = |text: Value| json!([text, { "id": 2, "languages_code": "fr-FR", "role": "Chef" }]);
    for suffix in [json!(""), json!(null)] {
        let text = json!({ "id": 1, "languages_code": "en-GB", "title_suffix": suffix,
                           "tagline": "By the sea" });
        let settings = json!({ "id": 1, "company_name": "Almijara", "translations": texts(text) });
        let reading = read(Collection::SiteSettings, &settings);
        assert_eq!(broken(reading).0, "translations.title_suffix");
    }
    for role in [json!(" "), json!(null)] {
        let text = json!({ "id": 1, "languages_code": "es-ES", "role": role, "bio": "De Nerja." });
        let colleague = json!({ "id": 1, "status": "published", "name": "Ana Ruiz",
                                "translations": texts(text) });
        assert_eq!(broken(read(Collection::Team, &colleague)).0, "translations.role");
    }
}

#[test]
fn only_a_status_hides_an_item() {
    for status in ["draft", "archived"] {
        // The violations of a draft are not reported yet.
        let draft = property_with(&json!({ "status": status, "price": -5, "location": null }));
        let status = status.to_owned();
        assert_eq!(reason(draft), Hidden::NotPublished { status });
    }
}

#[test]
fn an_item_with_any_field_value_is_published_or_invalid() {
    let odd = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e300),
        json!(""),
        json!("x"),
        json!("\0"),
        json!([]),
        json!([1]),
        json!({}),
        json!({ "a": "\0" }),
    ];
    for rule in contracts::Rule::of("properties").filter(|rule| rule.field != "status") {
        for value in &odd {
            match property_with(&json!({ rule.field: value })) {
                Reading::Published { .. } => {}
                Reading::Invalid { violations, .. } => {
                    let named = violations.iter().all(|it| it.field.starts_with(rule.field));
                    assert!(named, "{} = {value}: {violations:?}", rule.field);
                }
                other => panic!("{} = {value}: {other:?}", rule.field),
            }
        }
    }
}

#[test]
fn a_file_that_is_not_a_picture_is_omitted() {
    let file = |kind: &str, width: Value| {
        json!({ "id": 1, "sort": 1, "directus_files_id": {
            "id": "0f8470da-8519-4420-8d5d-ae4d58b58e5f", "type": kind, "width": width,
            "height": 480, "description": "A bay", "description_es": "Una cala",
            "modified_on": "2026-11-21T00:43:12.592Z",
        } })
    };
    let images = json!({ "images": [
        file("application/pdf", json!(null)), file("image/svg+xml", json!(480)),
        file("image/heic", json!(480)), file("image/tiff", json!(480)),
        file("image/jpeg", json!(null)), file("image/jpeg", json!(0)),
        { "id": 2, "directus_files_id": null }, file("image/jpeg", json!(640)),
    ] });
    let reading = property_with(&images);
    let pictures = &published(&reading).images;
    assert_eq!(pictures.len(), 1);
    assert_eq!((pictures[0].width, pictures[0].version.as_str()), (640, "1a1fb8ea750"));
    assert_eq!(Locale::ALL.map(|locale| pictures[0].alt_in(locale)), ["A bay", "Una cala"]);
    let Reading::Published { files, .. } = &reading else { panic!("{reading:?}") };
    let fault_of = |number: usize| (files[number].field.as_str(), files[number].fault);
    assert_eq!(fault_of(2), ("images[3]", Some(PictureFault::Kind)));
    assert_eq!(fault_of(5), ("images[6]", Some(PictureFault::Broken)));
    assert_eq!(fault_of(6), ("images[7]", None));
    for kind in ["image/avif", "image/gif", "image/png", "image/webp"] {
        let reading = property_with(&json!({ "images": [file(kind, json!(640))] }));
        assert_eq!(published(&reading).images.len(), 1, "{kind}");
    }
}

#[test]
fn a_picture_that_exceeds_a_limit_is_omitted_with_the_reason() {
    for (width, height, bytes, fault) in [
        (8_000, 8_000, json!(33_554_432), None),
        (8_000, 8_001, json!(1), Some(PictureFault::TooLarge)),
        (16_384, 100, json!(1), None),
        (16_385, 100, json!(1), Some(PictureFault::TooLarge)),
        (100, 16_385, json!(null), Some(PictureFault::TooLarge)),
        (640, 480, json!(33_554_433), Some(PictureFault::TooHeavy)),
        // As Directus sends it.
        (640, 480, json!("33554433"), Some(PictureFault::TooHeavy)),
        (0, 0, json!(33_554_433), Some(PictureFault::TooHeavy)),
        (640, 480, json!("unknown"), None),
        (640, 480, json!(-1), None),
    ] {
        let reading = property_with(&json!({ "images": [{ "id": 1, "directus_files_id": {
            "id": "0f8470da-8519-4420-8d5d-ae4d58b58e5f", "type": "image/png",
            "width": width, "height": height, "filesize": bytes,
        } }] }));
        let shown = published(&reading).images.len();
        assert_eq!(shown, usize::from(fault.is_none()), "{width} × {height}, {bytes}");
        let Reading::Published { files, .. } = &reading else { panic!("{reading:?}") };
        assert_eq!(files[0].fault, fault, "{width} × {height}, {bytes}");
    }
}

#[test]
fn a_price_of_zero_is_none() {
    for (euros, price) in [(json!(0), None), (json!(null), None), (json!(1), Some(1))] {
        let reading = property_with(&json!({ "price": euros }));
        assert_eq!(published(&reading).price, price, "{euros}");
    }
}

#[test]
fn the_first_offer_falls_back_to_the_day_of_creation() {
    let created = "2026-02-03T04:05:06.789Z";
    let reading = property_with(&json!({ "date_created": created, "listed_on": null }));
    let property = published(&reading);
    assert_eq!(property.listed_at.to_rfc3339(), "2026-02-03T04:05:06.789+00:00");
    assert_eq!(property.updated_at, property.listed_at);
    let local = property_with(&json!({ "listed_on": "2026-02-03T10:00:00" }));
    assert_eq!(published(&local).listed_at.to_rfc3339(), "2026-02-03T10:00:00+00:00");
}

#[test]
fn a_redirect_has_a_destination_or_is_gone() {
    let redirect = |fields: Value| {
        let mut item = json!({ "id": 1, "status": "published", "from_path": "/old" });
        for (field, value) in fields.as_object().expect("fields") {
            item[field] = value.clone();
        }
        read(Collection::Redirects, &item)
    };
    let moved = redirect(json!({ "to_path": "/new" }));
    let expected =
        Redirect { from_path: "/old".to_owned(), to_path: Some("/new".to_owned()), code: 301 };
    assert_eq!(moved.snapshot(), Some(&Snapshot::Redirects(expected)));
    assert_eq!(broken(redirect(json!({ "code": 308 }))), holding("to_path", "null"));
    let other_code = redirect(json!({ "code": 200, "to_path": "/new" }));
    assert_eq!(broken(other_code), holding("code", "200"));
    let relative = redirect(json!({ "from_path": "old", "to_path": "/new" }));
    assert_eq!(broken(relative), holding("from_path", "\"old\""));
    let asked = redirect(json!({ "from_path": "/old?x=1", "to_path": "/new" }));
    assert_eq!(broken(asked), holding("from_path", "\"/old?x=1\""));
    let elsewhere = redirect(json!({ "to_path": "//elsewhere.example" }));
    assert_eq!(broken(elsewhere), holding("to_path", "\"//elsewhere.example\""));
    assert!(redirect(json!({ "code": 410 })).snapshot().is_some());
}

#[test]
fn a_redirect_starts_at_the_path_as_the_door_forwards_it() {
    for (typed, asked) in [
        ("/old", "/old"),
        ("/old/", "/old"),
        ("/", "/"),
        ("/peñoncillo/", "/pe%C3%B1oncillo"),
        ("/pe%c3%b1oncillo", "/pe%C3%B1oncillo"),
        ("/%6Fld,new|a b", "/old,new%7Ca%20b"),
        ("/100%", "/100%25"),
    ] {
        let item = json!({ "id": 1, "status": "published", "from_path": typed, "to_path": "/new" });
        let reading = read(Collection::Redirects, &item);
        let Some(Snapshot::Redirects(redirect)) = reading.snapshot() else { panic!("{reading:?}") };
        assert_eq!(redirect.from_path, asked, "{typed}");
    }
}

fn settings_with_hours(hours: &Value) -> Reading {
    let item = json!({
        "id": 1, "company_name": "Almijara", "opening_hours": hours,
        "translations": [{ "id": 1, "languages_code": "en-GB", "title_suffix": "Almijara" }],
    });
    read(Collection::SiteSettings, &item)
}

#[test]
fn opening_hours_are_read_as_the_studio_stores_them() {
    // Checkboxes give texts, in the order in which they were ticked.
    let reading = settings_with_hours(&json!([
        { "months": ["8", "7", "8"], "weekdays": ["5", 1], "opens": "09:00:00", "closes": "15:00" },
        { "months": null, "weekdays": [6], "opens": "10:00", "closes": "13:00" },
    ]));
    let Some(Snapshot::SiteSettings(settings)) = reading.snapshot() else { panic!("{reading:?}") };
    let hours = serde_json::to_value(&settings.agency.opening_hours).expect("JSON");
    assert_eq!(
        hours,
        json!([
            { "months": [7, 8], "weekdays": [1, 5], "opens": "09:00", "closes": "15:00" },
            { "months": [], "weekdays": [6], "opens": "10:00", "closes": "13:00" },
        ])
    );
}

#[test]
fn impossible_opening_hours_are_reported_with_their_field() {
    let right = json!({ "months": [], "weekdays": [1], "opens": "09:00", "closes": "15:00" });
    for (field, value) in [
        ("months", json!([13])),
        ("months", json!("July")),
        ("weekdays", json!([0])),
        ("weekdays", json!([])),
        ("opens", json!("9 o'clock")),
        ("opens", json!(null)),
        ("closes", json!("09:00")),
    ] {
        let mut period = right.clone();
        period[field] = value.clone();
        let found = broken(settings_with_hours(&json!([right, period])));
        assert_eq!(found, holding(&format!("opening_hours[2].{field}"), &value.to_string()));
    }
}
