//! Remembers the slowest operations of the last hour, in bounded memory.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use crate::telemetry;

/// The maximum number of operations returned.
const MAX_LISTED: usize = 50;
/// How long an operation is remembered.
const RETENTION: Duration = Duration::from_hours(1);
/// The length of a slot. The slowest are collected per slot, so that expiry removes no more than one
/// slot at a time.
const SLOT: Duration = Duration::from_mins(5);

/// The slowest operations of the last hour.
#[derive(Debug)]
pub struct Slowest<T> {
    /// The latest slot last.
    slots: Mutex<VecDeque<Slot<T>>>,
}

#[derive(Debug)]
struct Slot<T> {
    began: Instant,
    /// The slowest first.
    entries: Vec<Entry<T>>,
}

#[derive(Clone, Debug)]
struct Entry<T> {
    took: Duration,
    recorded: Instant,
    slow: Slow<T>,
}

/// An operation and how long it took.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Slow<T> {
    /// The operation.
    #[serde(flatten)]
    pub what: T,
    /// How long it took.
    pub milliseconds: f64,
    /// When it ended.
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
    /// Records an operation of the current span that `took` so long. `what` is called only if the
    /// operation is among the slowest.
    pub fn record(&self, took: Duration, what: impl FnOnce() -> T) {
        self.note_at(Instant::now(), took, what);
    }

    /// Returns the slowest operations of the last hour, the slowest first.
    pub fn list(&self) -> Vec<Slow<T>> {
        self.list_at(Instant::now())
    }

    fn note_at(&self, now: Instant, took: Duration, what: impl FnOnce() -> T) {
        let mut slots = self.slots();
        if slots.back().is_none_or(|slot| now.duration_since(slot.began) >= SLOT) {
            slots.retain(|slot| now.duration_since(slot.began) < RETENTION + SLOT);
            slots.push_back(Slot { began: now, entries: Vec::new() });
        }
        let Some(slot) = slots.back_mut() else { return };
        let place = slot.entries.partition_point(|entry| entry.took >= took);
        if place == MAX_LISTED {
            return;
        }
        let trace_id = telemetry::traceparent()
            .and_then(|parent| telemetry::trace_id(&parent).map(str::to_owned));
        let milliseconds = (took.as_secs_f64() * 10_000.0).round() / 10.0;
        let entry = Slow { what: what(), milliseconds, at: Utc::now(), trace_id };
        slot.entries.truncate(MAX_LISTED - 1);
        slot.entries.insert(place, Entry { took, recorded: now, slow: entry });
    }

    fn list_at(&self, now: Instant) -> Vec<Slow<T>> {
        let slots = self.slots();
        let is_recent = |entry: &&Entry<T>| now.duration_since(entry.recorded) < RETENTION;
        let mut all: Vec<_> =
            slots.iter().flat_map(|slot| slot.entries.iter().filter(is_recent)).cloned().collect();
        drop(slots);
        all.sort_by_key(|entry| std::cmp::Reverse(entry.took));
        all.truncate(MAX_LISTED);
        all.into_iter().map(|entry| entry.slow).collect()
    }

    fn slots(&self) -> MutexGuard<'_, VecDeque<Slot<T>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_of_the_last_hour_are_listed_in_bounded_memory() {
        let slowest = Slowest::default();
        let began = Instant::now();
        for number in 0..10_000_u64 {
            // Spread over two hours, with durations in no particular order.
            let at = began + Duration::from_millis(number * 720);
            let took = Duration::from_millis(number * 7_919 % 10_000);
            slowest.note_at(at, took, || number);
        }
        let stored: usize = slowest.slots().iter().map(|slot| slot.entries.len()).sum();
        assert!(stored <= MAX_LISTED * 14, "{stored}");
        let end = began + Duration::from_hours(2);
        let list = slowest.list_at(end);
        let listed: Vec<u64> = list.iter().map(|slow| slow.what).collect();
        let mut expected: Vec<u64> = (5_001..10_000).collect();
        expected.sort_by_key(|number| std::cmp::Reverse(number * 7_919 % 10_000));
        assert_eq!(listed, expected[..MAX_LISTED]);
        assert!(slowest.list_at(end + RETENTION).is_empty());
    }
}
