//! Follows the content service's activity log.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use content_client::{Activity, ActivityWindow};

use crate::{
    Context, Error,
    receive::{self, Hint, Subject},
};

/// How far back each read starts: rows get their ids inside transactions and appear when those commit,
/// so a row may appear after one with a later id.
const OVERLAP: TimeDelta = TimeDelta::minutes(5);
/// The number of rows per call.
const PAGE: u32 = 1000;

/// Remembers which rows of the overlap were seen already.
#[derive(Debug, Default)]
pub struct Follower {
    seen: BTreeMap<i64, DateTime<Utc>>,
}

impl Follower {
    /// Turns the rows that are new since the last call into hints.
    pub async fn follow(&mut self, context: &Context) -> Result<(), Error> {
        let read_to = match context.ledger.activity_read_to().await? {
            Some(moment) => moment,
            // The full comparison at start covers everything before.
            None => Utc::now(),
        };
        let since = read_to - OVERLAP;
        let mut newest = read_to;
        let mut after = None;
        loop {
            let window = ActivityWindow { since, after, limit: PAGE };
            let rows = context.content.activity(&window).await?;
            let count = rows.len();
            after = rows.last().map(|row| row.id);
            let new: Vec<Activity> =
                rows.into_iter().filter(|row| !self.seen.contains_key(&row.id)).collect();
            store_hints(context, &new).await?;
            for row in new {
                newest = newest.max(row.timestamp);
                self.seen.insert(row.id, row.timestamp);
            }
            if count < PAGE as usize {
                break;
            }
        }
        // The content service's clock may have been ahead: once it is corrected, new rows have earlier
        // times than those read already.
        let newest = newest.min(Utc::now());
        context.ledger.set_activity_read_to(newest).await?;
        // Twice the overlap, so that a row at its edge is not mistaken for a new one.
        let oldest_kept = newest - OVERLAP * 2;
        self.seen.retain(|_, timestamp| *timestamp > oldest_kept);
        Ok(())
    }
}

/// Stores one hint per collection.
async fn store_hints(context: &Context, rows: &[Activity]) -> Result<(), Error> {
    let mut by_collection: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in rows {
        by_collection.entry(&row.collection).or_default().push(row.item.clone());
    }
    for (collection, mut keys) in by_collection {
        keys.sort_unstable();
        keys.dedup();
        if let Some(subject) = Subject::of(collection, keys) {
            let hint = Hint { event: "activity".to_owned(), subject };
            receive::accept(context, &hint, None, None).await?;
        }
    }
    Ok(())
}
