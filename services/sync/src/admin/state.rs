//! `GET /admin/state`: the state of the role, and its backlog.

use admin_answers::sync::{
    BreakerState, DirtyState, InboxState, OutboxState, PausedSteps, StreamState, SyncState, Trouble,
};
use event_log::EventLog;

use crate::{Context, Error, failures::Failing};

/// Returns the state of the role, the ledger, and the stream of `log`.
pub async fn of(context: &Context, log: &EventLog) -> Result<SyncState, Error> {
    // Read before the other numbers, so that they include the effect of a comparison that is reported as
    // ended.
    let reconcile = context.requested_comparison.progress();
    let row = context.ledger.figures().await?;
    let paused = context.ledger.paused().await?;
    let stream = log.stream_state().await.ok().flatten();
    // An item that is postponed has a due time in the future, and has waited for zero seconds.
    let seconds = |waits: Option<f64>| waits.map(|seconds| seconds.max(0.0));
    Ok(SyncState {
        ledger: row.ledger,
        epoch: row.epoch.map(i32::cast_unsigned),
        leads: context.is_leader(),
        stream: stream.map(|stream| StreamState {
            messages: stream.messages,
            bytes: stream.bytes,
            last_sequence: stream.last,
        }),
        outbox: OutboxState { fresh: row.fresh, refill: row.refill },
        inbox: InboxState { unresolved: row.unresolved, oldest_seconds: seconds(row.hint_waits) },
        dirty: DirtyState { count: row.dirty, oldest_seconds: seconds(row.item_waits) },
        breaker: BreakerState { open: context.breaker.is_open(), reason: context.breaker.reason() },
        paused: PausedSteps { capture: paused.capture.is_some(), relay: paused.relay.is_some() },
        reconcile,
        troubles: context.failures.all().into_iter().map(trouble).collect(),
    })
}

fn trouble(Failing { collection, task, since, why }: Failing) -> Trouble {
    Trouble { collection: collection.to_owned(), task: task.to_owned(), since, reason: why }
}
