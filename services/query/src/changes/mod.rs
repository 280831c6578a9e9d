//! The feed of changes: read from the read models, told when the index stands there too.

mod laggard;
mod position;
pub(crate) mod subscriber;

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use contracts::{Checkpoint, LedgerId, READ_MODEL_VERSION, Sequence, feed::Changed};
use event_log::{EventLog, PROJECTED};
use runtime::{Check, postgres::answered};
use sqlx::query;
use tokio_util::sync::CancellationToken;

use self::laggard::Laggard;
pub(crate) use self::position::FeedPosition;
use crate::{Error, Node, endpoints::COUNTS_FOR};

/// How often the read models are looked at without a hint.
const POLL: Duration = Duration::from_millis(200);
/// How many changes one look takes.
const BATCH: usize = 500;
/// How many changes a slow subscriber may be behind before it is told to begin anew.
pub(crate) const SUBSCRIBER_QUEUE: usize = 1024;

/// What those who follow the feed are told.
#[derive(Clone, Debug)]
pub(crate) enum News {
    Changed(Change),
    /// The read models have come here, by messages that changed nothing.
    Moved(FeedPosition),
    /// Everything may have changed by here.
    Reset(FeedPosition),
}

/// A change, ready to be told.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    at: FeedPosition,
    told: Changed,
}

impl Change {
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
    let mut laggard = Laggard::default();
    loop {
        if hints.is_none() {
            hints = log.hints(PROJECTED).await.ok();
        }
        match look(&node, &mut laggard).await {
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
async fn look(node: &Node, laggard: &mut Laggard) -> Result<(), Error> {
    loop {
        let told = *node.told.borrow();
        let looked_at = Instant::now();
        let Look { now, changes } = after(node, told).await?;
        let position = now.sequence();
        let Some(told) = told else {
            // What was before we came is nobody's news; those who resume read it from the table.
            node.reached(looked_at, position, None);
            node.told.send_replace(Some(now));
            return Ok(());
        };
        if (now != told && now.leads_to(&told)) || laggard.is_seen(&now, &told) {
            // Of the servers that the address leads to, this one is behind. What it will have was told.
            return Ok(());
        }
        let laggard_has_come = laggard.has_come();
        if now == told && !laggard_has_come {
            node.reached(looked_at, position, Some(&[]));
            return Ok(());
        }
        let Some(changes) = changes.filter(|_| !laggard_has_come) else {
            *laggard = Laggard::default();
            node.reached(looked_at, position, None);
            // Whoever is told renews all that it holds, by whichever node it asks, and rows may have
            // changed at one position: by then no node gives what it kept from before.
            tokio::time::sleep(COUNTS_FOR).await;
            wait_for_index(node, position).await;
            metrics::counter!("query_changes_total").increment(1);
            send(node, now, News::Reset(now));
            // What is rendered anew now is to be kept: that takes a look which is not as old as the wait.
            continue;
        };
        let all = changes.len() < BATCH;
        node.reached(looked_at, position, all.then_some(&changes));
        for change in changes {
            wait_for_index(node, change.told.sequence).await;
            tell(node, change);
        }
        if all {
            let is_told = *node.told.borrow() == Some(now);
            if !is_told {
                wait_for_index(node, position).await;
                send(node, now, News::Moved(now));
            }
            return Ok(());
        }
    }
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
    metrics::counter!("query_changes_total").increment(1);
    send(node, change.at, News::Changed(change));
}

/// Has all who follow hear `news`, after which they stand at `at`.
fn send(node: &Node, at: FeedPosition, news: News) {
    node.told.send_replace(Some(at));
    // Nobody may be listening.
    let _listeners = node.changes.send(news);
}

/// The read models at one moment, and what led there.
struct Look {
    now: FeedPosition,
    /// The first [`BATCH`] changes since a position, the oldest first; none where they can't be told one
    /// by one, because the feed no longer reaches back so far or is of another history.
    changes: Option<Vec<Change>>,
}

/// Where the read models stand, and what has changed after `from`. It is asked in one statement: an
/// address may lead to several servers, and of two statements one could meet a server that is behind,
/// so that a position would be told without its changes.
async fn after(node: &Node, from: Option<FeedPosition>) -> Result<Look, Error> {
    runtime::failpoint("query.look").map_err(sqlx::Error::from)?;
    let asked = query!(
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
    let rows = answered(asked.fetch_all(&node.pool)).await?;
    let first = rows.first().ok_or(sqlx::Error::RowNotFound)?;
    if first.model_version < READ_MODEL_VERSION {
        return Err(Error::OlderModels { live: first.model_version, ours: READ_MODEL_VERSION });
    }
    let sequence = Sequence::from_i64(first.sequence);
    let checkpoint = Checkpoint { sequence, ledger: first.ledger.map(LedgerId) };
    let now = FeedPosition { revision: first.revision, checkpoint };
    let cut = Sequence::from_i64(first.cut);
    let is_known = from.is_some_and(|from| from.leads_to(&now) && cut <= from.sequence());
    let changes = rows.into_iter().filter_map(|row| {
        let sequence = Sequence::from_i64(row.changed?);
        let told = Changed {
            sequence,
            tags: row.tags?.into_iter().collect(),
            traceparent: row.traceparent,
            captured_at: None,
        };
        Some(Change { at: now.at(sequence), told })
    });
    Ok(Look { now, changes: is_known.then(|| changes.collect()) })
}
