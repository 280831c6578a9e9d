//! Hints: the content of a webhook, which states that something under a key may have changed.

use contracts::{AggregateId, Collection, PartCollection};
use runtime::problem::FieldError;
use serde::Deserialize;
use serde_json::Value;

/// The maximum number of keys in one webhook.
const MAX_KEYS: usize = 10_000;
/// Collections of the content service that are not read here: visitors write enquiries, the languages
/// are fixed, and `live_status` is written by this role.
const IGNORED: [&str; 3] = ["enquiries", "languages", "live_status"];

/// A hint to read something again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The name of the event, recorded in the inbox.
    pub event: String,
    /// The items that it is about.
    pub subject: Subject,
}

/// The items that a hint is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Aggregates.
    Aggregates(Collection, Vec<String>),
    /// Parts of aggregates.
    Parts(PartCollection, Vec<String>),
    /// Anything in the collection: sorting one item moves others without an event of their own.
    WholeCollection(Collection),
}

impl Subject {
    /// Returns the name of the collection.
    pub fn name(&self) -> String {
        match self {
            Self::Aggregates(collection, _) | Self::WholeCollection(collection) => {
                collection.to_string()
            }
            Self::Parts(part, _) => part.name(),
        }
    }

    /// Returns the keys; none for a complete collection.
    pub fn keys(&self) -> &[String] {
        match self {
            Self::Aggregates(_, keys) | Self::Parts(_, keys) => keys,
            Self::WholeCollection(_) => &[],
        }
    }

    /// Returns the subject for `keys` of the collection called `name`; none if the collection is neither
    /// an aggregate nor a part of one.
    pub fn of(name: &str, keys: Vec<String>) -> Option<Self> {
        if let Ok(collection) = name.parse::<Collection>() {
            let keys = if collection.is_singleton() {
                vec![AggregateId::SINGLETON_KEY.to_owned()]
            } else {
                keys
            };
            return Some(Self::Aggregates(collection, keys));
        }
        name.parse().ok().map(|part| Self::Parts(part, keys))
    }
}

/// The body that the flows of Directus send; see deploy/directus.
#[derive(Deserialize)]
struct Body {
    event: Option<Value>,
    collection: Option<Value>,
    key: Option<Value>,
    keys: Option<Value>,
    item: Option<Value>,
}

impl Hint {
    /// Parses the body of a webhook. Returns none if it is about a collection that is ignored.
    ///
    /// # Errors
    /// Returns the invalid fields, each with what is expected.
    pub fn parse(body: &[u8]) -> Result<Option<Self>, Vec<FieldError>> {
        let body: Body = serde_json::from_slice(body)
            .map_err(|error| vec![FieldError::new("body", format!("a JSON object: {error}"))])?;
        let Some(Value::String(event)) = body.event else {
            return Err(vec![FieldError::new("event", "the event's name, a string")]);
        };
        let Some(Value::String(name)) = body.collection else {
            return Err(vec![FieldError::new("collection", "the collection's name, a string")]);
        };
        if IGNORED.contains(&name.as_str()) {
            return Ok(None);
        }
        let sorted = event == "items.sort" || event.ends_with(".items.sort");
        let keys = if sorted { Vec::new() } else { keys(body.key, body.keys, body.item)? };
        let subject = match Subject::of(&name, keys) {
            Some(Subject::Aggregates(collection, _)) if sorted => {
                Subject::WholeCollection(collection)
            }
            // The junction's order is part of the property, and its row says which one.
            Some(Subject::Parts(part, _)) if sorted => match part.parent() {
                Some((parent, _)) => Subject::WholeCollection(parent),
                None => return Ok(None),
            },
            Some(subject) => subject,
            None => {
                return Err(vec![FieldError::new("collection", known_collections())]);
            }
        };
        Ok(Some(Self { event, subject }))
    }
}

