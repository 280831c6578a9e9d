//! The index replica: this node's own, fed by the log.

use std::time::Duration;

use contracts::{Checkpoint, LedgerId, Sequence};
use event_log::{Delivered, EventLog};
use runtime::{Check, telemetry};
use search_index::Writer;
use tokio_util::sync::CancellationToken;

use crate::{Error, Node, captured::Captured};

/// How many messages are taken at once, and how far behind the log's end a node may be and ready, once it
/// has had all of a complete log.
const BATCH: usize = 1024;
/// How many messages one commit takes while catching up: each makes a segment, which merging then
/// writes again, so thousands of small ones would take longer than all else.
const COMMIT_AT: usize = 8 * BATCH;
/// How long one wait for messages lasts.
const WAIT: Duration = Duration::from_secs(1);
/// And before the first look at a whole log, for which the node waits with its answers: there may be nothing
/// to come.
const FIRST_WAIT: Duration = Duration::from_millis(50);
/// The pause after the log could not be read.
const FAILURE_PAUSE: Duration = Duration::from_millis(200);

/// Feeds the index until `shutdown`. What the log can't give now is waited for; what the index
/// can't take ends the process, since a new start opens or rebuilds it.
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
    node.indexed_to(writer.checkpoint().sequence);
    let mut reader = log.reader(writer.checkpoint());
    let mut uncommitted = 0;
    let mut waits = false;
    // What begins at the start, or in the middle of a log that is being filled, has a part of the homes.
    let mut is_whole = false;
    loop {
        metrics::gauge!("query_index_unsaved_seconds").set(writer.unsaved_for().as_secs_f64());
        let wait = if is_whole { WAIT } else { FIRST_WAIT };
        let batch = match reader.next_batch(BATCH, wait).await {
            Ok(batch) => batch,
            Err(error @ event_log::Error::Diverged(_)) => {
                tracing::warn!(%error, "the index is filled anew beside the one that is searched");
                check.not_ready("filling the index anew: the log is another one");
                let index = node.index.clone();
                let begin_anew = move || {
                    // Waits for what is being saved.
                    drop(writer);
                    index.open_empty()
                };
                writer = tokio::task::spawn_blocking(begin_anew).await??;
                reader = log.reader(Checkpoint::START);
                uncommitted = 0;
                is_whole = false;
                continue;
            }
            Err(error) => {
                // What is indexed goes on being searched.
                if !std::mem::replace(&mut waits, true) {
                    tracing::warn!(%error, "the index waits for the log");
                }
                check.not_ready(error.to_string());
                tokio::time::sleep(FAILURE_PAUSE).await;
                continue;
            }
        };
        waits = false;
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
            let commits = is_near || batch.is_empty() || uncommitted >= COMMIT_AT;
            let ledger = reader.checkpoint().ledger;
            let captured = node.captured.clone();
            let indexing = move || index_batch(writer, &batch, &captured, ledger, commits);
            let (back, committed) = tokio::task::spawn_blocking(indexing).await??;
            writer = back;
            if committed.is_some() {
                uncommitted = 0;
            }
            if let Some(position) = committed
                && writer.is_shown()
            {
                node.indexed_to(position);
            }
        }
        is_whole |= reader.is_caught_up();
        if is_whole && !writer.is_shown() {
            // Reads the whole of what is shown.
            let showing = move || writer.show().map(|()| writer);
            writer = tokio::task::spawn_blocking(showing).await??;
            node.indexed_to(writer.checkpoint().sequence);
        }
        if is_whole && is_near {
            check.ready();
        } else if is_near {
            check.not_ready("the log is being filled");
        } else {
            check.not_ready(format!("{behind} messages behind the log"));
        }
    }
}

/// Takes `batch`, of the log of `ledger`, into the index and, where it `commits`, commits it with what
/// was taken before; gives the position of the commit.
fn index_batch(
    mut writer: Writer,
    batch: &[Delivered],
    captured: &Captured,
    ledger: Option<LedgerId>,
    commits: bool,
) -> Result<(Writer, Option<Sequence>), Error> {
    let spans: Vec<_> = batch
        .iter()
        .filter(|delivered| delivered.traceparent.is_some())
        .map(|delivered| {
            let span = tracing::info_span!("index", sequence = %delivered.sequence);
            telemetry::link_parent(&span, delivered.traceparent.as_deref());
            span.entered()
        })
        .collect();
    for delivered in batch {
        let at = Checkpoint { sequence: delivered.sequence, ledger };
        match &delivered.event {
            Ok(event) => {
                writer.apply(at, event)?;
                captured.note(delivered.sequence, event.captured_at);
            }
            Err(poison) => {
                tracing::error!(%poison, "passed over by the index");
                writer.skip(at);
            }
        }
    }
    runtime::failpoint("query.index").map_err(sqlx::Error::from)?;
    let committed = commits.then(|| writer.commit()).transpose()?;
    let position = committed.map(|checkpoint| checkpoint.sequence);
    // Entered one within the other, so they are left in the opposite order.
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
