//! `GET /api/changes`: the one feed that this process follows, handed on to open pages.
//!
//! However many pages listen, the query service is asked once. What was told lately is kept, so that
//! a page is told what it has missed since the position that it was made from, or that it heard of
//! last: `Last-Event-ID`, a plain position of the log. One that is older is told to drop what it
//! holds (`reset`).

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
    feed::{At, FeedEvent},
};
use futures::{StreamExt, stream};
use http::{Method, Uri, request::Parts};
use runtime::problem::{FieldError, Problem};
use tokio::sync::{
    OwnedSemaphorePermit, Semaphore,
    broadcast::{self, Receiver, error::RecvError},
};
use tokio_util::sync::CancellationToken;
use url::form_urlencoded;

use crate::{door::Door, proxy_api, shares::Share};

/// How many events are kept for those who come back, and how far one may be behind.
const KEPT: usize = 1_024;
/// How often a silent stream shows that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// The most open streams.
const MAX_STREAMS: usize = 5_000;
/// How many tags a page may listen for.
const MAX_TAGS: usize = 50;

/// What open pages are told.
#[derive(Debug)]
pub struct ChangeFeed {
    recent: Mutex<Recent>,
    events: broadcast::Sender<Arc<Told>>,
    places: Arc<Semaphore>,
    shutdown: CancellationToken,
}

#[derive(Debug, Default)]
struct Recent {
    /// The latest, the oldest first.
    events: VecDeque<Arc<Told>>,
    /// The position before the first of them; none before the feed is followed.
    before: Option<Sequence>,
    /// Up to where they are all that changed.
    now: Option<Sequence>,
}

/// A change as it was told.
#[derive(Debug)]
struct Told {
    at: Sequence,
    tags: BTreeSet<String>,
    /// The event's JSON as it came; none where everything may have changed.
    data: Option<String>,
}

impl ChangeFeed {
    /// A feed that nothing was heard of yet; its streams end with `shutdown`.
    pub fn new(shutdown: CancellationToken) -> Self {
        Self {
            recent: Mutex::default(),
            events: broadcast::Sender::new(KEPT),
            places: Arc::new(Semaphore::new(MAX_STREAMS)),
            shutdown,
        }
    }

    /// Tells of a change of `tags`, by the event `data`.
    pub fn changed(&self, at: Sequence, tags: BTreeSet<String>, data: String) {
        self.tell(Told { at, tags, data: Some(data) });
    }

    /// Tells that everything may have changed.
    pub fn reset(&self, at: Sequence) {
        self.tell(Told { at, tags: BTreeSet::new(), data: None });
    }

    /// Notes that nothing else has changed up to `at`. Open pages need not hear of it: one that is made
    /// from now on may stand there.
    pub fn moved(&self, at: Sequence) {
        let mut recent = self.lock();
        recent.now = recent.now.map(|now| now.max(at));
    }

    fn tell(&self, told: Told) {
        let told = Arc::new(told);
        let mut recent = self.lock();
        if told.data.is_none() {
            // Nobody can go on from before this.
            recent.events.clear();
            recent.before = Some(told.at);
            recent.now = Some(told.at);
        } else {
            recent.now = recent.now.max(Some(told.at));
            recent.events.push_back(told.clone());
            if recent.events.len() > KEPT {
                recent.before = recent.events.pop_front().map(|oldest| oldest.at);
            }
        }
        // Under the lock, so that whoever begins is told each event once. Nobody may be listening.
        let _listeners = self.events.send(told);
    }

    /// What a page is told first that stood at `last`, and what comes then; none while the feed is
    /// not followed yet.
    fn begin(&self, last: Option<&str>) -> Option<(Vec<Message>, Receiver<Arc<Told>>)> {
        let recent = self.lock();
        let receiver = self.events.subscribe();
        let (before, now) = recent.before.zip(recent.now)?;
        let messages = match last.map(str::parse::<Sequence>) {
            None => vec![Message::Hello(now)],
            Some(Ok(last)) if (before..=now).contains(&last) => {
                let missed = recent.events.iter().filter(|told| told.at > last);
                missed.cloned().map(Message::Changed).chain([Message::Resumed(now)]).collect()
            }
            Some(_) => vec![Message::Reset(now)],
        };
        Some((messages, receiver))
    }

