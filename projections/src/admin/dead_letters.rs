//! `GET /admin/dead-letters`: messages that could not be applied, each beside what is shown.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use contracts::Change;
use serde::Serialize;
use serde_json::{Map, Value};
use sqlx::PgPool;

use crate::{
    Error,
    dead_letter::{DeadLetter, chosen},
    models::ReadModel,
};

/// How many are listed at the most, the oldest first.
const MOST: i64 = 1_000;
/// Of how many of them it is told what they would change.
const COMPARED: usize = 50;
/// How many fields that is at the most.
const MAX_FIELDS: usize = 40;
/// As much of a value as is told, in characters.
const FOUND_LIMIT: usize = 80;
/// What differs in every version and says nothing.
const OF_THE_VERSION: [&str; 2] = ["version", "changed_at"];

/// A message that could not be applied.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    subject: String,
    sequence: i64,
    version: Option<i64>,
    error: String,
    tries: i32,
    at: DateTime<Utc>,
    trace_id: Option<String>,
    /// What it would change; none where that can't be told, and of all but the oldest.
    differences: Option<Vec<Difference>>,
}

/// A field that a message would change.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Difference {
    /// With the language that it is in.
    field: String,
    /// What the message says, as JSON, shortened.
    message: String,
    /// What is shown; none where nothing is.
    shown: Option<String>,
}

/// The dead letters of the live generation.
pub async fn list(pool: &PgPool) -> Result<Vec<Listed>, Error> {
    let mut listed = Vec::new();
    for (place, letter) in chosen(pool, None, None, Some(MOST)).await?.into_iter().enumerate() {
        let differences = if place < COMPARED { differences(pool, &letter).await? } else { None };
        listed.push(Listed {
            trace_id: letter.trace_id().map(str::to_owned),
            sequence: letter.sequence.to_i64(),
            version: letter.version.map(|version| version.0),
            subject: letter.subject,
            error: letter.error,
            tries: letter.tries,
            at: letter.at,
            differences,
        });
    }
    Ok(listed)
}

/// What `letter` would change of what is shown.
async fn differences(pool: &PgPool, letter: &DeadLetter) -> Result<Option<Vec<Difference>>, Error> {
    let Some(event) = letter.event() else { return Ok(None) };
    let Change::Upserted { snapshot } = &event.change else { return Ok(None) };
    let model = ReadModel::of(event.aggregate.collection);
    let shown = model.shown(pool, &event.aggregate.key).await?;
    let (id, at) = (&event.aggregate, event.captured_at);
    let rows = ReadModel::rows(id, event.version, at, snapshot, &event.offers);
    let said = rows.iter().filter_map(|row| match serde_json::to_value(row) {
        Ok(Value::Object(row)) => Some(row),
        _ => None,
    });
    let mut differences = Vec::new();
    for row in said {
        let before = shown.iter().find(|shown| shown.get("locale") == row.get("locale"));
        differences.extend(compare(&row, before));
    }
    differences.truncate(MAX_FIELDS);
    Ok(Some(differences))
}

/// Each field in which `row` is not as it was `before`.
fn compare(row: &Map<String, Value>, before: Option<&Map<String, Value>>) -> Vec<Difference> {
    let locale = row.get("locale").and_then(Value::as_str);
    let names: BTreeSet<&String> =
        row.keys().filter(|name| !OF_THE_VERSION.contains(&name.as_str())).collect();
    let differing = names.into_iter().filter_map(|name| {
        let (said, shown) = (row.get(name)?, before.and_then(|before| before.get(name)));
        (shown != Some(said)).then(|| Difference {
            field: locale.map_or_else(|| name.clone(), |locale| format!("{locale}.{name}")),
            message: shortened(said),
            shown: shown.map(shortened),
        })
    });
    differing.collect()
}

fn shortened(value: &Value) -> String {
    value.to_string().chars().take(FOUND_LIMIT).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_message_would_change_is_told_by_field_and_language() {
        let Value::Object(said) = json!({
            "locale": "es", "version": 4, "title": "Chalé", "price": 90, "features": ["pool"],
        }) else {
            panic!("an object")
        };
        let Value::Object(shown) = json!({
            "locale": "es", "version": 3, "title": "Chalé", "price": 100, "features": ["pool"],
        }) else {
            panic!("an object")
        };
        let price = Difference {
            field: "es.price".to_owned(),
            message: "90".to_owned(),
            shown: Some("100".to_owned()),
        };
        assert_eq!(compare(&said, Some(&shown)), [price]);
        let fields = compare(&said, None);
        assert_eq!(fields.len(), 4);
        assert!(fields.iter().all(|field| field.shown.is_none()));
    }
}
