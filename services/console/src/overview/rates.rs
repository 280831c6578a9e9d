//! Converts counters to recent rates, and keeps the history of the last quarter of an hour.

use std::collections::{HashMap, VecDeque};

use chrono::{DateTime, Utc};
use contracts::Epoch;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    figure,
    flow::Step,
    sample::{ProcessSample, Sample},
};
use crate::calls::Role;

/// The maximum number of intervals in the history: a quarter of an hour, with a sample every two
/// seconds.
const MAX_INTERVALS: usize = 450;
/// The period over which a rate is computed.
const WINDOW_SECONDS: i64 = 60;

/// The interval between two samples.
#[derive(Clone, Debug)]
struct Interval {
    /// Its end.
    at: DateTime<Utc>,
    seconds: f64,
    /// How often each step happened in it.
    counts: HashMap<Step, f64>,
}

/// A point of the history.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Passed)]
pub struct Point {
    /// The time of the sample.
    at: DateTime<Utc>,
    /// Versions recorded since the previous point.
    published: f64,
    /// Pages rendered since the previous point.
    rendered: f64,
}

/// How often each step happened, by step and instance.
type Counters = HashMap<(Step, String), f64>;

/// The counters of the last quarter of an hour.
#[derive(Debug, Default)]
pub struct Rates {
    intervals: VecDeque<Interval>,
    /// The time of the last sample, and its counters.
    last: Option<(DateTime<Utc>, Counters)>,
    /// Since when each step has had a backlog.
    waiting_since: HashMap<Step, DateTime<Utc>>,
}

impl Rates {
    /// Adds `sample`.
    pub fn add(&mut self, sample: &Sample) {
        let mut counters = Counters::new();
        for &step in Step::ALL {
            for process in sample.processes(step.role()) {
                if let Some(count) = counter(step, process) {
                    counters.insert((step, process.instance.clone()), count);
                }
            }
        }
        if let Some((at, before)) = self.last.take() {
            let mut counts: HashMap<Step, f64> = HashMap::new();
            for ((step, instance), count) in &counters {
                // The increase is zero for a new process, and for one that has restarted with a lower
                // counter.
                let previous = before.get(&(*step, instance.clone())).copied();
                let increase = previous.map_or(0.0, |previous| (count - previous).max(0.0));
                let sum = counts.entry(*step).or_default();
                *sum = if step.is_counted_once() { sum.max(increase) } else { *sum + increase };
            }
            let milliseconds = (sample.at - at).num_milliseconds().clamp(1, i64::from(i32::MAX));
            let seconds = f64::from(i32::try_from(milliseconds).unwrap_or(i32::MAX)) / 1_000.0;
            self.intervals.push_back(Interval { at: sample.at, seconds, counts });
            if self.intervals.len() > MAX_INTERVALS {
                self.intervals.pop_front();
            }
        }
        self.last = Some((sample.at, counters));
    }

    /// Returns the recent rate of `step` per minute; `None` before the second sample.
    pub fn per_minute(&self, step: Step) -> Option<f64> {
        let latest = self.intervals.back()?.at;
        let recent = self
            .intervals
            .iter()
            .rev()
            .take_while(|interval| (latest - interval.at).num_seconds() < WINDOW_SECONDS);
        let (mut count, mut seconds) = (0.0, 0.0);
        for interval in recent {
            count += interval.counts.get(&step).copied().unwrap_or_default();
            seconds += interval.seconds;
        }
        Some((count * 60.0 / seconds * 10.0).round() / 10.0)
    }

    /// Returns for how many seconds `step` has had a backlog; `is_waiting` says whether it has one now.
    pub fn waiting_seconds(&mut self, step: Step, is_waiting: bool, now: DateTime<Utc>) -> f64 {
        if !is_waiting {
            self.waiting_since.remove(&step);
            return 0.0;
        }
        let since = *self.waiting_since.entry(step).or_insert(now);
        let seconds = (now - since).num_seconds().clamp(0, i64::from(i32::MAX));
        f64::from(i32::try_from(seconds).unwrap_or(i32::MAX))
    }

    /// Returns the history, the oldest point first.
    pub fn history(&self) -> Vec<Point> {
        let count =
            |interval: &Interval, step| interval.counts.get(&step).copied().unwrap_or_default();
        let points = self.intervals.iter().map(|interval| Point {
            at: interval.at,
            published: count(interval, Step::Capture),
            rendered: count(interval, Step::Render),
        });
        points.collect()
    }
}

