//! The lineage of a stream: which ledger it was made from, and where each of its epochs ended.
//!
//! A reader's position is valid only in the log that it was read from. A database or a stream that was
//! restored from a copy has lost everything after the copy, and continues with other messages under the
//! same numbers. So the stream's description states which ledger it is made from and where each epoch
//! ended. A position beyond such an end belongs to a history that no longer exists. (Kafka detects
//! diverged replicas by the end offsets of its leader epochs in the same way.)

use std::{fmt, str::FromStr, time::SystemTime};

use contracts::{Checkpoint, Epoch, LedgerId, Sequence};

/// The first word of a description.
const PREFIX: &str = "almijara";
/// How many ended epochs a description lists at most: the server accepts descriptions of up to 4 KB.
const MAX_ENDED: usize = 100;
/// How long a new leader may take, in seconds, to find the messages that the previous leader had in
/// flight when it ended.
const SETTLING_SECONDS: u32 = 10;

/// An epoch that has ended, with its last message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndedEpoch {
    /// The epoch.
    pub epoch: Epoch,
    /// The stream sequence of its last message.
    pub last: u64,
}

/// The origin of a stream, as its description states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lineage {
    /// The ledger that it is made from.
    pub ledger: LedgerId,
    /// The epoch in which it was created: earlier epochs belong to streams before it.
    pub born: Epoch,
    /// The current epoch.
    pub epoch: Epoch,
    /// The earlier epochs that published anything, the oldest first.
    pub ended: Vec<EndedEpoch>,
    /// Whether it holds everything that is published. False while it is being filled, and until a new
    /// ledger has read all published content.
    pub complete: bool,
}

/// How a checkpoint relates to a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointStatus {
    /// The checkpoint is valid: reading continues after this sequence of the stream.
    After(u64),
    /// Its epoch is later than any that the stream knows: the stream was restored from an older copy, and
    /// no relay has led it since. The next relay to lead it recreates it or records what was lost.
    Ahead,
    /// It is no longer part of any log: everything that was built from it has to be rebuilt.
    Diverged,
}

impl Lineage {
    /// Returns where a reader at `checkpoint` continues.
    pub fn checkpoint_status(&self, checkpoint: Checkpoint) -> CheckpointStatus {
        let Checkpoint { sequence, ledger } = checkpoint;
        if sequence == Sequence::START {
            return CheckpointStatus::After(0);
        }
        if ledger != Some(self.ledger) {
            return CheckpointStatus::Diverged;
        }
        if sequence.epoch() > self.epoch {
            return CheckpointStatus::Ahead;
        }
        let end = self.ended.iter().find(|ended| ended.epoch == sequence.epoch());
        let known = sequence.epoch() == self.epoch
            || end.is_some_and(|ended| sequence.stream() <= ended.last);
        if !known {
            return CheckpointStatus::Diverged;
        }
        // The checkpoint belongs to an earlier stream, and this one repeats all of its content.
        if sequence.epoch() < self.born {
            CheckpointStatus::After(0)
        } else {
            CheckpointStatus::After(sequence.stream())
        }
    }

    /// Returns whether the relay may still find that this stream includes `checkpoint`. A message that the
    /// previous leader had in flight may arrive late; only the next epoch then states the right end of the
    /// previous leader's epoch.
    pub(crate) fn is_settling(&self, checkpoint: Checkpoint) -> bool {
        let Checkpoint { sequence, ledger } = checkpoint;
        // The leader's clock may be ahead; for how long such a leader has led is unknown.
        let age = Epoch::at(SystemTime::now()).0.abs_diff(self.epoch.0);
        ledger == Some(self.ledger) && sequence.epoch() >= self.born && age < SETTLING_SECONDS
    }

    /// Returns the epoch of the message at `sequence` of this stream.
    pub fn epoch_of(&self, sequence: u64) -> Epoch {
        self.ended
            .iter()
            .filter(|ended| ended.epoch >= self.born)
            .find(|ended| sequence <= ended.last)
            .map_or(self.epoch, |ended| ended.epoch)
    }
}

impl fmt::Display for Lineage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ledger, born, epoch, ended, complete } = self;
        write!(f, "{PREFIX} ledger={ledger} born={born} epoch={epoch} complete={complete} ended=")?;
        for (index, ended) in ended.iter().skip(ended.len().saturating_sub(MAX_ENDED)).enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{}:{}", ended.epoch, ended.last)?;
        }
        Ok(())
    }
}

/// The error for a description that no [`Publisher`](crate::Publisher) wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stream's description contains no lineage")]
pub struct NoLineage;

impl FromStr for Lineage {
    type Err = NoLineage;

    fn from_str(text: &str) -> Result<Self, NoLineage> {
        let mut words = text.split(' ');
        if words.next() != Some(PREFIX) {
            return Err(NoLineage);
        }
        let mut value = |name: &str| {
            let (found, value) = words.next()?.split_once('=')?;
            (found == name).then_some(value)
        };
        let mut parse = || {
            Some(Self {
                ledger: value("ledger")?.parse().ok()?,
                born: Epoch(value("born")?.parse().ok()?),
                epoch: Epoch(value("epoch")?.parse().ok()?),
                complete: value("complete")?.parse().ok()?,
                ended: value("ended")?
                    .split(',')
                    .filter(|ended| !ended.is_empty())
                    .map(parse_ended)
                    .collect::<Option<_>>()?,
            })
        };
        parse().ok_or(NoLineage)
    }
}

