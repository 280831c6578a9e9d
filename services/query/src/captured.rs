//! When the changes that are still to be told of were captured.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use chrono::{DateTime, TimeDelta, Utc};
use contracts::Sequence;

/// How many are remembered: as many as the feed may tell at once, and some that come meanwhile.
const MOST: usize = 2_048;
/// What was captured before that fills a log or an index anew, and is nobody's publish.
const LONGEST: TimeDelta = TimeDelta::hours(1);

type Times = VecDeque<(Sequence, DateTime<Utc>)>;

/// The times of the last messages that the index took, by their positions.
#[derive(Clone, Debug, Default)]
pub struct Captured(Arc<Mutex<Times>>);

impl Captured {
    /// The message at `sequence` is about a change that was captured `at`.
    pub fn note(&self, sequence: Sequence, at: DateTime<Utc>) {
        if Utc::now() - at > LONGEST {
            return;
        }
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.push_back((sequence, at));
        if last.len() > MOST {
            last.pop_front();
        }
    }

    /// When the change at `sequence` was captured; none where that was long ago.
    pub fn at(&self, sequence: Sequence) -> Option<DateTime<Utc>> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.iter().rev().find(|(of, _)| *of == sequence).map(|(_, at)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_just_published_is_remembered() {
        let (captured, now) = (Captured::default(), Utc::now());
        captured.note(Sequence::from(1), now - TimeDelta::days(3));
        for number in 2..=3_000 {
            captured.note(Sequence::from(number), now);
        }
        assert_eq!(captured.at(Sequence::from(1)), None, "it fills a log anew");
        assert_eq!(captured.at(Sequence::from(2)), None, "it is one of too many");
        assert_eq!(captured.at(Sequence::from(3_000)), Some(now));
    }
}
