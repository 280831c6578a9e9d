//! How much happened lately: counters become rates, and the last quarter of an hour a line.

use std::collections::{HashMap, VecDeque};

use chrono::{DateTime, Utc};
use contracts::Epoch;
use serde::Serialize;

use super::{
    flow::Step,
    sample::{Sample, Seen},
};
use crate::calls::Role;

/// How many samples are kept: a quarter of an hour, one every two seconds.
const KEPT: usize = 450;
/// Over how many seconds a rate is reckoned.
const WINDOW_SECONDS: i64 = 60;

/// What happened between two samples.
#[derive(Clone, Debug)]
struct Between {
    at: DateTime<Utc>,
    seconds: f64,
    /// By step.
    happened: HashMap<Step, f64>,
}

/// A point of the line.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// When.
    at: DateTime<Utc>,
    /// Versions recorded since the point before.
    published: f64,
    /// Pages rendered since then.
    rendered: f64,
}

/// How often each step happened, as each process counts it.
type Counters = HashMap<(Step, String), f64>;

/// What happened in the last quarter of an hour.
#[derive(Debug, Default)]
pub struct Rates {
    between: VecDeque<Between>,
    /// When the last sample was taken, and each process's counter of each step then.
    last: Option<(DateTime<Utc>, Counters)>,
    /// Since when something waits at a step.
    waiting: HashMap<Step, DateTime<Utc>>,
}

impl Rates {
    /// Takes in `sample`.
    pub fn take_in(&mut self, sample: &Sample) {
        let mut counters = Counters::new();
        for step in Step::ALL {
            for seen in sample.of(step.role()) {
                if let Some(count) = counter(step, seen) {
                    counters.insert((step, seen.instance.clone()), count);
                }
            }
        }
        if let Some((at, before)) = self.last.take() {
            let mut happened: HashMap<Step, f64> = HashMap::new();
            for ((step, instance), count) in &counters {
                // One that is new begins where it stands, and one that began anew is lower.
                let known = before.get(&(*step, instance.clone())).copied();
                let more = known.map_or(0.0, |known| (count - known).max(0.0));
                let sum = happened.entry(*step).or_default();
                *sum = if step.is_counted_once() { sum.max(more) } else { *sum + more };
            }
            let milliseconds = (sample.at - at).num_milliseconds().clamp(1, i64::from(i32::MAX));
            let seconds = f64::from(i32::try_from(milliseconds).unwrap_or(i32::MAX)) / 1_000.0;
            self.between.push_back(Between { at: sample.at, seconds, happened });
            if self.between.len() > KEPT {
                self.between.pop_front();
            }
        }
        self.last = Some((sample.at, counters));
    }

    /// How often `step` happened a minute lately; none before it was looked at twice.
    pub fn per_minute(&self, step: Step) -> Option<f64> {
        let latest = self.between.back()?.at;
        let lately = self
            .between
            .iter()
            .rev()
            .take_while(|between| (latest - between.at).num_seconds() < WINDOW_SECONDS);
        let (mut happened, mut seconds) = (0.0, 0.0);
        for between in lately {
            happened += between.happened.get(&step).copied().unwrap_or_default();
            seconds += between.seconds;
        }
        Some((happened * 60.0 / seconds * 10.0).round() / 10.0)
    }

    /// For how many seconds something has been waiting at `step`, where `waits` says whether it does now.
    pub fn waiting(&mut self, step: Step, waits: bool, now: DateTime<Utc>) -> f64 {
        if !waits {
            self.waiting.remove(&step);
            return 0.0;
        }
        let since = *self.waiting.entry(step).or_insert(now);
        let seconds = (now - since).num_seconds().clamp(0, i64::from(i32::MAX));
        f64::from(i32::try_from(seconds).unwrap_or(i32::MAX))
    }

    /// The line.
    pub fn history(&self) -> Vec<Point> {
        let of = |between: &Between, step| between.happened.get(&step).copied().unwrap_or_default();
        let points = self.between.iter().map(|between| Point {
            at: between.at,
            published: of(between, Step::Capture),
            rendered: of(between, Step::Render),
        });
        points.collect()
    }
}