    /// Where the feed stands now; none before it is followed.
    pub fn now(&self) -> Option<Sequence> {
        self.lock().now
    }

    fn lock(&self) -> MutexGuard<'_, Recent> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one page is told.
enum Message {
    Hello(Sequence),
    Resumed(Sequence),
    Reset(Sequence),
    Changed(Arc<Told>),
}

impl Message {
    /// The event; none where the page does not listen for any of its tags.
    fn into_event(self, wanted: &BTreeSet<String>) -> Option<Event> {
        let event =
            |kind: FeedEvent, at: Sequence| Event::default().event(kind.name()).id(at.to_string());
        let (kind, sequence) = match self {
            Self::Hello(at) => (FeedEvent::Hello, at),
            Self::Resumed(at) => (FeedEvent::Resumed, at),
            Self::Reset(at) => (FeedEvent::Reset, at),
            Self::Changed(told) => {
                let data = told.data.as_deref()?;
                let is_wanted = wanted.is_empty() || !wanted.is_disjoint(&told.tags);
                return is_wanted.then(|| event(FeedEvent::Changed, told.at).data(data));
            }
        };
        event(kind, sequence).json_data(At { sequence }).ok()
    }
}

/// `GET /api/changes`: server-sent events `hello`, `resumed`, `reset` and `changed`.
pub async fn changes(State(door): State<Arc<Door>>, request: Request) -> Response {
    let (request, _body) = request.into_parts();
    let visitor = door.rate.address_of(&request.headers, &request.extensions);
    let share = door.rate.stream(visitor).filter(|_| door.rate.allows(visitor));
    let answer = if let Some(share) = share {
        stream_to(&door.changes, &request, share)
    } else {
        door.counters.limited.increment(1);
        Err(proxy_api::too_many())
    };
    proxy_api::secured(&door, answer)
}

fn stream_to(feed: &Arc<ChangeFeed>, request: &Parts, share: Share) -> Result<Response, Problem> {
    if request.method != Method::GET {
        return Err(Problem::method_not_allowed("GET"));
    }
    let wanted = wanted_tags(&request.uri)?;
    let place = feed.places.clone().try_acquire_owned();
    let place = place.map_err(|_| proxy_api::away("too many change streams are open"))?;
    let last = request.headers.get("last-event-id").map(|id| id.to_str().unwrap_or_default());
    let (first, receiver) =
        feed.begin(last).ok_or_else(|| proxy_api::away("the changes are not followed yet"))?;
    let live = Live { feed: feed.clone(), receiver, _held: (place, share) };
    let events = stream::iter(first)
        .chain(stream::unfold(live, Live::next))
        .filter_map(move |message| {
            let event = message.into_event(&wanted);
            async move { event.map(Ok::<_, Infallible>) }
        })
        .take_until(feed.shutdown.clone().cancelled_owned());
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response())
}

/// The tags of `?tags=`, separated by commas; empty where a page listens for everything.
fn wanted_tags(uri: &Uri) -> Result<BTreeSet<String>, Problem> {
    let refused = |name: &str, right: &str| Problem::invalid(vec![FieldError::new(name, right)]);
    let mut asked: Option<String> = None;
    for (name, value) in form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()) {
        if name != "tags" {
            return Err(refused(&name, "no such parameter here"));
        }
        if asked.replace(value.into_owned()).is_some() {
            return Err(refused("tags", "one value"));
        }
    }
    let asked = asked.unwrap_or_default();
    let tags: BTreeSet<String> =
        asked.split(',').filter(|tag| !tag.is_empty()).map(str::to_owned).collect();
    if tags.len() > MAX_TAGS || tags.iter().any(|tag| tag.parse::<Tag>().is_err()) {
        return Err(refused("tags", &format!("at most {MAX_TAGS} tags, separated by commas")));
    }
    Ok(tags)
}

