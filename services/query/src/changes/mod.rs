//! The feed of changes: read from the read models, told when the index stands there too.

mod position;
pub(crate) mod subscriber;

use std::{collections::BTreeSet, time::Duration};

use contracts::{Checkpoint, LedgerId, READ_MODEL_VERSION, Sequence, feed::Changed};
use event_log::{EventLog, PROJECTED};
use runtime::{Check, postgres::answered};
use sqlx::{query, query_scalar};
use tokio_util::sync::CancellationToken;

pub(crate) use self::position::FeedPosition;
use crate::{Error, Node};

/// How often the read models are looked at without a hint.
const POLL: Duration = Duration::from_millis(200);
/// How many changes one look takes.
const BATCH: usize = 500;
/// How many changes a slow subscriber may be behind before it is told to begin anew.
pub(crate) const SUBSCRIBER_QUEUE: usize = 1024;

/// A change, ready to be told.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    at: FeedPosition,
    told: Changed,
    /// Everything may have changed, not only the tags.
    reset: bool,
}

impl Change {
    /// That everything may have changed by `at`.
    const fn of_everything(at: FeedPosition) -> Self {
        let told = Changed {
            sequence: at.sequence(),
            tags: BTreeSet::new(),
            traceparent: None,
            captured_at: None,
        };
        Self { at, told, reset: true }
    }

    /// What the change touches.
    pub const fn tags(&self) -> &BTreeSet<String> {
        &self.told.tags
    }
}

/// Reads the feed until `shutdown`.
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
    loop {
        if hints.is_none() {
            hints = log.hints(PROJECTED).await.ok();
        }
        match look(&node).await {
            Ok(()) => check.ready(),
            Err(error) => check.not_ready(error.to_string()),
        }
        let hint = async {
            match &mut hints {
                Some(hints) => hints.next().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            hint = hint => if hint.is_none() { hints = None },
            () = tokio::time::sleep(POLL) => {}
        }
    }
}

/// Tells what has changed since the last look.
async fn look(node: &Node) -> Result<(), Error> {
    loop {
        let now = stands_at(node).await?;
        let position = now.sequence();
        let told = *node.told.borrow();
        let Some(told) = told else {
            // What was before we came is nobody's news; those who resume read it from the table.
            node.reached(position, None);
            node.told.send_replace(Some(now));
            return Ok(());
        };
        if now == told {
            node.reached(position, Some(&[]));
            return Ok(());
        }
        let Some(changes) = between(node, told, now).await? else {
            node.reached(position, None);
            wait_for_index(node, position).await;
            tell(node, Change::of_everything(now));
            return Ok(());
        };
        let all = changes.len() < BATCH;
        node.reached(position, all.then_some(&changes));
        for change in changes {
            wait_for_index(node, change.told.sequence).await;
            tell(node, change);
        }
        if all {
            node.told.send_replace(Some(now));
            return Ok(());
        }
    }
}

/// Where the read models stand.
async fn stands_at(node: &Node) -> Result<FeedPosition, Error> {
    runtime::failpoint("query.look").map_err(sqlx::Error::from)?;
    let asked =
        query!("select sequence, ledger, revision, model_version from read.checkpoint where live");
    let row = answered(asked.fetch_one(&node.pool)).await?;
    if row.model_version < READ_MODEL_VERSION {
        return Err(Error::OlderModels { live: row.model_version, ours: READ_MODEL_VERSION });
    }
    let sequence = Sequence::from_i64(row.sequence);
    let checkpoint = Checkpoint { sequence, ledger: row.ledger.map(LedgerId) };
    Ok(FeedPosition { revision: row.revision, checkpoint })
}

/// The index follows the same log, so it comes; however long it takes, nothing is told before, and
/// readiness says meanwhile that there was no word.
async fn wait_for_index(node: &Node, position: Sequence) {
    // Fails only without a sender, and the node holds one.
    let mut indexed = node.indexed.subscribe();
    let _never = indexed.wait_for(|indexed| *indexed >= position).await.is_ok();
}

fn tell(node: &Node, mut change: Change) {
    let told = &mut change.told;
    let span = tracing::info_span!("changed", sequence = %told.sequence);
    runtime::telemetry::link_parent(&span, told.traceparent.as_deref());
    let _entered = span.enter();
    told.captured_at = node.captured.at(told.sequence);
    told.traceparent = runtime::telemetry::traceparent().or_else(|| told.traceparent.take());
    node.told.send_replace(Some(change.at));
    metrics::counter!("query_changes_total").increment(1);
    // Nobody may be listening.
    let _listeners = node.changes.send(change);
}

/// The first [`BATCH`] changes after `from` on the way to `to`, the oldest first; none where they
/// can't be told one by one, because the feed no longer reaches back so far or is of another history.
async fn between(
    node: &Node,
    from: FeedPosition,
    to: FeedPosition,
) -> Result<Option<Vec<Change>>, Error> {
    if !from.leads_to(&to) {
        return Ok(None);
    }
    let asked = query!(
        "select sequence, tags, traceparent from read.change
         where sequence > $1 and sequence <= $2 order by sequence limit $3",
        from.sequence().to_i64(),
        to.sequence().to_i64(),
        i64::try_from(BATCH).unwrap_or(i64::MAX),
    );
    let rows = answered(asked.fetch_all(&node.pool)).await?;
    // Looked at after the rows: what was cut before they were read is seen here.
    let asked = query_scalar!("select sequence from read.change_cut");
    let cut = answered(asked.fetch_one(&node.pool)).await?;
    if Sequence::from_i64(cut) > from.sequence() {
        return Ok(None);
    }
    let changes = rows.into_iter().map(|row| {
        let sequence = Sequence::from_i64(row.sequence);
        let told = Changed {
            sequence,
            tags: row.tags.into_iter().collect(),
            traceparent: row.traceparent,
            captured_at: None,
        };
        Change { at: to.at(sequence), told, reset: false }
    });
    Ok(Some(changes.collect()))
}
