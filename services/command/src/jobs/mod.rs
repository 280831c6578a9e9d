//! What is to be done about what was kept: claimed with a lease, done with no transaction open, and
//! tried again for two days.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use chrono::{DateTime, Utc};
use futures::future::join_all;
use rand::Rng as _;
use runtime::{
    Check,
    postgres::{answered, lacks_tables},
};
use sqlx::PgPool;
use tokio::{sync::Notify, time::timeout};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    Config, Error,
    account::SignInMail,
    alerts::{AlertMail, ConfirmMail, MORNING_SPREAD, RenewalMail, by_day},
    clock::Clock,
    content_item::ContentItems,
    enquiry::picture,
    letter::Letter,
    mail::{Mailer, Outcome},
};

/// How many things are done at a time.
const WORKERS: usize = 4;
/// How often a worker looks without being woken.
const POLL: Duration = Duration::from_secs(2);
/// The longest that one thing may take. Its lease is longer, so that nobody else begins meanwhile.
const WORK_LIMIT: Duration = Duration::from_mins(1);
const NO_ANSWER: &str = "no answer in time";
/// The pause before a second try; it doubles with each, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
const LONGEST_PAUSE: Duration = Duration::from_hours(1);
/// Ten of them take an hour, and each of the others one more: two days.
const MOST_ATTEMPTS: i32 = 58;
/// How often the operators' figures are counted.
const COUNT_EVERY: Duration = Duration::from_secs(3);

/// What is done about an enquiry, a sign-in, a saved search or homes that it found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// The office is told.
    OfficeMail,
    /// The sender is thanked.
    VisitorMail,
    /// The content service has it, where the office works.
    ContentItem,
    /// Whoever wants to be signed in gets a link and a code.
    SignInMail,
    /// Whoever reads a mailbox is asked whether they want mails about a search.
    ConfirmMail,
    /// Somebody is told of homes.
    AlertMail,
    /// Whoever was told for a year is asked whether they still want that.
    RenewalMail,
}

impl JobKind {
    /// Each of them.
    pub const ALL: [Self; 7] = [
        Self::OfficeMail,
        Self::VisitorMail,
        Self::ContentItem,
        Self::SignInMail,
        Self::ConfirmMail,
        Self::AlertMail,
        Self::RenewalMail,
    ];

    /// Whether it is a mail to a visitor.
    const fn is_for_visitors(self) -> bool {
        !matches!(self, Self::OfficeMail | Self::ContentItem)
    }

    /// Whether it can wait for the morning.
    const fn wakes_nobody(self) -> bool {
        matches!(self, Self::AlertMail | Self::RenewalMail)
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// As the table names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OfficeMail => "office_mail",
            Self::VisitorMail => "visitor_mail",
            Self::ContentItem => "content_item",
            Self::SignInMail => "sign_in_mail",
            Self::ConfirmMail => "confirm_mail",
            Self::AlertMail => "alert_mail",
            Self::RenewalMail => "renewal_mail",
        }
    }
}

/// Those who do it.
#[derive(Clone, Debug)]
pub struct Workers {
    pool: PgPool,
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

/// One thing, and the lease on it.
struct Job {
    id: Uuid,
    /// The row that it is about.
    subject: Uuid,
    kind: JobKind,
    attempts: i32,
    fence: i32,
    is_uncertain: bool,
}

impl Job {
    /// Measures how long it took to come to this `outcome`. Its id says when it was wanted.
    fn ended(&self, outcome: &'static str) {
        let wanted = self.id.get_timestamp().map(|wanted| {
            let (seconds, nanoseconds) = wanted.to_unix();
            SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds)
        });
        let Some(wanted) = wanted else { return };
        let took = wanted.elapsed().unwrap_or_default().as_secs_f64();
        metrics::histogram!("command_job_seconds", "kind" => self.kind.name(), "outcome" => outcome)
            .record(took);
    }
}

impl Workers {
    /// Works on what stands in `pool`.
    pub fn new(pool: PgPool, mailer: Mailer, config: &Config) -> Result<Self, Error> {
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
        let alert_pause = Duration::from_secs(config.alert_pause);
        Ok(Self { pool, mailer, items, kinds, prompt, clock: config.clock.clone(), alert_pause })
    }

