//! Operator calls that list pending and failed mails and items, and retry them; see `runtime::admin` for
//! who may call. No answer contains personal data.

use std::sync::Arc;

use admin_answers::{
    actions::Retried,
    command::{AlertsState, Deliveries, EnquiryCounts, Job, JobCounts, Jobs, WaitingEvents},
};
use axum::{
    Json, Router,
    extract::State,
    routing::{get, post},
};
use runtime::{
    admin::{AdminJson, check_list_length},
    problem::Problem,
};
use serde::Deserialize;
use sqlx::PgPool;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::{
    Error,
    jobs::{JobKind, JobState, job_created_at, retry_by_id},
    reason,
    storage::Storage,
};

/// The maximum number of jobs in a list.
const MAX_JOBS: i64 = 500;
/// The maximum number of jobs that one call retries.
const MAX_RETRIED: usize = 100;
/// The longest failure text that is shown in full, in bytes.
const MAX_FAILURE_LENGTH: usize = 200;
const JOBS_UNREADABLE: &str = "jobs could not be listed";

#[derive(Clone)]
struct Calls {
    storage: Storage,
    /// Wakes the workers.
    due: Arc<Notify>,
    /// The job kinds that this process handles; all others are left out of lists and counts.
    kinds: Arc<[JobKind]>,
}

/// Returns the routes under `/admin`. They wake the workers through `due` and report only jobs of these
/// `kinds`.
pub fn router(storage: Storage, due: Arc<Notify>, kinds: &[JobKind]) -> Router {
    Router::new()
        .route("/admin/jobs", get(jobs))
        .route("/admin/jobs/retry", post(retry))
        .route("/admin/deliveries", get(deliveries))
        .with_state(Calls { storage, due, kinds: kinds.into() })
}

async fn jobs(State(calls): State<Calls>) -> Result<Json<Jobs>, Problem> {
    calls
        .storage
        .run(JOBS_UNREADABLE, list_jobs(calls.storage.pool(), &calls.kinds))
        .await
        .map(Json)
}

/// Lists failed jobs first, then waiting ones, then mails that mailboxes refused or bounced.
async fn list_jobs(pool: &PgPool, kinds: &[JobKind]) -> Result<Jobs, Error> {
    let counts = sqlx::query!(
        r#"select count(*) filter (where state = 'due') as "waiting!",
                  count(*) filter (where state = 'failed') as "failed!"
           from visitor.job where state in ('due', 'failed') and kind = any($1)"#,
        &JobKind::names(kinds),
    )
    .fetch_one(pool)
    .await?;
    let rows = sqlx::query!(
        "select id, kind, state, attempts, due_at, last_error from visitor.job
         where state <> 'done' and kind = any($2)
         order by array_position(array['failed', 'due'], state) nulls last, due_at, id limit $1",
        MAX_JOBS,
        &JobKind::names(kinds),
    )
    .fetch_all(pool)
    .await?;
    let items = rows
        .into_iter()
        .map(|row| Job {
            created_at: job_created_at(row.id),
            next_try: (row.state == JobState::Due.name()).then_some(row.due_at),
            failure: row.last_error.as_deref().map(failure),
            id: row.id,
            kind: row.kind,
            state: row.state,
            tries: row.attempts,
        })
        .collect();
    Ok(Jobs { waiting: counts.waiting, failed: counts.failed, items })
}

