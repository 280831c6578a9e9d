//! Positions in the content log.

use std::{
    fmt,
    str::FromStr,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How many bits of a [`Sequence`] count the messages of one stream.
const STREAM_BITS: u32 = 22;
/// 2026-01-01T00:00:00Z, since the Unix epoch.
const START_OF_2026: Duration = Duration::from_hours(490_896);
const STREAM_MASK: u64 = (1 << STREAM_BITS) - 1;

/// One leadership of a relay: a relay that becomes the leader starts a new epoch, and everything that it
/// publishes belongs to that epoch.
///
/// An epoch is the number of seconds since the start of 2026 ([`Epoch::at`]), or one more than the previous
/// epoch if that is later. So epochs only rise, even if every record of the previous one was lost.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Epoch(pub u32);

impl Epoch {
    /// The maximum stream sequence that a [`Sequence`] can represent.
    pub const MAX_MESSAGES: u64 = STREAM_MASK;

    /// Returns the minimum epoch for a leadership that begins at `time`.
    pub fn at(time: SystemTime) -> Self {
        let since = time.duration_since(UNIX_EPOCH + START_OF_2026).unwrap_or_default();
        Self(u32::try_from(since.as_secs()).unwrap_or(u32::MAX))
    }
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A position in the log: the epoch and the stream sequence in one number that never decreases.
///
/// The epoch takes the bits above the lowest 22. So positions of a later epoch are greater than all
/// of an earlier one, and a JavaScript number can hold any position until the year 2094. A stream
/// is replaced before it reaches its 2²²nd message.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
)]
#[serde(transparent)]
pub struct Sequence(u64);

impl Sequence {
    /// Before the first message of the first epoch.
    pub const START: Self = Self(0);
    /// The last message of the last epoch.
    pub const LAST: Self = Self::new(Epoch(u32::MAX), STREAM_MASK);

    /// Returns the position of the message with the sequence `stream` (from 1) in `epoch`; 0 is before its
    /// first message.
    pub const fn new(epoch: Epoch, stream: u64) -> Self {
        Self(((epoch.0 as u64) << STREAM_BITS) | (stream & STREAM_MASK))
    }

    /// Returns the epoch of this position.
    pub fn epoch(self) -> Epoch {
        Epoch(u32::try_from(self.0 >> STREAM_BITS).unwrap_or(u32::MAX))
    }

    /// Returns the stream sequence of this position.
    pub const fn stream(self) -> u64 {
        self.0 & STREAM_MASK
    }

    /// Returns the plain number, as used in headers, JSON and tables.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Returns the number for a Postgres `bigint`.
    pub const fn to_i64(self) -> i64 {
        self.0.cast_signed()
    }

    /// Returns the position for a number from [`Sequence::to_i64`].
    pub const fn from_i64(number: i64) -> Self {
        Self(number.cast_unsigned())
    }
}

impl From<u64> for Sequence {
    fn from(number: u64) -> Self {
        Self(number)
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Sequence {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_epoch_is_greater_than_all_of_an_earlier_one() {
        let late = Sequence::new(Epoch(1), 900_000);
        let early = Sequence::new(Epoch(2), 1);
        assert!(late < early);
        assert_eq!((early.epoch(), early.stream()), (Epoch(2), 1));
    }

    #[test]
    fn positions_of_epoch_zero_equal_stream_sequences() {
        assert_eq!(Sequence::new(Epoch(0), 42).get(), 42);
        assert_eq!(
            Sequence::from_i64(Sequence::new(Epoch(3), 7).to_i64()),
            Sequence::new(Epoch(3), 7)
        );
    }
}
