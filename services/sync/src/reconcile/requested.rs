//! The comparison that an operator requested: one at a time, with its progress.

use std::sync::{Mutex, MutexGuard, PoisonError};

use admin_answers::sync::ReconcileProgress;
use chrono::Utc;
use contracts::Collection;
use runtime::error_text;
use tokio_util::sync::CancellationToken;

use super::{Depth, MassRemoval, Report, compare};
use crate::{Context, failures::Task};

/// The last comparison that was requested from this process, or the running one.
#[derive(Debug, Default)]
pub struct RequestedComparison(Mutex<ReconcileProgress>);

impl RequestedComparison {
    /// Returns the progress.
    pub fn progress(&self) -> ReconcileProgress {
        self.lock().clone()
    }

    /// Marks a comparison as started; returns false if one is running.
    fn start(&self) -> bool {
        let mut progress = self.lock();
        if progress.running {
            return false;
        }
        *progress = ReconcileProgress {
            running: true,
            started_at: Some(Utc::now()),
            ..ReconcileProgress::default()
        };
        true
    }

    fn add(&self, found: Report) {
        let mut progress = self.lock();
        progress.seen += found.seen;
        progress.differing += found.differing;
        progress.missing += found.missing;
    }

    fn failed(&self, collection: Collection, error: &crate::Error) {
        let why = format!("{collection}: {}", error_text(error));
        let mut progress = self.lock();
        progress.error =
            Some(progress.error.take().map_or(why.clone(), |first| format!("{first}; {why}")));
    }

    fn end(&self) {
        let mut progress = self.lock();
        progress.running = false;
        progress.ended_at = Some(Utc::now());
    }

    fn lock(&self) -> MutexGuard<'_, ReconcileProgress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts to compare everything, by content, in a task that ends with `shutdown`; returns false if such
/// a comparison is running. A collection that can't be compared does not stop the others.
pub fn start(context: &Context, removal: MassRemoval, shutdown: CancellationToken) -> bool {
    if !context.requested_comparison.start() {
        return false;
    }
    let context = context.clone();
    tokio::spawn(async move {
        let _end_on_drop = EndOnDrop(&context.requested_comparison);
        let all = Box::pin(compare_all(&context, removal));
        if shutdown.run_until_cancelled(all).await.is_none() {
            tracing::info!("the requested comparison is aborted");
        }
    });
    true
}

async fn compare_all(context: &Context, removal: MassRemoval) {
    for collection in Collection::ALL {
        match compare(context, collection, Depth::Contents, removal).await {
            Ok(found) => {
                context.failures.succeeded(collection, Task::Compare(Depth::Contents));
                context.requested_comparison.add(found);
            }
            Err(error) => {
                tracing::warn!(%collection, error = error_text(&error), "the requested comparison of a collection failed");
                context.requested_comparison.failed(collection, &error);
            }
        }
    }
}

/// Marks the comparison as ended when dropped, also on a panic.
struct EndOnDrop<'a>(&'a RequestedComparison);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}
