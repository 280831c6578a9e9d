//! `/admin/parked/item`: one parked item, field by field: its content in the content service beside the
//! version that the site keeps showing.
//!
//! The content is read for the answer and not stored; of an item that has become a draft, nothing is
//! returned.

use std::collections::BTreeSet;

use admin_answers::sync::{ComparedField, ParkedComparison};
use content_client::ComparableItem;
use contracts::{AggregateId, Collection, Violation, content::remove_placeholders};
use serde_json::Value;

use super::{
    names::{field_at, field_value, places_of},
    parked::Item,
};
use crate::{Context, Error};

/// The maximum number of returned fields; those that break a rule come first.
const MAX_FIELDS: usize = 50;
/// The maximum length of a returned value, in characters, and how many of these precede the first
/// difference.
const MAX_VALUE_LENGTH: usize = 160;
const CONTEXT_BEFORE: usize = 40;
/// Places of a snapshot that no editor writes in the item: when it was saved, and the name of its
/// location.
const HIDDEN_PLACES: [&str; 5] =
    ["/collection", "/updatedAt", "/location/key", "/location/name", "/location/ancestors"];

/// Compares `item` as it is now; none if it is not parked any more, or not published in the content
/// service.
pub async fn compare(context: &Context, item: &Item) -> Result<Option<ParkedComparison>, Error> {
    let Ok(collection) = item.collection.parse::<Collection>() else { return Ok(None) };
    let last_good = context.ledger.stored_last_good_of(&item.collection, &item.key).await?;
    let Some(last_good) = last_good else { return Ok(None) };
    if context.breaker.retry_after().is_some() {
        return Err(Error::BreakerOpen);
    }
    let id = AggregateId::new(collection, item.key.clone());
    let legible = context.content.comparable(&id).await?;
    Ok(legible.map(|legible| compared(collection, legible, last_good)))
}

fn compared(collection: Collection, item: ComparableItem, mut good: Value) -> ParkedComparison {
    let name = collection.name();
    remove_placeholders(&mut good);
    let mut fields = broken(name, &item.violations, &good);
    let whole = item.content.is_some();
    if let Some(mut now) = item.content {
        remove_placeholders(&mut now);
        let wrong: Vec<String> = item
            .violations
            .iter()
            .flat_map(|violation| places_of(name, &violation.field))
            .collect();
        let is_hidden = |at: &str| {
            let mut places = HIDDEN_PLACES.into_iter().chain(wrong.iter().map(String::as_str));
            places.any(|place| is_within(at, place))
        };
        let mut differing = Vec::new();
        differ(&now, &good, "", &mut differing);
        differing.retain(|(at, ..)| !is_hidden(at));
        fields.extend(differing.into_iter().map(|(at, now, good)| ComparedField {
            field: field_at(name, &at),
            now: display(now, good),
            last_good: display(good, now),
            broken: false,
        }));
    }
    let more = fields.len().saturating_sub(MAX_FIELDS);
    fields.truncate(MAX_FIELDS);
    let personal = collection == Collection::Team;
    if personal {
        for field in &mut fields {
            (field.now, field.last_good) = (None, None);
        }
    }
    ParkedComparison { fields, more, whole, personal }
}

/// Returns the fields that break a rule, each once.
fn broken(collection: &str, violations: &[Violation], good: &Value) -> Vec<ComparedField> {
    let mut fields: Vec<ComparedField> = Vec::new();
    for Violation { field, value, .. } in violations {
        if fields.iter().all(|known| known.field != *field) {
            let field_value = field_value(collection, good, field).unwrap_or(&Value::Null);
            fields.push(ComparedField {
                field: field.clone(),
                now: Some(value.clone()).filter(|value| value != "null"),
                last_good: display(field_value, &Value::Null),
                broken: true,
            });
        }
    }
    fields
}

/// Collects the places in which `now` and `good` differ, with both values: objects are compared by their
/// members, lists and pictures as a unit.
fn differ<'v>(
    now: &'v Value,
    good: &'v Value,
    at: &str,
    found: &mut Vec<(String, &'v Value, &'v Value)>,
) {
    let members: BTreeSet<&str> =
        [now, good].into_iter().filter_map(Value::as_object).flat_map(names).collect();
    if has_parts(now, good) {
        for member in members {
            differ(&now[member], &good[member], &format!("{at}/{member}"), found);
        }
    } else if now != good && !(is_nothing(now) && is_nothing(good)) {
        found.push((at.to_owned(), now, good));
    }
}

fn names(object: &serde_json::Map<String, Value>) -> impl Iterator<Item = &str> {
    object.keys().map(String::as_str)
}

/// Returns whether one of them is an object that is compared by its members, and the other one too or
/// null.
fn has_parts(now: &Value, good: &Value) -> bool {
    let parted = |value: &Value| value.is_object() && value.get("file").is_none();
    let both = [now, good];
    both.into_iter().any(parted) && both.into_iter().all(|value| parted(value) || value.is_null())
}

/// Returns whether a page shows nothing of it. An entry that is older than a field does not have that
/// field.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(entries) => entries.is_empty(),
        _ => false,
    }
}

/// Returns whether `at` is `place`, or inside it.
fn is_within(at: &str, place: &str) -> bool {
    at.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns `value` as JSON; a long value is shortened to the part that differs from `other`. None for
/// null.
fn display(value: &Value, other: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => {
            let text = shortened(text, other.as_str().unwrap_or_default());
            Some(Value::from(text).to_string())
        }
        _ => Some(shortened(&value.to_string(), &other.to_string())),
    }
}

