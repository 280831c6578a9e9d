//! Detects a Postgres replica that lags behind the current revision of the read models.
//!
//! The database address may lead to several servers. A rebuild writes so much that a replica lags for
//! seconds, during which polls alternate between the two revisions.

use std::time::{Duration, Instant};

use super::FeedPosition;

/// How long a replica may lag. After that, the older revision is taken for another history: a database
/// restored from a copy stays at the revision of the copy.
const MAX_LAG: Duration = Duration::from_secs(30);
/// How long after the last lagging read a replica counts as caught up.
const CAUGHT_UP_AFTER: Duration = Duration::from_secs(2);

/// The lagging replica, if one was observed.
#[derive(Debug, Default)]
pub(super) struct LagDetector(Option<Observation>);

#[derive(Debug)]
struct Observation {
    first: Instant,
    last: Instant,
}

impl LagDetector {
    /// Records a poll that read `current` after `announced` was announced. Returns true if a lagging
    /// replica explains the difference.
    pub fn observe(&mut self, current: &FeedPosition, announced: &FeedPosition) -> bool {
        if !current.is_of_revision_before(announced) {
            return false;
        }
        let now = Instant::now();
        let observation = self.0.get_or_insert(Observation { first: now, last: now });
        observation.last = now;
        observation.first.elapsed() < MAX_LAG
    }

    /// Returns true once, after a lagging replica has caught up. Clients that were told of the new
    /// revision may have read old rows from it at the same position, so they have to be reset.
    pub fn has_caught_up(&mut self) -> bool {
        self.0.take_if(|observation| observation.last.elapsed() >= CAUGHT_UP_AFTER).is_some()
    }
}

#[cfg(test)]
mod tests {
    use contracts::Checkpoint;

    use super::*;

    const OLD: FeedPosition = FeedPosition { revision: 1, checkpoint: Checkpoint::START };
    const ANNOUNCED: FeedPosition = FeedPosition { revision: 2, checkpoint: Checkpoint::START };

    fn lagging_for(time: Duration) -> LagDetector {
        let at = Instant::now().checked_sub(time).expect("the machine runs for longer");
        LagDetector(Some(Observation { first: at, last: at }))
    }

    #[test]
    fn an_older_revision_is_lag_until_it_lasts_too_long() {
        let mut detector = LagDetector::default();
        assert!(
            !detector.observe(&ANNOUNCED, &ANNOUNCED) && !detector.has_caught_up(),
            "no replica lags"
        );
        assert!(detector.observe(&OLD, &ANNOUNCED));
        assert!(!detector.has_caught_up(), "it was lagging just now");
        assert!(!lagging_for(MAX_LAG).observe(&OLD, &ANNOUNCED));
    }

    #[test]
    fn catching_up_is_reported_once() {
        let mut detector = lagging_for(CAUGHT_UP_AFTER);
        assert!(detector.has_caught_up() && !detector.has_caught_up());
    }
}
