//! A subscriber's position in the feed.

use std::{fmt, str::FromStr};

use contracts::{Checkpoint, Sequence};

/// A position in the feed, as event ids carry it and subscribers send it back: `<revision>-<checkpoint>`.
///
/// The sequence alone does not identify what a subscriber has received: the read models may have been
/// rebuilt since (another revision), and a store restored from a copy has another history behind
/// the same numbers (another ledger, or an epoch that went on further).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FeedPosition {
    /// Incremented when rows of the read models change other than by a message of the log.
    pub revision: i64,
    pub checkpoint: Checkpoint,
}

impl FeedPosition {
    pub const fn sequence(&self) -> Sequence {
        self.checkpoint.sequence
    }

    /// Returns the position of the change at `sequence`, which is part of the history of this position.
    pub const fn at(self, sequence: Sequence) -> Self {
        Self { checkpoint: Checkpoint { sequence, ..self.checkpoint }, ..self }
    }

    /// Returns whether the changes between this position and `later` can be announced one by one.
    pub fn leads_to(&self, later: &Self) -> bool {
        let is_first = self.sequence() == Sequence::START;
        self.revision == later.revision
            && (is_first || self.checkpoint.ledger == later.checkpoint.ledger)
            && self.sequence() <= later.sequence()
    }

    /// Returns whether this position has the history of `later` but an earlier revision: it is from before
    /// rows changed other than by a message.
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

/// The error for a text that is not a position in the feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InvalidPosition;

impl FromStr for FeedPosition {
    type Err = InvalidPosition;

    fn from_str(text: &str) -> Result<Self, InvalidPosition> {
        let (revision, checkpoint) = text.split_once('-').ok_or(InvalidPosition)?;
        Ok(Self {
            revision: revision.parse().map_err(|_| InvalidPosition)?,
            checkpoint: checkpoint.parse().map_err(|_| InvalidPosition)?,
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
    fn a_position_parses_from_its_own_text() {
        for position in [
            position(7, 3, 192_817_991),
            FeedPosition { revision: 0, checkpoint: Checkpoint::START },
        ] {
            assert_eq!(position.to_string().parse(), Ok(position));
        }
        for foreign in ["", "12", "-", "1-", "x-4", "1-x"] {
            assert_eq!(foreign.parse::<FeedPosition>(), Err(InvalidPosition), "{foreign}");
        }
    }

    #[test]
    fn a_position_leads_only_to_later_ones_of_the_same_history() {
        let here = position(1, 1, 50);
        assert!(here.leads_to(&here) && here.leads_to(&position(1, 1, 51)));
        for other in [position(2, 1, 51), position(1, 2, 51), position(1, 1, 49)] {
            assert!(!here.leads_to(&other), "{other}");
        }
        let beginning = FeedPosition { revision: 1, checkpoint: Checkpoint::START };
        assert!(beginning.leads_to(&here));
    }

    #[test]
    fn an_earlier_revision_counts_only_within_one_history() {
        let here = position(1, 1, 50);
        for later in [position(2, 1, 50), position(3, 1, 51)] {
            assert!(here.is_of_revision_before(&later), "{later}");
        }
        // A position with a higher sequence is not behind.
        for other in [position(2, 1, 49), position(2, 2, 50), position(1, 1, 51)] {
            assert!(!here.is_of_revision_before(&other), "{other}");
        }
    }
}
