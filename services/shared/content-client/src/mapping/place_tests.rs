//! Places of properties, and nested places.

use contracts::{Collection, Violation, content::Snapshot};
use serde_json::{Value, json};

use super::{
    comparable,
    tests::{broken, holding, property_item, property_with, published, read, reason, violations},
};
use crate::{
    fields::MAX_AROUND,
    reading::{Hidden, Part, Reading},
};

#[test]
fn a_place_must_be_published_named_and_addressable() {
    let place = |fields: Value| {
        let mut place = json!({
            "id": 7, "status": "published", "slug": "nerja",
            "translations": [{ "languages_code": "en-GB", "name": "Nerja" }],
        });
        for (field, value) in fields.as_object().expect("fields") {
            place[field] = value.clone();
        }
        property_with(&json!({ "location": place }))
    };
    assert_eq!(published(&place(json!({}))).location.key, "7");
    for withdrawn in ["draft", "archived"] {
        let place = place(json!({ "status": withdrawn }));
        let broken = place.broken();
        let [violation] = broken.as_slice() else { panic!("{place:?}") };
        let known = format!("locations/7 ({withdrawn}) “nerja”");
        assert_eq!((&*violation.field, &*violation.value), ("location", &*format!("\"{known}\"")));
        assert_eq!(reason(place), Hidden::NoPublishedLocation { place: known });
    }
    let french = json!([{ "languages_code": "fr-FR", "name": "Nerja" }]);
    let around = json!({ "id": 8, "status": "published", "slug": "axarquia", "part_of": null });
    for (wrong, known) in [
        (json!({ "status": null }), "locations/7 (null) “nerja”"),
        (json!({ "status": "review" }), "locations/7 (review) “nerja”"),
        (json!({ "translations": [] }), "locations/7 “nerja”"),
        (json!({ "translations": french }), "locations/7 “nerja”"),
        (json!({ "slug": null }), "locations/7 “null”"),
        (json!({ "slug": "A B", "part_of": around }), "locations/7 “A B”"),
    ] {
        assert_eq!(broken(place(wrong)), holding("location", &format!("\"{known}\"")));
    }
    // Only its key was returned, so it may not be published.
    assert_eq!(broken(property_with(&json!({ "location": 7 }))), holding("location", "7"));
}

#[test]
fn a_home_that_is_hidden_with_its_place_can_still_be_compared() {
    let legible = |fields: &Value| {
        let item = property_item(fields);
        comparable(Collection::Properties, item.as_object().expect("an item"))
    };
    let mut place = nested_places(&["nerja:draft"]);
    let home = legible(&json!({ "location": place, "price": -5 })).expect("it is read");
    let violations = home.violations.iter().map(|it| (&*it.field, &*it.value)).collect::<Vec<_>>();
    let known = "\"locations/1 (draft) “nerja”\"";
    assert_eq!(violations, [("location", known), ("price", "-5")]);
    assert_eq!(home.content.expect("all of it")["location"]["slug"], "nerja");
    place["status"] = json!("published");
    let home = legible(&json!({ "location": place })).expect("it is read");
    assert!(home.violations.is_empty(), "{home:?}");
    assert_eq!(legible(&json!({ "location": place, "status": "draft" })), None);
}

/// Returns the places with these slugs, each in the next. A slug may be followed by a colon and a status.
fn nested_places(slugs: &[&str]) -> Value {
    let mut place = json!(null);
    for (number, slug) in slugs.iter().enumerate().rev() {
        let (slug, status) = slug.split_once(':').unwrap_or((slug, "published"));
        let names = json!([{ "languages_code": "en-GB", "name": slug }]);
        place = json!({
            "id": number + 1, "status": status, "slug": slug, "translations": names, "part_of": place,
        });
    }
    place
}

fn place_read(slugs: &[&str], innermost: &Value) -> Reading {
    let mut place = nested_places(slugs);
    let mut last = &mut place;
    for _ in 1..slugs.len() {
        last = &mut last["part_of"];
    }
    last["part_of"] = innermost.clone();
    read(Collection::Locations, &place)
}

