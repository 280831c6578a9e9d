//! Reconcile: what no hint told of is found by looking. A lost webhook costs seconds, never
//! correctness.
//!
//! Three widths: the activity log, re-read with an overlap every few seconds; ids and status every
//! few minutes; everything, compared by content, at start and hourly. None of them writes a
//! version: they mark dirty what differs, and capture reads it again. A reading that fails, or
//! that would remove too much, removes nothing.

mod activity;
mod compare;

use std::time::Duration;

use contracts::Collection;
use tokio::time::{Instant, MissedTickBehavior, interval, interval_at};
use tokio_util::sync::CancellationToken;

use crate::{Error, Intervals, Sync, placeholders};

/// The pause before a full reading is tried again at start.
const START_PAUSE: Duration = Duration::from_secs(1);

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
pub async fn once(sync: &Sync, scope: Scope, allow_mass_removal: bool) -> Result<Report, Error> {
    let mut report = Report::default();
    let mut refusal = None;
    let collections: Vec<Collection> = match scope {
        Scope::Collection(collection) => vec![collection],
        Scope::Ids | Scope::Everything => Collection::ALL.to_vec(),
    };
    for collection in collections {
        let found = match scope {
            Scope::Ids => compare::ids(sync, collection, allow_mass_removal).await,
            _ => compare::contents(sync, collection, allow_mass_removal).await,
        };
        match found {
            Ok(found) => {
                report.seen += found.seen;
                report.differing += found.differing;
                report.missing += found.missing;
            }
            // The other collections are none the worse for it.
            Err(error @ Error::MassRemoval { .. }) => {
                tracing::error!(%error, "reconcile refuses");
                metrics::counter!("sync_mass_removals_refused_total").increment(1);
                refusal = Some(error);
            }
            Err(error) => return Err(error),
        }
    }
    if report.differing + report.missing > 0 {
        tracing::info!(
            ?scope,
            seen = report.seen,
            differing = report.differing,
            missing = report.missing,
            "reconciled"
        );
        sync.dirty.notify_one();
    }
    refusal.map_or(Ok(report), Err)
}

/// Reconciles at start and then on its timers, until `shutdown`.
pub async fn run(
    sync: Sync,
    intervals: Intervals,
    shutdown: CancellationToken,
) -> Result<(), Error> {
    let mut activity = activity::Follower::default();
    tokio::select! {
        () = shutdown.cancelled() => return Ok(()),
        () = at_start(&sync) => {}
    }
    let mut activities = interval(intervals.activity);
    let mut sweeps = interval_at(Instant::now() + intervals.sweep, intervals.sweep);
    let mut fulls = interval_at(Instant::now() + intervals.full, intervals.full);
    for timer in [&mut activities, &mut sweeps, &mut fulls] {
        timer.set_missed_tick_behavior(MissedTickBehavior::Delay);
    }
    loop {
        let (width, done) = tokio::select! {
            () = shutdown.cancelled() => return Ok(()),
            _ = activities.tick() => ("activity", activity.follow(&sync).await),
            _ = sweeps.tick() => ("sweep", sweep(&sync).await),
            _ = fulls.tick() => ("full", once(&sync, Scope::Everything, false).await.map(drop)),
        };
        if let Err(error) = done {
            metrics::counter!("sync_reconcile_failures_total", "width" => width).increment(1);
            tracing::warn!(width, %error, "could not reconcile; the next round will");
        }
    }
}

async fn sweep(sync: &Sync) -> Result<(), Error> {
    once(sync, Scope::Ids, false).await?;
    placeholders::prune(sync).await?;
    sync.ledger.prune_inbox().await
}

/// The full reading at start, tried until it succeeds or is refused for good.
async fn at_start(sync: &Sync) {
    loop {
        match once(sync, Scope::Everything, false).await {
            Ok(_) | Err(Error::MassRemoval { .. }) => return,
            Err(error) => {
                tracing::info!(%error, "waiting for the content service");
                tokio::time::sleep(START_PAUSE).await;
            }
        }
    }
}
