//! Reconcile: what no hint told of is found by looking. A lost webhook costs seconds, never
//! correctness.
//!
//! Three widths: the activity log, re-read with an overlap every few seconds; ids and status every
//! few minutes; everything, compared by content, at start and hourly. None of them writes a
//! version: they mark dirty what differs, and capture reads it again. A reading that fails, or
//! that would remove too much, removes nothing.
//!
//! Each collection is compared in its own time: one that can't be read is left alone ever longer,
//! and stops neither the others nor the activity log.

mod activity;
mod asked;
mod compare;

use std::{convert::Infallible, time::Duration};

use contracts::Collection;
use futures::future::join_all;
use tokio::{
    sync::Semaphore,
    time::{Instant, MissedTickBehavior, interval, sleep_until},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

pub use self::asked::{Asked, Told, begin};
use crate::{Error, Intervals, Sync, placeholders, troubles::Task};

/// How many collections are read at once: one that hangs must not be alone with the content service,
/// which answers one after another anyway.
const AT_ONCE: usize = 2;
/// The longest that a collection is left alone while a stream waits for it.
const REST_WHILE_INCOMPLETE: Duration = Duration::from_secs(15);

/// How deep a collection is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Ids and status.
    Ids,
    /// Everything, by content.
    Contents,
}

impl Depth {
    /// The name for metrics, logs and operators.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ids => "sweep",
            Self::Contents => "full",
        }
    }
}

/// How much is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Ids and status of every collection.
    Ids,
    /// Everything, by content.
    Everything,
    /// All of one collection, by content.
    Collection(Collection),
}

/// What a comparison found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Items that were looked at.
    pub seen: usize,
    /// Items that differ from the ledger.
    pub differing: usize,
    /// Items that the ledger has as published and the content service does not.
    pub missing: usize,
}

