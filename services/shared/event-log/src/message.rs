//! Events as messages, there and back.

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

/// An event on its way to the log.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// What it says.
    pub event: Event<RecordedChange>,
    /// The trace that it is part of.
    pub traceparent: Option<String>,
}

/// One message of the log.
#[derive(Debug)]
pub struct Delivered {
    /// Where it stands.
    pub sequence: Sequence,
    /// What it says, or what of it can't be read.
    pub event: Result<Event, Poison>,
    /// The trace that it is part of.
    pub traceparent: Option<String>,
}

/// A message that this build can't read.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the message on {subject} can't be read: {reason}")]
pub struct Poison {
    /// Its subject.
    pub subject: String,
    /// Its body as it is.
    pub body: Vec<u8>,
    /// Why.
    pub reason: String,
}

/// What the last message of the stream has to be for the next one to be taken: whoever does not know
/// what stands there may not write there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Behind {
    /// The one with this sequence; 0 where there is none yet.
    Sequence(u64),
    /// That of this event. A sequence would not do for one that is still on its way: another writer's
    /// message may take it.
    Event(Uuid),
}

/// `outgoing` as a message of `epoch` that is taken only `behind` that message.
pub(crate) fn to_message(
    outgoing: &Outgoing,
    epoch: Epoch,
    behind: Behind,
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
    Ok(match behind {
        Behind::Sequence(last) => message.expected_last_sequence(last),
        Behind::Event(last) => message.expected_last_message_id(last.to_string()),
    })
}

/// The id of the event and the epoch in `headers`; none where a publisher of ours did not write them.
pub(crate) fn id_and_epoch(headers: &HeaderMap) -> Option<(Uuid, Epoch)> {
    let id = headers.get(ID)?.as_str().parse().ok()?;
    Some((id, epoch(headers)?))
}

fn epoch(headers: &HeaderMap) -> Option<Epoch> {
    headers.get(EPOCH)?.as_str().parse().ok().map(Epoch)
}

/// A message as it came, from `sequence` of the stream.
pub(crate) fn from_message(message: &Message, sequence: u64, lineage: &Lineage) -> Delivered {
    let headers = message.headers.as_ref();
    let epoch = headers.and_then(epoch).unwrap_or_else(|| lineage.epoch_of(sequence));
    let traceparent =
        headers.and_then(|headers| headers.get(TRACEPARENT)).map(|value| value.as_str().to_owned());
    Delivered { sequence: Sequence::new(epoch, sequence), event: read(message), traceparent }
}

fn read(message: &Message) -> Result<Event, Poison> {
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
