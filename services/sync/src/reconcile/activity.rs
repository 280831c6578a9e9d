//! Following the content service's activity log.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use content_client::{Activity, ActivityWindow};

use crate::{
    Error, Sync,
    receive::{self, Hint, Subject},
};

/// How far each reading goes back: rows take their ids inside transactions and appear when those
/// commit, so a later id may be seen first.
const OVERLAP: TimeDelta = TimeDelta::minutes(5);
/// How many rows one call reads.
const PAGE: u32 = 1000;

/// Remembers which rows of the overlap it has seen.
#[derive(Debug, Default)]
pub struct Follower {
    seen: BTreeMap<i64, DateTime<Utc>>,
}

impl Follower {
    /// Turns the rows that are new since the last time into hints.
    pub async fn follow(&mut self, sync: &Sync) -> Result<(), Error> {
        let read_to = match sync.ledger.activity_read_to().await? {
            Some(moment) => moment,
            // The full reading at start covers what came before.
            None => Utc::now(),
        };
        let since = read_to - OVERLAP;
        let mut newest = read_to;
        let mut after = None;
        loop {
            let window = ActivityWindow { since, after, limit: PAGE };
            let rows = sync.content.activity(&window).await?;
            let count = rows.len();
            after = rows.last().map(|row| row.id);
            let new: Vec<Activity> =
                rows.into_iter().filter(|row| !self.seen.contains_key(&row.id)).collect();
            keep(sync, &new).await?;
            for row in new {
                newest = newest.max(row.timestamp);
                self.seen.insert(row.id, row.timestamp);
            }
            if count < PAGE as usize {
                break;
            }
        }
        // The content service's clock may have run ahead: once it is right again, what is new has
        // earlier times than what was read.
        let newest = newest.min(Utc::now());
        sync.ledger.set_activity_read_to(newest).await?;
        // Twice the overlap, so that a row on its edge is not taken for a new one.
        let forgotten = newest - OVERLAP * 2;
        self.seen.retain(|_, timestamp| *timestamp > forgotten);
        Ok(())
    }
}

/// One hint a collection.
async fn keep(sync: &Sync, rows: &[Activity]) -> Result<(), Error> {
    let mut by_collection: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in rows {
        by_collection.entry(&row.collection).or_default().push(row.item.clone());
    }
    for (collection, mut keys) in by_collection {
        keys.sort_unstable();
        keys.dedup();
        if let Some(subject) = Subject::of(collection, keys) {
            let hint = Hint { event: "activity".to_owned(), subject };
            receive::keep(sync, &hint, None, None).await?;
        }
    }
    Ok(())
}