/// Compares once and marks dirty what differs.
///
/// # Errors
/// The first, when all the others have been compared too.
pub async fn once(sync: &Sync, scope: Scope, allow_mass_removal: bool) -> Result<Report, Error> {
    let (collections, depth) = match scope {
        Scope::Collection(collection) => (vec![collection], Depth::Contents),
        Scope::Ids => (Collection::ALL.to_vec(), Depth::Ids),
        Scope::Everything => (Collection::ALL.to_vec(), Depth::Contents),
    };
    let mut report = Report::default();
    let mut failure = None;
    for collection in collections {
        match compare(sync, collection, depth, allow_mass_removal).await {
            Ok(found) => {
                report.seen += found.seen;
                report.differing += found.differing;
                report.missing += found.missing;
            }
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    failure.map_or(Ok(report), Err)
}

/// Compares one collection and marks dirty what differs.
async fn compare(
    sync: &Sync,
    collection: Collection,
    depth: Depth,
    allow_mass_removal: bool,
) -> Result<Report, Error> {
    let found = match depth {
        Depth::Ids => compare::ids(sync, collection, allow_mass_removal).await,
        Depth::Contents => {
            let began = sync.ledger.identity().await?;
            let found = compare::contents(sync, collection, allow_mass_removal).await;
            // What waits for an operator was read well.
            if matches!(found, Ok(_) | Err(Error::MassRemoval { .. })) {
                note_compared(sync, collection, began).await?;
            }
            found
        }
    };
    if let Err(error @ Error::MassRemoval { .. }) = &found {
        tracing::error!(%error, "reconcile refuses");
        metrics::counter!("sync_mass_removals_refused_total").increment(1);
    }
    let report = found?;
    if report.differing + report.missing > 0 {
        let Report { seen, differing, missing } = report;
        tracing::info!(%collection, task = depth.name(), seen, differing, missing, "reconciled");
        sync.dirty.notify_one();
    }
    Ok(report)
}

/// All of `collection` was compared. Once the homes were, what failed before is tried anew, at once where
/// a stream waits for it.
async fn note_compared(
    sync: &Sync,
    collection: Collection,
    began: Option<Uuid>,
) -> Result<(), Error> {
    let is_homes = collection == Collection::Properties;
    if is_homes {
        // Before the note: whoever finds it finds that nothing is kept back yet.
        sync.troubles.homes_compared();
    }
    sync.ledger.note_compared(collection, began).await?;
    if is_homes {
        // Wakes only where it is so.
        sync.incomplete.send_if_modified(|incomplete| *incomplete);
    }
    Ok(())
}

/// Reconciles each collection at start and then on its timers, until `shutdown`.
pub async fn run(
    sync: Sync,
    intervals: Intervals,
    shutdown: CancellationToken,
) -> Result<(), Infallible> {
    let turns = Semaphore::new(AT_ONCE);
    let collections =
        Collection::ALL.map(|collection| Box::pin(keep(&sync, collection, intervals, &turns)));
    let work = async {
        tokio::join!(
            join_all(collections),
            Box::pin(follow_activity(&sync, intervals.activity)),
            tidy(&sync, intervals.sweep),
        )
    };
    shutdown.run_until_cancelled(Box::pin(work)).await;
    Ok(())
}

/// Compares `collection` again and again: all of it at once and then on its timer, its ids between; all of
/// it also where the ledger has begun anew and nobody has compared it since.
async fn keep(sync: &Sync, collection: Collection, intervals: Intervals, turns: &Semaphore) {
    let mut incomplete = sync.incomplete.subscribe();
    let mut full = Instant::now();
    let mut sweep = full + intervals.sweep;
    loop {
        tokio::select! {
            () = sleep_until(full.min(sweep)) => {}
            _ = incomplete.changed() => {
                let is_incomplete = *incomplete.borrow_and_update();
                if !is_incomplete || sync.ledger.is_compared(collection).await.unwrap_or(false) {
                    continue;
                }
                full = Instant::now();
            }
        }
        let depth = if full <= Instant::now() { Depth::Contents } else { Depth::Ids };
        let compared = {
            let _turn = turns.acquire().await;
            compare(sync, collection, depth, false).await
        };
        let task = Task::Compare(depth);
        let pause = match compared {
            Ok(_) => {
                sync.troubles.ended(collection, task);
                None
            }
            // It was read well, and waits for an operator.
            Err(error @ Error::MassRemoval { .. }) => {
                sync.troubles.failed(collection, task, &error);
                None
            }
            Err(error) => {
                let rest = sync.troubles.failed(collection, task, &error);
                let is_waited_for = *sync.incomplete.borrow();
                Some(if is_waited_for { rest.min(REST_WHILE_INCOMPLETE) } else { rest })
            }
        };
        let now = Instant::now();
        match depth {
            Depth::Ids => sweep = now + pause.unwrap_or(intervals.sweep),
            Depth::Contents => {
                full = now + pause.unwrap_or(intervals.full);
                if pause.is_none() {
                    sweep = now + intervals.sweep;
                }
            }
        }
    }
}

/// Turns what the activity log tells into hints.
async fn follow_activity(sync: &Sync, every: Duration) {
    let mut follower = activity::Follower::default();
    let mut timer = interval(every);
    timer.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut failing = false;
    loop {
        timer.tick().await;
        let outcome = follower.follow(sync).await;
        if let Err(error) = &outcome {
            metrics::counter!("sync_activity_failures_total").increment(1);
            if !failing {
                tracing::warn!(%error, "the activity log can't be read; the next round may");
            }
        }
        failing = outcome.is_err();
    }
}

/// Forgets what nobody needs any more.
async fn tidy(sync: &Sync, every: Duration) {
    let mut timer = interval(every);
    timer.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // The first tick is at once, when there is nothing to forget yet.
    timer.tick().await;
    loop {
        timer.tick().await;
        let pruned = async {
            placeholders::prune(sync).await?;
            sync.ledger.prune_inbox().await
        };
        if let Err(error) = pruned.await {
            tracing::warn!(%error, "old hints and placeholders stay for now");
        }
    }
}
