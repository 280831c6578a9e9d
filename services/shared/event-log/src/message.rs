//! Converts events to NATS messages and back.

use async_nats::{
    HeaderMap,
    jetstream::{Message, message::PublishMessage},
};
use chrono::SecondsFormat;
use contracts::{Epoch, Event, RecordedChange, SCHEMA_VERSION, Sequence};
use uuid::Uuid;

use crate::{Error, Lineage, stream::STREAM};

pub(crate) const TRACEPARENT: &str = "traceparent";
pub(crate) const ID: &str = "ce-id";
const EPOCH: &str = "almijara-epoch";
const SOURCE: &str = "urn:almijara:sync";

/// An event to be published.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// The event.
    pub event: Event<RecordedChange>,
    /// The trace that it belongs to.
    pub traceparent: Option<String>,
}

/// A message that was read from the log.
#[derive(Debug)]
pub struct Delivered {
    /// Its position.
    pub sequence: Sequence,
    /// Its event, or the raw message if that can't be parsed.
    pub event: Result<Event, Poison>,
    /// The trace that it belongs to.
    pub traceparent: Option<String>,
}

/// A message that this build can't parse.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the message on {subject} can't be read: {reason}")]
pub struct Poison {
    /// Its subject.
    pub subject: String,
    /// Its raw body.
    pub body: Vec<u8>,
    /// Why it can't be parsed.
    pub reason: String,
}

/// The last message that the stream must have for a new one to be accepted. A publisher that does not
/// know the stream's last message can't write to it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ExpectedLast {
    /// The message with this sequence; 0 for an empty stream.
    Sequence(u64),
    /// The message of this event. A message that is still in flight can't be identified by its expected
    /// sequence, because another writer's message may take that sequence.
    Event(Uuid),
}

/// Returns `outgoing` as a message of `epoch`, which the stream accepts only if its last message is
/// `expected_last`.
pub(crate) fn to_message(
    outgoing: &Outgoing,
    epoch: Epoch,
    expected_last: ExpectedLast,
) -> Result<PublishMessage, Error> {
    let Outgoing { event, traceparent } = outgoing;
    let mut headers = HeaderMap::new();
    headers.insert("ce-specversion", "1.0");
    headers.insert(ID, event.id.to_string());
    headers.insert("ce-type", event.kind());
    headers.insert("ce-source", SOURCE);
    headers.insert("ce-subject", event.aggregate.to_string());
    headers.insert("ce-time", event.captured_at.to_rfc3339_opts(SecondsFormat::Micros, true));
    headers.insert("ce-dataschema", format!("urn:almijara:event:{}", event.schema_version));
    headers.insert("almijara-version", event.version.to_string());
    headers.insert(EPOCH, epoch.to_string());
    if let Some(traceparent) = traceparent {
        headers.insert(TRACEPARENT, traceparent.as_str());
    }
    let message = PublishMessage::build()
        .payload(serde_json::to_vec(event)?.into())
        .headers(headers)
        .expected_stream(STREAM)
        .message_id(event.id.to_string());
    Ok(match expected_last {
        ExpectedLast::Sequence(last) => message.expected_last_sequence(last),
        ExpectedLast::Event(last) => message.expected_last_message_id(last.to_string()),
    })
}

/// Returns the event id and the epoch in `headers`; `None` if no [`Publisher`](crate::Publisher) wrote them.
pub(crate) fn id_and_epoch(headers: &HeaderMap) -> Option<(Uuid, Epoch)> {
    let id = headers.get(ID)?.as_str().parse().ok()?;
    Some((id, epoch(headers)?))
}

fn epoch(headers: &HeaderMap) -> Option<Epoch> {
    headers.get(EPOCH)?.as_str().parse().ok().map(Epoch)
}

/// Converts the message at `sequence` of the stream.
pub(crate) fn from_message(message: &Message, sequence: u64, lineage: &Lineage) -> Delivered {
    let headers = message.headers.as_ref();
    let epoch = headers.and_then(epoch).unwrap_or_else(|| lineage.epoch_of(sequence));
    let traceparent =
        headers.and_then(|headers| headers.get(TRACEPARENT)).map(|value| value.as_str().to_owned());
    Delivered { sequence: Sequence::new(epoch, sequence), event: parse(message), traceparent }
}

fn parse(message: &Message) -> Result<Event, Poison> {
    let poison = |reason: String| Poison {
        subject: message.subject.to_string(),
        body: message.payload.to_vec(),
        reason,
    };
    let event: Event =
        serde_json::from_slice(&message.payload).map_err(|error| poison(error.to_string()))?;
    if event.schema_version > SCHEMA_VERSION {
        return Err(poison(format!(
            "its schema version is {}, and this build reads up to {SCHEMA_VERSION}",
            event.schema_version
        )));
    }
    Ok(event)
}
