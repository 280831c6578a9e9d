//! The stream `VISITOR`: that something of a visitor's happened, never what. Ids and kinds alone, so
//! that who is forgotten in the database is forgotten here too.

use std::time::Duration;

use async_nats::{
    HeaderMap, Subscriber,
    jetstream::{
        Context,
        stream::{Config, DiscardPolicy, LastRawMessageErrorKind, RetentionPolicy, StorageType},
    },
};
use chrono::{DateTime, Utc};
use futures::StreamExt;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    Error,
    limits::in_time,
    message::{ID, TRACEPARENT},
};

const STREAM: &str = "VISITOR";
const SUBJECTS: &str = "visitor.>";
/// For how long an event stays: longer than any backup is kept, for whoever was erased after one was
/// made is erased again when it is restored.
pub const VISITOR_MEMORY: Duration = Duration::from_hours(400 * 24);
/// The most events; the oldest go.
const MOST: i64 = 1_000_000;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitorEvent {
    /// Of its own; published twice, it is one.
    pub id: Uuid,
    /// What happened, such as `enquiry.received`.
    pub kind: String,
    /// The row that it happened to.
    pub subject: Uuid,
    /// The trace that it is part of.
    pub traceparent: Option<String>,
}

/// That something happened, as the stream remembers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisitorRecord {
    /// The row that it happened to.
    pub subject: Uuid,
    /// When; none of an event whose id does not say so.
    pub at: Option<DateTime<Utc>>,
}

/// Events as they arrive; each may be lost.
#[derive(Debug)]
pub struct VisitorEvents {
    subscriber: Subscriber,
}

impl VisitorEvents {
    pub(crate) const fn new(subscriber: Subscriber) -> Self {
        Self { subscriber }
    }

    /// Waits for the next; none for good when the connection is closed. Safe to be cancelled.
    pub async fn next(&mut self) -> Option<()> {
        self.subscriber.next().await.map(drop)
    }
}

pub(crate) async fn subscribe(client: &async_nats::Client) -> Result<VisitorEvents, Error> {
    let subscriber = in_time("no subscription", client.subscribe(SUBJECTS))
        .await?
        .map_err(|error| Error::unavailable(&error))?;
    Ok(VisitorEvents::new(subscriber))
}

/// Makes the stream where there is none, on `replicas` servers; one that is on more or fewer is moved,
/// unless nobody said on how many, and one that was given another age remembers for as long as ours.
/// Gives when it was made.
pub(crate) async fn make_stream(
    context: &Context,
    replicas: Option<usize>,
) -> Result<DateTime<Utc>, Error> {
    let wanted = config(replicas.unwrap_or(1));
    let stream = in_time("no stream was made", context.get_or_create_stream(wanted))
        .await?
        .map_err(|error| Error::unavailable(&error))?;
    let found = stream.cached_info();
    let made = (found.created.unix_timestamp(), found.created.nanosecond());
    // One of a time that nobody can write is as good as new.
    let made = DateTime::from_timestamp(made.0, made.1).unwrap_or_else(Utc::now);
    let found = &found.config;
    let replicas = replicas.unwrap_or(found.num_replicas);
    if (found.num_replicas, found.max_age) == (replicas, VISITOR_MEMORY) {
        return Ok(made);
    }
    in_time("the stream was not changed", Box::pin(context.update_stream(config(replicas))))
        .await?
        .map_err(|error| Error::unavailable(&error))?;
    Ok(made)
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
    in_time("no acknowledgement", published)
        .await?
        .map(drop)
        .map_err(|error| Error::unavailable(&error))
}

/// What happened of `kind`, the oldest first.
pub(crate) async fn records_of(context: &Context, kind: &str) -> Result<Vec<VisitorRecord>, Error> {
    let name = format!("visitor.{kind}");
    let mut found = Vec::new();
    let stream = in_time("no stream", context.get_stream_no_info(STREAM))
        .await?
        .map_err(|error| Error::unavailable(&error))?;
    let mut from = 1;
    loop {
        let asked = stream.get_first_raw_message_by_subject(&*name, from);
        let message = match in_time("no message", asked).await? {
            Ok(message) => message,
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => {
                return Ok(found);
            }
            Err(error) => return Err(Error::unavailable(&error)),
        };
        from = message.sequence + 1;
        let told: Option<Value> = serde_json::from_slice(&message.payload).ok();
        let subject: Option<Uuid> =
            told.and_then(|told| told.get("subject")?.as_str()?.parse().ok());
        let id = message.headers.get(ID).and_then(|id| id.as_str().parse().ok());
        found.extend(subject.map(|subject| VisitorRecord { subject, at: id.and_then(made_at) }));
    }
}

/// When `id` was made: with the row, while the message may have waited for its stream.
fn made_at(id: Uuid) -> Option<DateTime<Utc>> {
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
        max_age: VISITOR_MEMORY,
        max_messages: MOST,
        max_message_size: 4 << 10,
        num_replicas,
        ..Config::default()
    }
}
