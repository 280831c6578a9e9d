//! The configuration and the state of the JetStream stream.

use async_nats::jetstream::{
    Context, ErrorCode,
    context::GetStreamErrorKind,
    stream::{Config, DiscardPolicy, Info, RetentionPolicy, StorageType},
};
use contracts::Sequence;

use crate::{
    Error, Lineage,
    limits::{MAX_MESSAGE_BYTES, MAX_STREAM_BYTES, in_time},
};

/// The stream's name.
pub const STREAM: &str = "CONTENT";
const SUBJECTS: &str = "content.>";

/// The state of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamState {
    /// The lineage in its description; `None` if no [`Publisher`](crate::Publisher) created the stream.
    pub lineage: Option<Lineage>,
    /// The sequence of its last message; 0 if there has been none yet.
    pub last: u64,
    /// The number of messages that it holds: one per aggregate.
    pub messages: u64,
    /// Its size on the server's disk, in bytes.
    pub bytes: u64,
    /// The size in bytes at which it refuses new messages; `None` if an operator removed the limit.
    pub max_bytes: Option<u64>,
}

impl StreamState {
    /// Returns the position of the last message; `None` if the stream has no lineage.
    pub fn position(&self) -> Option<Sequence> {
        let lineage = self.lineage.as_ref()?;
        Some(Sequence::new(lineage.epoch_of(self.last), self.last))
    }

    /// Returns the number of stream sequences after `position`, which must be a position of this log.
    pub fn after(&self, position: Sequence) -> u64 {
        let born = self.lineage.as_ref().map(|lineage| lineage.born);
        let read = if Some(position.epoch()) >= born { position.stream() } else { 0 };
        self.last.saturating_sub(read)
    }

    pub(crate) fn of(info: &Info) -> Self {
        let description = info.config.description.as_deref();
        Self {
            lineage: description.and_then(|text| text.parse().ok()),
            last: info.state.last_sequence,
            messages: info.state.messages,
            bytes: info.state.bytes,
            max_bytes: u64::try_from(info.config.max_bytes).ok().filter(|&max| max > 0),
        }
    }
}

/// Returns the configuration of the stream. It retains only the latest message of each aggregate, so its
/// size depends on the size of the catalogue, not on its age.
pub(crate) fn config(lineage: &Lineage, num_replicas: usize) -> Config {
    Config {
        name: STREAM.to_owned(),
        subjects: vec![SUBJECTS.to_owned()],
        description: Some(lineage.to_string()),
        retention: RetentionPolicy::Limits,
        storage: StorageType::File,
        discard: DiscardPolicy::New,
        num_replicas,
        max_bytes: MAX_STREAM_BYTES.cast_signed(),
        max_messages: -1,
        max_messages_per_subject: 1,
        max_message_size: MAX_MESSAGE_BYTES,
        max_consumers: -1,
        deny_delete: true,
        deny_purge: true,
        ..Config::default()
    }
}

pub(crate) async fn state(context: &Context) -> Result<Option<StreamState>, Error> {
    let requested = in_time("the stream's state was not received", context.get_stream(STREAM));
    match requested.await? {
        Ok(stream) => Ok(Some(StreamState::of(stream.cached_info()))),
        Err(error) => match error.kind() {
            GetStreamErrorKind::JetStream(refusal)
                if refusal.error_code() == ErrorCode::STREAM_NOT_FOUND =>
            {
                Ok(None)
            }
            _ => Err(Error::unavailable(&error)),
        },
    }
}