/// What counts how often `step` happened, as `seen` tells it.
fn counter(step: Step, seen: &Seen) -> Option<f64> {
    let figures = &seen.figures;
    match step {
        Step::Hint => figures.labelled("sync_webhooks_total", "outcome", "kept"),
        Step::Capture => figures.sum("sync_versions_total"),
        Step::Publish => seen.state["stream"]["lastSequence"].as_f64(),
        Step::Project => figures.sum("almijara_projection_position").map(message_at),
        Step::Index => figures.sum("query_index_position").map(message_at),
        Step::Purge => figures.sum("site_pages_purged_total"),
        Step::Render => figures.sum("site_renders_total"),
    }
}

/// The number of the message at `position`, whose upper bits name an epoch ([`contracts::Sequence`]).
fn message_at(position: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a power of two is exact")]
    let epoch = (Epoch::MAX_MESSAGES + 1) as f64;
    position % epoch
}

impl Step {
    /// The role that does it.
    pub const fn role(self) -> Role {
        match self {
            Self::Hint | Self::Capture | Self::Publish => Role::Sync,
            Self::Project => Role::Projections,
            Self::Index => Role::Query,
            Self::Purge | Self::Render => Role::Site,
        }
    }

    /// Whether each process does all of it, so that it is counted of one.
    const fn is_counted_once(self) -> bool {
        matches!(self, Self::Publish | Self::Project | Self::Index)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::TimeDelta;
    use contracts::Sequence;

    use super::{super::prometheus::Figures, *};

    fn sample(seconds: i64, counts: &[(&str, u32)]) -> Sample {
        let seen = counts.iter().map(|(instance, renders)| Seen {
            instance: (*instance).to_owned(),
            reachable: true,
            figures: Figures::read(&format!("site_renders_total {renders}\n")),
            ..Seen::default()
        });
        let seen = BTreeMap::from([(Role::Site, seen.collect())]);
        Sample { at: DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds), seen }
    }

    #[test]
    fn what_rises_is_a_rate_whoever_begins_anew() {
        let mut rates = Rates::default();
        rates.take_in(&sample(0, &[("a", 100)]));
        assert_eq!(rates.per_minute(Step::Render), None);
        rates.take_in(&sample(2, &[("a", 104), ("b", 900)]));
        rates.take_in(&sample(4, &[("a", 1), ("b", 902)]));
        // Six in four seconds.
        assert_eq!(rates.per_minute(Step::Render), Some(90.0));
        assert_eq!(rates.history().len(), 2);
        for tick in 3..1_000 {
            rates.take_in(&sample(tick * 2, &[("a", 1)]));
        }
        assert_eq!((rates.per_minute(Step::Render), rates.history().len()), (Some(0.0), KEPT));
    }

    #[test]
    fn another_epoch_is_no_rush_of_messages() {
        let at = |seconds, epoch, message| {
            let position = Sequence::new(Epoch(epoch), message);
            let seen = Seen {
                instance: "a".to_owned(),
                figures: Figures::read(&format!("almijara_projection_position {position}\n")),
                ..Seen::default()
            };
            let seen = BTreeMap::from([(Role::Projections, vec![seen])]);
            Sample { at: DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds), seen }
        };
        let mut rates = Rates::default();
        rates.take_in(&at(0, 7, 100));
        rates.take_in(&at(2, 9, 103));
        assert_eq!(rates.per_minute(Step::Project), Some(90.0));
    }

    #[test]
    fn what_waits_gets_older_until_nothing_does() {
        let mut rates = Rates::default();
        let at = |seconds| DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds);
        assert!(rates.waiting(Step::Index, true, at(0)) < 0.5);
        assert!((rates.waiting(Step::Index, true, at(7)) - 7.0).abs() < 0.5);
        assert!(rates.waiting(Step::Index, false, at(8)) < 0.5);
        assert!(rates.waiting(Step::Index, true, at(9)) < 0.5);
    }
}
