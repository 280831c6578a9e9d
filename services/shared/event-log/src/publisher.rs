//! The writing side of the log.

use std::error::Error as _;

use async_nats::jetstream::{
    self, Context, ErrorCode,
    context::{CreateStreamErrorKind, DeleteStreamErrorKind, PublishError, PublishErrorKind},
};
use contracts::{Epoch, Event, Sequence};

use crate::{
    Error, StreamState,
    connection::REQUEST_LIMIT,
    error::chain,
    message::to_message,
    stream::{self, STREAM},
};

/// Writes the log. There is one at a time: the relay that leads.
#[derive(Clone, Debug)]
pub struct Publisher {
    context: Context,
}

impl Publisher {
    pub(crate) const fn new(context: Context) -> Self {
        Self { context }
    }

    /// What the stream holds now; none where there is no stream.
    pub async fn stream_state(&self) -> Result<Option<StreamState>, Error> {
        stream::state(&self.context).await
    }

    /// Deletes the stream, if there is one, and makes it anew for `epoch`.
    pub async fn recreate(&self, epoch: Epoch) -> Result<StreamState, Error> {
        let late = |_| Error::Unavailable("the stream was not made in time".to_owned());
        let deleted = tokio::time::timeout(REQUEST_LIMIT, self.context.delete_stream(STREAM))
            .await
            .map_err(late)?;
        if let Err(error) = deleted {
            match error.kind() {
                DeleteStreamErrorKind::JetStream(refusal)
                    if refusal.error_code() == ErrorCode::STREAM_NOT_FOUND => {}
                _ => return Err(Error::Unavailable(chain(&error))),
            }
        }
        let created =
            tokio::time::timeout(REQUEST_LIMIT, self.context.create_stream(stream::config(epoch)))
                .await
                .map_err(late)?;
        match created {
            Ok(stream) => Ok(StreamState::of(stream.cached_info())),
            Err(error) => match error.kind() {
                CreateStreamErrorKind::JetStream(refusal)
                    if refusal.error_code() == ErrorCode::STORAGE_RESOURCES_EXCEEDED =>
                {
                    Err(Error::NoRoom)
                }
                CreateStreamErrorKind::JetStream(refusal) => {
                    Err(Error::Refused(refusal.to_string()))
                }
                _ => Err(Error::Unavailable(chain(&error))),
            },
        }
    }

    /// Publishes `event` in `epoch` and waits for the server's word. Gives its position, the
    /// former one where the server has seen it before.
    pub async fn publish(
        &self,
        event: &Event,
        epoch: Epoch,
        traceparent: Option<&str>,
    ) -> Result<Sequence, Error> {
        let message = to_message(event, epoch, traceparent)?;
        let acknowledged = async {
            let pending = self
                .context
                .send_publish(event.aggregate.subject(), message)
                .await
                .map_err(|error| refusal(&error))?;
            pending.await.map_err(|error| refusal(&error))
        };
        // The client's own limit for acknowledgements is not kept to; ours is.
        let ack = tokio::time::timeout(REQUEST_LIMIT, acknowledged)
            .await
            .map_err(|_| Error::Unavailable("no acknowledgement in time".to_owned()))??;
        Ok(Sequence::new(epoch, ack.sequence))
    }
}

fn refusal(error: &PublishError) -> Error {
    match error.kind() {
        PublishErrorKind::StreamNotFound => Error::NoStream,
        PublishErrorKind::MaxPayloadExceeded => Error::Refused(chain(error)),
        _ if is_too_long(error) => Error::Refused(chain(error)),
        _ => {
            let text = chain(error);
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
