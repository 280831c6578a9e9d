//! What can go wrong with the log, and what to do about it.

use std::error::Error as StdError;

use contracts::Checkpoint;

use crate::limits::MAX_STREAM_BYTES;

/// A failure of the log.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address is not one of NATS.
    #[error("NATS_URL is not an address of NATS: {0}")]
    InvalidUrl(String),
    /// The server is away, slow, or shutting down.
    #[error("nats did not answer: {0}")]
    Unavailable(String),
    /// The stream does not exist (yet, or any more).
    #[error("the stream does not exist")]
    NoStream,
    /// The stream is full, and new messages are refused rather than old ones dropped.
    #[error("the stream is full: {0}")]
    Full(String),
    /// The server may not store as much as the stream reserves.
    #[error(
        "nats has no room for the stream, which reserves {} GiB; raise max_file_store in its \
         configuration",
        MAX_STREAM_BYTES >> 30
    )]
    NoRoom,
    /// Somebody else wrote to the stream: whoever leads now is to look at it again.
    #[error("the stream went on without this publisher: {0}")]
    Overtaken(String),
    /// The stream came back from a copy that is older than what the reader has read, or does not tell of
    /// that yet, since its relay leads only since a moment ago.
    #[error(
        "the stream knows nothing of {0}, up to which it was read; its relay makes it anew, or says what \
         was lost"
    )]
    OlderStream(Checkpoint),
    /// What the reader has read is part of no log any more: the ledger or the stream went back to an
    /// older copy. All that was made of it is to be made anew.
    #[error("what was read up to {0} is no part of the log any more")]
    Diverged(Checkpoint),
    /// The server refused for another reason.
    #[error("nats refused: {0}")]
    Refused(String),
    /// A message could not be written as JSON.
    #[error("the event could not be written")]
    Unwritable(#[from] serde_json::Error),
}

/// What whoever reads or writes the log does about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogDisposition {
    /// Try again after a pause.
    Retry,
    /// What was made of the log is to be made anew from its start.
    StartOver,
    /// An operator has to act; trying again does not help by itself.
    Halt,
}

impl Error {
    /// What to do about it.
    pub const fn disposition(&self) -> LogDisposition {
        match self {
            Self::Unavailable(_)
            | Self::NoStream
            | Self::OlderStream(_)
            | Self::Full(_)
            | Self::Overtaken(_) => LogDisposition::Retry,
            Self::Diverged(_) => LogDisposition::StartOver,
            Self::InvalidUrl(_) | Self::NoRoom | Self::Refused(_) | Self::Unwritable(_) => {
                LogDisposition::Halt
            }
        }
    }

    /// The server's client puts its causes into its own text.
    pub(crate) fn unavailable(error: &dyn StdError) -> Self {
        Self::Unavailable(error.to_string())
    }
}
