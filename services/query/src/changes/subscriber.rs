//! `GET /api/changes`: what one subscriber is told.

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
    feed::{At, FeedEvent, Heartbeat},
};
use event_log::Standing;
use futures::{Stream, StreamExt, stream};
use runtime::problem::Problem;
use tokio::{
    sync::broadcast::{Receiver, error::RecvError},
    time::{Interval, interval},
};

use super::{BATCH, Change, FeedPosition, Look, News, after};
use crate::{Node, error::ApiError};
use search_parameters::Parameters;

/// How often a subscriber is told that the node is there, and how it is.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// How many tags a subscriber may ask for.
const MAX_TAGS: usize = 50;

/// What changes, as it does: server-sent events.
///
/// The first is `hello` for a new subscriber. One that comes back with `Last-Event-ID` is told what it
/// has missed and then `resumed`, or, where that is no longer known, `reset`: to drop all that it
/// holds. Then come `changed`, with the tags of what it touches, `resumed` where the position moves
/// without one, and, in between, signs of life.
#[utoipa::path(
    get,
    path = "/api/changes",
    tag = "site",
    params(
        ("tags" = Option<String>, Query,
            description = "Which changes are told: of these tags, at most 50, separated by commas"),
        ("last-event-id" = Option<String>, Header, description = "The id of the event told last"),
    ),
    responses(
        (status = 200, body = String, content_type = "text/event-stream",
            description = "The events, each with its id and JSON: a `sequence`, and `tags` of a change"),
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

    // Subscribed before the backlog is read, so that nothing falls in between.
    let changes = node.changes.subscribe();
    let begun = begin(&node, last).await?;
    let shutdown = node.shutdown.clone();
    let live = Live { node, changes, ticks: interval(HEARTBEAT), at: begun.at };
    let live = stream::unfold(live, Live::next);
    let events = stream::iter(begun.events)
        .chain(live)
        .filter_map(move |told| {
            let event = told.into_event(&wanted);
            async move { event.map(Ok) }
        })
        .take_until(shutdown.cancelled_owned());
    Ok(Sse::new(events))
}

/// What a subscriber is told.
enum Told {
    Hello(FeedPosition),
    Resumed(FeedPosition),
    Reset(FeedPosition),
    Changed(Change),
    Heartbeat(BTreeMap<String, String>),
}

impl Told {
    /// The event; none where nobody wants it.
    fn into_event(self, wanted: &BTreeSet<String>) -> Option<Event> {
        let event = |kind: FeedEvent| Event::default().event(kind.name());
        let at = |kind, at: FeedPosition| {
            event(kind).id(at.to_string()).json_data(At { sequence: at.sequence() })
        };
        // Plain numbers and strings always become JSON.
        match self {
            Self::Hello(position) => at(FeedEvent::Hello, position),
            Self::Resumed(position) => at(FeedEvent::Resumed, position),
            Self::Reset(position) => at(FeedEvent::Reset, position),
            Self::Changed(change) if wanted.is_empty() || !wanted.is_disjoint(change.tags()) => {
                event(FeedEvent::Changed).id(change.at.to_string()).json_data(&change.told)
            }
            Self::Changed(_) => return None,
            Self::Heartbeat(failing) => {
                event(FeedEvent::Heartbeat).json_data(Heartbeat { failing })
            }
        }
        .ok()
    }
}

/// What a subscriber is told first, and where it stands then.
struct Begun {
    events: Vec<Told>,
    at: FeedPosition,
}

/// Begins for a subscriber that stood at `last`, if anywhere.
async fn begin(node: &Node, last: Option<&str>) -> Result<Begun, ApiError> {
    let at = (*node.told.borrow()).ok_or(ApiError::Behind)?;
    let Some(last) = last else { return Ok(Begun { events: vec![Told::Hello(at)], at }) };
    let missed = match last.parse::<FeedPosition>() {
        // Whatever else does not answer: who stands where this node does has missed nothing.
        Ok(last) if last == at => Some(Vec::new()),
        Ok(last) if is_of_this_log(node, &last) => {
            if at.leads_to(&last) {
                // Another node has told more than this one.
                return Err(ApiError::Behind);
            }
            let Look { now, changes } = after(node, Some(last)).await?;
            if now.sequence() < at.sequence() || now.revision < at.revision {
                // Asked of a server that has not what others were told of.
                return Err(ApiError::Behind);
            }
            // What comes after that is told as it is told to all.
            changes.map(|changes| {
                changes
                    .into_iter()
                    .filter(|it| it.at.sequence() <= at.sequence())
                    .collect::<Vec<_>>()
            })
        }
        // Of another build, or of a log that is no more.
        _ => None,
    };
    let events = match missed {
        Some(missed) if missed.len() < BATCH => {
            missed.into_iter().map(Told::Changed).chain([Told::Resumed(at)]).collect()
        }
        _ => vec![Told::Reset(at)],
    };
    Ok(Begun { events, at })
}

/// Whether what was told up to `position` is part of the log as it is now. A node that has not seen
/// the log yet does not know.
fn is_of_this_log(node: &Node, position: &FeedPosition) -> bool {
    let lineage = node.lineage.borrow();
    let standing = lineage.as_ref().map(|lineage| lineage.standing(position.checkpoint));
    matches!(standing, Some(Standing::After(_)))
}

/// What a stream of changes goes on from.
struct Live {
    node: Node,
    changes: Receiver<News>,
    ticks: Interval,
    /// What was told last.
    at: FeedPosition,
}

impl Live {
    async fn next(mut self) -> Option<(Told, Self)> {
        loop {
            let received = tokio::select! {
                received = self.changes.recv() => received,
                _ = self.ticks.tick() => {
                    let failing = self.node.health.failing();
                    return Some((Told::Heartbeat(failing), self));
                }
            };
            let told = match received {
                Ok(News::Reset(at)) => Told::Reset(at),
                Ok(News::Changed(change)) if change.at.sequence() > self.at.sequence() => {
                    Told::Changed(change)
                }
                Ok(News::Moved(at)) if at.sequence() > self.at.sequence() => Told::Resumed(at),
                Ok(News::Changed(_) | News::Moved(_)) => continue,
                Err(RecvError::Lagged(_)) => {
                    Told::Reset(self.node.told.borrow().unwrap_or(self.at))
                }
                Err(RecvError::Closed) => return None,
            };
            if let Told::Reset(at) | Told::Resumed(at) | Told::Changed(Change { at, .. }) = &told {
                self.at = *at;
            }
            return Some((told, self));
        }
    }
}
