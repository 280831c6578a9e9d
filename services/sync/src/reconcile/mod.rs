//! Reconcile: finds changes that no hint announced. A lost webhook costs seconds, never correctness.
//!
//! Three depths: the activity log, re-read with an overlap every few seconds; ids and status, every few
//! minutes; everything, compared by content, at start and hourly. None of them writes a version: they
//! mark what differs as dirty, and capture reads it again. A comparison that fails, or that would remove
//! too much, removes nothing.
//!
//! Each collection is compared on its own schedule: one that can't be read is retried after growing
//! pauses, and stops neither the others nor the activity log.

mod activity;
mod compare;
mod requested;

use std::{convert::Infallible, time::Duration};

use contracts::Collection;
use futures::future::join_all;
use runtime::error_text;
use tokio::{
    sync::Semaphore,
    time::{Instant, MissedTickBehavior, interval, sleep_until},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

pub use self::requested::{RequestedComparison, start};
use crate::{Context, Error, Intervals, failures::Task};

/// How many collections are read concurrently: more than one, so that a read that hangs does not block
/// the others; few, since the content service answers one request after another anyway.
const MAX_CONCURRENT_READS: usize = 2;
/// The maximum pause of a failing collection while an incomplete stream waits for it.
const MAX_BACKOFF_WHILE_INCOMPLETE: Duration = Duration::from_secs(15);

/// How deep a collection is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Ids and status.
    Ids,
    /// Everything, by content.
    Contents,
}

impl Depth {
    /// Returns the name used in metrics, logs and the admin API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ids => "sweep",
            Self::Contents => "full",
        }
    }
}

/// Whether a comparison may remove a large part of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MassRemoval {
    /// It removes nothing then, and fails.
    Refuse,
    /// It may: an operator said so.
    Allow,
}

impl MassRemoval {
    /// Returns [`Self::Allow`] if an operator `allowed` it.
    pub const fn allowed_if(allowed: bool) -> Self {
        if allowed { Self::Allow } else { Self::Refuse }
    }
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of items compared.
    pub seen: usize,
    /// The number of items that differ from the ledger.
    pub differing: usize,
    /// The number of items that are published in the ledger and not in the content service.
    pub missing: usize,
}

