//! What can be read of an item that breaks rules: all of it but the fields that do, which hold a stand-in
//! meanwhile. It is there to be compared, and never to be recorded.

use contracts::{
    Collection, Locale, PartCollection, Rule, Violation,
    content::Snapshot,
    rules::{Form, Need},
};
use serde_json::{Map, Value, json};

use super::{kept_from_the_public, snapshot};
use crate::raw::Raw;

type Object = Map<String, Value>;

/// A text, a reference and a part of an address.
const STAND_IN: &str = "x";
/// How often stand-ins are put: after the table's rules the mapping tells of one slip at a time.
const MAX_ROUNDS: usize = 20;

/// What `item` would show, with a stand-in in each field that breaks a rule, and those rules. Nothing
/// where what is wrong stands in no field that could be left out.
pub(crate) fn legible(collection: Collection, item: &Object) -> (Option<Snapshot>, Vec<Violation>) {
    let mut item = item.clone();
    let mut broken = kept_from_the_public(collection, Raw::new(&item));
    for _ in 0..MAX_ROUNDS {
        let slips = match snapshot(collection, Raw::new(&item)) {
            Ok(snapshot) => return (Some(snapshot), broken),
            Err(slips) => slips,
        };
        for slip in slips {
            put_stand_in(collection, &mut item, &slip.field);
            if broken.iter().all(|known| known.field != slip.field) {
                broken.push(slip);
            }
        }
    }
    (None, broken)
}

/// Has `item` hold something in `field` that breaks no rule.
fn put_stand_in(collection: Collection, item: &mut Object, field: &str) {
    if let Some(text) = field.strip_prefix("translations.") {
        put_text(collection, item, text);
        return;
    }
    // What stands in a list, or in a file, is told with its place there.
    let field = field.split(['.', '[']).next().unwrap_or(field);
    let rule = Rule::of(collection.name()).find(|rule| rule.field == field);
    let value = match (collection, field, rule) {
        // It may be empty, but not here: the code would have to be another.
        (Collection::Redirects, "to_path", _) => json!("/"),
        (_, _, Some(rule)) => example(rule),
        _ => Value::Null,
    };
    item.insert(field.to_owned(), value);
}

/// Something that keeps `rule`. Where nothing is as good, there is nothing; but what others go by (a
/// rating, a latitude) is there, or they would be missing with it.
fn example(rule: &Rule) -> Value {
    let is_needed = rule.need != Need::Optional;
    match rule.form {
        Form::Word(words) => json!(words.first()),
        Form::Code(codes) => json!(codes.first()),
        Form::Whole { least, .. } => json!(least),
        Form::Decimal { least, .. } => json!(least),
        Form::Path | Form::BarePath => json!("/"),
        Form::Item if is_needed => json!({
            "id": 0, "status": "published", "slug": STAND_IN,
            "translations": [{ "languages_code": Locale::En.language_tag(), "name": STAND_IN }],
        }),
        _ if is_needed => json!(STAND_IN),
        _ => Value::Null,
    }
}

/// The same in a text of `item`: `es-ES.title`, or `title` where no language has it.
fn put_text(collection: Collection, item: &mut Object, text: &str) {
    let (language, name) = text.rsplit_once('.').unwrap_or(("", text));
    let rows = PartCollection::Translations(collection).name();
    let rule = Rule::of(&rows).find(|rule| rule.field == name);
    let value = rule.map_or(Value::Null, example);
    let texts = item.entry("translations").or_insert(Value::Null);
    if !texts.is_array() {
        *texts = json!([]);
    }
    let Some(texts) = texts.as_array_mut() else { return };
    let is_wanted = |code: &str| match language {
        "" => Locale::from_language_tag(code).is_some(),
        _ => code == language,
    };
    let row = texts
        .iter_mut()
        .filter_map(Value::as_object_mut)
        .find(|row| Raw::new(row).key("languages_code").is_some_and(|code| is_wanted(&code)));
    if let Some(row) = row {
        row.insert(name.to_owned(), value);
    } else {
        texts.push(json!({ "languages_code": Locale::En.language_tag(), name: value }));
    }
}

