//! The queue of jobs in `visitor.job`: claims a job with a lease, and records its result.

use chrono::{DateTime, Utc};

use super::{
    JobKind,
    job::{Disposition, FinalOutcome, Job, JobState},
};
use crate::{Error, alerts::MORNING_SPREAD, bounces, storage::Storage};

/// The queue in `storage`.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    pub(super) storage: Storage,
}

impl Queue {
    /// Claims the job of one of these `kinds` that has been due for longest, if one is due.
    pub(super) async fn claim(&self, kinds: &[JobKind]) -> Result<Option<Job>, Error> {
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
            &JobKind::names(kinds),
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

    /// Records a job's result. A bounce that was recorded meanwhile is kept, because only due jobs are
    /// updated.
    pub(super) async fn record(&self, job: &Job, disposition: &Disposition) -> Result<(), Error> {
        match disposition {
            Disposition::Done => self.mark_done(job).await,
            Disposition::NothingToDo => self.mark_nothing_to_do(job).await,
            Disposition::Retry { is_uncertain, reason } => {
                self.reschedule(job, *is_uncertain, reason).await
            }
            Disposition::GivenUp { outcome, status, reason } => {
                self.give_up(job, *outcome, status.as_deref(), reason).await
            }
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
    pub(super) async fn postpone(&self, job: &Job, due: DateTime<Utc>) -> Result<(), Error> {
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
    async fn give_up(
        &self,
        job: &Job,
        outcome: FinalOutcome,
        status: Option<&str>,
        reason: &str,
    ) -> Result<(), Error> {
        let state = job.state_after(outcome);
        let is_refused_alert = job.kind == JobKind::AlertMail && state == JobState::Refused;
        let mut transaction = self.storage.pool().begin().await?;
        if is_refused_alert {
            bounces::lock_subscriber(&mut transaction, job.id).await?;
        }
        sqlx::query!(
            "update visitor.job
             set state = $3, outcome = $4, smtp_status = $5, lease_until = null, last_error = $6
             where id = $1 and fence = $2 and state = 'due'",
            job.id,
            job.fence,
            state.name(),
            outcome.name(),
            status,
            reason,
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
}
