//! The stream `VISITOR`: events of visitors, without their content. It holds only ids and kinds, so that
//! erasing a visitor from the database leaves no personal data here.

use std::time::Duration;

use async_nats::{
    HeaderMap, Subscriber,
    jetstream::{
        Context,
        stream::{
            Config, DiscardPolicy, Info, LastRawMessageErrorKind, RetentionPolicy, StorageType,
        },
    },
};
use chrono::{DateTime, Utc};
use futures::StreamExt;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    Error,
    message::{ID, TRACEPARENT},
    timeout::in_time,
};

const STREAM: &str = "VISITOR";
const SUBJECTS: &str = "visitor.>";
/// How long an event is retained: longer than any backup, because visitors who were erased after a backup
/// was made have to be erased again when it is restored.
pub const VISITOR_RETENTION: Duration = Duration::from_hours(400 * 24);
/// The maximum number of events of each kind; beyond it the oldest of that kind are dropped. A limit for
/// all kinds together would let events that anybody can cause, such as requests to sign in, displace who was
/// erased.
pub const MAX_VISITOR_EVENTS: u32 = 1_000_000;

/// An event of a visitor, to be published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitorEvent {
    /// Its unique id; an event that is published twice is stored once.
    pub id: Uuid,
    /// What happened, such as `enquiry.received`.
    pub kind: String,
    /// The id of the row that it happened to.
    pub subject: Uuid,
    /// The trace that it belongs to.
    pub traceparent: Option<String>,
}

/// A retained event of a visitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisitorRecord {
    /// The id of the row that it happened to.
    pub subject: Uuid,
    /// When it happened; `None` if the event's id contains no time.
    pub at: Option<DateTime<Utc>>,
}

/// A subscription to the events as they arrive; each may be lost.
#[derive(Debug)]
pub struct VisitorEvents {
    subscriber: Subscriber,
}

impl VisitorEvents {
    pub(crate) const fn new(subscriber: Subscriber) -> Self {
        Self { subscriber }
    }

    /// Waits for the next event. Returns `None` from then on once the connection is closed. Cancel-safe.
    pub async fn next(&mut self) -> Option<()> {
        self.subscriber.next().await.map(drop)
    }
}

pub(crate) async fn subscribe(client: &async_nats::Client) -> Result<VisitorEvents, Error> {
    let subscriber = in_time("no subscription", client.subscribe(SUBJECTS))
        .await?
        .map_err(Error::unavailable)?;
    Ok(VisitorEvents::new(subscriber))
}

/// Creates the stream on `replicas` servers if it is missing. Updates an existing stream with another
/// number of replicas, unless `replicas` is `None`, or with other limits. Returns since when the stream
/// is complete.
pub(crate) async fn ensure_stream(
    context: &Context,
    replicas: Option<usize>,
) -> Result<DateTime<Utc>, Error> {
    let wanted = config(replicas.unwrap_or(1));
    let stream = in_time("the stream was not created", context.get_or_create_stream(wanted))
        .await?
        .map_err(Error::unavailable)?;
    let info = stream.cached_info();
    let since = complete_since(info);
    let wanted = config(replicas.unwrap_or(info.config.num_replicas));
    if limits(&info.config) == limits(&wanted) {
        return Ok(since);
    }
    in_time("the stream was not changed", Box::pin(context.update_stream(wanted)))
        .await?
        .map_err(Error::unavailable)?;
    Ok(since)
}

/// Returns since when the stream has all events, but for those that outlived their retention: since its
/// creation or, if it was full when its limit was one for all kinds, since its first event.
fn complete_since(info: &Info) -> DateTime<Utc> {
    let state = &info.state;
    let was_full = state.first_sequence > 1 && state.messages >= u64::from(MAX_VISITOR_EVENTS);
    let since = if was_full { state.first_timestamp } else { info.created };
    // A time out of range counts as now.
    DateTime::from_timestamp(since.unix_timestamp(), since.nanosecond()).unwrap_or_else(Utc::now)
}

/// Returns the settings in which another build's stream may differ.
const fn limits(config: &Config) -> (usize, Duration, i64, i64) {
    (config.num_replicas, config.max_age, config.max_messages, config.max_messages_per_subject)
}

pub(crate) async fn publish(context: &Context, event: &VisitorEvent) -> Result<(), Error> {
    let mut headers = HeaderMap::new();
    headers.insert("Nats-Msg-Id", event.id.to_string());
    headers.insert(ID, event.id.to_string());
    headers.insert("ce-type", format!("visitor.{}", event.kind));
    if let Some(traceparent) = &event.traceparent {
        headers.insert(TRACEPARENT, traceparent.as_str());
    }
    let payload = json!({ "kind": event.kind, "subject": event.subject }).to_string();
    let subject = format!("visitor.{}", event.kind);
    let published = async {
        let sent = context.publish_with_headers(subject, headers, payload.into()).await?;
        sent.await
    };
    in_time("no acknowledgement", published).await?.map(drop).map_err(Error::unavailable)
}

/// Returns the retained events of `kind`, the oldest first.
pub(crate) async fn records_of(context: &Context, kind: &str) -> Result<Vec<VisitorRecord>, Error> {
    let name = format!("visitor.{kind}");
    let mut found = Vec::new();
    let stream = in_time("no stream", context.get_stream_no_info(STREAM))
        .await?
        .map_err(Error::unavailable)?;
    let mut from = 1;
    loop {
        let requested = stream.get_first_raw_message_by_subject(&*name, from);
        let message = match in_time("no message", requested).await? {
            Ok(message) => message,
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => {
                return Ok(found);
            }
            Err(error) => return Err(Error::unavailable(error)),
        };
        from = message.sequence + 1;
        let payload: Option<Value> = serde_json::from_slice(&message.payload).ok();
        let subject: Option<Uuid> =
            payload.and_then(|payload| payload.get("subject")?.as_str()?.parse().ok());
        let id = message.headers.get(ID).and_then(|id| id.as_str().parse().ok());
        found.extend(subject.map(|subject| VisitorRecord { subject, at: id.and_then(created_at) }));
    }
}

/// Returns when `id` was created. That is when the row was written; the message may have been published
/// later, when its stream became available.
fn created_at(id: Uuid) -> Option<DateTime<Utc>> {
    let (seconds, nanoseconds) = id.get_timestamp()?.to_unix();
    DateTime::from_timestamp(seconds.try_into().ok()?, nanoseconds)
}

fn config(num_replicas: usize) -> Config {
    Config {
        name: STREAM.to_owned(),
        subjects: vec![SUBJECTS.to_owned()],
        retention: RetentionPolicy::Limits,
        storage: StorageType::File,
        discard: DiscardPolicy::Old,
        max_age: VISITOR_RETENTION,
        max_messages: -1,
        max_messages_per_subject: i64::from(MAX_VISITOR_EVENTS),
        max_message_size: 4 << 10,
        num_replicas,
        ..Config::default()
    }
}
