//! `/admin/parked/item`: one parked item, field by field, as the content service holds it beside what the
//! site goes on showing.
//!
//! What the content service holds is read for the answer and kept nowhere; of what is a draft by now,
//! nothing is told.

use std::collections::BTreeSet;

use content_client::Legible;
use contracts::{AggregateId, Collection, Violation};
use serde::Serialize;
use serde_json::Value;
use sqlx::PgPool;

use super::{
    names::{field_at, held, places_of},
    parked::Item,
};
use crate::{Error, Sync};

/// How many fields are told at the most, those that break a rule first.
const MAX_FIELDS: usize = 50;
/// As much of a value as is told, in characters, and as much of that as stands before what differs.
const LONGEST: usize = 160;
const BEFORE: usize = 40;
/// What of a snapshot no editor writes into the item: when it was saved, and what its place is called.
const NOT_TOLD: [&str; 5] =
    ["/collection", "/updatedAt", "/location/key", "/location/name", "/location/ancestors"];

/// A parked item beside its last good version.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Compared {
    fields: Vec<ComparedField>,
    /// How many more differ.
    more: usize,
    /// Whether all of it could be compared, and not only the fields that break a rule.
    whole: bool,
    /// Whether it is about a person: then its values are kept back.
    personal: bool,
}

/// A field that breaks a rule, or holds something else than it did.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct ComparedField {
    /// As the content service calls it.
    field: String,
    /// What it holds, as JSON, shortened; none where that is nothing.
    now: Option<String>,
    /// The same of the version that the site shows.
    last_good: Option<String>,
    /// Whether it breaks a rule.
    broken: bool,
}

impl Compared {
    /// `item` as it is now; none where it is not parked any more, or not there to be shown.
    pub async fn now(sync: &Sync, item: &Item) -> Result<Option<Self>, Error> {
        let Ok(collection) = item.collection.parse::<Collection>() else { return Ok(None) };
        let Some(last_good) = last_good(sync.ledger.pool(), item).await? else { return Ok(None) };
        if sync.breaker.wait().is_some() {
            return Err(Error::BreakerOpen);
        }
        let id = AggregateId::new(collection, item.key.clone());
        let legible = sync.content.legible(&id).await?;
        Ok(legible.map(|legible| Self::of(collection, legible, last_good)))
    }

