//! `GET /admin/state`: the state of the role, and its backlog.

use chrono::{DateTime, Utc};
use event_log::EventLog;
use serde::Serialize;
use uuid::Uuid;

use crate::{Context, Error, failures::Failing, reconcile};

/// The state of the role.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    /// None before a relay led for the first time.
    ledger: Option<Uuid>,
    epoch: Option<u32>,
    /// Whether this process's relay is the leader.
    leads: bool,
    /// None while NATS is unreachable, and if there is no stream.
    stream: Option<Stream>,
    outbox: Outbox,
    inbox: Inbox,
    dirty: Dirty,
    breaker: Breaker,
    paused: Steps,
    reconcile: reconcile::Progress,
    troubles: Vec<Trouble>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Stream {
    messages: u64,
    bytes: u64,
    last_sequence: u64,
}

#[derive(Debug, Serialize)]
struct Outbox {
    fresh: i64,
    refill: i64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Inbox {
    unresolved: i64,
    oldest_seconds: Option<f64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Dirty {
    count: i64,
    /// The time since the first of them was due; a failure postpones an item.
    oldest_seconds: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Breaker {
    open: bool,
    reason: Option<String>,
}

#[derive(Debug, Serialize)]
struct Steps {
    capture: bool,
    relay: bool,
}

#[derive(Debug, Serialize)]
struct Trouble {
    collection: &'static str,
    task: &'static str,
    since: DateTime<Utc>,
    reason: String,
}

/// Returns the state of the role, the ledger, and the stream of `log`.
pub async fn of(context: &Context, log: &EventLog) -> Result<State, Error> {
    // Read before the other numbers, so that they include the effect of a comparison that is reported as
    // ended.
    let reconcile = context.requested_comparison.progress();
    let row = context.ledger.figures().await?;
    let paused = context.ledger.paused().await?;
    let stream = log.stream_state().await.ok().flatten();
    // An item that is postponed has a due time in the future, and has waited for zero seconds.
    let seconds = |waits: Option<f64>| waits.map(|seconds| seconds.max(0.0));
    Ok(State {
        ledger: row.ledger,
        epoch: row.epoch.map(i32::cast_unsigned),
        leads: context.is_leader(),
        stream: stream.map(|stream| Stream {
            messages: stream.messages,
            bytes: stream.bytes,
            last_sequence: stream.last,
        }),
        outbox: Outbox { fresh: row.fresh, refill: row.refill },
        inbox: Inbox { unresolved: row.unresolved, oldest_seconds: seconds(row.hint_waits) },
        dirty: Dirty { count: row.dirty, oldest_seconds: seconds(row.item_waits) },
        breaker: Breaker { open: context.breaker.is_open(), reason: context.breaker.reason() },
        paused: Steps { capture: paused.capture.is_some(), relay: paused.relay.is_some() },
        reconcile,
        troubles: context.failures.all().into_iter().map(Trouble::from).collect(),
    })
}

impl From<Failing> for Trouble {
    fn from(Failing { collection, task, since, why }: Failing) -> Self {
        Self { collection, task, since, reason: why }
    }
}
