//! Collections that currently can't be read: each with since when, why, and how long its task backs off.
//! A collection that the token may no longer read stops no other. The content service's activity log is
//! listed among them.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use contracts::Collection;
use runtime::error_text;
use serde::Serialize;

use crate::{Error, reconcile::Depth};

/// A task on a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Task {
    /// Reading items that a hint announced.
    Capture,
    /// Comparing it with the ledger.
    Compare(Depth),
}

impl Task {
    /// Every task.
    pub const ALL: [Self; 3] =
        [Self::Capture, Self::Compare(Depth::Ids), Self::Compare(Depth::Contents)];

    /// Returns the name used in metrics, logs and the admin API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Capture => "capture",
            Self::Compare(depth) => depth.name(),
        }
    }

    /// Returns the maximum backoff.
    const fn max_backoff(self) -> Duration {
        match self {
            Self::Capture => Duration::from_secs(30),
            Self::Compare(_) => Duration::from_mins(5),
        }
    }
}

/// The first backoff; it doubles while the collection keeps failing.
const MIN_BACKOFF: Duration = Duration::from_secs(1);
/// How many failed comparisons make a collection count as withheld, if the cause may be the collection
/// itself.
const WITHHELD_THRESHOLD: u32 = 5;

/// The collection of the activity log, and the name of the task that reads it.
const ACTIVITY: (&str, &str) = ("directus_activity", "follow");

/// The tasks that currently fail.
#[derive(Debug, Default)]
pub struct Failures {
    failing: Mutex<BTreeMap<(Collection, Task), FailureState>>,
    /// The failure to follow the activity log.
    activity: Mutex<Option<Failing>>,
}

#[derive(Debug)]
struct FailureState {
    since: DateTime<Utc>,
    why: String,
    failures: u32,
    /// How many failures since the properties were last compared may have been caused by the collection
    /// itself.
    suspect_failures: u32,
    /// Whether the failure persists until an operator acts.
    withheld: bool,
    backoff_until: Instant,
}

/// A failing task, as reported to operators.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failing {
    /// The collection.
    pub collection: &'static str,
    /// The name of the task that fails.
    pub task: &'static str,
    /// Since when.
    pub since: DateTime<Utc>,
    /// The reason of the last failure.
    pub why: String,
}

impl Failures {
    /// Records that `task` failed for `collection`, and returns how long to back off. Each reason is
    /// logged once. A failure during the backoff is of an attempt that started before it, and does not
    /// extend it.
    pub fn failed(&self, collection: Collection, task: Task, error: &Error) -> Duration {
        metrics::counter!(
            "sync_collection_failures_total",
            "collection" => collection.name(), "task" => task.name()
        )
        .increment(1);
        let why = error_text(error);
        let now = Instant::now();
        let mut failing = self.failing();
        let failure = failing.entry((collection, task)).or_insert_with(|| FailureState {
            since: Utc::now(),
            why: String::new(),
            failures: 0,
            suspect_failures: 0,
            withheld: false,
            backoff_until: now,
        });
        if failure.backoff_until <= now {
            let doubled = MIN_BACKOFF * 2_u32.saturating_pow(failure.failures.min(10));
            failure.backoff_until = now + doubled.min(task.max_backoff());
            failure.failures += 1;
        }
        let backoff = failure.backoff_until.duration_since(now);
        failure.suspect_failures += u32::from(error.may_concern_collection());
        failure.withheld = error.is_withheld();
        let is_new_reason = failure.why != why;
        failure.why.clone_from(&why);
        drop(failing);
        if is_new_reason {
            tracing::warn!(%collection, task = task.name(), %why, "a collection can't be read");
        }
        backoff
    }

    /// Records that `task` succeeded for `collection`.
    pub fn succeeded(&self, collection: Collection, task: Task) {
        let removed = self.failing().remove(&(collection, task));
        if let Some(failure) = removed {
            let since = failure.since;
            tracing::info!(%collection, task = task.name(), %since, "the collection can be read again");
        }
    }

    /// Records that nothing is left to capture: another process may have read what failed here.
    pub fn nothing_left_to_capture(&self) {
        for collection in Collection::ALL {
            self.succeeded(collection, Task::Capture);
        }
    }

    /// Records that the activity log could not be read. Each reason is logged once.
    pub fn activity_failed(&self, error: &Error) {
        metrics::counter!("sync_activity_failures_total").increment(1);
        let why = error_text(error);
        let before = self.activity();
        if before.as_ref().is_none_or(|before| before.why != why) {
            tracing::warn!(%why, "the activity log can't be read; changes whose hints are lost come later");
        }
        let since = before.map_or_else(Utc::now, |before| before.since);
        let failing = Failing { collection: ACTIVITY.0, task: ACTIVITY.1, since, why };
        *self.lock_activity() = Some(failing);
    }

