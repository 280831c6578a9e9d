//! The admin API of this role; see `runtime::admin` for who has access.

mod applied;
mod dead_letters;
mod state;

use std::sync::Arc;

use admin_answers::{
    actions::{Dropped, Replayed},
    projections::{DeadLetter, ProjectionsState},
};
use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    routing::{get, post},
};
use contracts::Sequence;
use event_log::EventLog;
use runtime::{
    admin::{AdminJson, Positions, Reached, check_list_length, conflict, unavailable},
    error_text,
    postgres::with_answer_timeout,
    problem::Problem,
};
use serde::Deserialize;
use sqlx::PgPool;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{
    dead_letters::{discard, replay},
    error::Error,
    fill_jobs::{FillJob, FillJobs, Kind},
    generation::Generation,
    pause,
    rebuild::{rebuild_with_progress, swap_back},
};

/// The maximum number of dead letters in one call.
const MAX_LISTED: usize = 100;

/// The shared state of the calls.
#[derive(Clone)]
pub struct Calls {
    pub pool: PgPool,
    pub log: EventLog,
    pub fill_jobs: FillJobs,
    /// Notifies the follower that an operator resumed following.
    pub resumed: Arc<Notify>,
    pub shutdown: CancellationToken,
}

/// The calls under `/admin`.
pub fn router(calls: Calls) -> Router {
    Router::new()
        .route("/admin/state", get(state))
        .route("/admin/applied", get(applied))
        .route("/admin/dead-letters", get(dead_letters))
        .route("/admin/dead-letters/replay", post(replay_letters))
        .route("/admin/dead-letters/drop", post(drop_letters))
        .route("/admin/rebuild", post(begin_rebuild))
        .route("/admin/swap-back", post(begin_swap_back))
        .route("/admin/pause", post(pause_following))
        .route("/admin/resume", post(resume_following))
        .with_state(calls)
}

async fn state(State(calls): State<Calls>) -> Result<Json<ProjectionsState>, Problem> {
    with_answer_timeout(state::read(&calls)).await.map(Json).map_err(|error| unreadable(&error))
}

async fn dead_letters(State(calls): State<Calls>) -> Result<Json<Vec<DeadLetter>>, Problem> {
    with_answer_timeout(dead_letters::list(&calls.pool))
        .await
        .map(Json)
        .map_err(|error| unreadable(&error))
}

async fn applied(
    State(calls): State<Calls>,
    positions: Positions,
) -> Result<Json<Vec<Reached>>, Problem> {
    let applied = with_answer_timeout(applied::list(&calls.pool, &positions)).await;
    applied.map(Json).map_err(|error| unreadable(&error))
}

fn unreadable(error: &Error) -> Problem {
    unavailable("the read models can't be read", error)
}

/// The dead letters that a call acts on: their subjects, and the last position of the list that the operator
/// chose them from. A subject may have a newer letter since, which the operator has not seen.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Letters {
    subjects: Vec<String>,
    up_to: Sequence,
}

async fn replay_letters(
    State(calls): State<Calls>,
    AdminJson(Letters { subjects, up_to }): AdminJson<Letters>,
) -> Result<Json<Replayed>, Problem> {
    check_list_length("subjects", subjects.len(), MAX_LISTED)?;
    let replayed = with_answer_timeout(replay(&calls.pool, Some(&subjects), Some(up_to))).await;
    let replayed = replayed.map_err(|error| match error {
        Error::Paused => conflict("following is paused; resume it first"),
        error => unavailable("they can't be applied", &error),
    })?;
    tracing::info!(replayed, "dead letters were applied again by an operator");
    Ok(Json(Replayed { replayed: replayed as u64 }))
}

async fn drop_letters(
    State(calls): State<Calls>,
    AdminJson(Letters { subjects, up_to }): AdminJson<Letters>,
) -> Result<Json<Dropped>, Problem> {
    check_list_length("subjects", subjects.len(), MAX_LISTED)?;
    let dropped = with_answer_timeout(discard(&calls.pool, Some(&subjects), Some(up_to))).await;
    let dropped = dropped.map_err(|error| unavailable("they can't be dropped", &error))?;
    tracing::warn!(dropped, "dead letters were dropped by an operator");
    Ok(Json(Dropped { dropped: dropped as u64 }))
}

async fn begin_rebuild(State(calls): State<Calls>) -> Result<StatusCode, Problem> {
    begin(calls, Kind::Rebuild).await
}

async fn begin_swap_back(State(calls): State<Calls>) -> Result<StatusCode, Problem> {
    let former = with_answer_timeout(Generation::former(&calls.pool))
        .await
        .map_err(|error| unreadable(&error))?;
    if former.is_none() {
        let title = "There is nothing to go back to";
        let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "no-former", title);
        return Err(problem.with_detail(Error::NoFormer.to_string()));
    }
    begin(calls, Kind::SwapBack).await
}

/// Starts a fill job of `kind` in a task of its own, unless one is running or following is paused.
/// `GET /admin/state` reports its progress.
async fn begin(calls: Calls, kind: Kind) -> Result<StatusCode, Problem> {
    if with_answer_timeout(pause::since(&calls.pool))
        .await
        .map_err(|error| unreadable(&error))?
        .is_some()
    {
        return Err(conflict("following is paused; resume it first"));
    }
    let job = calls.fill_jobs.try_begin(kind);
    let job = job.ok_or_else(|| conflict("a generation is being filled already"))?;
    tracing::info!(?kind, "an operator started to fill a generation of read models");
    tokio::spawn(fill(calls, kind, job));
    Ok(StatusCode::ACCEPTED)
}

async fn fill(calls: Calls, kind: Kind, mut job: FillJob) {
    let Calls { pool, log, shutdown, .. } = calls;
    let filled = match kind {
        Kind::Rebuild => rebuild_with_progress(&pool, &log, &shutdown, &mut job).await,
        Kind::SwapBack => swap_back(&pool, &log, &shutdown, &mut job).await,
    };
    if let Err(error) = filled {
        tracing::warn!(
            ?kind,
            error = error_text(&error),
            "filling read models failed; the live generation is unchanged"
        );
        job.failed(&error);
    }
}

async fn pause_following(State(calls): State<Calls>) -> Result<StatusCode, Problem> {
    let paused = with_answer_timeout(pause::pause(&calls.pool)).await;
    paused.map_err(|error| unavailable("it can't be paused", &error))?;
    Ok(StatusCode::NO_CONTENT)
}

async fn resume_following(State(calls): State<Calls>) -> Result<StatusCode, Problem> {
    let resumed = with_answer_timeout(pause::resume(&calls.pool)).await;
    resumed.map_err(|error| unavailable("it can't be resumed", &error))?;
    calls.resumed.notify_one();
    Ok(StatusCode::NO_CONTENT)
}
