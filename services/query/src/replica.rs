//! The index replica: this node's own index, fed from the log.

use std::time::Duration;

use contracts::{Checkpoint, LedgerId, Sequence};
use event_log::{Delivered, EventLog, STREAM};
use runtime::{Check, error_text, telemetry};
use search_index::Writer;
use tokio_util::sync::CancellationToken;

use crate::{Error, Node, capture_times::CaptureTimes};

/// The maximum number of messages read at once. Also how many messages a node may be behind the end of
/// the log and still be ready, once it has had all of a complete log.
const BATCH: usize = 1024;
/// How many messages one commit covers while catching up. Every commit makes a segment, which merging then
/// writes again, so thousands of small commits would take longer than everything else.
const COMMIT_AT: usize = 8 * BATCH;
/// How long one wait for messages lasts.
const WAIT: Duration = Duration::from_secs(1);
/// The same before the node has first caught up with a complete log. It answers only after that, and there
/// may be no message to wait for.
const FIRST_WAIT: Duration = Duration::from_millis(50);
/// The pause after the log could not be read.
const FAILURE_PAUSE: Duration = Duration::from_millis(200);

/// Feeds the index until `shutdown`. If the log can't be read, it retries. If the index can't be written,
/// it returns an error, which ends the process: the next start opens or rebuilds the index.
pub async fn run(
    node: Node,
    log: EventLog,
    check: Check,
    shutdown: CancellationToken,
) -> Result<(), Error> {
    shutdown.run_until_cancelled(follow(node, log, check)).await.unwrap_or(Ok(()))
}

async fn follow(node: Node, log: EventLog, check: Check) -> Result<(), Error> {
    let index = node.index.clone();
    let mut writer = tokio::task::spawn_blocking(move || index.open_writer()).await??;
    node.record_indexed(writer.checkpoint().sequence);
    let mut reader = log.reader(writer.checkpoint());
    let mut uncommitted = 0;
    let mut is_failing = false;
    // False while the index has only a part of the homes: it was started empty, or read a log that is still
    // being filled.
    let mut is_complete = false;
    loop {
        metrics::gauge!("query_index_unsaved_seconds").set(writer.unsaved_for().as_secs_f64());
        let wait = if is_complete { WAIT } else { FIRST_WAIT };
        let batch = match reader.next_batch(BATCH, wait).await {
            Ok(batch) => batch,
            Err(error @ event_log::Error::Diverged(_)) => {
                tracing::warn!(
                    error = error_text(&error),
                    "rebuilding the index beside the one that is searched"
                );
                check.not_ready("rebuilding the index: it has diverged from the log");
                let index = node.index.clone();
                let restart = move || {
                    // Waits for a save in flight.
                    drop(writer);
                    index.open_empty()
                };
                writer = tokio::task::spawn_blocking(restart).await??;
                reader = log.reader(Checkpoint::START);
                uncommitted = 0;
                is_complete = false;
                continue;
            }
            Err(error) => {
                let reason = error_text(&error);
                // The index as it is continues to be searched.
                if !std::mem::replace(&mut is_failing, true) {
                    tracing::warn!(error = reason, "the index can't follow the log; retrying");
                }
                check.not_ready(reason);
                tokio::time::sleep(FAILURE_PAUSE).await;
                continue;
            }
        };
        is_failing = false;
        node.lineage.send_if_modified(|lineage| {
            let is_new = lineage.as_ref() != reader.lineage();
            if is_new {
                *lineage = reader.lineage().cloned();
            }
            is_new
        });
        let behind = reader.behind();
        metrics::gauge!("query_index_lag_messages").set(as_gauge(behind));
        metrics::gauge!("query_log_answered_timestamp_seconds").set(as_gauge(reader.answered_at()));
        let is_near = behind <= BATCH as u64;
        if !batch.is_empty() || uncommitted > 0 {
            uncommitted += batch.len();
            let commit = is_near || batch.is_empty() || uncommitted >= COMMIT_AT;
            let ledger = reader.checkpoint().ledger;
            let times = node.capture_times.clone();
            let indexing = move || index_batch(writer, &batch, &times, ledger, commit);
            let (returned, committed) = tokio::task::spawn_blocking(indexing).await??;
            writer = returned;
            if committed.is_some() {
                uncommitted = 0;
            }
            if let Some(position) = committed
                && writer.is_visible()
            {
                node.record_indexed(position);
            }
        }
        is_complete |= reader.is_caught_up();
        if is_complete && !writer.is_visible() {
            // Blocking: reads all documents that become visible.
            let showing = move || writer.make_visible().map(|()| writer);
            writer = tokio::task::spawn_blocking(showing).await??;
            node.record_indexed(writer.checkpoint().sequence);
        }
        if is_complete && is_near {
            check.ready();
        } else if is_near {
            check.not_ready("the log is being filled");
        } else {
            check.not_ready(format!("{behind} messages behind the log"));
        }
    }
}

/// Applies `batch`, from the log of `ledger`, to the index and, if `commit`, commits everything applied so
/// far. Returns the writer and the position of the commit.
fn index_batch(
    mut writer: Writer,
    batch: &[Delivered],
    times: &CaptureTimes,
    ledger: Option<LedgerId>,
    commit: bool,
) -> Result<(Writer, Option<Sequence>), Error> {
    let spans: Vec<_> = batch
        .iter()
        .filter(|delivered| delivered.traceparent.is_some())
        .map(|delivered| {
            let span = tracing::info_span!(
                "index",
                otel.kind = "consumer",
                sequence = %delivered.sequence,
                messaging.system = "nats",
                messaging.destination.name = STREAM,
                messaging.operation.name = "process",
                messaging.operation.type = "process",
            );
            telemetry::link_parent(&span, delivered.traceparent.as_deref());
            span.entered()
        })
        .collect();
    for delivered in batch {
        let at = Checkpoint { sequence: delivered.sequence, ledger };
        match &delivered.event {
            Ok(event) => {
                writer.apply(at, event)?;
                times.record(delivered.sequence, event.captured_at);
            }
            Err(poison) => {
                tracing::error!(
                    error = error_text(poison),
                    "the index skips a message that can't be read"
                );
                writer.skip(at);
            }
        }
    }
    runtime::failpoint("query.index").map_err(sqlx::Error::from)?;
    let committed = commit.then(|| writer.commit()).transpose()?;
    let position = committed.map(|checkpoint| checkpoint.sequence);
    // Nested spans are exited in reverse order.
    spans.into_iter().rev().for_each(drop);
    if let Some(position) = position {
        metrics::gauge!("query_index_position").set(as_gauge(position.get()));
    }
    Ok((writer, position))
}

#[expect(clippy::cast_precision_loss, reason = "a gauge is no more exact")]
const fn as_gauge(number: u64) -> f64 {
    number as f64
}
