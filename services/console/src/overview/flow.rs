//! The flow of a publish, step by step: how much passes, what waits, for how long, and whether that is
//! well.

use serde::Serialize;
use serde_json::Value;

use super::{rates::Rates, sample::Sample};
use crate::calls::Role;

/// From how many seconds on what waits is slow.
const SLOW_SECONDS: f64 = 10.0;
/// From how many on the site's change stream, which says something every two seconds, has stopped.
const SILENT_SECONDS: f64 = 15.0;

/// A step of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    Hint,
    Capture,
    Publish,
    Project,
    Index,
    Purge,
    Render,
}

impl Step {
    /// All of them, in their order.
    pub const ALL: [Self; 7] = [
        Self::Hint,
        Self::Capture,
        Self::Publish,
        Self::Project,
        Self::Index,
        Self::Purge,
        Self::Render,
    ];
}

/// How a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    Well,
    Slow,
    Stopped,
    Paused,
    Unknown,
}

/// What is told of a step.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Told {
    step: Step,
    /// How often it happened a minute lately.
    rate_per_minute: f64,
    /// How much waits for it.
    lag: Option<f64>,
    /// For how long the oldest of that has been waiting.
    age_seconds: Option<f64>,
    state: How,
    /// Why it is not well.
    why: Option<String>,
}

/// What stands in the way of a step.
struct Trouble(How, String);

/// Every step, as `sample` shows it.
pub fn flow(sample: &Sample, rates: &mut Rates) -> Vec<Told> {
    Step::ALL.into_iter().map(|step| told(step, sample, rates)).collect()
}

fn told(step: Step, sample: &Sample, rates: &mut Rates) -> Told {
    let rate_per_minute = rates.per_minute(step).unwrap_or_default();
    let lag = lag(step, sample);
    let waits = lag.is_some_and(|lag| lag > 0.0);
    let since = rates.waiting(step, waits, sample.at);
    let age_seconds = age(step, sample).or_else(|| lag.map(|_| since));
    let trouble = trouble(step, sample).or_else(|| {
        let age = age_seconds.filter(|age| *age > SLOW_SECONDS)?;
        let why = match (step, lag) {
            (Step::Purge, _) => format!("the change stream has been silent for {age:.0} s"),
            (_, Some(lag)) => format!("{lag:.0} wait, the oldest for {age:.0} s"),
            (_, None) => format!("the oldest has been waiting for {age:.0} s"),
        };
        Some(Trouble(How::Slow, why))
    });
    let (state, why) = match trouble {
        Some(Trouble(state, why)) => (state, Some(why)),
        None => (How::Well, None),
    };
    Told { step, rate_per_minute, lag, age_seconds, state, why }
}

/// How much waits for `step`.
fn lag(step: Step, sample: &Sample) -> Option<f64> {
    let sync = sample.state(Role::Sync);
    match step {
        Step::Hint => sync["inbox"]["unresolved"].as_f64(),
        Step::Capture => sync["dirty"]["count"].as_f64(),
        Step::Publish => {
            let outbox = &sync["outbox"];
            Some(outbox["fresh"].as_f64()? + outbox["refill"].as_f64().unwrap_or_default())
        }
        Step::Project => {
            let told = sample.state(Role::Projections)["lag"].as_f64();
            let name = "almijara_projection_lag_messages";
            told.or_else(|| sample.most(Role::Projections, |seen| seen.figures.sum(name)))
        }
        Step::Index => {
            sample.most(Role::Query, |seen| seen.figures.sum("query_index_lag_messages"))
        }
        Step::Purge => None,
        Step::Render => sample.sum(Role::Site, |seen| seen.state["renders"]["waiting"].as_f64()),
    }
}

/// For how long the oldest of that has been waiting, where the role itself knows.
fn age(step: Step, sample: &Sample) -> Option<f64> {
    let sync = sample.state(Role::Sync);
    // Nothing waits: the oldest of that is of now.
    let oldest = |place: &Value, waits: &str| {
        place["oldestSeconds"].as_f64().or_else(|| place[waits].is_number().then_some(0.0))
    };
    match step {
        Step::Hint => oldest(&sync["inbox"], "unresolved"),
        Step::Capture => oldest(&sync["dirty"], "count"),
        Step::Publish => sample.first(Role::Sync)?.figures.sum("sync_outbox_oldest_seconds"),
        Step::Purge => sample.most(Role::Site, |seen| seen.figures.sum("site_changes_age_seconds")),
        Step::Project | Step::Index | Step::Render => None,
    }
}