    /// Records that the activity log was read.
    pub fn activity_succeeded(&self) {
        let failing = self.lock_activity().take();
        if let Some(Failing { since, .. }) = failing {
            tracing::info!(%since, "the activity log can be read again");
        }
    }

    /// Returns since when and why the activity log can't be read; none if it can.
    pub fn activity(&self) -> Option<Failing> {
        self.lock_activity().clone()
    }

    fn lock_activity(&self) -> MutexGuard<'_, Option<Failing>> {
        self.activity.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the collections for which `task` backs off now.
    pub fn backing_off(&self, task: Task) -> Vec<Collection> {
        let now = Instant::now();
        self.failing()
            .iter()
            .filter(|((_, failing), failure)| *failing == task && failure.backoff_until > now)
            .map(|((collection, _), _)| *collection)
            .collect()
    }

    /// Records that the properties were compared: the content service answers, so what failed before may
    /// succeed now.
    pub fn properties_compared(&self) {
        for failure in self.failing().values_mut() {
            failure.suspect_failures = 0;
        }
    }

    /// Returns the collections that the content service withholds from us until an operator acts,
    /// although it serves the properties.
    pub fn withheld(&self) -> Vec<Collection> {
        let failing = self.failing();
        let withheld = failing.iter().filter(|((_, task), failure)| match task {
            // Its items were listed, but can't be read any more.
            Task::Capture => failure.withheld && failure.suspect_failures > 0,
            Task::Compare(Depth::Contents) => {
                failure.suspect_failures >= if failure.withheld { 1 } else { WITHHELD_THRESHOLD }
            }
            Task::Compare(Depth::Ids) => false,
        });
        withheld.map(|((collection, _), _)| *collection).collect()
    }

    /// Returns all failing tasks.
    pub fn all(&self) -> Vec<Failing> {
        let failing = self.failing();
        let of_collections = failing.iter().map(|((collection, task), failure)| Failing {
            collection: collection.name(),
            task: task.name(),
            since: failure.since,
            why: failure.why.clone(),
        });
        of_collections.chain(self.activity()).collect()
    }

    fn failing(&self) -> MutexGuard<'_, BTreeMap<(Collection, Task), FailureState>> {
        self.failing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_collection_backs_off_exponentially_and_alone_until_it_succeeds() {
        let failures = Failures::default();
        let (team, full) = (Collection::Team, Task::Compare(Depth::Contents));
        let fail = || failures.failed(team, full, &Error::NotLeader);
        let backoffs: Vec<Duration> = (0..12)
            .map(|_| {
                let backoff = fail();
                assert!(fail() <= backoff, "it began before the backoff");
                for failure in failures.failing().values_mut() {
                    failure.backoff_until = Instant::now();
                }
                backoff
            })
            .collect();
        assert_eq!(backoffs[..3], [1, 2, 4].map(Duration::from_secs));
        assert_eq!(backoffs.last(), Some(&full.max_backoff()));
        fail();
        assert_eq!(failures.backing_off(full), [team]);
        assert!(failures.backing_off(Task::Capture).is_empty());
        assert_eq!(failures.all().len(), 1);
        failures.succeeded(team, full);
        assert!(failures.all().is_empty() && failures.backing_off(full).is_empty());
    }

    #[test]
    fn a_failing_activity_log_is_listed_with_its_first_time_and_last_reason() {
        let failures = Failures::default();
        failures.activity_failed(&Error::BreakerOpen);
        let since = failures.activity().map(|failing| failing.since);
        failures.activity_failed(&Error::NotLeader);
        let [failing] = &failures.all()[..] else { panic!("{failures:?}") };
        assert_eq!((failing.collection, failing.task), ACTIVITY);
        assert_eq!((Some(failing.since), &failing.why), (since, &Error::NotLeader.to_string()));
        failures.activity_succeeded();
        assert!(failures.all().is_empty());
    }

    #[test]
    fn a_withheld_or_persistently_failing_collection_is_not_waited_for() {
        let failures = Failures::default();
        let (team, full) = (Collection::Team, Task::Compare(Depth::Contents));
        let short = || {
            let path = "/items/team".to_owned();
            Error::Content(content_client::Error::Partial { path, listed: 1, counted: 2 })
        };
        for _ in 0..2 * WITHHELD_THRESHOLD {
            failures.failed(team, full, &Error::NotLeader);
        }
        assert!(failures.withheld().is_empty(), "it is not the collection that fails");
        for left in (0..WITHHELD_THRESHOLD).rev() {
            failures.failed(team, full, &short());
            assert_eq!(failures.withheld().is_empty(), left > 0, "it may go well now");
        }
        failures.properties_compared();
        assert!(failures.withheld().is_empty(), "the content service has come right since");
        let refused = Error::Content(content_client::Error::TooLarge { limit: 1 });
        failures.failed(team, Task::Capture, &refused);
        assert_eq!(failures.withheld(), [team]);
    }
}