/// Compares every collection once and marks what differs as dirty. Returns the first error, after all
/// collections have been tried.
pub async fn all(context: &Context, depth: Depth, removal: MassRemoval) -> Result<Report, Error> {
    let mut report = Report::default();
    let mut failure = None;
    for collection in Collection::ALL {
        match compare(context, collection, depth, removal).await {
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

/// Compares one collection and marks what differs as dirty.
pub async fn compare(
    context: &Context,
    collection: Collection,
    depth: Depth,
    removal: MassRemoval,
) -> Result<Report, Error> {
    let Context { ledger, content, .. } = context;
    let found = match depth {
        Depth::Ids => {
            compare::ids(ledger, content, collection).await?.record(ledger, removal).await
        }
        Depth::Contents => {
            let identity_at_start = ledger.identity().await?;
            let comparison = compare::contents(context, collection).await?;
            let found = comparison.record(ledger, removal).await;
            // A refused mass removal waits for an operator, but the collection was read successfully.
            if matches!(found, Ok(_) | Err(Error::MassRemoval { .. })) {
                record_compared(context, collection, identity_at_start).await?;
            }
            found
        }
    };
    if let Err(error @ Error::MassRemoval { .. }) = &found {
        tracing::error!(error = error_text(error), "reconcile refuses to remove so many items");
        metrics::counter!("sync_mass_removals_refused_total").increment(1);
    }
    let report = found?;
    if depth == Depth::Contents {
        // The same fields were read as by a capture.
        context.failures.succeeded(collection, Task::Capture);
    }
    if report.differing + report.missing > 0 {
        let Report { seen, differing, missing } = report;
        tracing::info!(%collection, task = depth.name(), seen, differing, missing, "reconciled");
        context.wakeups.capture.notify_one();
    }
    Ok(report)
}

/// Records that all of `collection` was compared. After the properties were compared, collections that
/// failed before are retried: immediately if a stream waits for it.
async fn record_compared(
    context: &Context,
    collection: Collection,
    identity_at_start: Option<Uuid>,
) -> Result<(), Error> {
    let is_properties = collection == Collection::Properties;
    if is_properties {
        // Before it is recorded: a task that sees the record has to see that no collection counts as
        // withheld yet.
        context.failures.properties_compared();
    }
    context.ledger.record_compared(collection, identity_at_start).await?;
    if is_properties {
        // Wakes the tasks only if the stream is incomplete.
        context.stream_incomplete.send_if_modified(|incomplete| *incomplete);
    }
    Ok(())
}

/// Reconciles each collection at start and then on its timers, until `shutdown`.
pub async fn run(
    context: Context,
    intervals: Intervals,
    shutdown: CancellationToken,
) -> Result<(), Infallible> {
    let permits = Semaphore::new(MAX_CONCURRENT_READS);
    let collections = Collection::ALL.map(|collection| {
        Box::pin(reconcile_periodically(&context, collection, intervals, &permits))
    });
    let work = async {
        tokio::join!(
            join_all(collections),
            Box::pin(follow_activity(&context, intervals.activity)),
            prune_periodically(&context, intervals.sweep),
        )
    };
    shutdown.run_until_cancelled(Box::pin(work)).await;
    Ok(())
}

/// Compares `collection` periodically: by content at start and then on its timer, by ids in between; by
/// content also when a stream is being filled and the collection has not been compared since the ledger
/// got its identity.
async fn reconcile_periodically(
    context: &Context,
    collection: Collection,
    intervals: Intervals,
    permits: &Semaphore,
) {
    let mut incomplete = context.stream_incomplete.subscribe();
    let mut full = Instant::now();
    let mut sweep = full + intervals.sweep;
    loop {
        tokio::select! {
            () = sleep_until(full.min(sweep)) => {}
            _ = incomplete.changed() => {
                let is_incomplete = *incomplete.borrow_and_update();
                if !is_incomplete || context.ledger.is_compared(collection).await.unwrap_or(false) {
                    continue;
                }
                full = Instant::now();
            }
        }
        let depth = if full <= Instant::now() { Depth::Contents } else { Depth::Ids };
        let compared = {
            let _permit = permits.acquire().await;
            compare(context, collection, depth, MassRemoval::Refuse).await
        };
        let task = Task::Compare(depth);
        let pause = match compared {
            Ok(_) => {
                context.failures.succeeded(collection, task);
                None
            }
            // It was read successfully, and waits for an operator.
            Err(error @ Error::MassRemoval { .. }) => {
                context.failures.failed(collection, task, &error);
                None
            }
            Err(error) => {
                let backoff = context.failures.failed(collection, task, &error);
                let is_waited_for = *context.stream_incomplete.borrow();
                Some(if is_waited_for {
                    backoff.min(MAX_BACKOFF_WHILE_INCOMPLETE)
                } else {
                    backoff
                })
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

/// Turns new rows of the activity log into hints.
async fn follow_activity(context: &Context, every: Duration) {
    let mut follower = activity::Follower::default();
    let mut timer = interval(every);
    timer.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        timer.tick().await;
        let result = follower.follow(context).await;
        // The log is asked for even if nobody publishes, so this shows first that the content service is
        // away. What concerns the log alone keeps no item from being read.
        let unreachable = result.as_ref().err().filter(|error| error.concerns_content_service());
        context.breaker.asked_for_activity(unreachable.map(|error| error_text(error)));
        match &result {
            Ok(()) => context.failures.activity_succeeded(),
            Err(error) => context.failures.activity_failed(error),
        }
    }
}

/// Periodically deletes old hints and unused placeholders.
async fn prune_periodically(context: &Context, every: Duration) {
    let mut timer = interval(every);
    timer.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // The first tick fires immediately, when there is nothing to delete yet.
    timer.tick().await;
    loop {
        timer.tick().await;
        let pruned = async {
            context.ledger.prune_placeholders().await?;
            context.ledger.prune_inbox().await
        };
        if let Err(error) = pruned.await {
            tracing::warn!(
                error = error_text(&error),
                "old hints and placeholders could not be deleted"
            );
        }
    }
}
