//! The change feed: polls the read models for changes, and announces each one once the index has it too.

mod lag_detector;
mod position;
pub(crate) mod subscriber;

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use contracts::{Checkpoint, LedgerId, Sequence, feed::Changed};
use event_log::{EventLog, PROJECTED};
use read_models::READ_MODEL_VERSION;
use runtime::{Check, error_text, postgres::with_answer_timeout};
use sqlx::query;
use tokio_util::sync::CancellationToken;

use self::lag_detector::LagDetector;
pub(crate) use self::position::FeedPosition;
use crate::{Error, Node, endpoints::MAX_POLL_AGE};

/// How often the read models are polled without a hint.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// The maximum number of changes that one poll reads.
const BATCH: usize = 500;
/// How many changes a slow subscriber may be behind before it is reset.
pub(crate) const SUBSCRIBER_QUEUE: usize = 1024;

/// An update of the feed, broadcast to all subscribers.
#[derive(Clone, Debug)]
pub(crate) enum FeedUpdate {
    Changed(Change),
    /// The read models have reached this position by messages that changed nothing.
    Advanced(FeedPosition),
    /// Everything may have changed up to this position.
    Reset(FeedPosition),
}

/// A change, ready to be announced.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    position: FeedPosition,
    event: Changed,
}

impl Change {
    /// Returns the tags of what the change touches.
    pub const fn tags(&self) -> &BTreeSet<String> {
        &self.event.tags
    }
}

/// Polls and announces changes until `shutdown`.
pub async fn run(
    node: Node,
    log: EventLog,
    check: Check,
    shutdown: CancellationToken,
) -> Result<(), Error> {
    shutdown.run_until_cancelled(follow(node, log, check)).await;
    Ok(())
}

