//! The writing side of the log.

use std::{error::Error as _, future::IntoFuture, ops::RangeInclusive};

use async_nats::jetstream::{
    self, Context, ErrorCode,
    context::{
        CreateStreamError, CreateStreamErrorKind, DeleteStreamErrorKind, PublishAckFuture,
        PublishError, PublishErrorKind,
    },
    stream::RawMessageErrorKind,
};
use contracts::{Epoch, Sequence};
use uuid::Uuid;

use crate::{
    Error, Lineage, Outgoing, StreamState,
    message::{ExpectedLast, id_and_epoch, to_message},
    stream::{self, STREAM},
    timeout::in_time,
};

/// Writes the log. Only one is in use at a time: that of the leading relay.
#[derive(Clone, Debug)]
pub struct Publisher {
    context: Context,
    replicas: usize,
}

/// The result of publishing a batch of events.
#[derive(Debug)]
pub struct Published {
    /// The positions of the events that the stream accepted: a prefix of the batch.
    pub sequences: Vec<Sequence>,
    /// Why the next event was not accepted. None of the later events is in the stream then, unless that
    /// event was already there.
    pub failure: Option<Error>,
}

/// A message that is stored in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its position.
    pub sequence: Sequence,
    /// The id of its event; `None` if no [`Publisher`] wrote it.
    pub event: Option<Uuid>,
}

impl Publisher {
    pub(crate) const fn new(context: Context, replicas: usize) -> Self {
        Self { context, replicas }
    }

    /// Returns the current state of the stream; `None` if there is no stream.
    pub async fn stream_state(&self) -> Result<Option<StreamState>, Error> {
        stream::state(&self.context).await
    }

    /// Deletes the stream, if there is one, and creates an empty one with `lineage`.
    pub async fn recreate(&self, lineage: &Lineage) -> Result<(), Error> {
        let deleted =
            in_time("a stream was not deleted", self.context.delete_stream(STREAM)).await?;
        if let Err(error) = deleted {
            match error.kind() {
                DeleteStreamErrorKind::JetStream(refusal)
                    if refusal.error_code() == ErrorCode::STREAM_NOT_FOUND => {}
                _ => return Err(Error::unavailable(error)),
            }
        }
        let config = stream::config(lineage, self.replicas);
        let creating = self.context.create_stream(&config);
        let created = in_time("the stream was not created", creating).await?;
        let stream = created.map_err(create_error)?;
        stream::verify(&config, &stream.cached_info().config)
    }

    /// Writes `lineage` into the stream's description, and applies the configured number of replicas.
    pub async fn describe(&self, lineage: &Lineage) -> Result<(), Error> {
        let config = stream::config(lineage, self.replicas);
        let updated = in_time("no description", self.context.update_stream(&config)).await?;
        let info = updated.map_err(create_error)?;
        stream::verify(&config, &info.config)
    }

    /// Publishes `events` in `epoch` after the message `last`, all in flight at once.
    ///
    /// The stream accepts each event only directly after the previous one, so no other message comes
    /// between them. A publisher writes nothing to a stream that was restored since it read its state.
    /// A publisher that lost the leadership writes nothing once its successor has written anything.
    pub async fn publish(&self, epoch: Epoch, last: u64, events: &[Outgoing]) -> Published {
        let mut sent = Vec::with_capacity(events.len());
        let mut failure = None;
        let mut expected_last = ExpectedLast::Sequence(last);
        for outgoing in events {
            match self.send(epoch, expected_last, outgoing).await {
                Ok(acknowledgement) => sent.push(acknowledgement),
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            }
            expected_last = ExpectedLast::Event(outgoing.event.id);
        }
        let mut sequences = Vec::with_capacity(sent.len());
        for acknowledgement in sent {
            // The client does not keep to its own timeout for acknowledgements.
            let answer = in_time("no acknowledgement", acknowledgement.into_future()).await;
            match answer.and_then(|answer| answer.map_err(publish_error)) {
                // The previous leader's message arrived late: it is stored with that leader's epoch.
                Ok(ack) if ack.duplicate => {
                    let found = format!("the event of {} was there already", ack.sequence);
                    failure = Some(Error::Overtaken(found.into()));
                    break;
                }
                Ok(ack) => sequences.push(Sequence::new(epoch, ack.sequence)),
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            }
        }
        Published { sequences, failure }
    }

    async fn send(
        &self,
        epoch: Epoch,
        expected_last: ExpectedLast,
        outgoing: &Outgoing,
    ) -> Result<PublishAckFuture, Error> {
        let message = to_message(outgoing, epoch, expected_last)?;
        let subject = outgoing.event.aggregate.subject();
        in_time("a message was not sent", self.context.send_publish(subject, message))
            .await?
            .map_err(publish_error)
    }

    /// Returns the messages at `sequences` of the stream, without those that a later message of the same
    /// aggregate has replaced.
    pub async fn stored(&self, sequences: RangeInclusive<u64>) -> Result<Vec<Stored>, Error> {
        let stream = in_time("no stream", self.context.get_stream_no_info(STREAM)).await?;
        let stream = stream.map_err(Error::unavailable)?;
        let mut stored = Vec::new();
        for sequence in sequences {
            let message = in_time("no message", stream.get_raw_message(sequence)).await?;
            match message {
                Ok(message) => {
                    let known = id_and_epoch(&message.headers);
                    let epoch = known.map_or(Epoch::default(), |(_, epoch)| epoch);
                    stored.push(Stored {
                        sequence: Sequence::new(epoch, sequence),
                        event: known.map(|(id, _)| id),
                    });
                }
                Err(error) => match error.kind() {
                    RawMessageErrorKind::NoMessageFound => {}
                    RawMessageErrorKind::JetStream(refusal)
                        if refusal.error_code() == ErrorCode::NO_MESSAGE_FOUND => {}
                    _ => return Err(Error::unavailable(error)),
                },
            }
        }
        Ok(stored)
    }
}

fn create_error(error: CreateStreamError) -> Error {
    match error.kind() {
        CreateStreamErrorKind::JetStream(refusal)
            if refusal.error_code() == ErrorCode::STORAGE_RESOURCES_EXCEEDED =>
        {
            Error::InsufficientStorage
        }
        CreateStreamErrorKind::JetStream(refusal)
            if refusal.error_code() == ErrorCode::STREAM_NOT_FOUND =>
        {
            Error::NoStream
        }
        CreateStreamErrorKind::JetStream(refusal) => Error::Refused(refusal.into()),
        _ => Error::unavailable(error),
    }
}

fn publish_error(error: PublishError) -> Error {
    match error.kind() {
        PublishErrorKind::StreamNotFound => Error::NoStream,
        PublishErrorKind::WrongLastSequence | PublishErrorKind::WrongLastMessageId => {
            Error::Overtaken(error.into())
        }
        PublishErrorKind::MaxPayloadExceeded => Error::Refused(error.into()),
        _ if is_too_long(&error) => Error::Refused(error.into()),
        _ => {
            let text = error.to_string();
            if text.contains("maximum bytes") || text.contains("maximum messages") {
                Error::Full(error.into())
            } else {
                Error::unavailable(error)
            }
        }
    }
}

/// Returns whether the message exceeds the stream's maximum message size, so that a retry can't succeed.
fn is_too_long(error: &PublishError) -> bool {
    let refusal = error.source().and_then(|source| source.downcast_ref::<jetstream::Error>());
    refusal.is_some_and(|refusal| refusal.error_code() == ErrorCode::STREAM_MESSAGE_EXCEEDS_MAXIMUM)
}
