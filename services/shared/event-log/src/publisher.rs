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
    limits::in_time,
    message::{Behind, id_and_epoch, to_message},
    stream::{self, STREAM},
};

/// Writes the log. There is one at a time: the relay that leads.
#[derive(Clone, Debug)]
pub struct Publisher {
    context: Context,
    replicas: usize,
}

/// What became of events that were published together.
#[derive(Debug)]
pub struct Published {
    /// The positions of those that the stream took: the first ones.
    pub sequences: Vec<Sequence>,
    /// Why the one after them was not taken; none of the later ones is in the stream then, unless that
    /// one stood there already.
    pub failure: Option<Error>,
}

/// A message that stands in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its position.
    pub sequence: Sequence,
    /// The id of its event; none where no publisher of ours wrote it.
    pub event: Option<Uuid>,
}

impl Publisher {
    pub(crate) const fn new(context: Context, replicas: usize) -> Self {
        Self { context, replicas }
    }

    /// What the stream holds now; none where there is no stream.
    pub async fn stream_state(&self) -> Result<Option<StreamState>, Error> {
        stream::state(&self.context).await
    }

    /// Deletes the stream, if there is one, and makes it anew as `lineage` tells.
    pub async fn recreate(&self, lineage: &Lineage) -> Result<(), Error> {
        let deleted =
            in_time("a stream was not deleted", self.context.delete_stream(STREAM)).await?;
        if let Err(error) = deleted {
            match error.kind() {
                DeleteStreamErrorKind::JetStream(refusal)
                    if refusal.error_code() == ErrorCode::STREAM_NOT_FOUND => {}
                _ => return Err(Error::unavailable(&error)),
            }
        }
        let config = stream::config(lineage, self.replicas);
        let created = in_time("no stream was made", self.context.create_stream(config)).await?;
        created.map(drop).map_err(|error| unmade(&error))
    }

    /// Writes `lineage` into the stream's description, and has it on as many servers as are wanted now.
    pub async fn describe(&self, lineage: &Lineage) -> Result<(), Error> {
        let config = stream::config(lineage, self.replicas);
        let updated = in_time("no description", self.context.update_stream(config)).await?;
        updated.map(drop).map_err(|error| unmade(&error))
    }

    /// Publishes `events` in `epoch`, all on their way at once, behind the message `last`. The stream
    /// takes each only right behind the one before: nothing comes in between, and a publisher that looks at
    /// a stream which was restored meanwhile writes nothing, nor does one that lost the lead, once the next
    /// one has written anything.
    pub async fn publish(&self, epoch: Epoch, last: u64, events: &[Outgoing]) -> Published {
        let mut sent = Vec::with_capacity(events.len());
        let mut failure = None;
        let mut behind = Behind::Sequence(last);
        for outgoing in events {
            match self.send(epoch, behind, outgoing).await {
                Ok(acknowledgement) => sent.push(acknowledgement),
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            }
            behind = Behind::Event(outgoing.event.id);
        }
        let mut sequences = Vec::with_capacity(sent.len());
        for acknowledgement in sent {
            // The client's own limit for acknowledgements is not kept to; ours is.
            let answer = in_time("no acknowledgement", acknowledgement.into_future()).await;
            match answer.and_then(|answer| answer.map_err(|error| refusal(&error))) {
                // Of the lead before this one, and late: it stands there as of that one's epoch.
                Ok(taken) if taken.duplicate => {
                    let found = format!("the event of {} was there already", taken.sequence);
                    failure = Some(Error::Overtaken(found));
                    break;
                }
                Ok(taken) => sequences.push(Sequence::new(epoch, taken.sequence)),
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
        behind: Behind,
        outgoing: &Outgoing,
    ) -> Result<PublishAckFuture, Error> {
        let message = to_message(outgoing, epoch, behind)?;
        let subject = outgoing.event.aggregate.subject();
        in_time("a message was not sent", self.context.send_publish(subject, message))
            .await?
            .map_err(|error| refusal(&error))
    }

    /// Which events stand at `sequences` of the stream; those that a later one of the same aggregate
    /// took the place of are left out.
    pub async fn stored(&self, sequences: RangeInclusive<u64>) -> Result<Vec<Stored>, Error> {
        let stream = in_time("no stream", self.context.get_stream_no_info(STREAM)).await?;
        let stream = stream.map_err(|error| Error::unavailable(&error))?;
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
                    _ => return Err(Error::unavailable(&error)),
                },
            }
        }
        Ok(stored)
    }
}

fn unmade(error: &CreateStreamError) -> Error {
    match error.kind() {
        CreateStreamErrorKind::JetStream(refusal)
            if refusal.error_code() == ErrorCode::STORAGE_RESOURCES_EXCEEDED =>
        {
            Error::NoRoom
        }
        CreateStreamErrorKind::JetStream(refusal)
            if refusal.error_code() == ErrorCode::STREAM_NOT_FOUND =>
        {
            Error::NoStream
        }
        CreateStreamErrorKind::JetStream(refusal) => Error::Refused(refusal.to_string()),
        _ => Error::unavailable(error),
    }
}

fn refusal(error: &PublishError) -> Error {
    match error.kind() {
        PublishErrorKind::StreamNotFound => Error::NoStream,
        PublishErrorKind::WrongLastSequence | PublishErrorKind::WrongLastMessageId => {
            Error::Overtaken(error.to_string())
        }
        PublishErrorKind::MaxPayloadExceeded => Error::Refused(error.to_string()),
        _ if is_too_long(error) => Error::Refused(error.to_string()),
        _ => {
            let text = error.to_string();
            if text.contains("maximum bytes") || text.contains("maximum messages") {
                Error::Full(text)
            } else {
                Error::Unavailable(text)
            }
        }
    }
}

/// Whether the stream takes no message of that length, whenever it is asked.
fn is_too_long(error: &PublishError) -> bool {
    let refusal = error.source().and_then(|source| source.downcast_ref::<jetstream::Error>());
    refusal.is_some_and(|refusal| refusal.error_code() == ErrorCode::STREAM_MESSAGE_EXCEEDS_MAXIMUM)
}
