//! The stream and its epoch.

use async_nats::jetstream::{
    Context, ErrorCode,
    context::GetStreamErrorKind,
    stream::{Config, DiscardPolicy, Info, RetentionPolicy, StorageType},
};
use chrono::{DateTime, Utc};
use contracts::{Epoch, Sequence};

use crate::{Error, connection::REQUEST_LIMIT, error::chain};

/// The stream's name.
pub const STREAM: &str = "CONTENT";
const SUBJECTS: &str = "content.>";
/// What the stream's description starts with; the epoch's number follows.
const DESCRIPTION: &str = "epoch ";
/// The bound of the stream, in bytes; new messages are refused beyond it, old ones never dropped.
pub(crate) const MAX_BYTES: i64 = 8 << 30;
/// The largest message, in bytes: a property with all its texts takes some ten thousand.
const MAX_MESSAGE: i32 = 2 << 20;
/// How long the server remembers message ids.
const DUPLICATE_WINDOW: std::time::Duration = std::time::Duration::from_mins(2);

/// What the stream holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamState {
    /// Its epoch; none where the stream was not made by a [`Publisher`](crate::Publisher).
    pub epoch: Option<Epoch>,
    /// When it was made, by the server's clock.
    pub created: DateTime<Utc>,
    /// The sequence of its first message.
    pub first: u64,
    /// The sequence of its last message; 0 where there was none yet.
    pub last: u64,
}

impl StreamState {
    /// The position of the last message.
    pub fn position(&self) -> Option<Sequence> {
        self.epoch.map(|epoch| Sequence::new(epoch, self.last))
    }

    pub(crate) fn of(info: &Info) -> Self {
        let epoch = info
            .config
            .description
            .as_deref()
            .and_then(|text| text.strip_prefix(DESCRIPTION))
            .and_then(|number| number.parse().ok())
            .map(Epoch);
        let created =
            DateTime::from_timestamp(info.created.unix_timestamp(), info.created.nanosecond());
        Self {
            epoch,
            created: created.unwrap_or_default(),
            first: info.state.first_sequence,
            last: info.state.last_sequence,
        }
    }
}

pub(crate) fn config(epoch: Epoch) -> Config {
    Config {
        name: STREAM.to_owned(),
        subjects: vec![SUBJECTS.to_owned()],
        description: Some(format!("{DESCRIPTION}{epoch}")),
        retention: RetentionPolicy::Limits,
        storage: StorageType::File,
        discard: DiscardPolicy::New,
        num_replicas: 1,
        max_bytes: MAX_BYTES,
        max_messages: -1,
        max_messages_per_subject: -1,
        max_message_size: MAX_MESSAGE,
        max_consumers: -1,
        duplicate_window: DUPLICATE_WINDOW,
        deny_delete: true,
        deny_purge: true,
        ..Config::default()
    }
}

pub(crate) async fn state(context: &Context) -> Result<Option<StreamState>, Error> {
    let answer = tokio::time::timeout(REQUEST_LIMIT, context.get_stream(STREAM))
        .await
        .map_err(|_| Error::Unavailable("the stream's state did not come in time".to_owned()))?;
    match answer {
        Ok(stream) => Ok(Some(StreamState::of(stream.cached_info()))),
        Err(error) => match error.kind() {
            GetStreamErrorKind::JetStream(refusal)
                if refusal.error_code() == ErrorCode::STREAM_NOT_FOUND =>
            {
                Ok(None)
            }
            _ => Err(Error::Unavailable(chain(&error))),
        },
    }
}