#[test]
fn a_page_has_its_place_while_that_is_published() {
    let page = |location: Value| {
        let texts = json!([{ "id": 5, "languages_code": "en-GB", "title": "Nerja" }]);
        let page = json!({
            "id": 3, "status": "published", "slug": "nerja-malaga-east", "kind": "landing",
            "translations": texts, "location": location,
        });
        let reading = read(Collection::Pages, &page);
        let Some(Snapshot::Pages(page)) = reading.snapshot() else { panic!("{reading:?}") };
        (page.location.clone(), reading.parts().contains(&Part::location("4")))
    };
    let place = |status: &str| json!({ "id": 4, "status": status, "slug": "nerja" });
    assert_eq!(page(place("published")), (Some("nerja".to_owned()), true));
    // A withdrawn place does not take the page off the site, and is shown again once it is published.
    assert_eq!(page(place("draft")), (None, true));
    assert_eq!(page(json!(null)), (None, false));
}

#[test]
fn a_home_is_in_all_published_places_around_its_own() {
    let slugs = ["torrox-costa", "torrox", "almijara:draft", "axarquia"];
    let reading = property_with(&json!({ "location": nested_places(&slugs) }));
    let place = &published(&reading).location;
    assert_eq!(place.ancestors, ["torrox", "axarquia"]);
    assert_eq!(
        place.self_and_ancestors().collect::<Vec<_>>(),
        ["torrox-costa", "torrox", "axarquia"]
    );
    // All of them are parts, including the withdrawn one, since a change changes where the home is found.
    for key in 1..=4 {
        assert!(reading.parts().contains(&Part::location(key.to_string())), "{key}");
    }
    let own = place_read(&slugs, &json!(null));
    let Some(Snapshot::Locations(place)) = own.snapshot() else { panic!("{own:?}") };
    assert_eq!(place.ancestors, ["torrox", "axarquia"]);
    assert!(own.parts().contains(&Part::location("4")));
    assert!(!own.parts().contains(&Part::location("1")), "no place shows in itself");
}

#[test]
fn a_place_inside_itself_is_refused_with_its_path() {
    let again = |key: i64, slug: &str| json!({ "id": key, "status": "published", "slug": slug });
    for (slugs, innermost, way) in [
        (&["torrox"][..], again(1, "torrox"), "torrox in torrox"),
        (&["torrox", "axarquia"], again(1, "torrox"), "torrox in axarquia in torrox"),
    ] {
        match violations(place_read(slugs, &innermost)).as_slice() {
            [Violation { field, value, rule }] => {
                assert_eq!((field.as_str(), value.as_str()), ("part_of", &*format!("\"{way}\"")));
                assert_eq!(rule, "must be a place that does not itself lie in this one");
            }
            other => panic!("{other:?}"),
        }
    }
    // Places that are only inside such a cycle are valid, and so are homes in them.
    let round = again(2, "torrox");
    assert!(place_read(&["costa", "torrox", "axarquia"], &round).snapshot().is_some());
    let mut place = nested_places(&["torrox", "axarquia"]);
    place["part_of"]["part_of"] = again(1, "torrox");
    let reading = property_with(&json!({ "location": place }));
    assert_eq!(published(&reading).location.ancestors, ["axarquia"]);
}

#[test]
fn places_may_not_be_nested_deeper_than_is_read() {
    let five = ["faro", "torrox-costa", "torrox", "axarquia", "malaga"];
    assert!(place_read(&five, &json!(null)).snapshot().is_some());
    match violations(place_read(&five, &json!(9))).as_slice() {
        [Violation { field, rule, .. }] => {
            assert_eq!(field, "part_of");
            assert!(rule.ends_with(&format!("at most {} others", MAX_AROUND - 1)), "{rule}");
        }
        other => panic!("{other:?}"),
    }
}
