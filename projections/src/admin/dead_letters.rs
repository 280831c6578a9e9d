//! `GET /admin/dead-letters`: messages that could not be applied, compared with the live rows.

use std::collections::BTreeSet;

use admin_answers::projections::{DeadLetter, LetterDifference};
use contracts::Change;
use serde_json::{Map, Value};
use sqlx::PgPool;

use crate::{
    Error,
    dead_letters::{self, select_letters},
    models::ReadModel,
};

/// The maximum number of letters listed, the oldest first.
const MAX_LETTERS: i64 = 1_000;
/// How many of them are compared with the live rows.
const MAX_COMPARED: usize = 50;
/// The maximum number of differing fields reported for a letter.
const MAX_FIELDS: usize = 40;
/// The maximum length of a reported value, in characters.
const MAX_VALUE_CHARS: usize = 80;
/// Columns that differ in every version and are not compared.
const IGNORED_COLUMNS: [&str; 2] = ["version", "changed_at"];

/// Returns the dead letters of the live generation.
pub async fn list(pool: &PgPool) -> Result<Vec<DeadLetter>, Error> {
    let mut listed = Vec::new();
    let letters = select_letters(pool, None, None, Some(MAX_LETTERS)).await?;
    for (index, letter) in letters.into_iter().enumerate() {
        let differences =
            if index < MAX_COMPARED { differences(pool, &letter).await? } else { None };
        listed.push(DeadLetter {
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

/// Returns what `letter` would change in the live rows.
async fn differences(
    pool: &PgPool,
    letter: &dead_letters::DeadLetter,
) -> Result<Option<Vec<LetterDifference>>, Error> {
    let Some(event) = letter.event() else { return Ok(None) };
    let Change::Upserted { snapshot } = &event.change else { return Ok(None) };
    let model = ReadModel::of(event.aggregate.collection);
    let shown = model.shown(pool, &event.aggregate.key).await?;
    let (id, at) = (&event.aggregate, event.captured_at);
    let rows = ReadModel::rows(id, event.version, at, snapshot, &event.offers);
    let rows = rows.iter().filter_map(|row| match serde_json::to_value(row) {
        Ok(Value::Object(row)) => Some(row),
        _ => None,
    });
    let mut differences = Vec::new();
    for row in rows {
        let before = shown.iter().find(|shown| shown.get("locale") == row.get("locale"));
        differences.extend(compare(&row, before));
    }
    differences.truncate(MAX_FIELDS);
    Ok(Some(differences))
}

/// Returns each field of `row` that differs from `before`.
fn compare(row: &Map<String, Value>, before: Option<&Map<String, Value>>) -> Vec<LetterDifference> {
    let locale = row.get("locale").and_then(Value::as_str);
    let names: BTreeSet<&String> =
        row.keys().filter(|name| !IGNORED_COLUMNS.contains(&name.as_str())).collect();
    let differing = names.into_iter().filter_map(|name| {
        let (message, shown) = (row.get(name)?, before.and_then(|before| before.get(name)));
        (shown != Some(message)).then(|| LetterDifference {
            field: locale.map_or_else(|| name.clone(), |locale| format!("{locale}.{name}")),
            message: truncated(message),
            shown: shown.map(truncated),
        })
    });
    differing.collect()
}

fn truncated(value: &Value) -> String {
    value.to_string().chars().take(MAX_VALUE_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn differences_are_listed_by_language_and_field() {
        let Value::Object(message) = json!({
            "locale": "es", "version": 4, "title": "Chalé", "price": 90, "features": ["pool"],
        }) else {
            panic!("an object")
        };
        let Value::Object(shown) = json!({
            "locale": "es", "version": 3, "title": "Chalé", "price": 100, "features": ["pool"],
        }) else {
            panic!("an object")
        };
        let price = LetterDifference {
            field: "es.price".to_owned(),
            message: "90".to_owned(),
            shown: Some("100".to_owned()),
        };
        assert_eq!(compare(&message, Some(&shown)), [price]);
        let fields = compare(&message, None);
        assert_eq!(fields.len(), 4);
        assert!(fields.iter().all(|field| field.shown.is_none()));
    }
}
