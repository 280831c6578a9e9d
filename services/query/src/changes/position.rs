//! Where a subscriber stands in the feed.

use std::{fmt, str::FromStr};

use contracts::{Checkpoint, Sequence};

/// A position of the feed, as subscribers bring it back: `<revision>-<checkpoint>`.
///
/// The sequence alone does not say what a subscriber has been told: the read models may have been
/// made anew since (another revision), and a store restored from a copy has another history behind
/// the same numbers (another ledger, or an epoch that went on further).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FeedPosition {
    /// Raised when the rows of the read models change other than by a message of the log.
    pub revision: i64,
    pub checkpoint: Checkpoint,
}

impl FeedPosition {
    pub const fn sequence(&self) -> Sequence {
        self.checkpoint.sequence
    }

    /// The position of the change at `sequence`, which led to this one.
    pub const fn at(self, sequence: Sequence) -> Self {
        Self { checkpoint: Checkpoint { sequence, ..self.checkpoint }, ..self }
    }

    /// Whether what came between this one and `later` can be told change by change.
    pub fn leads_to(&self, later: &Self) -> bool {
        let is_first = self.sequence() == Sequence::START;
        self.revision == later.revision
            && (is_first || self.checkpoint.ledger == later.checkpoint.ledger)
            && self.sequence() <= later.sequence()
    }

    /// Whether this one is of the history of `later`, before rows changed other than by a message.
    pub fn is_of_revision_before(&self, later: &Self) -> bool {
        self.revision < later.revision
            && self.checkpoint.ledger == later.checkpoint.ledger
            && self.sequence() <= later.sequence()
    }
}

impl fmt::Display for FeedPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.revision, self.checkpoint)
    }
}

/// A text that is no position of the feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoPosition;

impl FromStr for FeedPosition {
    type Err = NoPosition;

    fn from_str(text: &str) -> Result<Self, NoPosition> {
        let (revision, checkpoint) = text.split_once('-').ok_or(NoPosition)?;
        Ok(Self {
            revision: revision.parse().map_err(|_| NoPosition)?,
            checkpoint: checkpoint.parse().map_err(|_| NoPosition)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use contracts::LedgerId;
    use uuid::Uuid;

    use super::*;

    fn position(revision: i64, ledger: u128, sequence: u64) -> FeedPosition {
        let ledger = LedgerId(Uuid::from_u128(ledger));
        FeedPosition { revision, checkpoint: Checkpoint::new(ledger, sequence.into()) }
    }

    #[test]
    fn a_position_is_read_as_it_was_written() {
        for position in [
            position(7, 3, 192_817_991),
            FeedPosition { revision: 0, checkpoint: Checkpoint::START },
        ] {
            assert_eq!(position.to_string().parse(), Ok(position));
        }
        for foreign in ["", "12", "-", "1-", "x-4", "1-x"] {
            assert_eq!(foreign.parse::<FeedPosition>(), Err(NoPosition), "{foreign}");
        }
    }

    #[test]
    fn only_a_later_position_of_one_history_is_led_to() {
        let here = position(1, 1, 50);
        assert!(here.leads_to(&here) && here.leads_to(&position(1, 1, 51)));
        for other in [position(2, 1, 51), position(1, 2, 51), position(1, 1, 49)] {
            assert!(!here.leads_to(&other), "{other}");
        }
        let beginning = FeedPosition { revision: 1, checkpoint: Checkpoint::START };
        assert!(beginning.leads_to(&here));
    }

    #[test]
    fn a_revision_comes_before_the_next_of_the_same_history() {
        let here = position(1, 1, 50);
        for later in [position(2, 1, 50), position(3, 1, 51)] {
            assert!(here.is_of_revision_before(&later), "{later}");
        }
        // What has come further than that is not behind it.
        for other in [position(2, 1, 49), position(2, 2, 50), position(1, 1, 51)] {
            assert!(!here.is_of_revision_before(&other), "{other}");
        }
    }
}
