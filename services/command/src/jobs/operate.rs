//! Failed and pending jobs, for operators to list and retry.

use chrono::{DateTime, Utc};
use runtime::postgres::with_answer_timeout;
use sqlx::PgPool;
use uuid::Uuid;

use super::JobKind;
use crate::Error;

/// A job that has failed, or is waiting for a retry.
#[derive(Clone, Debug)]
pub struct UnfinishedJob {
    /// The id to retry it by.
    pub id: Uuid,
    /// The name of its [`JobKind`].
    pub kind: String,
    /// Whether it is no longer retried automatically.
    pub is_given_up: bool,
    /// The number of attempts.
    pub attempts: i32,
    /// When it is tried next, or was tried last.
    pub due_at: DateTime<Utc>,
    /// The last error. It never contains the job's content.
    pub error: Option<String>,
}

/// A selection of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobSelector {
    /// The job with this id.
    One(Uuid),
    /// All jobs of this kind.
    Kind(JobKind),
}

impl std::str::FromStr for JobSelector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(id) = text.parse() {
            return Ok(Self::One(id));
        }
        let kind = JobKind::named(text);
        kind.map(Self::Kind).ok_or_else(|| {
            let kinds: Vec<_> = JobKind::ALL.iter().map(|kind| kind.name()).collect();
            format!("an id, as `list` shows it, or one of {}", kinds.join(", "))
        })
    }
}

/// Returns the jobs that failed, were refused or bounced, and those that wait for a retry, oldest first.
pub async fn unfinished_jobs(pool: &PgPool) -> Result<Vec<UnfinishedJob>, Error> {
    let jobs = sqlx::query_as!(
        UnfinishedJob,
        r#"select id, kind, state <> 'due' as "is_given_up!", attempts, due_at,
            last_error as error
         from visitor.job
         where state <> 'done' and last_error is not null
         order by due_at, id"#
    );
    Ok(with_answer_timeout(jobs.fetch_all(pool)).await?)
}

/// Returns how many mails to visitors wait for a retry, or were refused within the last hour.
pub async fn undelivered_visitor_mails(pool: &PgPool) -> Result<i64, Error> {
    let kinds = JobKind::ALL.into_iter().filter(|kind| kind.is_for_visitors());
    let kinds: Vec<JobKind> = kinds.collect();
    let counted = sqlx::query_scalar!(
        r#"select count(*) as "count!" from visitor.job
         where kind = any($1) and last_error is not null
           and (state = 'due' or state = 'refused' and due_at > now() - interval '1 hour')"#,
        &JobKind::names(&kinds),
    );
    Ok(counted.fetch_one(pool).await?)
}

/// Retries jobs at once, and for two more days. Returns how many there were.
pub async fn retry_jobs(pool: &PgPool, which: JobSelector) -> Result<u64, Error> {
    let (ids, kind) = match which {
        JobSelector::One(id) => (vec![id], None),
        JobSelector::Kind(kind) => (Vec::new(), Some(kind)),
    };
    with_answer_timeout(retry(pool, &ids, kind)).await
}

/// Retries the jobs with these `ids`. Returns how many there were.
pub async fn retry_by_id(pool: &PgPool, ids: &[Uuid]) -> Result<u64, Error> {
    retry(pool, ids, None).await
}

async fn retry(pool: &PgPool, ids: &[Uuid], kind: Option<JobKind>) -> Result<u64, Error> {
    // Jobs that a worker is processing are skipped.
    let retried = sqlx::query!(
        "update visitor.job
         set state = 'due', attempts = 0, due_at = now(), lease_until = null,
             outcome = null, smtp_status = null,
             is_uncertain = is_uncertain or lease_until is not null
         where (id = any($1) or kind = $2)
           and state <> 'done' and last_error is not null
           and (lease_until is null or lease_until < now())",
        ids,
        kind.map(JobKind::name),
    );
    Ok(retried.execute(pool).await?.rows_affected())
}