async fn follow(node: Node, log: EventLog, check: Check) {
    let mut hints = None;
    let mut lag = LagDetector::default();
    loop {
        if hints.is_none() {
            hints = log.hints(PROJECTED).await.ok();
        }
        match poll(&node, &mut lag).await {
            Ok(()) => check.ready(),
            Err(error) => check.not_ready(error_text(&error)),
        }
        let hint = async {
            match &mut hints {
                Some(hints) => hints.next().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            hint = hint => if hint.is_none() { hints = None },
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}

/// Announces what has changed since the last poll.
async fn poll(node: &Node, lag: &mut LagDetector) -> Result<(), Error> {
    loop {
        let announced = *node.announced.borrow();
        let polled_at = Instant::now();
        let FeedState { current, changes } = read_changes_after(node, announced).await?;
        let position = current.sequence();
        let Some(announced) = announced else {
            // Changes from before this node started are not announced; subscribers that resume read them
            // from the table.
            node.record_projected(polled_at, position, None);
            node.announced.send_replace(Some(current));
            return Ok(());
        };
        if (current != announced && current.leads_to(&announced))
            || lag.observe(&current, &announced)
        {
            // This read was answered by a lagging server. What it does not have yet is already announced.
            return Ok(());
        }
        let replica_caught_up = lag.has_caught_up();
        if current == announced && !replica_caught_up {
            node.record_projected(polled_at, position, Some(&[]));
            return Ok(());
        }
        let Some(changes) = changes.filter(|_| !replica_caught_up) else {
            *lag = LagDetector::default();
            node.record_projected(polled_at, position, None);
            // After a reset a client fetches everything again, from any node, and rows may have changed
            // without a new position. So wait until no node still answers from its old cache.
            tokio::time::sleep(MAX_POLL_AGE).await;
            wait_for_index(node, position).await;
            metrics::counter!("query_changes_total").increment(1);
            broadcast(node, current, FeedUpdate::Reset(current));
            // Poll again at once: after the wait, this poll is too old for the cards that are now read again
            // to be cached.
            continue;
        };
        let is_complete = changes.len() < BATCH;
        node.record_projected(polled_at, position, is_complete.then_some(&changes));
        for change in changes {
            wait_for_index(node, change.event.sequence).await;
            runtime::failpoint("query.announce").map_err(sqlx::Error::from)?;
            announce(node, change);
        }
        if is_complete {
            let is_announced = *node.announced.borrow() == Some(current);
            if !is_announced {
                wait_for_index(node, position).await;
                broadcast(node, current, FeedUpdate::Advanced(current));
            }
            return Ok(());
        }
    }
}

/// Waits until the index has reached `position`. It follows the same log, so it will. There is no timeout:
/// nothing may be announced earlier, and meanwhile the readiness check expires for lack of a poll.
async fn wait_for_index(node: &Node, position: Sequence) {
    // An error means that there is no sender, but the node holds one.
    let mut indexed = node.indexed.subscribe();
    let _never = indexed.wait_for(|indexed| *indexed >= position).await.is_ok();
}

fn announce(node: &Node, mut change: Change) {
    let event = &mut change.event;
    let span = tracing::info_span!("changed", sequence = %event.sequence);
    runtime::telemetry::link_parent(&span, event.traceparent.as_deref());
    let _entered = span.enter();
    event.captured_at = node.capture_times.get(event.sequence);
    event.traceparent = runtime::telemetry::traceparent().or_else(|| event.traceparent.take());
    metrics::counter!("query_changes_total").increment(1);
    broadcast(node, change.position, FeedUpdate::Changed(change));
}

/// Broadcasts `update` to all subscribers, and records the position they are at after it.
fn broadcast(node: &Node, position: FeedPosition, update: FeedUpdate) {
    node.announced.send_replace(Some(position));
    // An error means only that there are no subscribers.
    let _subscribers = node.changes.send(update);
}

/// The current position of the read models, and the changes that led to it.
struct FeedState {
    current: FeedPosition,
    /// The first [`BATCH`] changes after the requested position, oldest first. None if they can't be
    /// announced one by one: the feed no longer reaches back so far, or the position is of another history.
    changes: Option<Vec<Change>>,
}

/// Reads the current position of the read models and the changes after `from`, in one statement. The
/// database address may lead to several servers: of two statements, one could read from a lagging server,
/// and a position would be announced without its changes.
async fn read_changes_after(node: &Node, from: Option<FeedPosition>) -> Result<FeedState, Error> {
    runtime::failpoint("query.look").map_err(sqlx::Error::from)?;
    let statement = query!(
        r#"select p.sequence, p.ledger, p.revision, p.model_version,
                  (select sequence from read.change_cut) as "cut!",
                  c.sequence as "changed?", c.tags as "tags?", c.traceparent as "traceparent?"
           from read.checkpoint p
           left join lateral (
               select sequence, tags, traceparent from read.change
               where sequence > $1 and sequence <= p.sequence order by sequence limit $2
           ) c on true
           where p.live order by c.sequence"#,
        from.map(|from| from.sequence().to_i64()),
        i64::try_from(BATCH).unwrap_or(i64::MAX),
    );
    let rows = with_answer_timeout(statement.fetch_all(&node.pool)).await?;
    let first = rows.first().ok_or(sqlx::Error::RowNotFound)?;
    if first.model_version < READ_MODEL_VERSION {
        return Err(Error::OlderModels { live: first.model_version, ours: READ_MODEL_VERSION });
    }
    let sequence = Sequence::from_i64(first.sequence);
    let checkpoint = Checkpoint { sequence, ledger: first.ledger.map(LedgerId) };
    let current = FeedPosition { revision: first.revision, checkpoint };
    let cut = Sequence::from_i64(first.cut);
    let reaches_back = from.is_some_and(|from| from.leads_to(&current) && cut <= from.sequence());
    let changes = rows.into_iter().filter_map(|row| {
        let sequence = Sequence::from_i64(row.changed?);
        let event = Changed {
            sequence,
            tags: row.tags?.into_iter().collect(),
            traceparent: row.traceparent,
            captured_at: None,
        };
        Some(Change { position: current.at(sequence), event })
    });
    Ok(FeedState { current, changes: reaches_back.then(|| changes.collect()) })
}
