//! Whose log a stream is, and how far each of its epochs went.
//!
//! A reader's position is worth something only in the log that it was read from. A database or a
//! stream that was restored from a copy has lost what came after the copy, and goes on with other
//! messages under the same numbers. So the stream says in its description which ledger it is made
//! from and where each epoch of it ended; a position beyond such an end is of a history that is no
//! more. (Kafka finds diverged replicas by the ends of its leaders' epochs in the same way.)

use std::{fmt, str::FromStr, time::SystemTime};

use contracts::{Checkpoint, Epoch, LedgerId, Sequence};

/// What a description begins with.
const MARK: &str = "almijara";
/// How many ended epochs are told: the server takes descriptions of up to 4 KB.
const MAX_ENDED: usize = 100;
/// How long a lead may take, in seconds, to find out what the one before it had on its way when it ended.
const SETTLED_AFTER: u32 = 10;

/// An epoch that is over, with the last message of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndedEpoch {
    /// The epoch.
    pub epoch: Epoch,
    /// The stream sequence of its last message.
    pub last: u64,
}

/// What a stream says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lineage {
    /// The ledger that it is made from.
    pub ledger: LedgerId,
    /// The epoch that it was made in: earlier ones were of streams before it.
    pub born: Epoch,
    /// The present epoch.
    pub epoch: Epoch,
    /// The epochs before that published anything, the oldest first.
    pub ended: Vec<EndedEpoch>,
    /// Whether everything that is published stands in it: not while it is being filled, nor before a
    /// ledger that begins anew has read what there is.
    pub complete: bool,
}

/// How a checkpoint stands to a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// What comes after it are the messages after this sequence of the stream.
    After(u64),
    /// It is of a later epoch than the stream knows: the stream came back from an older copy, and no
    /// relay has led it since. The one that will, makes it anew or says what was lost.
    Ahead,
    /// What was read there is part of no log any more: all that was made of it is to be made anew.
    Diverged,
}

impl Lineage {
    /// Where a reader that stands at `checkpoint` goes on.
    pub fn standing(&self, checkpoint: Checkpoint) -> Standing {
        let Checkpoint { sequence, ledger } = checkpoint;
        if sequence == Sequence::START {
            return Standing::After(0);
        }
        if ledger != Some(self.ledger) {
            return Standing::Diverged;
        }
        if sequence.epoch() > self.epoch {
            return Standing::Ahead;
        }
        let end = self.ended.iter().find(|ended| ended.epoch == sequence.epoch());
        let known = sequence.epoch() == self.epoch
            || end.is_some_and(|ended| sequence.stream() <= ended.last);
        if !known {
            return Standing::Diverged;
        }
        // Of a stream before this one everything is known, and this one tells it again.
        if sequence.epoch() < self.born {
            Standing::After(0)
        } else {
            Standing::After(sequence.stream())
        }
    }

    /// Whether the relay may still find out that what was read up to `checkpoint` is part of this stream: a
    /// message that the lead before had on its way comes late, maybe, and the end of that epoch is only
    /// told right by the next one.
    pub(crate) fn is_settling(&self, checkpoint: Checkpoint) -> bool {
        let Checkpoint { sequence, ledger } = checkpoint;
        // Of a lead whose clock is another, nobody knows for how long it has been.
        let since = Epoch::at(SystemTime::now()).0.abs_diff(self.epoch.0);
        ledger == Some(self.ledger) && sequence.epoch() >= self.born && since < SETTLED_AFTER
    }

    /// The epoch of the message at `sequence` of this stream.
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
        write!(f, "{MARK} ledger={ledger} born={born} epoch={epoch} complete={complete} ended=")?;
        for (index, ended) in ended.iter().skip(ended.len().saturating_sub(MAX_ENDED)).enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{}:{}", ended.epoch, ended.last)?;
        }
        Ok(())
    }
}

/// A description that no publisher of ours wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stream's description tells no lineage")]
pub struct NoLineage;

impl FromStr for Lineage {
    type Err = NoLineage;

