//! What operators see of mails and items that are on their way, and what they can have tried again; see
//! `runtime::admin` for who may. Nothing of a person is in any answer.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::State,
    routing::{get, post},
};
use chrono::{DateTime, Utc};
use runtime::{
    admin::{Asked, listed},
    problem::Problem,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::PgPool;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::{Error, jobs::made_at, reason, storage::Storage, unfinished::retry_these};

/// How many jobs are listed at the most.
const MAX_JOBS: i64 = 500;
/// How many one call tries again at the most.
const MAX_LISTED: usize = 100;
/// The longest word that is told whole, in bytes.
const MAX_FAILURE_LENGTH: usize = 200;
const UNREAD: &str = "operators can't be told of jobs";

#[derive(Clone)]
struct Calls {
    storage: Storage,
    /// There may be something to do.
    due: Arc<Notify>,
    /// What can be done here. The rest neither waits nor failed.
    kinds: Arc<[String]>,
}

/// The calls under `/admin`, which wake workers by `due`; of the jobs of these `kinds` they tell.
pub fn router(storage: Storage, due: Arc<Notify>, kinds: &[String]) -> Router {
    Router::new()
        .route("/admin/jobs", get(jobs))
        .route("/admin/jobs/retry", post(retry))
        .route("/admin/deliveries", get(deliveries))
        .with_state(Calls { storage, due, kinds: kinds.into() })
}

/// What is not done.
#[derive(Debug, Serialize)]
struct Jobs {
    waiting: i64,
    failed: i64,
    items: Vec<Job>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Job {
    id: Uuid,
    kind: String,
    state: String,
    tries: i32,
    /// None of what is not tried any more by itself.
    next_try: Option<DateTime<Utc>>,
    created_at: Option<DateTime<Utc>>,
    /// In a few words of our own.
    failure: Option<String>,
}

async fn jobs(State(calls): State<Calls>) -> Result<Json<Jobs>, Problem> {
    calls.storage.kept(UNREAD, unfinished(calls.storage.pool(), &calls.kinds)).await.map(Json)
}

/// What failed first, then what waits, then what mailboxes did not take.
async fn unfinished(pool: &PgPool, kinds: &[String]) -> Result<Jobs, Error> {
    let counts = sqlx::query!(
        r#"select count(*) filter (where state = 'due') as "waiting!",
                  count(*) filter (where state = 'failed') as "failed!"
           from visitor.job where state in ('due', 'failed') and kind = any($1)"#,
        kinds,
    )
    .fetch_one(pool)
    .await?;
    let rows = sqlx::query!(
        "select id, kind, state, attempts, due_at, last_error from visitor.job
         where state <> 'done' and kind = any($2)
         order by array_position(array['failed', 'due'], state) nulls last, due_at, id limit $1",
        MAX_JOBS,
        kinds,
    )
    .fetch_all(pool)
    .await?;
    let items = rows
        .into_iter()
        .map(|row| Job {
            created_at: made_at(row.id),
            next_try: (row.state == "due").then_some(row.due_at),
            failure: row.last_error.as_deref().map(failure),
            id: row.id,
            kind: row.kind,
            state: row.state,
            tries: row.attempts,
        })
        .collect();
    Ok(Jobs { waiting: counts.waiting, failed: counts.failed, items })
}

/// The class of failure that the `word` of a job is of. Other words than ours may repeat what somebody
/// wrote.
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
    Asked(Retry { ids }): Asked<Retry>,
) -> Result<Json<Value>, Problem> {
    listed("ids", ids.len(), MAX_LISTED)?;
    let retried = retry_these(calls.storage.pool(), &ids);
    let retried = calls.storage.kept("jobs can't be tried again", retried).await?;
    calls.due.notify_one();
    tracing::info!(retried, "tried again by an operator");
    Ok(Json(json!({ "retried": retried })))
}

/// What came and what was done about it in the last day.
#[derive(Debug, Serialize)]
struct Deliveries {
    enquiries: Enquiries,
    jobs: Vec<Delivered>,
    events: Events,
    alerts: Alerts,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Enquiries {
    last_day: i64,
    last_hour: i64,
}

#[derive(Debug, Serialize)]
struct Delivered {
    kind: String,
    done: i64,
    /// Now, however long.
    waiting: i64,
    /// Those that mailboxes did not take among them.
    failed: i64,
}

/// Events that are not on the stream `VISITOR` yet.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Events {
    waiting: i64,
    /// None where none waits.
    oldest_seconds: Option<f64>,
}

/// How far the log was matched with saved searches.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Alerts {
    /// Those whose owners want mails; what can't be read of them is a figure of its own
    /// (`command_saved_searches_unreadable`).
    saved_searches: i64,
    /// Of the log.
    sequence: i64,
    /// Whether every home is known: until then none is news.
    is_filled: bool,
}

async fn deliveries(State(calls): State<Calls>) -> Result<Json<Deliveries>, Problem> {
    calls.storage.kept(UNREAD, of_the_last_day(calls.storage.pool(), &calls.kinds)).await.map(Json)
}

async fn of_the_last_day(pool: &PgPool, kinds: &[String]) -> Result<Deliveries, Error> {
    let enquiries = sqlx::query_as!(
        Enquiries,
        r#"select count(*) as "last_day!",
                  count(*) filter (where received_at > now() - interval '1 hour') as "last_hour!"
           from visitor.enquiry where received_at > now() - interval '1 day'"#,
    )
    .fetch_one(pool)
    .await?;
    let jobs = sqlx::query_as!(
        Delivered,
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
        kinds,
    )
    .fetch_all(pool)
    .await?;
    let events = sqlx::query_as!(
        Events,
        r#"select count(*) as "waiting!",
                  extract(epoch from now() - min(created_at))::double precision as oldest_seconds
           from visitor.event where published_at is null"#,
    )
    .fetch_one(pool)
    .await?;
    let alerts = sqlx::query_as!(
        Alerts,
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
    use super::*;

    #[test]
    fn a_failure_is_told_in_words_of_our_own() {
        const TWICE: &str =
            "it may have arrived, and was sent twice: the mail server does not answer in time";
        const UNKNOWN_HOST: &str = "the content service: error sending request: client error (Connect): \
            dns error: failed to lookup address information: Name or service not known";
        for (reason, told) in [
            ("the mail server answers 550", "the mail server answers 550"),
            ("the mail server says ann@x.example", "the mail server"),
            (TWICE, TWICE),
            ("it may have arrived, and was sent twice: ann@x.example", "it may have arrived"),
            ("it came back: 5.1.1", "it came back: 5.1.1"),
            ("postgres: duplicate key (email)=(ann)", "postgres"),
            (UNKNOWN_HOST, UNKNOWN_HOST),
            ("Ann Lee lives in Nerja", "other"),
        ] {
            assert_eq!(failure(reason), told);
        }
    }

    #[test]
    fn what_comes_of_our_stores_is_told_by_their_name() {
        let postgres = Error::from(sqlx::Error::PoolTimedOut).to_string();
        assert_eq!(failure(&postgres), reason::POSTGRES);
        let body = runtime::BodyError::TooLarge { limit: 7 };
        assert!(failure(&Error::from(body).to_string()).starts_with(reason::CONTENT_SERVICE));
    }
}