fn parse_ended(text: &str) -> Option<EndedEpoch> {
    let (epoch, last) = text.split_once(':')?;
    Some(EndedEpoch { epoch: Epoch(epoch.parse().ok()?), last: last.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn ledger(number: u128) -> LedgerId {
        LedgerId(Uuid::from_u128(number))
    }

    /// A stream that replaced an older one in epoch 20, and now has its third leader.
    fn lineage() -> Lineage {
        let ended = [(10, 400), (12, 450), (20, 30), (21, 44)];
        Lineage {
            ledger: ledger(1),
            born: Epoch(20),
            epoch: Epoch(25),
            ended: ended.map(|(epoch, last)| EndedEpoch { epoch: Epoch(epoch), last }).into(),
            complete: true,
        }
    }

    #[test]
    fn a_checkpoint_is_after_ahead_or_diverged_by_its_epoch() {
        let status = |epoch, stream| {
            lineage()
                .checkpoint_status(Checkpoint::new(ledger(1), Sequence::new(Epoch(epoch), stream)))
        };
        assert_eq!(lineage().checkpoint_status(Checkpoint::START), CheckpointStatus::After(0));
        assert_eq!(status(25, 50), CheckpointStatus::After(50));
        assert_eq!(status(21, 44), CheckpointStatus::After(44));
        assert_eq!(status(20, 7), CheckpointStatus::After(7));
        assert_eq!(status(12, 450), CheckpointStatus::After(0), "the new stream repeats all of it");
        assert_eq!(status(12, 451), CheckpointStatus::Diverged, "beyond the end of its epoch");
        assert_eq!(
            status(20, 31),
            CheckpointStatus::Diverged,
            "lost by a restore within the epoch"
        );
        assert_eq!(status(13, 1), CheckpointStatus::Diverged, "an unknown epoch");
        assert_eq!(status(24, 1), CheckpointStatus::Diverged, "an epoch that the restore undid");
        assert_eq!(status(26, 1), CheckpointStatus::Ahead, "no relay has led the stream since");
    }

    #[test]
    fn a_lineage_is_settling_for_some_seconds_after_its_leader_began() {
        let now = Epoch::at(SystemTime::now()).0;
        let is_settling = |epoch, position: Checkpoint| {
            Lineage { epoch: Epoch(epoch), ..lineage() }.is_settling(position)
        };
        let late = Checkpoint::new(ledger(1), Sequence::new(Epoch(21), 45));
        assert!(is_settling(now, late) && is_settling(now + 5, late));
        assert!(!is_settling(now - 60, late), "the leader has checked by now");
        assert!(!is_settling(now + 86_400, late), "it is unknown how long the leader has led");
        let earlier_stream = Checkpoint::new(ledger(1), Sequence::new(Epoch(12), 451));
        assert!(!is_settling(now, earlier_stream));
        let other_ledger = Checkpoint::new(ledger(2), Sequence::new(Epoch(21), 45));
        assert!(!is_settling(now, other_ledger));
    }

    #[test]
    fn a_checkpoint_of_another_ledger_has_diverged() {
        let position = Sequence::new(Epoch(25), 50);
        assert_eq!(
            lineage().checkpoint_status(Checkpoint::new(ledger(2), position)),
            CheckpointStatus::Diverged
        );
        let without_ledger = Checkpoint { sequence: position, ledger: None };
        assert_eq!(lineage().checkpoint_status(without_ledger), CheckpointStatus::Diverged);
    }

    #[test]
    fn each_message_has_the_epoch_that_published_it() {
        let epochs = [1, 30, 31, 44, 45, 99].map(|sequence| lineage().epoch_of(sequence).0);
        assert_eq!(epochs, [20, 20, 21, 21, 25, 25]);
    }

    #[test]
    fn a_description_round_trips() {
        for complete in [true, false] {
            let lineage = Lineage { complete, ..lineage() };
            assert_eq!(lineage.to_string().parse(), Ok(lineage));
        }
        let young = Lineage { ended: Vec::new(), ..lineage() };
        assert_eq!(young.to_string().parse(), Ok(young));
        for foreign in ["", "epoch 3", "almijara", "almijara ledger=x born=1 epoch=1"] {
            assert_eq!(foreign.parse::<Lineage>(), Err(NoLineage), "{foreign}");
        }
    }

    #[test]
    fn a_description_fits_its_limit_with_any_number_of_epochs() {
        let mut old = lineage();
        old.ended =
            (0..5_000).map(|n| EndedEpoch { epoch: Epoch(8_000_000 + n), last: 1 << 29 }).collect();
        let text = old.to_string();
        assert!(text.len() < 4_096, "{}", text.len());
        let read: Lineage = text.parse().expect("it is a lineage");
        assert_eq!(read.ended.last(), old.ended.last(), "the latest are retained");
    }
}