/// Returns the keys from the field that the event has them in: `key` on creation, `keys` on update and
/// deletion, `item` on promotion of a draft.
fn keys(
    key: Option<Value>,
    keys: Option<Value>,
    item: Option<Value>,
) -> Result<Vec<String>, Vec<FieldError>> {
    let (field, values) = match (keys, key, item) {
        (Some(Value::Array(keys)), _, _) => ("keys", keys),
        (Some(_), _, _) => return Err(vec![FieldError::new("keys", "an array of keys")]),
        (None, Some(key), _) => ("key", vec![key]),
        (None, None, Some(item)) => ("item", vec![item]),
        (None, None, None) => {
            return Err(vec![FieldError::new(
                "keys",
                "`keys`, `key` or `item` must name what changed",
            )]);
        }
    };
    if values.is_empty() || values.len() > MAX_KEYS {
        return Err(vec![FieldError::new(field, format!("1 to {MAX_KEYS} keys"))]);
    }
    values
        .iter()
        .map(|value| match value {
            Value::String(text) if AggregateId::is_valid_key(text) => Ok(text.clone()),
            Value::Number(number) if number.is_u64() => Ok(number.to_string()),
            other => Err(vec![FieldError::new(
                field,
                format!("a positive number, or up to 64 letters, digits, `-` and `_`; not {other}"),
            )]),
        })
        .collect()
}

fn known_collections() -> String {
    let names: Vec<String> = Collection::ALL
        .iter()
        .map(ToString::to_string)
        .chain(PartCollection::all().map(PartCollection::name))
        .collect();
    format!("one of {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(body: &str) -> Option<Hint> {
        Hint::parse(body.as_bytes()).expect("the body is right")
    }

    fn refused_field(body: &str) -> String {
        Hint::parse(body.as_bytes()).expect_err("the body is wrong")[0].field.clone()
    }

    #[test]
    fn every_form_of_key_is_accepted() {
        let create = r#"{"event":"properties.items.create","key":42,"collection":"properties","payload":{}}"#;
        let update =
            r#"{"event":"properties.items.update","keys":["42"],"collection":"properties"}"#;
        let promote =
            r#"{"event":"items.promote","item":"42","collection":"properties","version":"d"}"#;
        for body in [create, update, promote] {
            let subject = parsed(body).map(|hint| hint.subject);
            let expected = Subject::Aggregates(Collection::Properties, vec!["42".into()]);
            assert_eq!(subject, Some(expected), "{body}");
        }
    }

    #[test]
    fn parts_are_distinguished_from_aggregates() {
        let body = r#"{"event":"x.items.delete","keys":[7],"collection":"locations_translations"}"#;
        let expected =
            Subject::Parts(PartCollection::Translations(Collection::Locations), vec!["7".into()]);
        assert_eq!(parsed(body).map(|hint| hint.subject), Some(expected));
    }

    #[test]
    fn sorting_one_item_is_about_the_complete_collection() {
        let body = r#"{"event":"items.sort","collection":"team","item":1,"to":3}"#;
        assert_eq!(
            parsed(body).map(|hint| hint.subject),
            Some(Subject::WholeCollection(Collection::Team))
        );
    }

    #[test]
    fn the_singleton_has_one_key() {
        let body =
            r#"{"event":"site_settings.items.update","keys":["9"],"collection":"site_settings"}"#;
        let keys = parsed(body).map(|hint| hint.subject.keys().to_vec());
        assert_eq!(keys, Some(vec!["1".to_owned()]));
    }

    #[test]
    fn ignored_collections_are_skipped() {
        assert_eq!(parsed(r#"{"event":"e","collection":"enquiries","key":"x"}"#), None);
    }

    #[test]
    fn the_error_names_the_invalid_field() {
        for (body, field) in [
            ("not json", "body"),
            ("[]", "body"),
            (r#"{"collection":"properties","key":1}"#, "event"),
            (r#"{"event":"e","key":1}"#, "collection"),
            (r#"{"event":"e","collection":"directus_users","key":1}"#, "collection"),
            (r#"{"event":"e","collection":"properties"}"#, "keys"),
            (r#"{"event":"e","collection":"properties","keys":[]}"#, "keys"),
            (r#"{"event":"e","collection":"properties","keys":"1"}"#, "keys"),
            (r#"{"event":"e","collection":"properties","key":"a.b"}"#, "key"),
            (r#"{"event":"e","collection":"properties","key":-1}"#, "key"),
            (r#"{"event":"e","collection":"properties","keys":[{}]}"#, "keys"),
        ] {
            assert_eq!(refused_field(body), field, "{body}");
        }
    }
}