#[cfg(test)]
mod tests {
    use contracts::content::Property;

    use super::*;

    /// A complete property with some fields set otherwise.
    fn home_with(fields: &Value) -> Object {
        let mut home = json!({
            "id": 42, "status": "published", "ref": "AH-1042", "listing_status": "for_sale",
            "property_type": "house", "kind": "villa", "price": 250_000, "bedrooms": 3,
            "energy_rating": "C", "energy_value": 71, "lat": 36.75, "lng": -3.87,
            "location": {
                "id": 7, "status": "published", "slug": "nerja",
                "translations": [{ "languages_code": "en-GB", "name": "Nerja" }],
            },
            "translations": [
                { "id": 1, "languages_code": "en-GB", "title": "A villa", "summary": "Light" },
            ],
        });
        for (field, value) in fields.as_object().expect("fields") {
            home[field] = value.clone();
        }
        home.as_object().expect("an object").clone()
    }

    /// What is read of it, and the fields that break a rule.
    fn read(fields: &Value) -> (Property, Vec<String>) {
        let (snapshot, broken) = legible(Collection::Properties, &home_with(fields));
        let Some(Snapshot::Properties(home)) = snapshot else { panic!("{fields}: {broken:?}") };
        (home, broken.into_iter().map(|violation| violation.field).collect())
    }

    #[test]
    fn whatever_is_wrong_the_rest_is_read() {
        for (fields, wrong) in [
            (json!({}), ""),
            (json!({ "price": -5, "ref": "" }), "ref price"),
            (json!({ "kind": "castle" }), "kind"),
            (json!({ "status": "review" }), "status"),
            (json!({ "location": null }), "location"),
            (json!({ "floor": "1\0", "features": "lift" }), "floor features"),
            (json!({ "energy_rating": "in_process" }), "energy_rating"),
            (json!({ "rooms": [{ "kind": "ballroom" }] }), "rooms[1].kind"),
            (json!({ "listed_on": "yesterday", "video_url": "x" }), "listed_on video_url"),
        ] {
            let (home, broken) = read(&fields);
            assert_eq!(broken.join(" "), wrong, "{fields}");
            assert_eq!(home.bedrooms, Some(3), "{fields}");
            let text = home.text.get_or_fallback(Locale::En).map(|(_, text)| text.summary.as_str());
            assert_eq!(text, Some("Light"), "{fields}");
        }
    }

    #[test]
    fn a_text_that_is_wrong_takes_none_of_the_others_with_it() {
        let texts = |title: Value, language: &str| {
            let row = json!({ "languages_code": language, "title": title, "summary": "Light" });
            json!({ "translations": [row] })
        };
        let (home, broken) = read(&texts(json!(" "), "en-GB"));
        assert_eq!(broken, ["translations.title"]);
        assert_eq!(home.text.get_or_fallback(Locale::En).expect("a text").1.summary, "Light");
        let (_, broken) = read(&texts(json!("A\0villa"), "en-GB"));
        assert_eq!(broken, ["translations.en-GB.title"]);
        let (_, broken) = read(&texts(json!("Une villa"), "fr-FR"));
        assert_eq!(broken, ["translations.title"], "the site does not speak it");
        let (_, broken) = read(&json!({ "translations": null }));
        assert_eq!(broken, ["translations.title"]);
    }

    #[test]
    fn what_goes_by_a_field_that_is_wrong_is_there() {
        let (home, _) = read(&json!({ "energy_rating": "H", "lat": 999 }));
        assert_eq!(home.energy.and_then(|energy| energy.consumption), Some(71.0));
        let lng = home.coordinates.map(|coordinates| coordinates.lng);
        assert!(lng.is_some_and(|lng| (lng + 3.87).abs() < f64::EPSILON), "{lng:?}");
    }

    #[test]
    fn every_rule_has_something_that_keeps_it() {
        for rule in contracts::rules::RULES {
            assert_eq!(rule.check(&example(rule)), Ok(()), "{}.{}", rule.collection, rule.field);
        }
    }
}
