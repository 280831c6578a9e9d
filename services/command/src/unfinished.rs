//! What could not be done for visitors, for operators: listed, and tried once more.

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use crate::{Error, jobs::JobKind};

/// Something that could not be done, or not yet.
#[derive(Clone, Debug)]
pub struct UnfinishedJob {
    /// To try it again by.
    pub id: Uuid,
    /// `office_mail`, `visitor_mail`, `content_item`, `sign_in_mail`, `confirm_mail`, `alert_mail` or
    /// `renewal_mail`.
    pub kind: String,
    /// Whether it is not tried any more by itself.
    pub is_given_up: bool,
    /// How often it was tried.
    pub attempts: i32,
    /// When it is tried next, or was last.
    pub due_at: DateTime<Utc>,
    /// Why it could not be done: never what it was about.
    pub error: Option<String>,
}

/// Which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// This one.
    One(Uuid),
    /// All of this kind.
    Kind(JobKind),
}

impl std::str::FromStr for Unfinished {
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

/// What failed, was refused or came back, and what waits for another try, the oldest first.
pub async fn unfinished_jobs(pool: &PgPool) -> Result<Vec<UnfinishedJob>, Error> {
    let jobs = sqlx::query_as!(
        UnfinishedJob,
        r#"select id, kind, state <> 'due' as "is_given_up!", attempts, due_at,
            last_error as error
         from visitor.job
         where state <> 'done' and last_error is not null
         order by due_at, id"#
    );
    Ok(jobs.fetch_all(pool).await?)
}

/// How many mails to visitors are tried again, or were refused within the last hour.
pub async fn undelivered_visitor_mails(pool: &PgPool) -> Result<i64, Error> {
    let kinds = JobKind::ALL.into_iter().filter(|kind| kind.is_for_visitors());
    let kinds: Vec<String> = kinds.map(|kind| kind.name().to_owned()).collect();
    let counted = sqlx::query_scalar!(
        r#"select count(*) as "count!" from visitor.job
         where kind = any($1) and last_error is not null
           and (state = 'due' or state = 'refused' and due_at > now() - interval '1 hour')"#,
        &kinds,
    );
    Ok(counted.fetch_one(pool).await?)
}

/// Has `which` of them tried at once, for two days more; how many there were.
pub async fn retry_jobs(pool: &PgPool, which: Unfinished) -> Result<u64, Error> {
    match which {
        Unfinished::One(id) => retry_these(pool, &[id]).await,
        Unfinished::Kind(kind) => retry(pool, &[], Some(kind)).await,
    }
}

/// The same with those of these `ids`.
pub async fn retry_these(pool: &PgPool, ids: &[Uuid]) -> Result<u64, Error> {
    retry(pool, ids, None).await
}

async fn retry(pool: &PgPool, ids: &[Uuid], kind: Option<JobKind>) -> Result<u64, Error> {
    // What somebody works on at this moment is left to them.
    let retried = sqlx::query!(
        "update visitor.job
         set state = 'due', attempts = 0, due_at = now(), lease_until = null,
             is_uncertain = is_uncertain or lease_until is not null
         where (id = any($1) or kind = $2)
           and state <> 'done' and last_error is not null
           and (lease_until is null or lease_until < now())",
        ids,
        kind.map(JobKind::name),
    );
    Ok(retried.execute(pool).await?.rows_affected())
}
