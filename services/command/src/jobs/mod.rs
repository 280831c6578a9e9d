//! Workers for the jobs of stored rows. A job is claimed with a lease, done without an open transaction,
//! and retried for two days.

mod job;

use std::{sync::Arc, time::Duration};

use backon::{ExponentialBuilder, Retryable as _};
use chrono::{DateTime, Utc};
use futures::future::join_all;
use runtime::{
    Check,
    postgres::{is_missing_tables, with_answer_timeout},
    telemetry,
};
use tokio::{sync::Notify, time::timeout};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span};

use self::job::{Disposition, Job};
pub use self::job::{JobKind, job_created_at};
use crate::{
    Config, Error,
    account::SignInMail,
    alerts::{AlertMail, ConfirmMail, MORNING_SPREAD, RenewalMail, next_daytime},
    bounces,
    clock::Clock,
    content_item::ContentItems,
    enquiry::picture,
    mail::{Mailer, Outcome},
    reason::{NO_ANSWER, NO_TOKEN, NOBODY_WAITS},
    storage::Storage,
    stored_enquiry::StoredEnquiry,
    undelivered_visitor_mails,
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
/// How often the gauges are updated.
const COUNT_INTERVAL: Duration = Duration::from_secs(3);

/// The workers and what they need.
#[derive(Clone, Debug)]
pub struct Workers {
    storage: Storage,
    mailer: Mailer,
    items: Option<ContentItems>,
    /// The job kinds that are handled here. Other jobs wait until a process handles them.
    kinds: Vec<String>,
    /// The kinds among them that somebody waits for.
    urgent_kinds: Vec<String>,
    clock: Clock,
    /// How long immediate alerts wait for more changes. Zero also turns off the night rule.
    alert_pause: Duration,
}

impl Workers {
    /// Creates workers for the jobs in `storage`.
    pub fn new(storage: Storage, mailer: Mailer, config: &Config) -> Result<Self, Error> {
        let items = ContentItems::new(config)?;
        if items.is_none() {
            tracing::info!("no ENQUIRIES_TOKEN: the office receives enquiries only by mail");
        }
        let kinds = JobKind::ALL
            .into_iter()
            .filter(|kind| *kind != JobKind::ContentItem || items.is_some());
        let name = |kind: JobKind| kind.name().to_owned();
        let urgent_kinds = kinds.clone().filter(|kind| !kind.is_deferrable()).map(name).collect();
        let kinds = kinds.map(name).collect();
        let clock = config.clock.clone();
        let alert_pause = Duration::from_secs(config.alert_pause);
        for kind in JobKind::ALL {
            // The counters start at 0, so that the first increment after a start shows as an increase.
            metrics::counter!("command_jobs_done_total", "kind" => kind.name()).increment(0);
            metrics::counter!("command_jobs_uncertain_total", "kind" => kind.name()).increment(0);
            metrics::counter!("command_mails_bounced_total", "kind" => kind.name()).increment(0);
        }
        Ok(Self { storage, mailer, items, kinds, urgent_kinds, clock, alert_pause })
    }

    /// Returns the job kinds that are handled here.
    pub fn kinds(&self) -> &[String] {
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
            gone = self.report(&database) => Err(gone),
            // A job in flight has a lease. When it expires, another worker repeats the job.
            () = end => Ok(()),
        }
    }

    async fn work(&self, due: &Notify, kinds: &[String], shutdown: &CancellationToken) {
        while !shutdown.is_cancelled() {
            match with_answer_timeout(self.claim(kinds)).await {
                Ok(Some(job)) => {
                    // There may be more jobs for the other workers.
                    due.notify_one();
                    self.complete(&job).await;
                    continue;
                }
                Ok(None) => {}
                Err(error) => {
                    self.storage.record_error(&error);
                    tracing::debug!(%error, "jobs can't be claimed");
                }
            }
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = due.notified() => {}
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
        }
    }

    async fn claim(&self, kinds: &[String]) -> Result<Option<Job>, Error> {
        let claimed = sqlx::query!(
            r#"update visitor.job
             set lease_until = now() + interval '2 minutes', fence = fence + 1,
                 attempts = attempts + 1,
                 -- Whoever had it and ended may have sent it.
                 is_uncertain = is_uncertain or lease_until is not null
             where id = (
                select id from visitor.job
                where state = 'due' and due_at <= now() and kind = any($1)
                  and (lease_until is null or lease_until < now())
                order by due_at limit 1
                for update skip locked)
             returning id, coalesce(enquiry, sign_in, saved_search, alert_mail) as "subject!",
                       kind, attempts, fence, is_uncertain, traceparent"#,
            kinds,
        )
        .fetch_optional(self.storage.pool())
        .await?;
        Ok(claimed.and_then(|row| {
            let kind = JobKind::named(&row.kind)?;
            Some(Job {
                id: row.id,
                subject: row.subject,
                kind,
                attempts: row.attempts,
                fence: row.fence,
                is_uncertain: row.is_uncertain,
                traceparent: row.traceparent,
            })
        }))
    }

    async fn complete(&self, job: &Job) {
        let now = self.clock.now();
        let due = next_daytime(now, self.alert_pause);
        // The night rule applies to retries and late jobs too.
        if job.kind.is_deferrable() && due > now {
            if let Err(error) = with_answer_timeout(self.postpone(job, due)).await {
                tracing::warn!(id = %job.id, %error, "a mail could not be postponed to the morning");
            }
            return;
        }
        self.attempt(job).instrument(job.span()).await;
    }

    /// Does the job once, and records the result.
    async fn attempt(&self, job: &Job) {
        let outcome = match timeout(WORK_LIMIT, self.try_once(job)).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(error)) => Outcome::Retry(error.to_string()),
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
        let record = (|| with_answer_timeout(self.record(job, &disposition))).retry(
            ExponentialBuilder::default()
                .with_min_delay(Duration::from_millis(200))
                .with_max_delay(Duration::from_secs(5))
                .without_max_times()
                .with_jitter(),
        );
        let record = record.notify(|error, _| {
            self.storage.record_error(error);
            tracing::debug!(id = %job.id, %error, "the result of a job could not be recorded yet");
        });
        if timeout(RECORD_LIMIT, record).await.is_err() {
            let kind = job.kind.name();
            tracing::error!(id = %job.id, kind, "the result of a job could not be recorded; it will be repeated");
        }
    }

    async fn try_once(&self, job: &Job) -> Result<Outcome, Error> {
        runtime::failpoint("command.job").map_err(sqlx::Error::Io)?;
        let pool = self.storage.pool();
        let enquiry = async || StoredEnquiry::read(pool, job.subject).await;
        let outcome = match (job.kind, &self.items) {
            (JobKind::OfficeMail, _) => {
                let pictures = picture::load(pool, job.subject).await?;
                self.mailer.send_to_office(&enquiry().await?, pictures, job.id).await
            }
            (JobKind::VisitorMail, _) => self.mailer.send_thanks(&enquiry().await?, job.id).await,
            (JobKind::ContentItem, Some(items)) => items.create(&enquiry().await?).await,
            (JobKind::ContentItem, None) => Outcome::Retry(NO_TOKEN.to_owned()),
            (JobKind::SignInMail, _) => match SignInMail::new(pool, job.subject).await? {
                Some(mail) => self.mailer.send_sign_in(&mail, job.id).await,
                None => Outcome::Refused(NOBODY_WAITS.to_owned()),
            },
            (JobKind::ConfirmMail, _) => {
                let wanted_at = job_created_at(job.id).unwrap_or_else(Utc::now);
                match ConfirmMail::new(pool, job.subject, wanted_at).await? {
                    Some(mail) => self.mailer.send_confirm(&mail, job.id).await,
                    None => Outcome::NothingToDo,
                }
            }
            (JobKind::RenewalMail, _) => match RenewalMail::read(pool, job.subject).await? {
                Some(mail) => self.mailer.send_renewal(&mail, job.id).await,
                None => Outcome::NothingToDo,
            },
            (JobKind::AlertMail, _) => match AlertMail::read(pool, job.subject).await? {
                Some(mail) => self.mailer.send_homes(&mail, job.id).await,
                None => Outcome::NothingToDo,
            },
        };
        runtime::failpoint("command.job_done").map_err(sqlx::Error::Io)?;
        Ok(outcome)
    }

    /// Records a job's result. A bounce that was recorded meanwhile is kept, because only due jobs are
    /// updated.
    async fn record(&self, job: &Job, disposition: &Disposition) -> Result<(), Error> {
        match disposition {
            Disposition::Done => self.mark_done(job).await,
            Disposition::NothingToDo => self.mark_nothing_to_do(job).await,
            Disposition::Retry { is_uncertain, reason } => {
                self.reschedule(job, *is_uncertain, reason).await
            }
            Disposition::GivenUp { state, reason } => self.give_up(job, state, reason).await,
        }
    }

    async fn mark_done(&self, job: &Job) -> Result<(), Error> {
        sqlx::query!(
            "update visitor.job
             set state = 'done', done_at = now(), lease_until = null, last_error = null
             where id = $1 and fence = $2 and state = 'due'",
            job.id,
            job.fence,
        )
        .execute(self.storage.pool())
        .await?;
        metrics::counter!("command_jobs_done_total", "kind" => job.kind.name()).increment(1);
        job.record_duration("done");
        Ok(())
    }

    /// Nothing was sent, so `done_at` stays empty and the job is not counted.
    async fn mark_nothing_to_do(&self, job: &Job) -> Result<(), Error> {
        sqlx::query!(
            "update visitor.job
             set state = 'done', done_at = null, lease_until = null, last_error = null
             where id = $1 and fence = $2 and state = 'due'",
            job.id,
            job.fence,
        )
        .execute(self.storage.pool())
        .await?;
        Ok(())
    }

    async fn reschedule(&self, job: &Job, is_uncertain: bool, reason: &str) -> Result<(), Error> {
        sqlx::query!(
            "update visitor.job
             set due_at = now() + make_interval(secs => $3), lease_until = null,
                 is_uncertain = is_uncertain or $4, last_error = $5
             where id = $1 and fence = $2 and state = 'due'",
            job.id,
            job.fence,
            job.pause(is_uncertain).as_secs_f64(),
            is_uncertain,
            reason,
        )
        .execute(self.storage.pool())
        .await?;
        Ok(())
    }

    /// Resets the job to the morning that begins at `due`, as if it had not been attempted, so that it
    /// does not show as undelivered until then.
    async fn postpone(&self, job: &Job, due: DateTime<Utc>) -> Result<(), Error> {
        sqlx::query!(
            "update visitor.job
             set due_at = $3::timestamptz + make_interval(secs => random() * $4::float8),
                 attempts = attempts - 1, lease_until = null, last_error = null
             where id = $1 and fence = $2 and state = 'due'",
            job.id,
            job.fence,
            due,
            MORNING_SPREAD,
        )
        .execute(self.storage.pool())
        .await?;
        Ok(())
    }

    /// Gives the job up. If the mailbox is gone, its alerts end, as after a bounce.
    async fn give_up(&self, job: &Job, state: &str, reason: &str) -> Result<(), Error> {
        let is_refused_alert = job.kind == JobKind::AlertMail && state == "refused";
        let mut transaction = self.storage.pool().begin().await?;
        if is_refused_alert {
            bounces::lock_subscriber(&mut transaction, job.id).await?;
        }
        sqlx::query!(
            "update visitor.job set state = $4, lease_until = null, last_error = $3
             where id = $1 and fence = $2 and state = 'due'",
            job.id,
            job.fence,
            reason,
            state,
        )
        .execute(&mut *transaction)
        .await?;
        if is_refused_alert {
            bounces::end_alerts_if_gone(&mut transaction, job.id).await?;
        }
        transaction.commit().await?;
        job.record_duration("failed");
        Ok(())
    }

    /// Updates the gauges and the database check, which fails if Postgres does not answer or take
    /// writes. Returns when the tables are gone.
    async fn report(&self, database: &Check) -> Error {
        loop {
            match with_answer_timeout(self.update_gauges()).await {
                Ok(()) => match self.storage.check_writes().await {
                    Ok(()) => database.ready(),
                    Err(error) => database.not_ready(error.to_string()),
                },
                Err(Error::Database(error)) if is_missing_tables(&error) => {
                    return Error::NoTables(error);
                }
                Err(error) => database.not_ready(error.to_string()),
            }
            tokio::time::sleep(COUNT_INTERVAL).await;
        }
    }

    async fn update_gauges(&self) -> Result<(), Error> {
        let pool = self.storage.pool();
        let counted = sqlx::query!(
            r#"select count(*) filter (where job.state = 'due') as "due!",
                      count(*) filter (where job.state = 'failed') as "failed!",
                      coalesce(extract(epoch from clock_timestamp()
                          - min(e.received_at) filter (where job.state = 'due')), 0)::float8
                          as "oldest!"
               from visitor.job left join visitor.enquiry as e on e.id = enquiry
               where job.kind = any($1) and job.state in ('due', 'failed')"#,
            &self.kinds,
        )
        .fetch_one(pool)
        .await?;
        let undelivered = undelivered_visitor_mails(pool).await?;
        let figure = |count: i64| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        for (state, count) in [("due", counted.due), ("failed", counted.failed)] {
            metrics::gauge!("command_jobs", "state" => state).set(figure(count));
        }
        metrics::gauge!("command_visitor_mails_undelivered").set(figure(undelivered));
        metrics::gauge!("command_jobs_oldest_seconds").set(counted.oldest);
        Ok(())
    }
}
