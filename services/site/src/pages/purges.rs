//! Remembers the last purges, so that a page rendered before a purge is detected after it.

use std::{collections::HashMap, sync::Arc};

use contracts::Sequence;

/// The cache's position in the change stream. A render records it before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Counts how often everything was purged, or at least all renders in flight were invalidated.
    pub era: u64,
    /// The position of the last event.
    pub latest: Sequence,
}

impl Position {
    /// Returns whether a render that began here is current enough for a request that arrived at
    /// `arrival`.
    pub fn covers(self, arrival: Self) -> bool {
        self.era == arrival.era && self.latest >= arrival.latest
    }
}

/// The position of each tag's last purge, in bounded memory.
#[derive(Debug)]
pub struct Purges {
    position: Position,
    /// Anything made before this position is treated as purged, whatever its tags.
    floor: Sequence,
    by_tag: HashMap<Arc<str>, Sequence>,
    max_tags: usize,
}

impl Purges {
    /// Creates an empty record, which remembers at most `max_tags` tags individually.
    pub fn new(max_tags: usize) -> Self {
        let position = Position { era: 0, latest: Sequence::START };
        Self { position, floor: Sequence::START, by_tag: HashMap::new(), max_tags }
    }

    /// Returns the cache's position.
    pub const fn position(&self) -> Position {
        self.position
    }

    /// Restarts at `sequence`, which may be lower than before (if a log was lost).
    pub fn restart(&mut self, sequence: Sequence) {
        self.position = Position { era: self.position.era + 1, latest: sequence };
        self.floor = sequence;
        self.by_tag.clear();
    }

    /// Invalidates everything that was started before.
    pub const fn start_era(&mut self) {
        self.position.era += 1;
    }

    /// Records that `tag` was purged by the change at `sequence`.
    pub fn record(&mut self, tag: &str, sequence: Sequence) {
        self.position.latest = self.position.latest.max(sequence);
        if let Some(last) = self.by_tag.get_mut(tag) {
            *last = (*last).max(sequence);
            return;
        }
        self.by_tag.insert(tag.into(), sequence);
        if self.by_tag.len() > self.max_tags {
            self.forget_older_half();
        }
    }

    /// Returns whether a page made from `sequence` includes the last change of each of `tags`.
    pub fn allow<T: AsRef<str>>(&self, sequence: Sequence, tags: &[T]) -> bool {
        sequence >= self.floor
            && tags
                .iter()
                .all(|tag| self.by_tag.get(tag.as_ref()).is_none_or(|&purged| sequence >= purged))
    }

    /// Forgets the older half of the tags. The floor rises to the newest position forgotten, so that
    /// this can only reject more pages.
    fn forget_older_half(&mut self) {
        let mut sequences: Vec<_> = self.by_tag.values().copied().collect();
        let middle = sequences.len() / 2;
        let (_, &mut median, _) = sequences.select_nth_unstable(middle);
        self.floor = self.floor.max(median);
        self.by_tag.retain(|_, sequence| *sequence > median);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(number: u64) -> Sequence {
        Sequence::from(number)
    }

    #[test]
    fn a_page_is_rejected_if_a_tag_was_purged_after_it() {
        let mut purges = Purges::new(10);
        purges.record("team", at(5));
        assert!(!purges.allow(at(4), &["site", "team"]));
        assert!(purges.allow(at(5), &["site", "team"]));
        assert!(purges.allow(at(4), &["site"]));
        purges.record("team", at(3));
        assert!(!purges.allow(at(4), &["team"]), "a late event undoes nothing");
    }

    #[test]
    fn forgetting_tags_only_rejects_more() {
        let mut purges = Purges::new(100);
        for number in 1..=1_000 {
            purges.record(&format!("property:{number}"), at(number));
            assert!(purges.by_tag.len() <= 100);
        }
        for number in 2..=1_000 {
            assert!(!purges.allow(at(number - 1), &[format!("property:{number}")]), "{number}");
        }
        assert!(purges.allow(at(1_000), &["property:1000"]));
    }

    #[test]
    fn a_restart_covers_nothing_from_before() {
        let mut purges = Purges::new(10);
        purges.record("team", at(50));
        let before = purges.position();
        purges.restart(at(7));
        assert!(!before.covers(purges.position()));
        assert!(purges.allow(at(7), &["team"]) && !purges.allow(at(6), &["site"]));
    }
}