    fn of(collection: Collection, item: Legible, last_good: Value) -> Self {
        let name = collection.name();
        let good = without_placeholders(last_good);
        let mut fields = broken(name, &item.violations, &good);
        let whole = item.content.is_some();
        if let Some(content) = item.content {
            let now = without_placeholders(content);
            let wrong: Vec<String> = item
                .violations
                .iter()
                .flat_map(|violation| places_of(name, &violation.field))
                .collect();
            let kept_back = |at: &str| {
                let mut places = NOT_TOLD.into_iter().chain(wrong.iter().map(String::as_str));
                places.any(|place| is_within(at, place))
            };
            let mut differing = Vec::new();
            differ(&now, &good, "", &mut differing);
            differing.retain(|(at, ..)| !kept_back(at));
            fields.extend(differing.into_iter().map(|(at, now, good)| ComparedField {
                field: field_at(name, &at),
                now: told(now, good),
                last_good: told(good, now),
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
        Self { fields, more, whole, personal }
    }
}

/// What the site goes on showing of `item`: nothing where it shows none; none where it is not parked.
async fn last_good(pool: &PgPool, item: &Item) -> Result<Option<Value>, Error> {
    let row = sqlx::query!(
        r#"select (select change -> 'snapshot' from ledger.entry as e
                   where e.collection = p.collection and e.key = p.key
                   order by version desc limit 1) as "snapshot?"
           from ledger.parked as p where p.collection = $1 and p.key = $2"#,
        &item.collection,
        &item.key,
    )
    .fetch_optional(pool)
    .await?;
    Ok(row.map(|row| row.snapshot.unwrap_or_default()))
}

/// The fields that break a rule, each once.
fn broken(collection: &str, violations: &[Violation], good: &Value) -> Vec<ComparedField> {
    let mut fields: Vec<ComparedField> = Vec::new();
    for Violation { field, value, .. } in violations {
        if fields.iter().all(|known| known.field != *field) {
            let held = held(collection, good, field).unwrap_or(&Value::Null);
            fields.push(ComparedField {
                field: field.clone(),
                now: Some(value.clone()).filter(|value| value != "null"),
                last_good: told(held, &Value::Null),
                broken: true,
            });
        }
    }
    fields
}

/// The places in which `now` and `good` differ, with what both hold there: objects by their members,
/// lists and pictures whole.
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

/// Whether one of them is an object that is compared by its members, and the other one too or nothing.
fn has_parts(now: &Value, good: &Value) -> bool {
    let parted = |value: &Value| value.is_object() && value.get("file").is_none();
    let both = [now, good];
    both.into_iter().any(parted) && both.into_iter().all(|value| parted(value) || value.is_null())
}

/// Whether a page shows nothing of it: an entry that is older than a field does not have it at all.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(entries) => entries.is_empty(),
        _ => false,
    }
}

/// Whether `at` is `place`, or a part of it.
fn is_within(at: &str, place: &str) -> bool {
    at.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// `value` without what the site makes of pictures by itself.
fn without_placeholders(mut value: Value) -> Value {
    match &mut value {
        Value::Object(members) => {
            members.remove("placeholder");
            for member in members.values_mut() {
                *member = without_placeholders(member.take());
            }
        }
        Value::Array(entries) => {
            for entry in entries {
                *entry = without_placeholders(entry.take());
            }
        }
        _ => {}
    }
    value
}

/// `value` as JSON, as far as it differs from `other` where it is long; none of nothing.
fn told(value: &Value, other: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => {
            let text = shortened(text, other.as_str().unwrap_or_default());
            Some(Value::from(text).to_string())
        }
        _ => Some(shortened(&value.to_string(), &other.to_string())),
    }
}

/// As much of `text` as is told, around the first letter in which it differs from `other`.
fn shortened(text: &str, other: &str) -> String {
    let letters = text.chars().count();
    if letters <= LONGEST {
        return text.to_owned();
    }
    let same = text.chars().zip(other.chars()).take_while(|(own, others)| own == others).count();
    let start = same.saturating_sub(BEFORE).min(letters - LONGEST);
    let shown: String = text.chars().skip(start).take(LONGEST).collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if start + LONGEST < letters { "…" } else { "" };
    format!("{before}{shown}{after}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn compared(now: Value, wrong: &[(&str, &str)], good: Value) -> Compared {
        let violations = wrong.iter().map(|(field, value)| Violation {
            field: (*field).to_owned(),
            value: (*value).to_owned(),
            rule: "must be another".to_owned(),
        });
        let item = Legible { content: Some(now), violations: violations.collect() };
        Compared::of(Collection::Properties, item, good)
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
    fn every_field_that_differs_is_told_and_those_that_break_a_rule_come_first() {
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
        let found = compared(now, &[("price", "-5"), ("price", "-5")], good);
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
    fn of_what_was_never_shown_there_is_nothing_good() {
        let found = compared(json!({ "ref": "x", "bedrooms": 4 }), &[("ref", "\"\"")], Value::Null);
        assert_eq!(
            found.fields,
            [field("ref", Some("\"\""), None, true), field("bedrooms", Some("4"), None, false)]
        );
    }

    #[test]
    fn what_can_t_be_read_by_fields_is_told_by_those_that_break_a_rule() {
        let violations = vec![Violation::new("part_of", &Value::Null, "must be another")];
        let item = Legible { content: None, violations };
        let found = Compared::of(Collection::Locations, item, json!({ "ancestors": ["nerja"] }));
        assert_eq!(found.fields, [field("part_of", None, Some("[\"nerja\"]"), true)]);
        assert!(!found.whole);
    }

    #[test]
    fn of_a_person_no_value_is_told() {
        let violations = vec![Violation::new("name", &json!(""), "must be a text")];
        let now = json!({ "name": "x", "email": "jo@homes.example" });
        let item = Legible { content: Some(now), violations };
        let good = json!({ "name": "Jo", "email": "joanna@homes.example" });
        let found = Compared::of(Collection::Team, item, good);
        let fields = [field("name", None, None, true), field("email", None, None, false)];
        assert_eq!(found.fields, fields);
        assert!(found.personal);
    }

    #[test]
    fn the_answer_is_bounded() {
        let many = |value: i32| {
            let fields = (0..200).map(|field| (format!("field{field}"), json!(value)));
            Value::Object(fields.collect())
        };
        let found = compared(many(1), &[("price", "-5")], many(2));
        assert_eq!((found.fields.len(), found.more), (MAX_FIELDS, 151));
        assert!(found.fields[0].broken, "{found:?}");

        let text = |word: &str| format!("{}{word}{}", "á".repeat(500), "b".repeat(500));
        let shown = told(&json!(text("new")), &json!(text("old"))).expect("a text");
        let shown: String = serde_json::from_str(&shown).expect("JSON");
        assert_eq!(shown.chars().count(), LONGEST + 2);
        assert!(
            shown.starts_with("…á") && shown.contains("new") && shown.ends_with("b…"),
            "{shown}"
        );
        assert_eq!(shortened(&"c".repeat(LONGEST), ""), "c".repeat(LONGEST));
    }
}
