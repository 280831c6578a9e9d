//! Events as messages, there and back.

use async_nats::{
    HeaderMap,
    jetstream::{Message, message::PublishMessage},
};
use chrono::SecondsFormat;
use contracts::{Epoch, Event, SCHEMA_VERSION, Sequence};

use crate::{Error, stream::STREAM};

const TRACEPARENT: &str = "traceparent";
const SOURCE: &str = "urn:almijara:sync";

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

/// `event` as a message of `epoch`. Its id names aggregate, version and epoch, so that the server
/// drops a second copy, and takes the same event again in a later epoch.
pub(crate) fn to_message(
    event: &Event,
    epoch: Epoch,
    traceparent: Option<&str>,
) -> Result<PublishMessage, Error> {
    let subject = event.aggregate.subject();
    let mut headers = HeaderMap::new();
    headers.insert("ce-specversion", "1.0");
    headers.insert("ce-id", event.id.to_string());
    headers.insert("ce-type", event.kind());
    headers.insert("ce-source", SOURCE);
    headers.insert("ce-subject", event.aggregate.to_string());
    headers.insert("ce-time", event.captured_at.to_rfc3339_opts(SecondsFormat::Micros, true));
    headers.insert("ce-dataschema", format!("urn:almijara:event:{}", event.schema_version));
    headers.insert("almijara-version", event.version.to_string());
    if let Some(traceparent) = traceparent {
        headers.insert(TRACEPARENT, traceparent);
    }
    let id = format!("{subject}:{}@{epoch}", event.version);
    Ok(PublishMessage::build()
        .payload(serde_json::to_vec(event)?.into())
        .headers(headers)
        .message_id(id)
        .expected_stream(STREAM))
}

/// A message as it came; none where the server gave it no position, which it never does.
pub(crate) fn from_message(message: &Message, epoch: Epoch) -> Option<Delivered> {
    let sequence = Sequence::new(epoch, message.info().ok()?.stream_sequence);
    let traceparent = message
        .headers
        .as_ref()
        .and_then(|headers| headers.get(TRACEPARENT))
        .map(|value| value.as_str().to_owned());
    Some(Delivered { sequence, event: read(message), traceparent })
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
