//! Jobs that fill a generation beside the live one: one at a time in a process, with their progress.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

pub use admin_answers::projections::{FillKind as Kind, FillStatus};
use chrono::Utc;
use runtime::error_text;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use crate::Error;

/// How often a job logs its progress.
const LOG_INTERVAL: Duration = Duration::from_secs(2);

/// The running or last fill job of this process.
#[derive(Clone, Debug, Default)]
pub struct FillJobs {
    /// Held by the running job, so that no other starts.
    running: Arc<AsyncMutex<()>>,
    status: Arc<Mutex<FillStatus>>,
}

impl FillJobs {
    /// Returns the status of the running or last job.
    pub fn status(&self) -> FillStatus {
        self.lock_status().clone()
    }

    /// Starts a job as soon as no other is running.
    pub async fn begin(&self, kind: Kind) -> FillJob {
        let permit = self.acquire().await;
        self.begin_with(permit, kind)
    }

    /// Waits until no job is running. While the returned permit is held, only [`Self::begin_with`] can start
    /// one.
    pub async fn acquire(&self) -> OwnedMutexGuard<()> {
        self.running.clone().lock_owned().await
    }

    /// Starts a job with a `permit` from [`Self::acquire`].
    pub fn begin_with(&self, permit: OwnedMutexGuard<()>, kind: Kind) -> FillJob {
        FillJob::new(self, permit, kind)
    }

    /// Starts a job; returns `None` if another is running.
    pub fn try_begin(&self, kind: Kind) -> Option<FillJob> {
        Some(FillJob::new(self, self.running.clone().try_lock_owned().ok()?, kind))
    }

    fn lock_status(&self) -> MutexGuard<'_, FillStatus> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A fill job, which counts as running until it is dropped.
#[derive(Debug)]
pub struct FillJob {
    jobs: FillJobs,
    began: Instant,
    logged: Instant,
    done: u64,
    _permit: OwnedMutexGuard<()>,
}

impl FillJob {
    fn new(jobs: &FillJobs, permit: OwnedMutexGuard<()>, kind: Kind) -> Self {
        let status = FillStatus {
            running: true,
            kind: Some(kind),
            started_at: Some(Utc::now()),
            ..FillStatus::default()
        };
        *jobs.lock_status() = status;
        let now = Instant::now();
        Self { jobs: jobs.clone(), began: now, logged: now, done: 0, _permit: permit }
    }

    /// Records that `applied` more messages were applied and `left` are left.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimate"
    )]
    pub fn advance(&mut self, applied: usize, left: u64) {
        self.done += applied as u64;
        let rate = self.done as f64 / self.began.elapsed().as_secs_f64();
        let seconds_left = (self.done > 0).then(|| (left as f64 / rate.max(1.0)).ceil() as u64);
        let mut status = self.jobs.lock_status();
        (status.done, status.left, status.seconds_left) = (self.done, left, seconds_left);
        status.error = None;
        drop(status);
        if self.logged.elapsed() >= LOG_INTERVAL {
            self.logged = Instant::now();
            tracing::info!(done = self.done, left, seconds_left, "filling read models");
        }
    }

    /// Records that the job waits until `error` has passed.
    pub fn waiting_for(&self, error: &Error) {
        self.jobs.lock_status().error = Some(error_text(error));
    }

    /// Records that the job succeeded, and clears what it waited for.
    pub fn succeeded(&self) {
        self.jobs.lock_status().error = None;
    }

    /// Ends the job with `error`.
    pub fn failed(self, error: &Error) {
        self.jobs.lock_status().error = Some(error_text(error));
    }
}

impl Drop for FillJob {
    fn drop(&mut self) {
        let mut status = self.jobs.lock_status();
        status.running = false;
        status.ended_at = Some(Utc::now());
    }
}
