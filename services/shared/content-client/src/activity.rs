//! The service's activity log: who changed what, in the order of ids, not of commits.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Value, json};

use contracts::{Collection, PartCollection};

/// One row of the activity log.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Activity {
    /// The row's id. It is assigned inside the writer's transaction, so a smaller one may appear later.
    pub id: i64,
    /// The collection of the item.
    pub collection: String,
    /// The item's key.
    pub item: String,
    /// When the row was written (not committed), by the service's clock.
    pub timestamp: DateTime<Utc>,
}

/// Which rows of the activity log to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActivityWindow {
    /// The start of the window, by the service's clock, rounded down to the millisecond.
    pub since: DateTime<Utc>,
    /// Only rows after this id; for paging within the window.
    pub after: Option<i64>,
    /// The maximum number of rows.
    pub limit: u32,
}

/// Actions that change no content: runs of flows, sign-ins, and drafts of published items.
const IGNORED_ACTIONS: [&str; 4] = ["run", "login", "comment", "version_save"];

impl ActivityWindow {
    pub(crate) fn filter(&self) -> Value {
        let collections: Vec<String> = Collection::ALL
            .into_iter()
            .map(|collection| collection.name().to_owned())
            .chain(PartCollection::all().map(PartCollection::name))
            .collect();
        let mut clauses = vec![
            json!({ "timestamp": { "_gte": self.since.to_rfc3339_opts(chrono::SecondsFormat::Millis, true) } }),
            json!({ "action": { "_nin": IGNORED_ACTIONS } }),
            json!({ "collection": { "_in": collections } }),
        ];
        if let Some(after) = self.after {
            clauses.push(json!({ "id": { "_gt": after } }));
        }
        json!({ "_and": clauses })
    }
}
