//! The configuration and the state of the JetStream stream.

use async_nats::jetstream::{
    Context, ErrorCode,
    context::GetStreamErrorKind,
    stream::{Config, DiscardPolicy, Info, RetentionPolicy, StorageType},
};
use contracts::Sequence;

use crate::{
    Error, Lineage,
    limits::{MAX_MESSAGE_BYTES, MAX_STREAM_BYTES},
    timeout::in_time,
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

/// Verifies that the server took over the `requested` configuration: an old one ignores settings that it
/// does not know.
pub(crate) fn verify(requested: &Config, stored: &Config) -> Result<(), Error> {
    let settings = [
        ("description", requested.description == stored.description),
        ("subjects", requested.subjects == stored.subjects),
        ("retention", requested.retention == stored.retention),
        ("storage", requested.storage == stored.storage),
        ("discard", requested.discard == stored.discard),
        ("num_replicas", requested.num_replicas == stored.num_replicas),
        ("max_bytes", requested.max_bytes == stored.max_bytes),
        ("max_msgs", requested.max_messages == stored.max_messages),
        (
            "max_msgs_per_subject",
            requested.max_messages_per_subject == stored.max_messages_per_subject,
        ),
        ("max_msg_size", requested.max_message_size == stored.max_message_size),
        ("deny_delete", requested.deny_delete == stored.deny_delete),
        ("deny_purge", requested.deny_purge == stored.deny_purge),
    ];
    match settings.iter().find(|(_, is_same)| !is_same) {
        Some((setting, _)) => Err(Error::Refused(
            format!(
                "the stream's setting {setting} is not as requested; is the server of a version before 2.9?"
            )
            .into(),
        )),
        None => Ok(()),
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
            _ => Err(Error::unavailable(error)),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use contracts::{Epoch, LedgerId};
    use uuid::Uuid;

    use super::*;
    use crate::LogDisposition;

    #[test]
    fn a_setting_that_the_server_did_not_take_over_is_named() {
        let ledger = LedgerId(Uuid::from_u128(1));
        let (born, epoch) = (Epoch(1), Epoch(1));
        let lineage = Lineage { ledger, born, epoch, ended: Vec::new(), complete: true };
        let requested = config(&lineage, 3);
        // The server completes what is not requested.
        let completed = Config { duplicate_window: Duration::from_mins(2), ..requested.clone() };
        verify(&requested, &completed).expect("it is as requested");
        let ignored = [
            (Config { deny_purge: false, ..requested.clone() }, "deny_purge"),
            (Config { discard: DiscardPolicy::Old, ..requested.clone() }, "discard"),
            (Config { max_bytes: -1, ..requested.clone() }, "max_bytes"),
            (Config { num_replicas: 1, ..requested.clone() }, "num_replicas"),
        ];
        for (stored, setting) in ignored {
            let refusal = verify(&requested, &stored).expect_err(setting);
            assert!(format!("{refusal:?}").contains(setting), "{refusal:?}");
            assert_eq!(refusal.disposition(), LogDisposition::Halt);
        }
    }
}
