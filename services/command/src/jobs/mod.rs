//! What is to be done about what was kept: claimed with a lease, done with no transaction open, and
//! tried again for two days.

mod job;

use std::{sync::Arc, time::Duration};

use backon::{ExponentialBuilder, Retryable as _};
use chrono::{DateTime, Utc};
use futures::future::join_all;
use runtime::{
    Check,
    postgres::{answered, lacks_tables},
};
use tokio::{sync::Notify, time::timeout};
use tokio_util::sync::CancellationToken;

use self::job::{Ending, Job};
pub use self::job::{JobKind, made_at};
use crate::{
    Config, Error,
    account::SignInMail,
    alerts::{AlertMail, ConfirmMail, MORNING_SPREAD, RenewalMail, by_day},
    bounces,
    clock::Clock,
    content_item::ContentItems,
    enquiry::picture,
    letter::Letter,
    mail::{Mailer, Outcome},
    reason::{NO_ANSWER, NO_TOKEN, NOBODY_WAITS},
    storage::Storage,
    undelivered_visitor_mails,
};

/// How many things are done at a time.
const WORKERS: usize = 4;
/// How often a worker looks without being woken.
const POLL: Duration = Duration::from_secs(2);
/// The longest that one thing may take, and then that its end is noted. Its lease is longer, so that nobody
/// else begins meanwhile.
const WORK_LIMIT: Duration = Duration::from_mins(1);
const NOTE_LIMIT: Duration = Duration::from_secs(50);
/// The longest that the end of the role waits for what is under way: a mail that was sent and not noted
/// goes out once more. A process has ten seconds to end.
const LAST_JOB_LIMIT: Duration = Duration::from_secs(8);
/// How often the operators' figures are counted.
const COUNT_EVERY: Duration = Duration::from_secs(3);

/// Those who do it.
#[derive(Clone, Debug)]
pub struct Workers {
    storage: Storage,
    mailer: Mailer,
    items: Option<ContentItems>,
    /// What can be done here; the rest waits until it can.
    kinds: Vec<String>,
    /// Of that, what somebody waits for.
    prompt: Vec<String>,
    clock: Clock,
    /// Of mails at once; none means that the night is as the day.
    alert_pause: Duration,
}

impl Workers {
    /// Works on what stands in `storage`.
    pub fn new(storage: Storage, mailer: Mailer, config: &Config) -> Result<Self, Error> {
        let items = ContentItems::new(config)?;
        if items.is_none() {
            tracing::info!("no ENQUIRIES_TOKEN: the office has enquiries by mail alone");
        }
        let kinds = JobKind::ALL
            .into_iter()
            .filter(|kind| *kind != JobKind::ContentItem || items.is_some());
        let name = |kind: JobKind| kind.name().to_owned();
        let prompt = kinds.clone().filter(|kind| !kind.wakes_nobody()).map(name).collect();
        let kinds = kinds.map(name).collect();
        let clock = config.clock.clone();
        let alert_pause = Duration::from_secs(config.alert_pause);
        for kind in JobKind::ALL {
            // From 0 on: after a start the first of them is a rise, and not a beginning.
            metrics::counter!("command_jobs_done_total", "kind" => kind.name()).increment(0);
            metrics::counter!("command_jobs_uncertain_total", "kind" => kind.name()).increment(0);
        }
        Ok(Self { storage, mailer, items, kinds, prompt, clock, alert_pause })
    }

    /// What can be done here.
    pub fn kinds(&self) -> &[String] {
        &self.kinds
    }

    /// Works until `shutdown`, whenever `due` says that there may be something, and now and then; or
    /// until the tables are gone. What is under way then is ended, where that takes no longer than it may.
    pub async fn run(
        self,
        due: Arc<Notify>,
        database: Check,
        shutdown: CancellationToken,
    ) -> Result<(), Error> {
        // One is kept for what somebody waits for: an import makes thousands of other mails due.
        let kinds = |worker: usize| if worker == 0 { &self.prompt } else { &self.kinds };
        let working =
            join_all((0..WORKERS).map(|worker| self.work(&due, kinds(worker), &shutdown)));
        let end = async {
            shutdown.cancelled().await;
            tokio::time::sleep(LAST_JOB_LIMIT).await;
        };
        tokio::select! {
            _ = working => Ok(()),
            gone = self.count(&database) => Err(gone),
            // Whatever is under way has a lease; it is done again by whoever finds that ended.
            () = end => Ok(()),
        }
    }

