//! What happens most, in bounded memory.

use std::{
    cmp::Reverse,
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
};

use chrono::{DateTime, Utc};

/// Counts things by name. Where there are more names than it may hold, the half that came least often
/// and longest ago is forgotten, so that a flood of names that come once pushes out nothing frequent.
#[derive(Debug)]
pub struct Frequent<K> {
    most: usize,
    counts: Mutex<HashMap<K, Count>>,
}

#[derive(Debug)]
struct Count {
    times: u64,
    last_at: DateTime<Utc>,
    from: Option<String>,
}

/// How often a thing came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted<K> {
    /// Its name.
    pub key: K,
    /// How often, since it is counted.
    pub count: u64,
    /// When it came last.
    pub last_at: DateTime<Utc>,
    /// Where it came from, the last time that this was known.
    pub from: Option<String>,
}

impl<K: Clone + Eq + Hash> Frequent<K> {
    /// Holds at most `most` names.
    pub fn new(most: usize) -> Self {
        Self { most, counts: Mutex::default() }
    }

    /// `key` came, `from` there.
    pub fn note(&self, key: K, from: Option<String>) {
        let now = Utc::now();
        let mut counts = self.counts();
        let count = counts.entry(key).or_insert(Count { times: 0, last_at: now, from: None });
        count.times += 1;
        count.last_at = now;
        if from.is_some() {
            count.from = from;
        }
        if counts.len() > self.most {
            forget_half(&mut counts);
        }
    }

    /// The most frequent, at most `most`, the most frequent first.
    pub fn list(&self, most: usize) -> Vec<Counted<K>> {
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
        list.truncate(most);
        list
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<K, Count>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn forget_half<K: Clone + Eq + Hash>(counts: &mut HashMap<K, Count>) {
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
    fn a_flood_of_strangers_stays_within_bounds_and_hides_nothing_frequent() {
        let paths = Frequent::new(100);
        for number in 0..5_000 {
            paths.note(format!("/stranger/{number}"), None);
            if number % 10 == 0 {
                paths.note("/an-old-home".to_owned(), Some(format!("/from/{number}")));
            }
            if number % 25 == 0 {
                paths.note("/another".to_owned(), None);
            }
        }
        assert!(paths.counts().len() <= 100);
        let list = paths.list(3);
        let named: Vec<_> = list.iter().map(|it| (it.key.as_str(), it.count)).collect();
        assert_eq!(named[..2], [("/an-old-home", 500), ("/another", 200)]);
        assert_eq!((list.len(), list[0].from.as_deref()), (3, Some("/from/4990")));
    }
}