/// What stands in the way of `step`.
fn trouble(step: Step, sample: &Sample) -> Option<Trouble> {
    let role = step.role();
    let Some(first) = sample.first(role) else {
        return Some(Trouble(How::Stopped, format!("{role} does not answer")));
    };
    // What it measures may say enough all the same.
    let is_told = !first.state.is_null() || lag(step, sample).is_some() || step == Step::Purge;
    let untold = || {
        let why = format!("{role} does not tell its state");
        (!is_told).then_some(Trouble(How::Unknown, why))
    };
    let paused = |is_paused: &Value| {
        let why = || "an operator has paused it".to_owned();
        (*is_paused == true).then(|| Trouble(How::Paused, why()))
    };
    let failing = |check: &str| {
        let reason = first.failing.get(check)?;
        Some(Trouble(How::Stopped, format!("{check}: {reason}")))
    };
    let known = match step {
        Step::Hint => failing("database"),
        Step::Capture => paused(&first.state["paused"]["capture"])
            .or_else(|| breaker(&first.state))
            .or_else(|| failing("content service"))
            .or_else(|| failing("database")),
        Step::Publish => paused(&first.state["paused"]["relay"]).or_else(|| failing("log")),
        Step::Project => paused(&first.state["paused"]).or_else(|| failing("read models")),
        Step::Index => failing("index").or_else(|| failing("read models")),
        Step::Purge => {
            let silent = age(step, sample).filter(|age| *age > SILENT_SECONDS);
            let cut = sample.of(role).iter().find(|seen| seen.state["feed"]["connected"] == false);
            silent
                .map(|age| format!("the change stream has been silent for {age:.0} s"))
                .or_else(|| Some(format!("{} hears no changes", cut?.instance)))
                .map(|why| Trouble(How::Stopped, why))
        }
        Step::Render => failing("door"),
    };
    known.or_else(untold)
}

/// The breaker before the content service, where it is open.
fn breaker(state: &Value) -> Option<Trouble> {
    let breaker = &state["breaker"];
    let reason = breaker["reason"].as_str().unwrap_or("the content service failed too often");
    (breaker["open"] == true).then(|| Trouble(How::Stopped, reason.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::Utc;
    use serde_json::json;

    use super::{super::sample::Seen, *};

    fn seen(state: Value) -> Seen {
        Seen { reachable: true, ready: true, state, ..Seen::default() }
    }

    fn states(sample: &Sample) -> Vec<(Step, How)> {
        let mut rates = Rates::default();
        flow(sample, &mut rates).into_iter().map(|told| (told.step, told.state)).collect()
    }

    #[test]
    fn each_step_says_how_it_is() {
        let sync = |paused: bool, open: bool, oldest: f64| {
            seen(json!({
                "inbox": { "unresolved": 0, "oldestSeconds": null },
                "dirty": { "count": 1, "oldestSeconds": oldest },
                "outbox": { "fresh": 0, "refill": 0 },
                "breaker": { "open": open, "reason": "refused" },
                "paused": { "capture": paused, "relay": false },
            }))
        };
        let sample = |sync: Seen| Sample {
            at: Utc::now(),
            seen: BTreeMap::from([
                (Role::Sync, vec![sync]),
                (Role::Projections, vec![seen(json!({ "lag": 0, "paused": false }))]),
                (Role::Site, vec![seen(json!({ "feed": { "connected": false } }))]),
            ]),
        };
        let states = |sync: Seen| states(&sample(sync));
        let well = states(sync(false, false, 1.0));
        for expected in [
            (Step::Hint, How::Well),
            (Step::Capture, How::Well),
            (Step::Publish, How::Well),
            (Step::Project, How::Well),
            (Step::Index, How::Stopped),
            (Step::Purge, How::Stopped),
        ] {
            assert!(well.contains(&expected), "{expected:?}: {well:?}");
        }
        assert!(states(sync(false, false, 60.0)).contains(&(Step::Capture, How::Slow)));
        assert!(states(sync(true, true, 60.0)).contains(&(Step::Capture, How::Paused)));
        assert!(states(sync(false, true, 60.0)).contains(&(Step::Capture, How::Stopped)));
        let mute = Seen { reachable: true, ..Seen::default() };
        assert!(states(mute).contains(&(Step::Hint, How::Unknown)));
    }
}