/// Returns the counter of `step` in `process`.
fn counter(step: Step, process: &ProcessSample) -> Option<f64> {
    let metrics = &process.metrics;
    match step {
        Step::Hint => metrics.with_label("sync_webhooks_total", "outcome", "kept"),
        Step::Capture => metrics.sum("sync_versions_total"),
        Step::Publish => Some(figure(process.state.sync()?.stream.as_ref()?.last_sequence)),
        Step::Project => metrics.sum("almijara_projection_position").map(message_number),
        Step::Index => metrics.sum("query_index_position").map(message_number),
        Step::Purge => metrics.sum("site_pages_purged_total"),
        Step::Render => metrics.sum("site_renders_total"),
    }
}

/// Returns the message number of `position`, whose upper bits are the epoch ([`contracts::Sequence`]).
fn message_number(position: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a power of two is exact")]
    let epoch = (Epoch::MAX_MESSAGES + 1) as f64;
    position % epoch
}

impl Step {
    /// Returns the role that performs the step.
    pub const fn role(self) -> Role {
        match self {
            Self::Hint | Self::Capture | Self::Publish => Role::Sync,
            Self::Project => Role::Projections,
            Self::Index => Role::Query,
            Self::Purge | Self::Render => Role::Site,
        }
    }

    /// Whether every process performs all of the step, so that one of them is counted and not the sum.
    const fn is_counted_once(self) -> bool {
        matches!(self, Self::Publish | Self::Project | Self::Index)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::TimeDelta;
    use contracts::Sequence;

    use super::{super::prometheus::Metrics, *};

    fn sample(seconds: i64, counts: &[(&str, u32)]) -> Sample {
        let processes = counts.iter().map(|(instance, renders)| ProcessSample {
            instance: (*instance).to_owned(),
            reachable: true,
            metrics: Metrics::parse(&format!("site_renders_total {renders}\n")),
            ..ProcessSample::default()
        });
        let processes = BTreeMap::from([(Role::Site, processes.collect())]);
        Sample { at: DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds), processes }
    }

    #[test]
    fn new_and_restarted_processes_do_not_distort_the_rate() {
        let mut rates = Rates::default();
        rates.add(&sample(0, &[("a", 100)]));
        assert_eq!(rates.per_minute(Step::Render), None);
        rates.add(&sample(2, &[("a", 104), ("b", 900)]));
        rates.add(&sample(4, &[("a", 1), ("b", 902)]));
        // Six renders in four seconds.
        assert_eq!(rates.per_minute(Step::Render), Some(90.0));
        assert_eq!(rates.history().len(), 2);
        for tick in 3..1_000 {
            rates.add(&sample(tick * 2, &[("a", 1)]));
        }
        assert_eq!(
            (rates.per_minute(Step::Render), rates.history().len()),
            (Some(0.0), MAX_INTERVALS)
        );
    }

    #[test]
    fn a_new_epoch_does_not_count_as_messages() {
        let at = |seconds, epoch, message| {
            let position = Sequence::new(Epoch(epoch), message);
            let process = ProcessSample {
                instance: "a".to_owned(),
                metrics: Metrics::parse(&format!("almijara_projection_position {position}\n")),
                ..ProcessSample::default()
            };
            let processes = BTreeMap::from([(Role::Projections, vec![process])]);
            Sample { at: DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds), processes }
        };
        let mut rates = Rates::default();
        rates.add(&at(0, 7, 100));
        rates.add(&at(2, 9, 103));
        assert_eq!(rates.per_minute(Step::Project), Some(90.0));
    }

    #[test]
    fn the_waiting_time_grows_until_the_backlog_is_empty() {
        let mut rates = Rates::default();
        let at = |seconds| DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds);
        assert!(rates.waiting_seconds(Step::Index, true, at(0)) < 0.5);
        assert!((rates.waiting_seconds(Step::Index, true, at(7)) - 7.0).abs() < 0.5);
        assert!(rates.waiting_seconds(Step::Index, false, at(8)) < 0.5);
        assert!(rates.waiting_seconds(Step::Index, true, at(9)) < 0.5);
    }
}
