//! `GET /api/changes`: forwards the change stream that this process follows to open pages.
//!
//! However many pages are connected, there is one connection to the query service. Recent events are
//! buffered, so that a page receives what it missed since the position it was rendered from, or since
//! its last event (`Last-Event-ID`, a plain position in the log). A page from before the buffer receives
//! `reset`, and has to drop its data.

use std::{
    collections::{BTreeSet, VecDeque},
    convert::Infallible,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::{
    extract::{Request, State},
    response::{
        IntoResponse, Response, Sse,
        sse::{Event, KeepAlive},
    },
};
use contracts::{
    Sequence, Tag,
    feed::{FeedEvent, PositionEvent},
};
use futures::{StreamExt, stream};
use http::{Uri, request::Parts};
use runtime::problem::{FieldError, Problem};
use tokio::sync::{
    OwnedSemaphorePermit, Semaphore,
    broadcast::{self, Receiver, error::RecvError},
};
use tokio_util::sync::CancellationToken;
use url::form_urlencoded;

use crate::{
    calls::proxy_api,
    door::Door,
    limits::{rate::Rate, shares::Share},
};

/// How many recent events are buffered, and how far a subscriber may lag behind.
const MAX_RECENT_EVENTS: usize = 1_024;
/// The interval of keep-alive comments on a stream without events.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// The maximum number of open streams.
const MAX_STREAMS: usize = 5_000;
/// The maximum number of tags that a page may subscribe to.
const MAX_TAGS: usize = 50;

/// Distributes changes to open pages.
#[derive(Debug)]
pub struct ChangeFeed {
    recent: Mutex<Recent>,
    events: broadcast::Sender<Arc<FeedItem>>,
    permits: Arc<Semaphore>,
    shutdown: CancellationToken,
}

#[derive(Debug, Default)]
struct Recent {
    /// The latest events, the oldest first.
    events: VecDeque<Arc<FeedItem>>,
    /// The oldest position that a page can resume from; none before the stream is connected.
    resumable_from: Option<Sequence>,
    /// The position up to which the events are complete.
    position: Option<Sequence>,
}

/// An event that is sent to open pages.
#[derive(Debug)]
struct FeedItem {
    at: Sequence,
    tags: BTreeSet<String>,
    /// The event's JSON as received; none for a reset, where everything may have changed.
    data: Option<String>,
}

impl ChangeFeed {
    /// Creates a feed without a position. Its streams end with `shutdown`.
    pub fn new(shutdown: CancellationToken) -> Self {
        Self {
            recent: Mutex::default(),
            events: broadcast::Sender::new(MAX_RECENT_EVENTS),
            permits: Arc::new(Semaphore::new(MAX_STREAMS)),
            shutdown,
        }
    }

    /// Sends a change of `tags`, whose JSON is `data`.
    pub fn changed(&self, at: Sequence, tags: BTreeSet<String>, data: String) {
        self.send(FeedItem { at, tags, data: Some(data) });
    }

    /// Announces that everything may have changed.
    pub fn reset(&self, at: Sequence) {
        self.send(FeedItem { at, tags: BTreeSet::new(), data: None });
    }

    /// Advances the position to `at`, because nothing else has changed up to there. Nothing is sent to
    /// open pages. A page that is rendered from now on may be at this position.
    pub fn advance(&self, at: Sequence) {
        let mut recent = self.lock();
        recent.position = recent.position.map(|position| position.max(at));
    }

    fn send(&self, item: FeedItem) {
        let item = Arc::new(item);
        let mut recent = self.lock();
        if item.data.is_none() {
            // No page can resume from before this position.
            recent.events.clear();
            recent.resumable_from = Some(item.at);
            recent.position = Some(item.at);
        } else {
            recent.position = recent.position.max(Some(item.at));
            recent.events.push_back(item.clone());
            if recent.events.len() > MAX_RECENT_EVENTS {
                recent.resumable_from = recent.events.pop_front().map(|oldest| oldest.at);
            }
        }
        // Sent under the lock, so that a new subscriber receives each event exactly once. An error means
        // only that there are no subscribers.
        let _no_subscribers = self.events.send(item);
    }

    /// Returns the first messages for a page that was at `last`, and a receiver of later events; none
    /// before the change stream is connected.
    fn subscribe(&self, last: Option<&str>) -> Option<(Vec<Message>, Receiver<Arc<FeedItem>>)> {
        let recent = self.lock();
        let receiver = self.events.subscribe();
        let (oldest, now) = recent.resumable_from.zip(recent.position)?;
        let messages = match last.map(str::parse::<Sequence>) {
            None => vec![Message::Hello(now)],
            Some(Ok(last)) if (oldest..=now).contains(&last) => {
                let missed = recent.events.iter().filter(|item| item.at > last);
                missed.cloned().map(Message::Changed).chain([Message::Resumed(now)]).collect()
            }
            Some(_) => vec![Message::Reset(now)],
        };
        Some((messages, receiver))
    }

    /// Returns the current position; none before the change stream is connected.
    pub fn position(&self) -> Option<Sequence> {
        self.lock().position
    }

    fn lock(&self) -> MutexGuard<'_, Recent> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A message to one page.
enum Message {
    Hello(Sequence),
    Resumed(Sequence),
    Reset(Sequence),
    Changed(Arc<FeedItem>),
}

impl Message {
    /// Converts the message to an event; none if the page has subscribed to none of its tags.
    fn into_event(self, wanted: &BTreeSet<String>) -> Option<Event> {
        let event =
            |kind: FeedEvent, at: Sequence| Event::default().event(kind.name()).id(at.to_string());
        let (kind, sequence) = match self {
            Self::Hello(at) => (FeedEvent::Hello, at),
            Self::Resumed(at) => (FeedEvent::Resumed, at),
            Self::Reset(at) => (FeedEvent::Reset, at),
            Self::Changed(item) => {
                let data = item.data.as_deref()?;
                let is_wanted = wanted.is_empty() || !wanted.is_disjoint(&item.tags);
                return is_wanted.then(|| event(FeedEvent::Changed, item.at).data(data));
            }
        };
        event(kind, sequence).json_data(PositionEvent { sequence }).ok()
    }
}

/// `GET /api/changes`: server-sent events `hello`, `resumed`, `reset` and `changed`.
pub async fn changes(State(door): State<Arc<Door>>, request: Request) -> Response {
    let (request, _body) = request.into_parts();
    let share = door.take(door.visitor(&request), Rate::stream);
    let share = share.map_err(Problem::from);
    let answer = share.and_then(|share| open_stream(&door.changes, &request, share));
    proxy_api::with_security_headers(&door, answer)
}

fn open_stream(feed: &Arc<ChangeFeed>, request: &Parts, share: Share) -> Result<Response, Problem> {
    let wanted = wanted_tags(&request.uri)?;
    let permit = feed.permits.clone().try_acquire_owned();
    let permit =
        permit.map_err(|_| proxy_api::service_unavailable("too many change streams are open"))?;
    let last = request.headers.get("last-event-id").map(|id| id.to_str().unwrap_or_default());
    let (first, receiver) = feed
        .subscribe(last)
        .ok_or_else(|| proxy_api::service_unavailable("the changes are not followed yet"))?;
    let subscription = Subscription { feed: feed.clone(), receiver, _held: (permit, share) };
    let events = stream::iter(first)
        .chain(stream::unfold(subscription, Subscription::next))
        .filter_map(move |message| {
            let event = message.into_event(&wanted);
            async move { event.map(Ok::<_, Infallible>) }
        })
        .take_until(feed.shutdown.clone().cancelled_owned());
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response())
}

/// Parses `?tags=`, separated by commas. Empty if a page subscribes to everything.
fn wanted_tags(uri: &Uri) -> Result<BTreeSet<String>, Problem> {
    let invalid = |name: &str, right: &str| Problem::invalid(vec![FieldError::new(name, right)]);
    let mut tags_parameter: Option<String> = None;
    for (name, value) in form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()) {
        if name != "tags" {
            return Err(invalid(&name, "no such parameter here"));
        }
        if tags_parameter.replace(value.into_owned()).is_some() {
            return Err(invalid("tags", "one value"));
        }
    }
    let tags_parameter = tags_parameter.unwrap_or_default();
    let tags: BTreeSet<String> =
        tags_parameter.split(',').filter(|tag| !tag.is_empty()).map(str::to_owned).collect();
    if tags.len() > MAX_TAGS || tags.iter().any(|tag| tag.parse::<Tag>().is_err()) {
        return Err(invalid("tags", &format!("at most {MAX_TAGS} tags, separated by commas")));
    }
    Ok(tags)
}

