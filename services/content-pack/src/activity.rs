//! The activity log: what this process saw being saved.

use chrono::Utc;
use serde_json::{Value, json};

use crate::{
    changes::Change,
    content::{Content, Item},
    schema::collection,
    values::{key_text, moment_value},
};

/// How many rows are kept. Sync reads the last minutes; what it misses, its sweeps find.
const LIMIT: usize = 10_000;

/// Adds a row for each of `changes` to the log that `content` carries.
pub(crate) fn record(content: &mut Content, changes: &[Change]) {
    let Some(log) = collection("directus_activity") else { return };
    let mut rows = content.table(log).items().to_vec();
    let now = Utc::now();
    // Ids go on rising after a restart: readers may keep the last that they saw.
    let last = rows.last().and_then(|row| row["id"].as_i64()).unwrap_or(0);
    let first = now.timestamp_millis().max(last + 1);
    rows.extend(changes.iter().zip(first..).map(|(change, id)| row(change, id, &now)));
    let surplus = rows.len().saturating_sub(LIMIT);
    content.set(log, rows.split_off(surplus));
}

fn row(change: &Change, id: i64, now: &chrono::DateTime<Utc>) -> Item {
    let mut row = Item::new();
    row.insert("id".to_owned(), json!(id));
    row.insert("action".to_owned(), json!(change.action()));
    row.insert("timestamp".to_owned(), moment_value(now));
    row.insert("collection".to_owned(), json!(change.collection));
    row.insert("item".to_owned(), json!(key_text(&change.key)));
    for field in ["user", "ip", "user_agent", "origin"] {
        row.insert(field.to_owned(), Value::Null);
    }
    row
}
