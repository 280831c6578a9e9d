//! The capture times of changes that are yet to be announced.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use chrono::{DateTime, TimeDelta, Utc};
use contracts::Sequence;

/// How many times are stored: as many as the feed may announce at once, and some that arrive meanwhile.
const MAX_TIMES: usize = 2_048;
/// Older messages are being replayed into a refilled log or index; nobody has just published them.
const MAX_AGE: TimeDelta = TimeDelta::hours(1);

type Times = VecDeque<(Sequence, DateTime<Utc>)>;

/// The capture times of the last messages that the index applied, by position.
#[derive(Clone, Debug, Default)]
pub struct CaptureTimes(Arc<Mutex<Times>>);

impl CaptureTimes {
    /// Records that the change in the message at `sequence` was captured `at`, unless that is long ago.
    pub fn record(&self, sequence: Sequence, at: DateTime<Utc>) {
        if Utc::now() - at > MAX_AGE {
            return;
        }
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.push_back((sequence, at));
        if last.len() > MAX_TIMES {
            last.pop_front();
        }
    }

    /// Returns when the change at `sequence` was captured; none if that was long ago.
    pub fn get(&self, sequence: Sequence) -> Option<DateTime<Utc>> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.iter().rev().find(|(recorded, _)| *recorded == sequence).map(|(_, at)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_recent_captures_are_stored() {
        let (times, now) = (CaptureTimes::default(), Utc::now());
        times.record(Sequence::from(1), now - TimeDelta::days(3));
        for number in 2..=3_000 {
            times.record(Sequence::from(number), now);
        }
        assert_eq!(times.get(Sequence::from(1)), None, "it is too old");
        assert_eq!(times.get(Sequence::from(2)), None, "newer ones displaced it");
        assert_eq!(times.get(Sequence::from(3_000)), Some(now));
    }
}
