//! The workers: each claims a job, does it without an open transaction, and records its result.

use std::{sync::Arc, time::Duration};

use backon::{ExponentialBuilder, Retryable as _};
use futures::future::join_all;
use runtime::{Check, error_text, postgres::with_answer_timeout, telemetry};
use tokio::{sync::Notify, time::timeout};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span};

use super::{
    JobKind,
    dispatch::Dispatcher,
    job::{Disposition, Job},
    queue::Queue,
};
use crate::{
    Config, Error,
    alerts::next_daytime,
    clock::Clock,
    mail::{Mailer, Outcome},
    reason::NO_ANSWER,
    storage::Storage,
};

/// The number of concurrent workers.
const WORKERS: usize = 4;
/// How often a worker polls without being woken.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// Time limits for one job and then for recording its result. The lease is longer than both, so that no
/// other worker starts the job meanwhile.
const WORK_LIMIT: Duration = Duration::from_mins(1);
const RECORD_LIMIT: Duration = Duration::from_secs(50);
/// How long a shutdown waits for jobs in flight: a mail that was sent and not recorded is sent again. A
/// process has ten seconds to end.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(8);

/// The workers and what they need.
#[derive(Clone, Debug)]
pub struct Workers {
    queue: Queue,
    dispatcher: Dispatcher,
    /// The job kinds that are handled here.
    kinds: Vec<JobKind>,
    /// The kinds among them that somebody waits for.
    urgent_kinds: Vec<JobKind>,
    clock: Clock,
    /// How long immediate alerts wait for more changes. Zero also turns off the night rule.
    alert_pause: Duration,
}

impl Workers {
    /// Creates workers for the jobs in `storage`.
    pub fn new(storage: Storage, mailer: Mailer, config: &Config) -> Result<Self, Error> {
        let dispatcher = Dispatcher::new(storage.pool().clone(), mailer, config)?;
        let kinds: Vec<JobKind> = dispatcher.kinds().collect();
        let urgent_kinds = kinds.iter().copied().filter(|kind| !kind.is_deferrable()).collect();
        let clock = config.clock.clone();
        let alert_pause = Duration::from_secs(config.alert_pause);
        for kind in JobKind::ALL {
            // The counters start at 0, so that the first increment after a start shows as an increase.
            metrics::counter!("command_jobs_done_total", "kind" => kind.name()).increment(0);
            metrics::counter!("command_jobs_uncertain_total", "kind" => kind.name()).increment(0);
            metrics::counter!("command_mails_bounced_total", "kind" => kind.name()).increment(0);
        }
        Ok(Self { queue: Queue { storage }, dispatcher, kinds, urgent_kinds, clock, alert_pause })
    }

    /// Returns the job kinds that are handled here.
    pub fn kinds(&self) -> &[JobKind] {
        &self.kinds
    }

    /// Works until `shutdown`, when woken by `due` and at each poll. Fails if the tables are gone. At
    /// shutdown, jobs in flight are completed if they stay within the limit.
    pub async fn run(
        self,
        due: Arc<Notify>,
        database: Check,
        shutdown: CancellationToken,
    ) -> Result<(), Error> {
        // One worker is reserved for urgent kinds: an import makes thousands of other mails due.
        let kinds = |worker: usize| if worker == 0 { &self.urgent_kinds } else { &self.kinds };
        let working =
            join_all((0..WORKERS).map(|worker| self.work(&due, kinds(worker), &shutdown)));
        let end = async {
            shutdown.cancelled().await;
            tokio::time::sleep(SHUTDOWN_LIMIT).await;
        };
        tokio::select! {
            _ = working => Ok(()),
            gone = self.queue.report(&self.kinds, &database) => Err(gone),
            // A job in flight has a lease. When it expires, another worker repeats the job.
            () = end => Ok(()),
        }
    }

    async fn work(&self, due: &Notify, kinds: &[JobKind], shutdown: &CancellationToken) {
        while !shutdown.is_cancelled() {
            match with_answer_timeout(self.queue.claim(kinds)).await {
                Ok(Some(job)) => {
                    // There may be more jobs for the other workers.
                    due.notify_one();
                    self.complete(&job).await;
                    continue;
                }
                Ok(None) => {}
                Err(error) => {
                    self.queue.storage.record_error(&error);
                    tracing::debug!(error = error_text(&error), "jobs can't be claimed");
                }
            }
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = due.notified() => {}
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
        }
    }

    async fn complete(&self, job: &Job) {
        let now = self.clock.now();
        let due = next_daytime(now, self.alert_pause);
        // The night rule applies to retries and late jobs too.
        if job.kind.is_deferrable() && due > now {
            if let Err(error) = with_answer_timeout(self.queue.postpone(job, due)).await {
                tracing::warn!(id = %job.id, error = error_text(&error), "a mail could not be postponed to the morning");
            }
            return;
        }
        self.attempt(job).instrument(job.span()).await;
    }

    /// Does the job once, and records the result.
    async fn attempt(&self, job: &Job) {
        let outcome = match timeout(WORK_LIMIT, self.dispatcher.dispatch(job)).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(error)) => Outcome::Retry(error_text(&error)),
            // If the item was created after all, the second attempt is recognized as a duplicate.
            Err(_) if job.kind == JobKind::ContentItem => Outcome::Retry(NO_ANSWER.to_owned()),
            Err(_) => Outcome::Uncertain(NO_ANSWER.to_owned()),
        };
        let disposition = job.disposition(outcome);
        if let Disposition::Retry { reason, .. } | Disposition::GivenUp { reason, .. } =
            &disposition
        {
            telemetry::mark_failed(&Span::current(), reason);
        }
        // A job whose result is not recorded is repeated when its lease ends.
        let record = (|| with_answer_timeout(self.queue.record(job, &disposition))).retry(
            ExponentialBuilder::default()
                .with_min_delay(Duration::from_millis(200))
                .with_max_delay(Duration::from_secs(5))
                .without_max_times()
                .with_jitter(),
        );
        let record = record.notify(|error, _| {
            self.queue.storage.record_error(error);
            tracing::debug!(id = %job.id, error = error_text(error), "the result of a job could not be recorded yet");
        });
        if timeout(RECORD_LIMIT, record).await.is_err() {
            let kind = job.kind.name();
            tracing::error!(id = %job.id, kind, "the result of a job could not be recorded; it will be repeated");
        }
    }
}
