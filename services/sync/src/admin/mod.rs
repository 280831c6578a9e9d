//! The admin API of this role; see `runtime::admin` for its authorization.

mod compared;
mod names;
mod parked;
mod state;

use admin_answers::{
    actions::{Dropped, Retried},
    sync::{ParkedComparison, ParkedList, Publishes, SyncState},
};
use axum::{
    Json, Router,
    extract::{Query, State, rejection::QueryRejection},
    http::StatusCode,
    routing::{get, post},
};
use event_log::EventLog;
use runtime::{
    Process,
    admin::{AdminJson, check_list_length, conflict, unavailable},
    postgres::with_answer_timeout,
    problem::{FieldError, Problem},
};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use self::parked::Item;
use crate::{
    Context, MassRemoval,
    ledger::{MAX_PUBLISHES, Step},
    reconcile,
};

/// The maximum number of things that one call acts on.
const MAX_LISTED: usize = 100;
/// The number of publishes listed by default.
const DEFAULT_PUBLISHES: i64 = 50;

#[derive(Clone)]
struct AdminState {
    context: Context,
    log: EventLog,
    shutdown: CancellationToken,
}

/// Returns the routes under `/admin`.
pub fn router(context: Context, log: EventLog, process: &Process) -> Router {
    Router::new()
        .route("/admin/state", get(state))
        .route("/admin/publishes", get(publishes))
        .route("/admin/parked", get(parked))
        .route("/admin/parked/item", get(parked_item))
        .route("/admin/parked/retry", post(retry))
        .route("/admin/parked/drop", post(drop_hints))
        .route("/admin/reconcile", post(compare))
        .route("/admin/pause", post(pause_step))
        .route("/admin/resume", post(resume_step))
        .with_state(AdminState { context, log, shutdown: process.shutdown() })
}

async fn state(State(admin): State<AdminState>) -> Result<Json<SyncState>, Problem> {
    let state = with_answer_timeout(state::of(&admin.context, &admin.log)).await;
    state.map(Json).map_err(|error| unavailable("the ledger can't be read", &error))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    limit: Option<i64>,
    before: Option<i64>,
}

async fn publishes(
    State(admin): State<AdminState>,
    page: Result<Query<Page>, QueryRejection>,
) -> Result<Json<Publishes>, Problem> {
    let Query(Page { limit, before }) =
        page.map_err(|rejection| invalid("query", rejection.body_text()))?;
    let limit = limit.unwrap_or(DEFAULT_PUBLISHES);
    if !(1..=MAX_PUBLISHES).contains(&limit) {
        return Err(invalid("limit", format!("a number from 1 to {MAX_PUBLISHES}")));
    }
    let listed = admin.context.ledger.publishes(limit, before).await;
    listed.map(Json).map_err(|error| unavailable("the ledger can't be read", &error))
}

async fn parked(State(admin): State<AdminState>) -> Result<Json<ParkedList>, Problem> {
    let listed = with_answer_timeout(parked::list(&admin.context.ledger)).await;
    listed.map(Json).map_err(|error| unavailable("the ledger can't be read", &error))
}

/// Returns one parked item, field by field. This is a call of its own for one item, since it queries the
/// content service.
async fn parked_item(
    State(admin): State<AdminState>,
    item: Result<Query<Item>, QueryRejection>,
) -> Result<Json<ParkedComparison>, Problem> {
    let Query(item) = item.map_err(|rejection| invalid("query", rejection.body_text()))?;
    let compared = with_answer_timeout(compared::compare(&admin.context, &item)).await;
    let compared = compared.map_err(|error| unavailable("it can't be compared", &error))?;
    // Not a 404: operators get that where the call itself does not exist.
    compared.map(Json).ok_or_else(|| {
        let title = "There is nothing to compare";
        let detail = "it is no longer parked, or the content service does not show it";
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "not-parked", title).with_detail(detail)
    })
}

fn invalid(field: &str, expected: String) -> Problem {
    Problem::invalid(vec![FieldError::new(field, expected)])
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Retry {
    #[serde(default)]
    items: Vec<Item>,
    #[serde(default)]
    hints: Vec<i64>,
}

/// Has parked items, and unresolved hints, retried immediately.
async fn retry(
    State(admin): State<AdminState>,
    AdminJson(Retry { items, hints }): AdminJson<Retry>,
) -> Result<Json<Retried>, Problem> {
    check_list_length("items, hints", items.len() + hints.len(), MAX_LISTED)?;
    let Context { ledger, wakeups, .. } = &admin.context;
    let span = tracing::info_span!("retry", items = items.len(), hints = hints.len());
    let items = items.into_iter().map(|item| (item.collection, item.key)).collect();
    let retried = ledger.retry_parked(items, &hints).instrument(span).await;
    let retried = retried.map_err(|error| unavailable("they can't be tried again", &error))?;
    wakeups.capture.notify_one();
    wakeups.resolve.notify_one();
    tracing::info!(retried, "an operator retried parked items and hints");
    Ok(Json(Retried { retried }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DropHints {
    hints: Vec<i64>,
}

async fn drop_hints(
    State(admin): State<AdminState>,
    AdminJson(DropHints { hints }): AdminJson<DropHints>,
) -> Result<Json<Dropped>, Problem> {
    check_list_length("hints", hints.len(), MAX_LISTED)?;
    let dropped = admin.context.ledger.drop_hints(&hints).await;
    let dropped = dropped.map_err(|error| unavailable("they can't be dropped", &error))?;
    tracing::warn!(dropped, "hints were dropped by an operator");
    Ok(Json(Dropped { dropped }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Compare {
    allow_mass_removal: bool,
}

async fn compare(
    State(admin): State<AdminState>,
    AdminJson(Compare { allow_mass_removal }): AdminJson<Compare>,
) -> Result<StatusCode, Problem> {
    let removal = MassRemoval::allowed_if(allow_mass_removal);
    if reconcile::start(&admin.context, removal, admin.shutdown) {
        return Ok(StatusCode::ACCEPTED);
    }
    Err(conflict("everything is being compared already"))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepRequest {
    what: Step,
}

async fn pause_step(
    State(admin): State<AdminState>,
    AdminJson(StepRequest { what }): AdminJson<StepRequest>,
) -> Result<StatusCode, Problem> {
    let paused = admin.context.ledger.pause(what).await;
    paused.map_err(|error| unavailable("it can't be paused", &error))?;
    Ok(StatusCode::NO_CONTENT)
}

async fn resume_step(
    State(admin): State<AdminState>,
    AdminJson(StepRequest { what }): AdminJson<StepRequest>,
) -> Result<StatusCode, Problem> {
    let resumed = admin.context.ledger.resume(what).await;
    resumed.map_err(|error| unavailable("it can't be resumed", &error))?;
    match what {
        Step::Capture => admin.context.wakeups.capture.notify_one(),
        Step::Relay => admin.context.wakeups.relay.notify_one(),
    }
    Ok(StatusCode::NO_CONTENT)
}
