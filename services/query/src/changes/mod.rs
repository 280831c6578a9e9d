//! The feed of changes: read from the read models, told when the index stands there too.

use std::{collections::BTreeSet, convert::Infallible, time::Duration};

use axum::{
    extract::{RawQuery, State},
    http::HeaderMap,
    response::{
        Sse,
        sse::{Event, KeepAlive},
    },
};
use contracts::{READ_MODEL_VERSION, Sequence, Tag};
use event_log::{EventLog, PROJECTED};
use futures::{Stream, StreamExt, stream};
use runtime::{Check, problem::FieldError};
use serde::Serialize;
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio_util::sync::CancellationToken;

use crate::{Error, Node, error::ApiError, parameters::Parameters};

/// How often the read models are looked at without a hint.
const POLL: Duration = Duration::from_millis(200);
/// How many changes one look takes.
const BATCH: i64 = 500;
/// How many changes a slow subscriber may be behind before it is told to begin anew.
pub(crate) const SUBSCRIBER_QUEUE: usize = 1024;
/// How often a silent stream shows that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// How many tags a subscriber may ask for.
const MOST_TAGS: usize = 50;

/// A change, ready to be told.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Change {
    sequence: Sequence,
    tags: BTreeSet<String>,
    traceparent: Option<String>,
    /// Everything may have changed, not only the tags.
    #[serde(skip)]
    reset: bool,
}

impl Change {
    /// That everything may have changed by `sequence`.
    const fn of_everything(sequence: Sequence) -> Self {
        Self { sequence, tags: BTreeSet::new(), traceparent: None, reset: true }
    }

    /// What the change touches.
    pub const fn tags(&self) -> &BTreeSet<String> {
        &self.tags
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
    let mut revision = None;
    loop {
        if hints.is_none() {
            hints = log.hints(PROJECTED).await.ok();
        }
        match look(&node, &mut revision).await {
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
async fn look(node: &Node, known_revision: &mut Option<i64>) -> Result<(), Error> {
    loop {
        let (position, revision, live): (i64, i64, i32) = sqlx::query_as(
            "select sequence, revision, model_version from read.checkpoint where live",
        )
        .fetch_one(&node.pool)
        .await?;
        if live < READ_MODEL_VERSION {
            return Err(Error::OlderModels { live, ours: READ_MODEL_VERSION });
        }
        let position = Sequence::from_i64(position);
        let told = *node.told.borrow();
        let Some(told) = told.filter(|_| *known_revision == Some(revision)) else {
            // What was before we came is nobody's news; those who resume read it from the table.
            // Where the read models were made anew, everything may be.
            let is_news = told.is_some();
            *known_revision = Some(revision);
            node.reached(position, None);
            if is_news {
                wait_for_index(node, position).await;
                tell(node, Change::of_everything(position));
            }
            node.told.send_replace(Some(position));
            return Ok(());
        };
        if position <= told {
            node.reached(position, Some(&[]));
            return Ok(());
        }
        let changes = since(node, told, position).await?;
        let all = i64::try_from(changes.len()).is_ok_and(|count| count < BATCH);
        node.reached(position, all.then_some(&changes));
        for change in changes {
            wait_for_index(node, change.sequence).await;
            tell(node, change);
        }
        if all {
            node.told.send_replace(Some(position));
            return Ok(());
        }
    }
}

/// The index follows the same log, so it comes; however long it takes, nothing is told before.
async fn wait_for_index(node: &Node, position: Sequence) {
    // Fails only without a sender, and the node holds one.
    let mut indexed = node.indexed.subscribe();
    let _never = indexed.wait_for(|indexed| *indexed >= position).await.is_ok();
}

fn tell(node: &Node, change: Change) {
    let span = tracing::info_span!("changed", sequence = %change.sequence);
    runtime::telemetry::link_parent(&span, change.traceparent.as_deref());
    let _entered = span.enter();
    let traceparent = runtime::telemetry::traceparent().or_else(|| change.traceparent.clone());
    node.told.send_replace(Some(change.sequence));
    metrics::counter!("query_changes_total").increment(1);
    // Nobody may be listening.
    let _listeners = node.changes.send(Change { traceparent, ..change });
}

/// The changes after `from` and up to `to`, the oldest first.
async fn since(node: &Node, from: Sequence, to: Sequence) -> Result<Vec<Change>, Error> {
    let rows: Vec<(i64, Vec<String>, Option<String>)> = sqlx::query_as(
        "select sequence, tags, traceparent from read.change
         where sequence > $1 and sequence <= $2 order by sequence limit $3",
    )
    .bind(from.to_i64())
    .bind(to.to_i64())
    .bind(BATCH)
    .fetch_all(&node.pool)
    .await?;
    let change = |(sequence, tags, traceparent): (i64, Vec<String>, _)| Change {
        sequence: Sequence::from_i64(sequence),
        tags: tags.into_iter().collect(),
        traceparent,
        reset: false,
    };
    Ok(rows.into_iter().map(change).collect())
}

/// `GET /api/changes`: server-sent events `hello`, `changed`, `reset`.
///
/// Each carries the position as its id; a client that comes back with `Last-Event-ID` is told what
/// it has missed, or, where that is no longer known, to drop all that it holds.
pub(crate) async fn stream_changes(
    State(node): State<Node>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let mut parameters = Parameters::parse(query.as_deref());
    let wanted = parameters.text("tags", 4_000).unwrap_or_default();
    let wanted: BTreeSet<String> =
        wanted.split(',').filter(|tag| !tag.is_empty()).map(str::to_owned).collect();
    if wanted.len() > MOST_TAGS || wanted.iter().any(|tag| tag.parse::<Tag>().is_err()) {
        parameters.refuse("tags", format!("at most {MOST_TAGS} tags, separated by commas"));
    }
    parameters.finish()?;
    let last = match headers.get("last-event-id") {
        None => None,
        Some(value) => {
            Some(value.to_str().ok().and_then(|id| id.parse().ok()).ok_or_else(|| {
                ApiError::Invalid(vec![FieldError::new("last-event-id", "a position, a number")])
            })?)
        }
    };

    // Subscribed before the backlog is read, so that nothing falls in between.
    let receiver = node.changes.subscribe();
    let begun = begin(&node, last).await?;
    let shutdown = node.shutdown.clone();
    let live = stream::unfold((node, receiver, begun.upto), next_live);
    let events = stream::iter(begun.events)
        .chain(live)
        .filter_map(move |told| {
            let event = told.into_event(&wanted);
            async move { event.map(Ok) }
        })
        .take_until(shutdown.cancelled_owned());
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT)))
}

/// What a subscriber is told.
enum Told {
    Hello(Sequence),
    Changed(Change),
    Reset(Sequence),
}

#[derive(Serialize)]
struct At {
    sequence: Sequence,
}

impl Told {
    const fn sequence(&self) -> Sequence {
        match self {
            Self::Hello(sequence) | Self::Reset(sequence) => *sequence,
            Self::Changed(change) => change.sequence,
        }
    }

