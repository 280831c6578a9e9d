//! Collections that can't be read now: each on its own, with since when, why, and how long it is left
//! alone. One that the token may not read any more stops no other.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use contracts::Collection;
use serde::{Serialize, Serializer};

use crate::{Error, reconcile::Depth};

/// What is done with a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Task {
    /// Reading items that something told of.
    Capture,
    /// Comparing it with the ledger.
    Compare(Depth),
}

impl Task {
    /// Every task.
    pub const ALL: [Self; 3] =
        [Self::Capture, Self::Compare(Depth::Ids), Self::Compare(Depth::Contents)];

    /// The name for metrics, logs and operators.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Capture => "capture",
            Self::Compare(depth) => depth.name(),
        }
    }

    /// The longest that a collection is left alone.
    const fn longest_rest(self) -> Duration {
        match self {
            Self::Capture => Duration::from_secs(30),
            Self::Compare(_) => Duration::from_mins(5),
        }
    }
}

impl Serialize for Task {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The first rest; it doubles while the collection goes on failing.
const FIRST_REST: Duration = Duration::from_secs(1);
/// How often a collection is compared in vain before it is taken for kept back, where that may be its own
/// fault.
const IN_VAIN: u32 = 5;

/// What fails now.
#[derive(Debug, Default)]
pub struct Troubles {
    failing: Mutex<BTreeMap<(Collection, Task), Trouble>>,
}

#[derive(Debug)]
struct Trouble {
    since: DateTime<Utc>,
    why: String,
    failures: u32,
    /// How many of those that may be the collection's own there were since the homes were compared.
    since_homes: u32,
    /// Whether it stays so until somebody acts.
    kept_back: bool,
    rests_until: Instant,
}

/// One thing that fails, for the operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failing {
    /// The collection.
    pub collection: Collection,
    /// What can't be done with it.
    pub task: Task,
    /// Since when.
    pub since: DateTime<Utc>,
    /// Why, the last time.
    pub why: String,
}

impl Troubles {
    /// `task` failed for `collection`; gives how long to leave it alone. Said once for each reason. What fails
    /// while the collection rests began before, and makes the rest no longer.
    pub fn failed(&self, collection: Collection, task: Task, error: &Error) -> Duration {
        metrics::counter!(
            "sync_collection_failures_total",
            "collection" => collection.name(), "task" => task.name()
        )
        .increment(1);
        let why = error.to_string();
        let now = Instant::now();
        let mut failing = self.failing();
        let trouble = failing.entry((collection, task)).or_insert_with(|| Trouble {
            since: Utc::now(),
            why: String::new(),
            failures: 0,
            since_homes: 0,
            kept_back: false,
            rests_until: now,
        });
        if trouble.rests_until <= now {
            let doubled = FIRST_REST * 2_u32.saturating_pow(trouble.failures.min(10));
            trouble.rests_until = now + doubled.min(task.longest_rest());
            trouble.failures += 1;
        }
        let rest = trouble.rests_until.duration_since(now);
        trouble.since_homes += u32::from(error.may_be_of_the_collection());
        trouble.kept_back = error.is_kept_back();
        let is_news = trouble.why != why;
        trouble.why.clone_from(&why);
        drop(failing);
        if is_news {
            tracing::warn!(%collection, task = task.name(), %why, "a collection can't be read");
        }
        rest
    }

    /// `task` went well for `collection`.
    pub fn ended(&self, collection: Collection, task: Task) {
        let ended = self.failing().remove(&(collection, task));
        if let Some(trouble) = ended {
            let since = trouble.since;
            tracing::info!(%collection, task = task.name(), %since, "the collection is read again");
        }
    }

    /// The collections that `task` leaves alone now.
    pub fn resting(&self, task: Task) -> Vec<Collection> {
        let now = Instant::now();
        self.failing()
            .iter()
            .filter(|((_, failing), trouble)| *failing == task && trouble.rests_until > now)
            .map(|((collection, _), _)| *collection)
            .collect()
    }

    /// The homes were compared: the content service answers, and what failed before may not fail now.
    pub fn homes_compared(&self) {
        for trouble in self.failing().values_mut() {
            trouble.since_homes = 0;
        }
    }

    /// The collections that the content service keeps back from us until somebody acts, though it shows
    /// the homes.
    pub fn kept_back(&self) -> Vec<Collection> {
        let failing = self.failing();
        let kept_back = failing.iter().filter(|((_, task), trouble)| match task {
            // What was listed can't be read any more.
            Task::Capture => trouble.kept_back && trouble.since_homes > 0,
            Task::Compare(Depth::Contents) => {
                trouble.since_homes >= if trouble.kept_back { 1 } else { IN_VAIN }
            }
            Task::Compare(Depth::Ids) => false,
        });
        kept_back.map(|((collection, _), _)| *collection).collect()
    }

    /// Everything that fails now.
    pub fn all(&self) -> Vec<Failing> {
        self.failing()
            .iter()
            .map(|(&(collection, task), trouble)| Failing {
                collection,
                task,
                since: trouble.since,
                why: trouble.why.clone(),
            })
            .collect()
    }

    fn failing(&self) -> MutexGuard<'_, BTreeMap<(Collection, Task), Trouble>> {
        self.failing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collection_rests_ever_longer_and_alone_until_it_goes_well() {
        let troubles = Troubles::default();
        let (team, full) = (Collection::Team, Task::Compare(Depth::Contents));
        let fail = || troubles.failed(team, full, &Error::NotLeader);
        let rests: Vec<Duration> = (0..12)
            .map(|_| {
                let rest = fail();
                assert!(fail() <= rest, "it began before the rest");
                for trouble in troubles.failing().values_mut() {
                    trouble.rests_until = Instant::now();
                }
                rest
            })
            .collect();
        assert_eq!(rests[..3], [1, 2, 4].map(Duration::from_secs));
        assert_eq!(rests.last(), Some(&full.longest_rest()));
        fail();
        assert_eq!(troubles.resting(full), [team]);
        assert!(troubles.resting(Task::Capture).is_empty());
        assert_eq!(troubles.all().len(), 1);
        troubles.ended(team, full);
        assert!(troubles.all().is_empty() && troubles.resting(full).is_empty());
    }

    #[test]
    fn what_is_kept_back_or_fails_again_and_again_by_itself_is_not_waited_for() {
        let troubles = Troubles::default();
        let (team, full) = (Collection::Team, Task::Compare(Depth::Contents));
        let short = || {
            let path = "/items/team".to_owned();
            Error::Content(content_client::Error::Partial { path, listed: 1, counted: 2 })
        };
        for _ in 0..2 * IN_VAIN {
            troubles.failed(team, full, &Error::NotLeader);
        }
        assert!(troubles.kept_back().is_empty(), "it is not the collection that fails");
        for left in (0..IN_VAIN).rev() {
            troubles.failed(team, full, &short());
            assert_eq!(troubles.kept_back().is_empty(), left > 0, "it may go well now");
        }
        troubles.homes_compared();
        assert!(troubles.kept_back().is_empty(), "the content service has come right since");
        let refused = Error::Content(content_client::Error::TooLarge { limit: 1 });
        troubles.failed(team, Task::Capture, &refused);
        assert_eq!(troubles.kept_back(), [team]);
    }
}
