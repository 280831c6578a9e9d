//! Remembers when a process reached recent positions of the log, in bounded memory.

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
use utoipa::ToSchema;

use crate::problem::{FieldError, Problem};

/// The maximum number of positions remembered.
const MAX_REMEMBERED: usize = 4_096;
/// The maximum number of positions in one call.
const MAX_POSITIONS: usize = 200;

/// The positions in the query of a call: `?sequences=`, separated by commas, at most 200.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Positions(pub Vec<u64>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SequencesQuery {
    sequences: String,
}

impl<S: Send + Sync> FromRequestParts<S> for Positions {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = Query::<SequencesQuery>::from_request_parts(parts, state).await.ok();
        let positions = query.and_then(|Query(SequencesQuery { sequences })| {
            sequences.split(',').map(|one| one.parse().ok()).collect::<Option<Vec<u64>>>()
        });
        positions.filter(|positions| positions.len() <= MAX_POSITIONS).map(Self).ok_or_else(|| {
            let expected =
                format!("at most {MAX_POSITIONS} positions of the log, with commas between");
            Problem::invalid(vec![FieldError::new("sequences", expected)])
        })
    }
}

/// A position of the log and when it was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Reached {
    /// The position.
    pub sequence: u64,
    /// When everything up to it had been processed; none if the process has not reached it.
    pub at: Option<DateTime<Utc>>,
}

/// When a process reached the most recent positions of the log.
#[derive(Debug, Default)]
pub struct Progress {
    /// Positions with their times, in ascending order of position.
    moments: Mutex<VecDeque<(u64, DateTime<Utc>)>>,
}

impl Progress {
    /// Records that everything up to `sequence` has been processed now.
    pub fn record(&self, sequence: u64) {
        self.note_at(sequence, Utc::now());
    }

    /// Returns when each of `positions` was reached; omits those that were, and are no longer remembered.
    pub fn list(&self, Positions(positions): &Positions) -> Vec<Reached> {
        let moments = self.moments();
        let listed = positions.iter().filter_map(|&sequence| {
            let first = moments.partition_point(|(recorded, _)| *recorded < sequence);
            let at = moments.get(first).map(|(_, at)| *at);
            // Positions up to the oldest entry may have been reached long before it.
            (first > 0 || at.is_none()).then_some(Reached { sequence, at })
        });
        listed.collect()
    }

    fn note_at(&self, sequence: u64, at: DateTime<Utc>) {
        let mut moments = self.moments();
        match moments.back() {
            Some((last, _)) if *last == sequence => return,
            // The log was replaced.
            Some((last, _)) if *last > sequence => moments.clear(),
            _ => {}
        }
        if moments.len() == MAX_REMEMBERED {
            moments.pop_front();
        }
        moments.push_back((sequence, at));
    }

    fn moments(&self) -> MutexGuard<'_, VecDeque<(u64, DateTime<Utc>)>> {
        self.moments.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn listed(progress: &Progress, positions: &[u64]) -> Vec<(u64, Option<i64>)> {
        let reached = progress.list(&Positions(positions.to_vec())).into_iter();
        reached.map(|Reached { sequence, at }| (sequence, at.map(|at| at.timestamp()))).collect()
    }

    fn progress(moments: &[(u64, i64)]) -> Progress {
        let progress = Progress::default();
        for &(sequence, seconds) in moments {
            progress.note_at(sequence, DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds));
        }
        progress
    }

    #[test]
    fn a_position_is_reached_at_the_first_recorded_position_not_before_it() {
        let progress = progress(&[(10, 1), (13, 2), (13, 3), (14, 4)]);
        let reached = [(14, Some(4)), (11, Some(2)), (13, Some(2))];
        assert_eq!(listed(&progress, &[14, 11, 13]), reached);
        assert_eq!(listed(&progress, &[10]), [], "it may have been reached before that");
        assert_eq!(listed(&progress, &[15]), [(15, None)]);
        assert_eq!(listed(&Progress::default(), &[15]), [(15, None)]);
    }

    #[test]
    fn only_recent_positions_of_the_current_log_are_remembered() {
        let moments: Vec<_> = (1..=5_000).map(|number| (number, 7)).collect();
        let progress = progress(&moments);
        let remembered = [(906, Some(7)), (5_000, Some(7))];
        assert_eq!(listed(&progress, &[904, 905, 906, 5_000]), remembered);
        progress.note_at(3, DateTime::UNIX_EPOCH);
        progress.note_at(4, DateTime::UNIX_EPOCH);
        assert_eq!(listed(&progress, &[3, 4, 5_000]), [(4, Some(0)), (5_000, None)]);
    }
}
