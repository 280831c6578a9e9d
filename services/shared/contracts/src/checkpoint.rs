//! The checkpoint of a reader of the log: its position, and the ledger that the log was made from.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::sequence::Sequence;

/// The identity of a ledger. It is created with the ledger, and replaced whenever the stream turns out to
/// have more than the ledger: positions under one identity are then meaningless under the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LedgerId(pub Uuid);

impl fmt::Display for LedgerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for LedgerId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// The last position that a reader has read, with the ledger that the log was made from.
///
/// Its text form is the position alone, or `<position>@<ledger>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checkpoint {
    /// The position.
    pub sequence: Sequence,
    /// The ledger; `None` before anything was read.
    pub ledger: Option<LedgerId>,
}

impl Checkpoint {
    /// Before the first message of any log.
    pub const START: Self = Self { sequence: Sequence::START, ledger: None };

    /// Returns the position `sequence` in the log of `ledger`.
    pub const fn new(ledger: LedgerId, sequence: Sequence) -> Self {
        Self { sequence, ledger: Some(ledger) }
    }
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ledger {
            Some(ledger) => write!(f, "{}@{ledger}", self.sequence),
            None => self.sequence.fmt(f),
        }
    }
}

/// The error for a text that is not a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a checkpoint")]
pub struct InvalidCheckpoint(String);

impl FromStr for Checkpoint {
    type Err = InvalidCheckpoint;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let invalid = || InvalidCheckpoint(text.to_owned());
        let (sequence, ledger) = match text.split_once('@') {
            Some((sequence, ledger)) => (sequence, Some(ledger.parse().map_err(|_| invalid())?)),
            None => (text, None),
        };
        Ok(Self { sequence: sequence.parse().map_err(|_| invalid())?, ledger })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_round_trip_through_text() {
        let ledger = LedgerId(Uuid::from_u128(7));
        for checkpoint in [
            Checkpoint::START,
            Checkpoint { sequence: Sequence::from(42), ledger: None },
            Checkpoint::new(ledger, Sequence::from(42)),
        ] {
            assert_eq!(checkpoint.to_string().parse(), Ok(checkpoint));
        }
        for wrong in ["", "@", "x", "1@", "1@x", &format!("@{ledger}")] {
            assert!(wrong.parse::<Checkpoint>().is_err(), "{wrong}");
        }
    }
}