    /// The event; none where nobody wants it.
    fn into_event(self, wanted: &BTreeSet<String>) -> Option<Event> {
        let (name, sequence, event) = match self {
            Self::Hello(sequence) => {
                ("hello", sequence, Event::default().json_data(At { sequence }))
            }
            Self::Reset(sequence) => {
                ("reset", sequence, Event::default().json_data(At { sequence }))
            }
            Self::Changed(change) => {
                if !wanted.is_empty() && wanted.is_disjoint(&change.tags) {
                    return None;
                }
                ("changed", change.sequence, Event::default().json_data(&change))
            }
        };
        // Plain numbers and strings always become JSON.
        Some(event.ok()?.event(name).id(sequence.to_string()))
    }
}

struct Begun {
    events: Vec<Told>,
    upto: Sequence,
}

/// What a subscriber is told first.
async fn begin(node: &Node, last: Option<Sequence>) -> Result<Begun, ApiError> {
    let upto = (*node.told.borrow()).ok_or(ApiError::Behind)?;
    let Some(last) = last else { return Ok(Begun { events: vec![Told::Hello(upto)], upto }) };
    let oldest: Option<i64> =
        sqlx::query_scalar("select min(sequence) from read.change").fetch_one(&node.pool).await?;
    let reaches_back = oldest.is_some_and(|oldest| last >= Sequence::from_i64(oldest));
    if last > upto || (last < upto && !reaches_back) {
        return Ok(Begun { events: vec![Told::Reset(upto)], upto });
    }
    let missed = since(node, last, upto).await?;
    if i64::try_from(missed.len()).is_ok_and(|count| count >= BATCH) {
        return Ok(Begun { events: vec![Told::Reset(upto)], upto });
    }
    // Last, so that the subscriber's own position is ours even where nothing it wants has changed.
    let events = missed.into_iter().map(Told::Changed).chain([Told::Hello(upto)]).collect();
    Ok(Begun { events, upto })
}

/// What a stream of changes goes on from: the node, its changes, and what was told last.
type Live = (Node, Receiver<Change>, Sequence);

/// The next live change after the last one told.
async fn next_live((node, mut receiver, last): Live) -> Option<(Told, Live)> {
    loop {
        let told = match receiver.recv().await {
            Ok(change) if change.reset => Told::Reset(change.sequence.max(last)),
            Ok(change) if change.sequence > last => Told::Changed(change),
            Ok(_) => continue,
            Err(RecvError::Lagged(_)) => Told::Reset(node.told.borrow().unwrap_or(last)),
            Err(RecvError::Closed) => return None,
        };
        let sequence = told.sequence();
        return Some((told, (node, receiver, sequence)));
    }
}
