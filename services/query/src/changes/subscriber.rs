//! `GET /api/changes`: the event stream of one subscriber.

use std::{
    collections::{BTreeMap, BTreeSet},
    convert::Infallible,
    time::Duration,
};

use axum::{
    extract::{RawQuery, State},
    http::HeaderMap,
    response::{Sse, sse::Event},
};
use contracts::{
    Tag,
    feed::{FeedEvent, Heartbeat, PositionEvent},
};
use event_log::CheckpointStatus;
use futures::{Stream, StreamExt, stream};
use runtime::problem::Problem;
use tokio::{
    sync::broadcast::{Receiver, error::RecvError},
    time::{Interval, interval},
};

use super::{BATCH, Change, FeedPosition, FeedState, FeedUpdate, read_changes_after};
use crate::{Node, error::ApiError};
use search_parameters::Parameters;

/// How often a subscriber gets a heartbeat, with the failing checks of the node.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// The maximum number of tags in a request.
const MAX_TAGS: usize = 50;

/// Streams changes of the content as server-sent events.
///
/// A new subscriber first receives `hello`. A subscriber that reconnects with `Last-Event-ID`
/// receives the events that it missed and then `resumed`, or, if these are no longer available,
/// `reset`: it has to drop everything that it cached. After that, `changed` reports a change with
/// the tags that it affects, and `resumed` a new position without a change. Heartbeats are sent in
/// between.
#[utoipa::path(
    get,
    path = "/api/changes",
    tag = "site",
    params(
        ("tags" = Option<String>, Query,
            description = "Limits the changes to those that affect one of these tags: at most 50, \
                           separated by commas"),
        ("last-event-id" = Option<String>, Header, description = "The id of the last event received"),
    ),
    responses(
        (status = 200, body = String, content_type = "text/event-stream",
            description = "The events, each with an id and JSON data: `sequence`, and for a change \
                           `tags`"),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 503, body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn stream_changes(
    State(node): State<Node>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let mut parameters = Parameters::parse(query.as_deref());
    let wanted = parameters.text("tags", 4_000).unwrap_or_default();
    let wanted: BTreeSet<String> =
        wanted.split(',').filter(|tag| !tag.is_empty()).map(str::to_owned).collect();
    if wanted.len() > MAX_TAGS || wanted.iter().any(|tag| tag.parse::<Tag>().is_err()) {
        parameters.refuse("tags", format!("at most {MAX_TAGS} tags, separated by commas"));
    }
    parameters.finish()?;
    let last = headers.get("last-event-id").map(|id| id.to_str().unwrap_or_default());

    // Subscribe before the backlog is read, so that no change falls in between.
    let changes = node.changes.subscribe();
    let start = start_stream(&node, last).await?;
    let shutdown = node.shutdown.clone();
    let live = Live { node, changes, ticks: interval(HEARTBEAT), position: start.position };
    let live = stream::unfold(live, Live::next);
    let events = stream::iter(start.events)
        .chain(live)
        .filter_map(move |event| {
            let event = event.into_sse(&wanted);
            async move { event.map(Ok) }
        })
        .take_until(shutdown.cancelled_owned());
    Ok(Sse::new(events))
}

/// An event for one subscriber.
enum SubscriberEvent {
    Hello(FeedPosition),
    Resumed(FeedPosition),
    Reset(FeedPosition),
    Changed(Change),
    Heartbeat(BTreeMap<String, String>),
}

impl SubscriberEvent {
    /// Returns the server-sent event, or none for a change without any of the `wanted` tags.
    fn into_sse(self, wanted: &BTreeSet<String>) -> Option<Event> {
        let event = |kind: FeedEvent| Event::default().event(kind.name());
        let at = |kind, position: FeedPosition| {
            event(kind)
                .id(position.to_string())
                .json_data(PositionEvent { sequence: position.sequence() })
        };
        // Numbers and strings always serialize to JSON.
        match self {
            Self::Hello(position) => at(FeedEvent::Hello, position),
            Self::Resumed(position) => at(FeedEvent::Resumed, position),
            Self::Reset(position) => at(FeedEvent::Reset, position),
            Self::Changed(change) if wanted.is_empty() || !wanted.is_disjoint(change.tags()) => {
                event(FeedEvent::Changed).id(change.position.to_string()).json_data(&change.event)
            }
            Self::Changed(_) => return None,
            Self::Heartbeat(failing) => {
                event(FeedEvent::Heartbeat).json_data(Heartbeat { failing })
            }
        }
        .ok()
    }
}

/// The first events of a stream, and the position of the subscriber after them.
struct Start {
    events: Vec<SubscriberEvent>,
    position: FeedPosition,
}

/// Returns the start of a stream for a subscriber whose last event id was `last`, if it had one.
async fn start_stream(node: &Node, last: Option<&str>) -> Result<Start, ApiError> {
    let position = (*node.announced.borrow()).ok_or(ApiError::Behind)?;
    let Some(last) = last else {
        return Ok(Start { events: vec![SubscriberEvent::Hello(position)], position });
    };
    let missed = match last.parse::<FeedPosition>() {
        // A subscriber at this node's position has missed nothing, which needs neither Postgres nor the log.
        Ok(last) if last == position => Some(Vec::new()),
        Ok(last) if is_of_this_log(node, &last) => {
            if position.leads_to(&last) {
                // Another node has announced more than this one.
                return Err(ApiError::Behind);
            }
            read_missed(node, last, position).await?
        }
        // An id of another build, or of a log that no longer exists.
        _ => None,
    };
    let events = match missed {
        Some(missed) => missed
            .into_iter()
            .map(SubscriberEvent::Changed)
            .chain([SubscriberEvent::Resumed(position)])
            .collect(),
        None => vec![SubscriberEvent::Reset(position)],
    };
    Ok(Start { events, position })
}

/// Returns the changes after `last` up to `position`, oldest first; none if the feed no longer has them
/// all. It has a limited length, and so have they.
async fn read_missed(
    node: &Node,
    last: FeedPosition,
    position: FeedPosition,
) -> Result<Option<Vec<Change>>, ApiError> {
    let (mut missed, mut from) = (Vec::new(), last);
    loop {
        let FeedState { current, changes } = read_changes_after(node, Some(from)).await?;
        if current.sequence() < position.sequence() || current.revision < position.revision {
            // Read from a lagging server, which lacks changes that are already announced.
            return Err(ApiError::Behind);
        }
        let Some(changes) = changes else { return Ok(None) };
        let is_last = changes.len() < BATCH;
        for change in changes {
            if change.position.sequence() > position.sequence() {
                // It and those after it arrive by the broadcast.
                return Ok(Some(missed));
            }
            from = change.position;
            missed.push(change);
        }
        if is_last {
            return Ok(Some(missed));
        }
    }
}

/// Returns whether `position` is part of the history of the current log; false while the node has not
/// seen the log yet.
fn is_of_this_log(node: &Node, position: &FeedPosition) -> bool {
    let lineage = node.lineage.borrow();
    let standing = lineage.as_ref().map(|lineage| lineage.checkpoint_status(position.checkpoint));
    matches!(standing, Some(CheckpointStatus::After(_)))
}

/// The state of a stream after its first events.
struct Live {
    node: Node,
    changes: Receiver<FeedUpdate>,
    ticks: Interval,
    /// The position of the last event sent.
    position: FeedPosition,
}

impl Live {
    async fn next(mut self) -> Option<(SubscriberEvent, Self)> {
        loop {
            let received = tokio::select! {
                received = self.changes.recv() => received,
                _ = self.ticks.tick() => {
                    let failing = self.node.health.failing();
                    return Some((SubscriberEvent::Heartbeat(failing), self));
                }
            };
            let sent = self.position.sequence();
            let event = match received {
                Ok(FeedUpdate::Reset(position)) => SubscriberEvent::Reset(position),
                Ok(FeedUpdate::Changed(change)) if change.position.sequence() > sent => {
                    SubscriberEvent::Changed(change)
                }
                Ok(FeedUpdate::Advanced(position)) if position.sequence() > sent => {
                    SubscriberEvent::Resumed(position)
                }
                Ok(FeedUpdate::Changed(_) | FeedUpdate::Advanced(_)) => continue,
                Err(RecvError::Lagged(_)) => {
                    SubscriberEvent::Reset(self.node.announced.borrow().unwrap_or(self.position))
                }
                Err(RecvError::Closed) => return None,
            };
            if let SubscriberEvent::Reset(position)
            | SubscriberEvent::Resumed(position)
            | SubscriberEvent::Changed(Change { position, .. }) = &event
            {
                self.position = *position;
            }
            return Some((event, self));
        }
    }
}