    fn from_str(text: &str) -> Result<Self, NoLineage> {
        let mut words = text.split(' ');
        if words.next() != Some(MARK) {
            return Err(NoLineage);
        }
        let mut value = |name: &str| {
            let (found, value) = words.next()?.split_once('=')?;
            (found == name).then_some(value)
        };
        let mut read = || {
            Some(Self {
                ledger: value("ledger")?.parse().ok()?,
                born: Epoch(value("born")?.parse().ok()?),
                epoch: Epoch(value("epoch")?.parse().ok()?),
                complete: value("complete")?.parse().ok()?,
                ended: value("ended")?
                    .split(',')
                    .filter(|ended| !ended.is_empty())
                    .map(read_ended)
                    .collect::<Option<_>>()?,
            })
        };
        read().ok_or(NoLineage)
    }
}

fn read_ended(text: &str) -> Option<EndedEpoch> {
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

    /// A stream made in epoch 20 in the place of an older one, and led a third time now.
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
    fn a_position_goes_on_where_it_is_known() {
        let standing = |epoch, stream| {
            lineage().standing(Checkpoint::new(ledger(1), Sequence::new(Epoch(epoch), stream)))
        };
        assert_eq!(lineage().standing(Checkpoint::START), Standing::After(0));
        assert_eq!(standing(25, 50), Standing::After(50));
        assert_eq!(standing(21, 44), Standing::After(44));
        assert_eq!(standing(20, 7), Standing::After(7));
        assert_eq!(standing(12, 450), Standing::After(0), "all of it is told again");
        assert_eq!(standing(12, 451), Standing::Diverged, "read, and lost by a restored copy");
        assert_eq!(standing(20, 31), Standing::Diverged, "lost by a copy within the epoch");
        assert_eq!(standing(13, 1), Standing::Diverged, "an epoch that nobody remembers");
        assert_eq!(standing(24, 1), Standing::Diverged, "of a time that was undone");
        assert_eq!(standing(26, 1), Standing::Ahead, "no relay has led it since");
    }

    #[test]
    fn a_lead_that_began_just_now_may_find_what_came_late() {
        let now = Epoch::at(SystemTime::now()).0;
        let settles = |epoch, position: Checkpoint| {
            Lineage { epoch: Epoch(epoch), ..lineage() }.is_settling(position)
        };
        let late = Checkpoint::new(ledger(1), Sequence::new(Epoch(21), 45));
        assert!(settles(now, late) && settles(now + 5, late));
        assert!(!settles(now - 60, late), "it has looked by now");
        assert!(!settles(now + 86_400, late), "nobody knows for how long it has led");
        let of_a_stream_before = Checkpoint::new(ledger(1), Sequence::new(Epoch(12), 451));
        assert!(!settles(now, of_a_stream_before));
        let of_another_ledger = Checkpoint::new(ledger(2), Sequence::new(Epoch(21), 45));
        assert!(!settles(now, of_another_ledger));
    }

    #[test]
    fn another_ledgers_position_is_worth_nothing() {
        let position = Sequence::new(Epoch(25), 50);
        assert_eq!(lineage().standing(Checkpoint::new(ledger(2), position)), Standing::Diverged);
        let of_no_ledger = Checkpoint { sequence: position, ledger: None };
        assert_eq!(lineage().standing(of_no_ledger), Standing::Diverged);
    }

    #[test]
    fn each_message_is_of_the_epoch_that_published_it() {
        let epochs = [1, 30, 31, 44, 45, 99].map(|sequence| lineage().epoch_of(sequence).0);
        assert_eq!(epochs, [20, 20, 21, 21, 25, 25]);
    }

    #[test]
    fn a_description_is_read_as_it_was_written() {
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
    fn a_description_fits_however_many_epochs_there_were() {
        let mut old = lineage();
        old.ended =
            (0..5_000).map(|n| EndedEpoch { epoch: Epoch(8_000_000 + n), last: 1 << 29 }).collect();
        let text = old.to_string();
        assert!(text.len() < 4_096, "{}", text.len());
        let read: Lineage = text.parse().expect("it is a lineage");
        assert_eq!(read.ended.last(), old.ended.last(), "the latest are kept");
    }
}