    async fn work(&self, due: &Notify, kinds: &[String], shutdown: &CancellationToken) {
        while !shutdown.is_cancelled() {
            match answered(self.claim(kinds)).await {
                Ok(Some(job)) => {
                    // There may be more for the others.
                    due.notify_one();
                    self.complete(&job).await;
                    continue;
                }
                Ok(None) => {}
                Err(error) => {
                    self.storage.note(&error);
                    tracing::debug!(%error, "no work can be claimed");
                }
            }
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = due.notified() => {}
                () = tokio::time::sleep(POLL) => {}
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
                       kind, attempts, fence, is_uncertain"#,
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
            })
        }))
    }

    async fn complete(&self, job: &Job) {
        let now = self.clock.now();
        let due = by_day(now, self.alert_pause);
        // Tried again, or late, too.
        if job.kind.wakes_nobody() && due > now {
            if let Err(error) = answered(self.postpone(job, due)).await {
                tracing::warn!(id = %job.id, %error, "a mail could not be put off to the morning");
            }
            return;
        }
        let outcome = match timeout(WORK_LIMIT, self.try_once(job)).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(error)) => Outcome::Retry(error.to_string()),
            // One that arrived is refused the second time.
            Err(_) if job.kind == JobKind::ContentItem => Outcome::Retry(NO_ANSWER.to_owned()),
            Err(_) => Outcome::Uncertain(NO_ANSWER.to_owned()),
        };
        let ending = job.ending(outcome);
        // What is done and not noted is done once more when its lease ends.
        let note = (|| answered(self.note(job, &ending))).retry(
            ExponentialBuilder::default()
                .with_min_delay(Duration::from_millis(200))
                .with_max_delay(Duration::from_secs(5))
                .without_max_times()
                .with_jitter(),
        );
        let note = note.notify(|error, _| {
            self.storage.note(error);
            tracing::debug!(id = %job.id, %error, "its end could not be noted yet");
        });
        if timeout(NOTE_LIMIT, note).await.is_err() {
            let kind = job.kind.name();
            tracing::error!(id = %job.id, kind, "its end could not be noted; it is done once more");
        }
    }

    async fn try_once(&self, job: &Job) -> Result<Outcome, Error> {
        runtime::failpoint("command.job").map_err(sqlx::Error::Io)?;
        let pool = self.storage.pool();
        let letter = async || Letter::read(pool, job.subject).await;
        let outcome = match (job.kind, &self.items) {
            (JobKind::OfficeMail, _) => {
                let pictures = picture::of(pool, job.subject).await?;
                self.mailer.tell_office(&letter().await?, pictures, job.id).await
            }
            (JobKind::VisitorMail, _) => self.mailer.thank(&letter().await?, job.id).await,
            (JobKind::ContentItem, Some(items)) => items.create(&letter().await?).await,
            (JobKind::ContentItem, None) => Outcome::Retry(NO_TOKEN.to_owned()),
            (JobKind::SignInMail, _) => match SignInMail::new(pool, job.subject).await? {
                Some(mail) => self.mailer.sign_in(&mail, job.id).await,
                None => Outcome::Refused(NOBODY_WAITS.to_owned()),
            },
            (JobKind::ConfirmMail, _) => {
                let wanted_at = made_at(job.id).unwrap_or_else(Utc::now);
                match ConfirmMail::new(pool, job.subject, wanted_at).await? {
                    Some(mail) => self.mailer.ask_to_confirm(&mail, job.id).await,
                    None => Outcome::Needless,
                }
            }
            (JobKind::RenewalMail, _) => match RenewalMail::read(pool, job.subject).await? {
                Some(mail) => self.mailer.ask_to_renew(&mail, job.id).await,
                None => Outcome::Needless,
            },
            (JobKind::AlertMail, _) => match AlertMail::read(pool, job.subject).await? {
                Some(mail) => self.mailer.tell_of_homes(&mail, job.id).await,
                None => Outcome::Needless,
            },
        };
        runtime::failpoint("command.job_done").map_err(sqlx::Error::Io)?;
        Ok(outcome)
    }

    /// What came back meanwhile stays so.
    async fn note(&self, job: &Job, ending: &Ending) -> Result<(), Error> {
        match ending {
            Ending::Done => self.done(job).await,
            Ending::Needless => self.needless(job).await,
            Ending::Again { is_uncertain, reason } => self.again(job, *is_uncertain, reason).await,
            Ending::GivenUp { state, reason } => self.give_up(job, state, reason).await,
        }
    }

    async fn done(&self, job: &Job) -> Result<(), Error> {
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
        job.ended("done");
        Ok(())
    }

    /// Nothing went out just now: it has no time at which it was done, and is not counted.
    async fn needless(&self, job: &Job) -> Result<(), Error> {
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

    async fn again(&self, job: &Job, is_uncertain: bool, reason: &str) -> Result<(), Error> {
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

    /// As though nobody had begun it, in the morning that begins at `due`: until then it is none that
    /// can't be delivered.
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

    /// Alerts end where that says that their mailbox is no more, as where they come back.
    async fn give_up(&self, job: &Job, state: &str, reason: &str) -> Result<(), Error> {
        let is_refused_alert = job.kind == JobKind::AlertMail && state == "refused";
        let mut transaction = self.storage.pool().begin().await?;
        if is_refused_alert {
            bounces::lock_reader(&mut transaction, job.id).await?;
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
            bounces::end_if_gone(&mut transaction, job.id).await?;
        }
        transaction.commit().await?;
        job.ended("failed");
        Ok(())
    }

    /// Tells operators what waits and what failed, and whether Postgres answers and takes writes, until
    /// the tables are gone.
    async fn count(&self, database: &Check) -> Error {
        loop {
            match answered(self.count_once()).await {
                Ok(()) => match self.storage.check_writes().await {
                    Ok(()) => database.ready(),
                    Err(error) => database.not_ready(error.to_string()),
                },
                Err(Error::Database(error)) if lacks_tables(&error) => {
                    return Error::NoTables(error);
                }
                Err(error) => database.not_ready(error.to_string()),
            }
            tokio::time::sleep(COUNT_EVERY).await;
        }
    }

    async fn count_once(&self) -> Result<(), Error> {
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