    /// Works until `shutdown`, whenever `due` says that there may be something, and now and then; or
    /// until the tables are gone.
    pub async fn run(
        self,
        due: Arc<Notify>,
        database: Check,
        shutdown: CancellationToken,
    ) -> Result<(), Error> {
        // One is kept for what somebody waits for: an import makes thousands of other mails due.
        let kinds = |worker: usize| if worker == 0 { &self.prompt } else { &self.kinds };
        let working = join_all((0..WORKERS).map(|worker| self.work(&due, kinds(worker))));
        let all = async {
            tokio::select! {
                _ = working => Ok(()),
                gone = self.count(&database) => Err(gone),
            }
        };
        // Whatever is under way has a lease; it is done again by whoever finds that ended.
        shutdown.run_until_cancelled(all).await.unwrap_or(Ok(()))
    }

    async fn work(&self, due: &Notify, kinds: &[String]) {
        loop {
            match answered(self.claim(kinds)).await {
                Ok(Some(job)) => {
                    // There may be more for the others.
                    due.notify_one();
                    self.complete(&job).await;
                    continue;
                }
                Ok(None) => {}
                Err(error) => tracing::debug!(%error, "no work can be claimed"),
            }
            tokio::select! {
                () = due.notified() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }

    async fn claim(&self, kinds: &[String]) -> Result<Option<Job>, Error> {
        let claimed = sqlx::query!(
            r#"update visitor.job
             set lease_until = now() + interval '2 minutes', fence = fence + 1,
                 attempts = attempts + 1
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
        .fetch_optional(&self.pool)
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
        let (id, kind) = (job.id, job.kind.name());
        let settled = match outcome {
            Outcome::Done => answered(self.done(job)).await,
            // Sent twice at the most: what may have arrived is not sent for days. Whether the office
            // has it somebody looks.
            Outcome::Uncertain(reason) if job.is_uncertain => {
                metrics::counter!("command_jobs_uncertain_total", "kind" => kind).increment(1);
                if job.kind.is_for_visitors() {
                    answered(self.done(job)).await
                } else {
                    let reason = format!("it may have arrived, and was sent twice: {reason}");
                    tracing::error!(%id, kind, %reason, "it is not known to be done");
                    answered(self.give_up(job, "failed", &reason)).await
                }
            }
            Outcome::Uncertain(reason) => answered(self.again(job, true, &reason)).await,
            Outcome::Retry(reason) if job.attempts < MOST_ATTEMPTS => {
                tracing::info!(%id, kind, attempt = job.attempts, %reason, "it is tried again");
                answered(self.again(job, false, &reason)).await
            }
            // A visitor's mailbox that takes no mail is nothing that somebody here has to mend.
            Outcome::Refused(reason) if job.kind.is_for_visitors() => {
                tracing::info!(%id, kind, %reason, "the mail is not wanted");
                answered(self.give_up(job, "refused", &reason)).await
            }
            Outcome::Retry(reason) | Outcome::Refused(reason) => {
                tracing::error!(%id, kind, %reason, "it can't be done");
                answered(self.give_up(job, "failed", &reason)).await
            }
        };
        // Its lease ends, and somebody does it again.
        if let Err(error) = settled {
            tracing::warn!(%id, kind, %error, "its end could not be noted");
        }
    }

    async fn try_once(&self, job: &Job) -> Result<Outcome, Error> {
        runtime::failpoint("command.job").map_err(sqlx::Error::Io)?;
        let letter = async || Letter::read(&self.pool, job.subject).await;
        let outcome = match (job.kind, &self.items) {
            (JobKind::OfficeMail, _) => {
                let pictures = picture::of(&self.pool, job.subject).await?;
                self.mailer.tell_office(&letter().await?, pictures, job.id).await
            }
            (JobKind::VisitorMail, _) => self.mailer.thank(&letter().await?, job.id).await,
            (JobKind::ContentItem, Some(items)) => items.create(&letter().await?).await,
            (JobKind::ContentItem, None) => Outcome::Retry("no ENQUIRIES_TOKEN".to_owned()),
            (JobKind::SignInMail, _) => match SignInMail::new(&self.pool, job.subject).await? {
                Some(mail) => self.mailer.sign_in(&mail, job.id).await,
                None => Outcome::Refused("nobody waits for it any more".to_owned()),
            },
            (JobKind::ConfirmMail, _) => match ConfirmMail::new(&self.pool, job.subject).await? {
                Some(mail) => self.mailer.ask_to_confirm(&mail, job.id).await,
                None => Outcome::Done,
            },
            (JobKind::RenewalMail, _) => match RenewalMail::read(&self.pool, job.subject).await? {
                Some(mail) => self.mailer.ask_to_renew(&mail, job.id).await,
                None => Outcome::Done,
            },
            (JobKind::AlertMail, _) => match AlertMail::read(&self.pool, job.subject).await? {
                Some(mail) => self.mailer.tell_of_homes(&mail, job.id).await,
                None => Outcome::Done,
            },
        };
        runtime::failpoint("command.job_done").map_err(sqlx::Error::Io)?;
        Ok(outcome)
    }

    async fn done(&self, job: &Job) -> Result<(), Error> {
        sqlx::query!(
            "update visitor.job
             set state = 'done', done_at = now(), lease_until = null, last_error = null
             where id = $1 and fence = $2",
            job.id,
            job.fence,
        )
        .execute(&self.pool)
        .await?;
        metrics::counter!("command_jobs_done_total", "kind" => job.kind.name()).increment(1);
        job.ended("done");
        Ok(())
    }

    async fn again(&self, job: &Job, is_uncertain: bool, reason: &str) -> Result<(), Error> {
        sqlx::query!(
            "update visitor.job
             set due_at = now() + make_interval(secs => $3), lease_until = null,
                 is_uncertain = is_uncertain or $4, last_error = $5
             where id = $1 and fence = $2",
            job.id,
            job.fence,
            pause(job.attempts).as_secs_f64(),
            is_uncertain,
            reason,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// As though nobody had begun it, in the morning that begins at `due`.
    async fn postpone(&self, job: &Job, due: DateTime<Utc>) -> Result<(), Error> {
        sqlx::query!(
            "update visitor.job
             set due_at = $3::timestamptz + make_interval(secs => random() * $4::float8),
                 attempts = attempts - 1, lease_until = null
             where id = $1 and fence = $2",
            job.id,
            job.fence,
            due,
            MORNING_SPREAD,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    async fn give_up(&self, job: &Job, state: &str, reason: &str) -> Result<(), Error> {
        sqlx::query!(
            "update visitor.job set state = $4, lease_until = null, last_error = $3
             where id = $1 and fence = $2",
            job.id,
            job.fence,
            reason,
            state,
        )
        .execute(&self.pool)
        .await?;
        job.ended("failed");
        Ok(())
    }

    /// Tells operators what waits and what failed, and whether Postgres answers, until the tables are
    /// gone.
    async fn count(&self, database: &Check) -> Error {
        loop {
            let counted = sqlx::query!(
                r#"select count(*) filter (where job.state = 'due') as "due!",
                          count(*) filter (where job.state = 'failed') as "failed!",
                          coalesce(extract(epoch from clock_timestamp()
                              - min(e.received_at) filter (where job.state = 'due')), 0)::float8
                              as "oldest!"
                   from visitor.job left join visitor.enquiry as e on e.id = enquiry
                   where job.state in ('due', 'failed') and job.kind = any($1)"#,
                &self.kinds,
            )
            .fetch_one(&self.pool);
            match answered(async { counted.await.map_err(Error::from) }).await {
                Ok(counted) => {
                    database.ready();
                    for (state, count) in [("due", counted.due), ("failed", counted.failed)] {
                        let count = u32::try_from(count).unwrap_or(u32::MAX);
                        metrics::gauge!("command_jobs", "state" => state).set(f64::from(count));
                    }
                    metrics::gauge!("command_jobs_oldest_seconds").set(counted.oldest);
                }
                Err(Error::Database(error)) if lacks_tables(&error) => {
                    return Error::NoTables(error);
                }
                Err(error) => database.not_ready(error.to_string()),
            }
            tokio::time::sleep(COUNT_EVERY).await;
        }
    }
}

/// How long to wait after the `attempts`th try, a quarter more or less: those who failed together
/// don't come back together.
fn pause(attempts: i32) -> Duration {
    let doublings = u32::try_from(attempts.saturating_sub(1)).unwrap_or_default().min(16);
    let pause = FIRST_PAUSE.saturating_mul(1 << doublings).min(LONGEST_PAUSE);
    pause.mul_f64(rand::rng().random_range(0.75..1.25))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_tried_for_two_days() {
        assert!(pause(1) < Duration::from_secs(7));
        assert!(pause(40) > Duration::from_mins(44));
        let all: Duration = (1..MOST_ATTEMPTS).map(pause).sum();
        assert!((Duration::from_hours(40)..Duration::from_hours(60)).contains(&all), "{all:?}");
    }
}
