//! Errors of the log, and how the caller should react to each.

use std::error::Error as StdError;

use contracts::Checkpoint;

use crate::limits::MAX_STREAM_BYTES;

/// Why the client or the server of NATS failed.
type Cause = Box<dyn StdError + Send + Sync>;

/// A failure of the log.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address is not a valid NATS address.
    #[error("NATS_URL is not an address of NATS")]
    InvalidUrl(#[source] Cause),
    /// The server is unreachable, slow, or shutting down.
    #[error("nats did not answer")]
    Unavailable(#[source] Cause),
    /// The stream does not exist yet, or no longer exists.
    #[error("the stream does not exist")]
    NoStream,
    /// The stream is full, and new messages are refused rather than old ones dropped.
    #[error("the stream is full")]
    Full(#[source] Cause),
    /// The server's storage limit is below what the stream reserves.
    #[error(
        "nats has no room for the stream, which reserves {} GiB; raise max_file_store in its \
         configuration",
        MAX_STREAM_BYTES >> 30
    )]
    InsufficientStorage,
    /// Another publisher wrote to the stream: the current leader has to read its state again.
    #[error("another publisher wrote to the stream")]
    Overtaken(#[source] Cause),
    /// The stream was restored from a copy that is older than the reader's position, or its description
    /// does not cover that position yet because its relay became leader only seconds ago.
    #[error(
        "the stream does not reach the position {0}, up to which it was read; waiting for its relay to \
         recreate it or to record what was lost"
    )]
    OlderStream(Checkpoint),
    /// The reader's position is no longer part of the log, because the ledger or the stream was restored
    /// from an older copy. Everything that was built from the log has to be rebuilt.
    #[error("the position {0} is no longer part of the log")]
    Diverged(Checkpoint),
    /// The server refused for another reason.
    #[error("nats refused")]
    Refused(#[source] Cause),
    /// A message could not be written as JSON.
    #[error("the event could not be written")]
    Unwritable(#[from] serde_json::Error),
}

/// How a reader or writer of the log reacts to an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogDisposition {
    /// Retry after a pause.
    Retry,
    /// Rebuild everything that was built from the log, from its start.
    StartOver,
    /// Stop: a retry alone does not help, an operator has to act.
    Halt,
}

impl Error {
    /// Returns how to react to this error.
    pub const fn disposition(&self) -> LogDisposition {
        match self {
            Self::Unavailable(_)
            | Self::NoStream
            | Self::OlderStream(_)
            | Self::Full(_)
            | Self::Overtaken(_) => LogDisposition::Retry,
            Self::Diverged(_) => LogDisposition::StartOver,
            Self::InvalidUrl(_)
            | Self::InsufficientStorage
            | Self::Refused(_)
            | Self::Unwritable(_) => LogDisposition::Halt,
        }
    }

    /// Converts an error of the NATS client.
    pub(crate) fn unavailable(error: impl Into<Cause>) -> Self {
        Self::Unavailable(error.into())
    }
}
