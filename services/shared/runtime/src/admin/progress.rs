//! When a process came to positions of the log, in bounded memory.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use axum::{
    extract::{FromRequestParts, Query},
    http::request::Parts,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::problem::{FieldError, Problem};

/// How many moments are remembered.
const MOST: usize = 4_096;
/// How many positions one call asks for at the most.
const MAX_ASKED: usize = 200;

/// The positions that a call asks about: `?sequences=` with commas between, at most 200 of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Positions(pub Vec<u64>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    sequences: String,
}

impl<S: Send + Sync> FromRequestParts<S> for Positions {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let asked = Query::<Asked>::from_request_parts(parts, state).await.ok();
        let positions = asked.and_then(|Query(Asked { sequences })| {
            sequences.split(',').map(|one| one.parse().ok()).collect::<Option<Vec<u64>>>()
        });
        positions.filter(|positions| positions.len() <= MAX_ASKED).map(Self).ok_or_else(|| {
            let right = format!("at most {MAX_ASKED} positions of the log, with commas between");
            Problem::invalid(vec![FieldError::new("sequences", right)])
        })
    }
}

/// A position of the log, and when it was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Reached {
    /// The position.
    pub sequence: u64,
    /// When everything up to it was done.
    pub at: DateTime<Utc>,
}

/// When a process came to the last positions of the log.
#[derive(Debug, Default)]
pub struct Progress {
    /// Rising.
    moments: Mutex<VecDeque<Reached>>,
}

impl Progress {
    /// Everything up to `sequence` is done just now.
    pub fn note(&self, sequence: u64) {
        self.note_at(sequence, Utc::now());
    }

    /// When those of `positions` were reached that were lately; no word of the others.
    pub fn list(&self, Positions(positions): &Positions) -> Vec<Reached> {
        let moments = self.moments();
        let listed = positions.iter().filter_map(|&sequence| {
            let first = moments.partition_point(|reached| reached.sequence < sequence);
            // Whatever the first moment reached may have been reached long before.
            let at = moments.get(first).filter(|_| first > 0)?.at;
            Some(Reached { sequence, at })
        });
        listed.collect()
    }

    fn note_at(&self, sequence: u64, at: DateTime<Utc>) {
        let mut moments = self.moments();
        match moments.back() {
            Some(last) if last.sequence == sequence => return,
            // Of another log.
            Some(last) if last.sequence > sequence => moments.clear(),
            _ => {}
        }
        if moments.len() == MOST {
            moments.pop_front();
        }
        moments.push_back(Reached { sequence, at });
    }

    fn moments(&self) -> MutexGuard<'_, VecDeque<Reached>> {
        self.moments.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn asked(progress: &Progress, positions: &[u64]) -> Vec<(u64, i64)> {
        let reached = progress.list(&Positions(positions.to_vec()));
        reached.iter().map(|reached| (reached.sequence, reached.at.timestamp())).collect()
    }

    fn progress(moments: &[(u64, i64)]) -> Progress {
        let progress = Progress::default();
        for &(sequence, seconds) in moments {
            progress.note_at(sequence, DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds));
        }
        progress
    }

    #[test]
    fn a_position_is_reached_with_the_first_that_is_not_before_it() {
        let progress = progress(&[(10, 1), (13, 2), (13, 3), (14, 4)]);
        assert_eq!(asked(&progress, &[14, 11, 13]), [(14, 4), (11, 2), (13, 2)]);
        assert_eq!(asked(&progress, &[10, 15]), [], "before it began, and not yet");
    }

    #[test]
    fn only_the_last_are_remembered_and_those_of_one_log() {
        let moments: Vec<_> = (1..=5_000).map(|number| (number, 7)).collect();
        let progress = progress(&moments);
        assert_eq!(asked(&progress, &[904, 905, 906, 5_000]), [(906, 7), (5_000, 7)]);
        progress.note_at(3, DateTime::UNIX_EPOCH);
        progress.note_at(4, DateTime::UNIX_EPOCH);
        assert_eq!(asked(&progress, &[3, 4, 5_000]), [(4, 0)]);
    }
}