/// What a stream goes on from.
struct Live {
    feed: Arc<ChangeFeed>,
    receiver: Receiver<Arc<Told>>,
    _held: (OwnedSemaphorePermit, Share),
}

impl Live {
    async fn next(mut self) -> Option<(Message, Self)> {
        let message = match self.receiver.recv().await {
            Ok(told) if told.data.is_none() => Message::Reset(told.at),
            Ok(told) => Message::Changed(told),
            // It read too slowly, and some of what it missed is no longer there.
            Err(RecvError::Lagged(_)) => {
                self.receiver = self.receiver.resubscribe();
                Message::Reset(self.feed.now()?)
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
        let (messages, _receiver) = feed.begin(last).expect("it is followed");
        let name = |message| match message {
            Message::Hello(at) => format!("hello {at}"),
            Message::Resumed(at) => format!("resumed {at}"),
            Message::Reset(at) => format!("reset {at}"),
            Message::Changed(told) => format!("changed {}", told.at),
        };
        messages.into_iter().map(name).collect()
    }

    #[test]
    fn who_comes_back_is_told_what_was_missed_or_to_begin_anew() {
        let feed = ChangeFeed::new(CancellationToken::new());
        assert!(feed.begin(None).is_none(), "nothing is known yet");
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
        assert_eq!(names(&feed, Some("8")), ["reset 3"], "that was another history");
    }

    #[test]
    fn who_stands_where_nothing_changed_has_missed_nothing() {
        let feed = ChangeFeed::new(CancellationToken::new());
        feed.moved(4.into());
        assert!(feed.begin(None).is_none(), "nothing is known yet");
        feed.reset(5.into());
        feed.moved(7.into());
        assert_eq!(names(&feed, Some("7")), ["resumed 7"]);
        feed.changed(8.into(), BTreeSet::new(), String::new());
        feed.moved(9.into());
        assert_eq!(names(&feed, Some("7")), ["changed 8", "resumed 9"]);
        assert_eq!(names(&feed, Some("9")), ["resumed 9"]);
        assert_eq!(names(&feed, Some("10")), ["reset 9"]);
        // It never goes back.
        feed.moved(8.into());
        assert_eq!(feed.now(), Some(9.into()));
    }

    #[test]
    fn what_is_not_read_is_refused_by_name() {
        let tags = |address| wanted_tags(&Uri::from_static(address));
        for (address, name) in [
            ("/api/changes?tags=team&colour=red", "colour"),
            ("/api/changes?tags=team&tags=site", "tags"),
            ("/api/changes?tags=no%20tag", "tags"),
        ] {
            let refused = tags(address).expect_err(address);
            assert_eq!(refused.errors[0].field, name, "{address}");
        }
        let wanted = BTreeSet::from(["site", "team"].map(str::to_owned));
        assert_eq!(tags("/api/changes?tags=team,,site").expect("tags"), wanted);
        assert!(tags("/api/changes").expect("none").is_empty());
    }

    #[test]
    fn what_is_kept_is_bounded_and_still_whole() {
        let feed = ChangeFeed::new(CancellationToken::new());
        feed.reset(0.into());
        let last = KEPT as u64 + 10;
        for number in 1..=last {
            feed.changed(Sequence::from(number), BTreeSet::new(), String::new());
        }
        assert_eq!(feed.lock().events.len(), KEPT);
        assert_eq!(names(&feed, Some("9")), [format!("reset {last}")]);
        let all = names(&feed, Some("10"));
        assert_eq!((all.len(), all[0].as_str()), (KEPT + 1, "changed 11"));
    }
}
