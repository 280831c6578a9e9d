//! Reads an item that breaks rules, with stand-ins in the fields that do. The result is only for comparison,
//! and is never recorded.

use contracts::{
    Collection, Locale, PartCollection, Rule, Violation,
    content::Snapshot,
    rules::{Need, RuleForm},
};
use serde_json::{Map, Value, json};

use super::{publication_violations, snapshot};
use crate::raw::Raw;

type Object = Map<String, Value>;

/// The stand-in for a text, a reference and a slug.
const STAND_IN: &str = "x";
/// The maximum number of attempts. After the table's rules hold, the mapping reports one violation at a time.
const MAX_ROUNDS: usize = 20;

/// Returns the snapshot of `item` with a stand-in in each field that breaks a rule, and the violations. There
/// is no snapshot if replacing fields does not help.
pub(crate) fn comparable(
    collection: Collection,
    item: &Object,
) -> (Option<Snapshot>, Vec<Violation>) {
    let mut item = item.clone();
    let mut broken = publication_violations(collection, Raw::new(&item));
    for _ in 0..MAX_ROUNDS {
        let violations = match snapshot(collection, Raw::new(&item)) {
            Ok(snapshot) => return (Some(snapshot), broken),
            Err(violations) => violations,
        };
        for violation in violations {
            put_stand_in(collection, &mut item, &violation.field);
            if broken.iter().all(|known| known.field != violation.field) {
                broken.push(violation);
            }
        }
    }
    (None, broken)
}

/// Sets `field` of `item` to a value that breaks no rule.
fn put_stand_in(collection: Collection, item: &mut Object, field: &str) {
    if let Some(text) = field.strip_prefix("translations.") {
        put_text(collection, item, text);
        return;
    }
    // A violation within a list or a file has its position appended to the field.
    let field = field.split(['.', '[']).next().unwrap_or(field);
    let rule = Rule::of(collection.name()).find(|rule| rule.field == field);
    let value = match (collection, field, rule) {
        // The field is optional, but the item's redirect code may require it.
        (Collection::Redirects, "to_path", _) => json!("/"),
        (_, _, Some(rule)) => example(rule),
        _ => Value::Null,
    };
    item.insert(field.to_owned(), value);
}

/// Returns a value that satisfies `rule`: null for an optional field, except where other fields depend on it
/// (a rating, a latitude) and would be lost without it.
fn example(rule: &Rule) -> Value {
    let is_needed = rule.need != Need::Optional;
    match rule.form {
        RuleForm::Word(words) => json!(words.first()),
        RuleForm::Code(codes) => json!(codes.first()),
        RuleForm::Whole { least, .. } => json!(least),
        RuleForm::Decimal { least, .. } => json!(least),
        RuleForm::Path | RuleForm::BarePath => json!("/"),
        RuleForm::Item if is_needed => json!({
            "id": 0, "status": "published", "slug": STAND_IN,
            "translations": [{ "languages_code": Locale::En.language_tag(), "name": STAND_IN }],
        }),
        _ if is_needed => json!(STAND_IN),
        _ => Value::Null,
    }
}

/// Sets a field of a translation of `item`: `es-ES.title`, or `title` if it is missing in every language.
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

    /// Returns a complete property with some `fields` changed.
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

    /// Returns the property and the fields that break a rule.
    fn read(fields: &Value) -> (Property, Vec<String>) {
        let (snapshot, broken) = comparable(Collection::Properties, &home_with(fields));
        let Some(Snapshot::Properties(home)) = snapshot else { panic!("{fields}: {broken:?}") };
        (home, broken.into_iter().map(|violation| violation.field).collect())
    }

    #[test]
    fn valid_fields_are_read_beside_invalid_ones() {
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
    fn an_invalid_text_does_not_affect_the_others() {
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
    fn fields_that_depend_on_an_invalid_one_are_read() {
        let (home, _) = read(&json!({ "energy_rating": "H", "lat": 999 }));
        assert_eq!(home.energy.and_then(|energy| energy.consumption), Some(71.0));
        let lng = home.coordinates.map(|coordinates| coordinates.lng);
        assert!(lng.is_some_and(|lng| (lng + 3.87).abs() < f64::EPSILON), "{lng:?}");
    }

    #[test]
    fn every_rule_accepts_its_example() {
        for rule in contracts::rules::RULES {
            assert_eq!(rule.check(&example(rule)), Ok(()), "{}.{}", rule.collection, rule.field);
        }
    }
}
