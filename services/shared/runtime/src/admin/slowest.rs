//! What took longest in the last hour, in bounded memory.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::telemetry;

/// How many are told.
const MOST: usize = 50;
/// How long each is remembered.
const REMEMBERED: Duration = Duration::from_hours(1);
/// The slowest are kept of each so long a time: what is forgotten with an hour's end is no more than
/// that.
const SLOT: Duration = Duration::from_mins(5);

/// The slowest of things of the last hour.
#[derive(Debug)]
pub struct Slowest<T> {
    /// The latest last.
    slots: Mutex<VecDeque<Slot<T>>>,
}

#[derive(Debug)]
struct Slot<T> {
    began: Instant,
    /// The slowest first.
    kept: Vec<Kept<T>>,
}

#[derive(Clone, Debug)]
struct Kept<T> {
    took: Duration,
    since: Instant,
    slow: Slow<T>,
}

/// A thing and how long it took.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Slow<T> {
    /// The thing.
    #[serde(flatten)]
    pub what: T,
    /// How long it took.
    pub milliseconds: f64,
    /// When it had ended.
    pub at: DateTime<Utc>,
    /// The trace that it was part of.
    pub trace_id: Option<String>,
}

impl<T> Default for Slowest<T> {
    fn default() -> Self {
        Self { slots: Mutex::default() }
    }
}

impl<T: Clone> Slowest<T> {
    /// Something `took` so long, in the span that is current. What it was is asked only where it is
    /// kept.
    pub fn note(&self, took: Duration, what: impl FnOnce() -> T) {
        self.note_at(Instant::now(), took, what);
    }

    /// The slowest of the last hour, the slowest first.
    pub fn list(&self) -> Vec<Slow<T>> {
        self.list_at(Instant::now())
    }

    fn note_at(&self, now: Instant, took: Duration, what: impl FnOnce() -> T) {
        let mut slots = self.slots();
        if slots.back().is_none_or(|slot| now.duration_since(slot.began) >= SLOT) {
            slots.retain(|slot| now.duration_since(slot.began) < REMEMBERED + SLOT);
            slots.push_back(Slot { began: now, kept: Vec::new() });
        }
        let Some(slot) = slots.back_mut() else { return };
        let place = slot.kept.partition_point(|kept| kept.took >= took);
        if place == MOST {
            return;
        }
        let trace_id = telemetry::traceparent()
            .and_then(|parent| telemetry::trace_id(&parent).map(str::to_owned));
        let milliseconds = (took.as_secs_f64() * 10_000.0).round() / 10.0;
        let noted = Slow { what: what(), milliseconds, at: Utc::now(), trace_id };
        slot.kept.truncate(MOST - 1);
        slot.kept.insert(place, Kept { took, since: now, slow: noted });
    }

    fn list_at(&self, now: Instant) -> Vec<Slow<T>> {
        let slots = self.slots();
        let lately = |kept: &&Kept<T>| now.duration_since(kept.since) < REMEMBERED;
        let mut all: Vec<_> =
            slots.iter().flat_map(|slot| slot.kept.iter().filter(lately)).cloned().collect();
        drop(slots);
        all.sort_by_key(|kept| std::cmp::Reverse(kept.took));
        all.truncate(MOST);
        all.into_iter().map(|kept| kept.slow).collect()
    }

    fn slots(&self) -> MutexGuard<'_, VecDeque<Slot<T>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_of_an_hour_are_told_and_no_more_are_kept() {
        let slowest = Slowest::default();
        let began = Instant::now();
        for number in 0..10_000_u64 {
            // Over two hours, in no order of its own.
            let at = began + Duration::from_millis(number * 720);
            let took = Duration::from_millis(number * 7_919 % 10_000);
            slowest.note_at(at, took, || number);
        }
        let kept: usize = slowest.slots().iter().map(|slot| slot.kept.len()).sum();
        assert!(kept <= MOST * 14, "{kept}");
        let end = began + Duration::from_hours(2);
        let list = slowest.list_at(end);
        let told: Vec<u64> = list.iter().map(|slow| slow.what).collect();
        let mut right: Vec<u64> = (5_001..10_000).collect();
        right.sort_by_key(|number| std::cmp::Reverse(number * 7_919 % 10_000));
        assert_eq!(told, right[..MOST]);
        assert!(slowest.list_at(end + REMEMBERED).is_empty());
    }
}
