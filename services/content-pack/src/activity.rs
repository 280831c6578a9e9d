//! The activity log of the changes that this process has seen.

use chrono::Utc;
use serde_json::{Value, json};

use crate::{
    changes::Change,
    content::{Content, Item},
    schema::collection,
    values::{key_text, timestamp_value},
};

/// The maximum number of rows. Sync reads only the last minutes; its sweeps find anything that it
/// misses.
const MAX_ROWS: usize = 10_000;

/// Adds a row for each of `changes` to the activity log in `content`.
pub(crate) fn record(content: &mut Content, changes: &[Change]) {
    let Some(log) = collection("directus_activity") else { return };
    let mut rows = content.table(log).items().to_vec();
    let now = Utc::now();
    // Ids are based on the time, so that they keep rising after a restart: readers may remember the last
    // one.
    let last_id = rows.last().and_then(|row| row["id"].as_i64()).unwrap_or(0);
    let first_id = now.timestamp_millis().max(last_id + 1);
    rows.extend(changes.iter().zip(first_id..).map(|(change, id)| row(change, id, &now)));
    let excess = rows.len().saturating_sub(MAX_ROWS);
    content.set(log, rows.split_off(excess));
}

fn row(change: &Change, id: i64, now: &chrono::DateTime<Utc>) -> Item {
    let mut row = Item::new();
    row.insert("id".to_owned(), json!(id));
    row.insert("action".to_owned(), json!(change.action()));
    row.insert("timestamp".to_owned(), timestamp_value(now));
    row.insert("collection".to_owned(), json!(change.collection));
    row.insert("item".to_owned(), json!(key_text(&change.key)));
    for field in ["user", "ip", "user_agent", "origin"] {
        row.insert(field.to_owned(), Value::Null);
    }
    row
}