/// Shortens a long `text` to the part around the first character in which it differs from `other`.
fn shortened(text: &str, other: &str) -> String {
    let length = text.chars().count();
    if length <= MAX_VALUE_LENGTH {
        return text.to_owned();
    }
    let same = text.chars().zip(other.chars()).take_while(|(own, others)| own == others).count();
    let start = same.saturating_sub(CONTEXT_BEFORE).min(length - MAX_VALUE_LENGTH);
    let shown: String = text.chars().skip(start).take(MAX_VALUE_LENGTH).collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if start + MAX_VALUE_LENGTH < length { "…" } else { "" };
    format!("{before}{shown}{after}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn comparison(now: Value, wrong: &[(&str, &str)], good: Value) -> ParkedComparison {
        let violations = wrong.iter().map(|(field, value)| Violation {
            field: (*field).to_owned(),
            value: (*value).to_owned(),
            rule: "must be another".to_owned(),
        });
        let item = ComparableItem { content: Some(now), violations: violations.collect() };
        compared(Collection::Properties, item, good)
    }

    fn field(
        field: &str,
        now: Option<&str>,
        last_good: Option<&str>,
        broken: bool,
    ) -> ComparedField {
        let owned = |value: Option<&str>| value.map(str::to_owned);
        ComparedField {
            field: field.to_owned(),
            now: owned(now),
            last_good: owned(last_good),
            broken,
        }
    }

    #[test]
    fn differing_fields_are_listed_after_those_that_break_a_rule() {
        let picture = |alt: &str| json!({ "file": "a", "alt": alt, "placeholder": alt });
        let now = json!({
            "collection": "properties", "price": 0, "bedrooms": 4, "energy": null, "floor": "",
            "images": [picture("Sea")], "floorPlan": picture("Plan"), "updatedAt": "now",
            "location": { "key": "4", "slug": "nerja", "name": { "en": "The new Nerja" } },
            "text": { "en": { "title": "A house", "summary": "Bright" } },
        });
        let good = json!({
            "collection": "properties", "price": 100, "bedrooms": 3, "energy": { "rating": "C" },
            "images": [{ "file": "a", "alt": "Sea", "placeholder": "made" }], "floorPlan": null,
            "updatedAt": "then", "location": { "key": "4", "slug": "nerja", "name": { "en": "Nerja" } },
            "text": { "en": { "title": "A house", "summary": "Light" } },
        });
        let found = comparison(now, &[("price", "-5"), ("price", "-5")], good);
        let plan = json!({ "file": "a", "alt": "Plan" }).to_string();
        assert_eq!(
            found.fields,
            [
                field("price", Some("-5"), Some("100"), true),
                field("bedrooms", Some("4"), Some("3"), false),
                field("energy_rating", None, Some("\"C\""), false),
                field("floor_plan", Some(&plan), None, false),
                field("translations.en-GB.summary", Some("\"Bright\""), Some("\"Light\""), false),
            ]
        );
        assert!(found.whole && !found.personal && found.more == 0, "{found:?}");
    }

    #[test]
    fn an_item_that_was_never_shown_has_no_last_good_values() {
        let found =
            comparison(json!({ "ref": "x", "bedrooms": 4 }), &[("ref", "\"\"")], Value::Null);
        assert_eq!(
            found.fields,
            [field("ref", Some("\"\""), None, true), field("bedrooms", Some("4"), None, false)]
        );
    }

    #[test]
    fn an_item_without_readable_content_lists_only_the_fields_that_break_a_rule() {
        let violations = vec![Violation::new("part_of", &Value::Null, "must be another")];
        let item = ComparableItem { content: None, violations };
        let found = compared(Collection::Locations, item, json!({ "ancestors": ["nerja"] }));
        assert_eq!(found.fields, [field("part_of", None, Some("[\"nerja\"]"), true)]);
        assert!(!found.whole);
    }

    #[test]
    fn no_values_about_a_person_are_returned() {
        let violations = vec![Violation::new("name", &json!(""), "must be a text")];
        let now = json!({ "name": "x", "email": "jo@homes.example" });
        let item = ComparableItem { content: Some(now), violations };
        let good = json!({ "name": "Jo", "email": "joanna@homes.example" });
        let found = compared(Collection::Team, item, good);
        let fields = [field("name", None, None, true), field("email", None, None, false)];
        assert_eq!(found.fields, fields);
        assert!(found.personal);
    }

    #[test]
    fn the_answer_is_limited() {
        let many = |value: i32| {
            let fields = (0..200).map(|field| (format!("field{field}"), json!(value)));
            Value::Object(fields.collect())
        };
        let found = comparison(many(1), &[("price", "-5")], many(2));
        assert_eq!((found.fields.len(), found.more), (MAX_FIELDS, 151));
        assert!(found.fields[0].broken, "{found:?}");

        let text = |word: &str| format!("{}{word}{}", "á".repeat(500), "b".repeat(500));
        let shown = display(&json!(text("new")), &json!(text("old"))).expect("a text");
        let shown: String = serde_json::from_str(&shown).expect("JSON");
        assert_eq!(shown.chars().count(), MAX_VALUE_LENGTH + 2);
        assert!(
            shown.starts_with("…á") && shown.contains("new") && shown.ends_with("b…"),
            "{shown}"
        );
        assert_eq!(shortened(&"c".repeat(MAX_VALUE_LENGTH), ""), "c".repeat(MAX_VALUE_LENGTH));
    }
}
