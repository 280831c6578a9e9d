//! Counts the most frequent events in bounded memory.

use std::{
    cmp::Reverse,
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
};

use chrono::{DateTime, Utc};

/// Counts occurrences by key. When there are more keys than the limit, the half with the lowest counts
/// (the oldest first among equals) is dropped, so that a flood of one-off keys evicts no frequent one.
#[derive(Debug)]
pub struct Frequent<K> {
    max_keys: usize,
    counts: Mutex<HashMap<K, Count>>,
}

#[derive(Debug)]
struct Count {
    times: u64,
    last_at: DateTime<Utc>,
    from: Option<String>,
}

/// How often a key occurred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted<K> {
    /// The key.
    pub key: K,
    /// How often it occurred since it entered the table.
    pub count: u64,
    /// When it occurred last.
    pub last_at: DateTime<Utc>,
    /// Its last known origin.
    pub from: Option<String>,
}

impl<K: Clone + Eq + Hash> Frequent<K> {
    /// Creates a table of at most `max_keys` keys.
    pub fn new(max_keys: usize) -> Self {
        Self { max_keys, counts: Mutex::default() }
    }

    /// Counts one occurrence of `key`, which came from `from`.
    pub fn record(&self, key: K, from: Option<String>) {
        let now = Utc::now();
        let mut counts = self.counts();
        let count = counts.entry(key).or_insert(Count { times: 0, last_at: now, from: None });
        count.times += 1;
        count.last_at = now;
        if from.is_some() {
            count.from = from;
        }
        if counts.len() > self.max_keys {
            drop_rarest_half(&mut counts);
        }
    }

    /// Returns at most `max` keys, the most frequent first.
    pub fn list(&self, max: usize) -> Vec<Counted<K>> {
        let counts = self.counts();
        let counted = counts.iter().map(|(key, count)| Counted {
            key: key.clone(),
            count: count.times,
            last_at: count.last_at,
            from: count.from.clone(),
        });
        let mut list: Vec<_> = counted.collect();
        drop(counts);
        list.sort_by_key(|counted| Reverse((counted.count, counted.last_at)));
        list.truncate(max);
        list
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<K, Count>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn drop_rarest_half<K: Clone + Eq + Hash>(counts: &mut HashMap<K, Count>) {
    let mut keys: Vec<_> =
        counts.iter().map(|(key, count)| (count.times, count.last_at, key.clone())).collect();
    let middle = keys.len() / 2;
    keys.select_nth_unstable_by_key(middle, |&(times, last_at, _)| (times, last_at));
    for (_, _, key) in &keys[..middle] {
        counts.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_one_off_keys_stays_within_bounds_and_evicts_no_frequent_key() {
        let paths = Frequent::new(100);
        for number in 0..5_000 {
            paths.record(format!("/one-off/{number}"), None);
            if number % 10 == 0 {
                paths.record("/an-old-home".to_owned(), Some(format!("/from/{number}")));
            }
            if number % 25 == 0 {
                paths.record("/another".to_owned(), None);
            }
        }
        assert!(paths.counts().len() <= 100);
        let list = paths.list(3);
        let named: Vec<_> = list.iter().map(|it| (it.key.as_str(), it.count)).collect();
        assert_eq!(named[..2], [("/an-old-home", 500), ("/another", 200)]);
        assert_eq!((list.len(), list[0].from.as_deref()), (3, Some("/from/4990")));
    }
}