/// Returns the failure class of a job's stored error `word`: its known beginning, or all of it if
/// [`reason::ALL`] allows that. Anything else may repeat what a visitor wrote, and becomes `other`.
fn failure(word: &str) -> String {
    let class = reason::ALL.iter().find(|(begin, _)| word.starts_with(begin));
    match class {
        Some((_, true)) if word.len() <= MAX_FAILURE_LENGTH && !word.contains('@') => {
            word.to_owned()
        }
        Some((begin, _)) => (*begin).to_owned(),
        None => "other".to_owned(),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Retry {
    ids: Vec<Uuid>,
}

async fn retry(
    State(calls): State<Calls>,
    AdminJson(Retry { ids }): AdminJson<Retry>,
) -> Result<Json<Retried>, Problem> {
    check_list_length("ids", ids.len(), MAX_RETRIED)?;
    let retried = retry_by_id(calls.storage.pool(), &ids);
    let retried = calls.storage.run("jobs can't be tried again", retried).await?;
    calls.due.notify_one();
    tracing::info!(retried, "an operator retried jobs");
    Ok(Json(Retried { retried }))
}

async fn deliveries(State(calls): State<Calls>) -> Result<Json<Deliveries>, Problem> {
    calls.storage.run(JOBS_UNREADABLE, last_day(calls.storage.pool(), &calls.kinds)).await.map(Json)
}

async fn last_day(pool: &PgPool, kinds: &[JobKind]) -> Result<Deliveries, Error> {
    let enquiries = sqlx::query_as!(
        EnquiryCounts,
        r#"select count(*) as "last_day!",
                  count(*) filter (where received_at > now() - interval '1 hour') as "last_hour!"
           from visitor.enquiry where received_at > now() - interval '1 day'"#,
    )
    .fetch_one(pool)
    .await?;
    let jobs = sqlx::query_as!(
        JobCounts,
        r#"select kind,
                  count(*) filter (where state = 'done') as "done!",
                  count(*) filter (where state = 'due') as "waiting!",
                  count(*) filter (where state not in ('done', 'due')) as "failed!"
           from visitor.job
           where kind = any($1)
             and (state = 'due'
                  or state = 'done' and done_at > now() - interval '1 day'
                  or state not in ('done', 'due') and due_at > now() - interval '1 day')
           group by kind order by kind"#,
        &JobKind::names(kinds),
    )
    .fetch_all(pool)
    .await?;
    let events = sqlx::query_as!(
        WaitingEvents,
        r#"select count(*) as "waiting!",
                  extract(epoch from now() - min(created_at))::double precision as oldest_seconds
           from visitor.event where published_at is null"#,
    )
    .fetch_one(pool)
    .await?;
    let alerts = sqlx::query_as!(
        AlertsState,
        r#"select (select count(*) from visitor.saved_search
                   where address is not null and confirmed_at is not null and frequency <> 'never')
                      as "saved_searches!",
                  coalesce((select sequence from visitor.alert_checkpoint), 0) as "sequence!",
                  coalesce((select is_filled from visitor.alert_checkpoint), false) as "is_filled!""#,
    )
    .fetch_one(pool)
    .await?;
    Ok(Deliveries { enquiries, jobs, events, alerts })
}

#[cfg(test)]
mod tests {
    use runtime::error_text;

    use super::*;

    #[test]
    fn a_failure_class_contains_no_foreign_text() {
        const TWICE: &str =
            "it may have arrived, and was sent twice: the mail server does not answer in time";
        const UNKNOWN_HOST: &str = "the content service: error sending request: client error (Connect): \
            dns error: failed to lookup address information: Name or service not known";
        for (reason, shown) in [
            ("the mail server answers 550", "the mail server answers 550"),
            ("the mail server says ann@x.example", "the mail server"),
            (TWICE, TWICE),
            ("it may have arrived, and was sent twice: ann@x.example", "it may have arrived"),
            ("it came back: 5.1.1", "it came back: 5.1.1"),
            ("postgres: duplicate key (email)=(ann)", "postgres"),
            (UNKNOWN_HOST, UNKNOWN_HOST),
            ("Ann Lee lives in Nerja", "other"),
        ] {
            assert_eq!(failure(reason), shown);
        }
    }

    #[test]
    fn errors_of_stores_have_a_failure_class() {
        let postgres = error_text(&Error::from(sqlx::Error::PoolTimedOut));
        assert_eq!(failure(&postgres), reason::POSTGRES);
        let wait = std::time::Duration::from_millis(700);
        let content = error_text(&content_client::Error::RateLimited { wait });
        assert!(content.starts_with(reason::CONTENT_SERVICE), "{content}");
        assert_eq!(failure(&content), content);
    }
}