/// The live part of a stream: the events after its first messages.
struct Subscription {
    feed: Arc<ChangeFeed>,
    receiver: Receiver<Arc<FeedItem>>,
    _held: (OwnedSemaphorePermit, Share),
}

impl Subscription {
    async fn next(mut self) -> Option<(Message, Self)> {
        let message = match self.receiver.recv().await {
            Ok(item) if item.data.is_none() => Message::Reset(item.at),
            Ok(item) => Message::Changed(item),
            // The page read too slowly, and some of the events it missed are no longer buffered.
            Err(RecvError::Lagged(_)) => {
                self.receiver = self.receiver.resubscribe();
                Message::Reset(self.feed.position()?)
            }
            Err(RecvError::Closed) => return None,
        };
        Some((message, self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(feed: &ChangeFeed, last: Option<&str>) -> Vec<String> {
        let (messages, _receiver) = feed.subscribe(last).expect("it is followed");
        let name = |message| match message {
            Message::Hello(at) => format!("hello {at}"),
            Message::Resumed(at) => format!("resumed {at}"),
            Message::Reset(at) => format!("reset {at}"),
            Message::Changed(item) => format!("changed {}", item.at),
        };
        messages.into_iter().map(name).collect()
    }

    #[test]
    fn a_returning_page_receives_what_it_missed_or_a_reset() {
        let feed = ChangeFeed::new(CancellationToken::new());
        assert!(feed.subscribe(None).is_none(), "nothing is known yet");
        feed.reset(5.into());
        assert_eq!(names(&feed, None), ["hello 5"]);
        for number in 6..=8 {
            feed.changed(
                Sequence::from(number),
                BTreeSet::from(["team".to_owned()]),
                String::new(),
            );
        }
        assert_eq!(names(&feed, None), ["hello 8"]);
        assert_eq!(names(&feed, Some("5")), ["changed 6", "changed 7", "changed 8", "resumed 8"]);
        assert_eq!(names(&feed, Some("7")), ["changed 8", "resumed 8"]);
        assert_eq!(names(&feed, Some("8")), ["resumed 8"]);
        for unknown in ["4", "9", "", "7-x"] {
            assert_eq!(names(&feed, Some(unknown)), ["reset 8"], "{unknown}");
        }
        feed.reset(3.into());
        assert_eq!(names(&feed, Some("8")), ["reset 3"], "that position is of another history");
    }

    #[test]
    fn a_page_at_an_advanced_position_has_missed_nothing() {
        let feed = ChangeFeed::new(CancellationToken::new());
        feed.advance(4.into());
        assert!(feed.subscribe(None).is_none(), "nothing is known yet");
        feed.reset(5.into());
        feed.advance(7.into());
        assert_eq!(names(&feed, Some("7")), ["resumed 7"]);
        feed.changed(8.into(), BTreeSet::new(), String::new());
        feed.advance(9.into());
        assert_eq!(names(&feed, Some("7")), ["changed 8", "resumed 9"]);
        assert_eq!(names(&feed, Some("9")), ["resumed 9"]);
        assert_eq!(names(&feed, Some("10")), ["reset 9"]);
        // The position never goes back.
        feed.advance(8.into());
        assert_eq!(feed.position(), Some(9.into()));
    }

    #[test]
    fn an_invalid_parameter_is_rejected_by_name() {
        let tags = |address| wanted_tags(&Uri::from_static(address));
        for (address, name) in [
            ("/api/changes?tags=team&colour=red", "colour"),
            ("/api/changes?tags=team&tags=site", "tags"),
            ("/api/changes?tags=no%20tag", "tags"),
        ] {
            let invalid = tags(address).expect_err(address);
            assert_eq!(invalid.errors[0].field, name, "{address}");
        }
        let wanted = BTreeSet::from(["site", "team"].map(str::to_owned));
        assert_eq!(tags("/api/changes?tags=team,,site").expect("tags"), wanted);
        assert!(tags("/api/changes").expect("none").is_empty());
    }

    #[test]
    fn recent_events_are_bounded_and_without_gaps() {
        let feed = ChangeFeed::new(CancellationToken::new());
        feed.reset(0.into());
        let last = MAX_RECENT_EVENTS as u64 + 10;
        for number in 1..=last {
            feed.changed(Sequence::from(number), BTreeSet::new(), String::new());
        }
        assert_eq!(feed.lock().events.len(), MAX_RECENT_EVENTS);
        assert_eq!(names(&feed, Some("9")), [format!("reset {last}")]);
        let all = names(&feed, Some("10"));
        assert_eq!((all.len(), all[0].as_str()), (MAX_RECENT_EVENTS + 1, "changed 11"));
    }
}
