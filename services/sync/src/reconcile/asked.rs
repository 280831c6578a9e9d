//! The comparison that an operator asked for: one at a time, told as it goes on.

use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use contracts::Collection;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::{Depth, Report, compare};
use crate::{Sync, troubles::Task};

/// The last comparison that was asked for here, or the one under way.
#[derive(Debug, Default)]
pub struct Asked(Mutex<Told>);

/// How far it has come.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Told {
    pub running: bool,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    pub seen: usize,
    pub differing: usize,
    pub missing: usize,
    /// Why some of it could not be compared.
    pub error: Option<String>,
}

impl Asked {
    /// How far it has come.
    pub fn told(&self) -> Told {
        self.lock().clone()
    }

    /// Begins one; says no where one is under way.
    fn begin(&self) -> bool {
        let mut told = self.lock();
        if told.running {
            return false;
        }
        *told = Told { running: true, started_at: Some(Utc::now()), ..Told::default() };
        true
    }

    fn add(&self, found: Report) {
        let mut told = self.lock();
        told.seen += found.seen;
        told.differing += found.differing;
        told.missing += found.missing;
    }

    fn failed(&self, collection: Collection, error: &crate::Error) {
        let why = format!("{collection}: {error}");
        let mut told = self.lock();
        told.error = Some(told.error.take().map_or(why.clone(), |first| format!("{first}; {why}")));
    }

    fn end(&self) {
        let mut told = self.lock();
        told.running = false;
        told.ended_at = Some(Utc::now());
    }

    fn lock(&self) -> MutexGuard<'_, Told> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Begins to compare everything, by content, in a task of its own that ends with `shutdown`; says no
/// where such a comparison is under way. What can't be compared keeps nothing else from it.
pub fn begin(sync: &Sync, allow_mass_removal: bool, shutdown: CancellationToken) -> bool {
    if !sync.asked.begin() {
        return false;
    }
    let sync = sync.clone();
    tokio::spawn(async move {
        let _ends = Ends(&sync.asked);
        let all = Box::pin(everything(&sync, allow_mass_removal));
        if shutdown.run_until_cancelled(all).await.is_none() {
            tracing::info!("the comparison that was asked for is given up");
        }
    });
    true
}

async fn everything(sync: &Sync, allow_mass_removal: bool) {
    for collection in Collection::ALL {
        match compare(sync, collection, Depth::Contents, allow_mass_removal).await {
            Ok(found) => {
                sync.troubles.ended(collection, Task::Compare(Depth::Contents));
                sync.asked.add(found);
            }
            Err(error) => {
                tracing::warn!(%collection, %error, "it can't be compared, as was asked for");
                sync.asked.failed(collection, &error);
            }
        }
    }
}

/// Ends it, also where it panics.
struct Ends<'a>(&'a Asked);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}
