//! A server of the read models that is behind a revision.
//!
//! The address of the read models may lead to several servers. A rebuild writes so much that a replica is
//! behind for seconds, and looks go to and fro between two revisions.

use std::time::{Duration, Instant};

use super::FeedPosition;

/// For how long one is taken to be behind. What came back from a copy stays there: another history.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long after it was seen last one is taken to have come.
const HAS_COME: Duration = Duration::from_secs(2);

/// The server that is behind the revision that was told, if one was seen.
#[derive(Debug, Default)]
pub(super) struct Laggard(Option<Seen>);

#[derive(Debug)]
struct Seen {
    first: Instant,
    last: Instant,
}

impl Laggard {
    /// Whether `now` is what such a server shows, where `told` was told.
    pub fn is_seen(&mut self, now: &FeedPosition, told: &FeedPosition) -> bool {
        if !now.is_of_revision_before(told) {
            return false;
        }
        let at = Instant::now();
        let seen = self.0.get_or_insert(Seen { first: at, last: at });
        seen.last = at;
        seen.first.elapsed() < PATIENCE
    }

    /// Whether one was seen and has come since. It is said once: whoever was told of the revision may
    /// have read there what was before it, at the same position.
    pub fn has_come(&mut self) -> bool {
        self.0.take_if(|seen| seen.last.elapsed() >= HAS_COME).is_some()
    }
}

#[cfg(test)]
mod tests {
    use contracts::Checkpoint;

    use super::*;

    const BEFORE: FeedPosition = FeedPosition { revision: 1, checkpoint: Checkpoint::START };
    const TOLD: FeedPosition = FeedPosition { revision: 2, checkpoint: Checkpoint::START };

    fn seen_for(time: Duration) -> Laggard {
        let at = Instant::now().checked_sub(time).expect("the machine runs for longer");
        Laggard(Some(Seen { first: at, last: at }))
    }

    #[test]
    fn who_is_behind_is_waited_for_and_one_that_stays_there_is_another_history() {
        let mut laggard = Laggard::default();
        assert!(!laggard.is_seen(&TOLD, &TOLD) && !laggard.has_come(), "there is none");
        assert!(laggard.is_seen(&BEFORE, &TOLD));
        assert!(!laggard.has_come(), "it was seen just now");
        assert!(!seen_for(PATIENCE).is_seen(&BEFORE, &TOLD));
    }

    #[test]
    fn that_one_has_come_is_said_once() {
        let mut laggard = seen_for(HAS_COME);
        assert!(laggard.has_come() && !laggard.has_come());
    }
}
