//! The steps that a publish passes through: the throughput, the backlog, its age and the state of each
//! step.

use admin_answers::{checks, sync::BreakerState};
use contracts::closed_set;
use serde::Serialize;
use utoipa::ToSchema;

use super::{figure, rates::Rates, sample::Sample};
use crate::calls::Role;

/// The age of a backlog from which a step is slow.
const SLOW_SECONDS: f64 = 10.0;
/// The silence after which the site's change stream counts as stopped. It sends something every two
/// seconds.
const SILENT_SECONDS: f64 = 15.0;

closed_set!(
    /// A step of the flow.
    Step, "step", serialized {
        Hint = "hint",
        Capture = "capture",
        Publish = "publish",
        Project = "project",
        Index = "index",
        Purge = "purge",
        Render = "render",
    }
);

/// The state of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StepState {
    Well,
    Slow,
    Stopped,
    Paused,
    Unknown,
}

/// The report on a step.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FlowStep)]
pub struct StepReport {
    step: Step,
    /// Its recent rate per minute.
    rate_per_minute: f64,
    /// The size of its backlog.
    lag: Option<f64>,
    /// The age of the oldest entry in the backlog.
    age_seconds: Option<f64>,
    state: StepState,
    /// The reason, if the state is not `Well`.
    why: Option<String>,
}

/// A state other than `Well`, and the reason.
struct Issue(StepState, String);

/// Reports on every step, from `sample` and `rates`.
pub fn flow(sample: &Sample, rates: &mut Rates) -> Vec<StepReport> {
    Step::ALL.iter().map(|&step| report(step, sample, rates)).collect()
}

fn report(step: Step, sample: &Sample, rates: &mut Rates) -> StepReport {
    let rate_per_minute = rates.per_minute(step).unwrap_or_default();
    let lag = lag(step, sample);
    let is_waiting = lag.is_some_and(|lag| lag > 0.0);
    let waiting_seconds = rates.waiting_seconds(step, is_waiting, sample.at);
    let age_seconds = age(step, sample).or_else(|| lag.map(|_| waiting_seconds));
    let issue = issue(step, sample).or_else(|| {
        let age = age_seconds.filter(|age| *age > SLOW_SECONDS)?;
        let why = match (step, lag) {
            (Step::Purge, _) => format!("the change stream has been silent for {age:.0} s"),
            (_, Some(lag)) => format!("{lag:.0} wait, the oldest for {age:.0} s"),
            (_, None) => format!("the oldest has been waiting for {age:.0} s"),
        };
        Some(Issue(StepState::Slow, why))
    });
    let (state, why) = match issue {
        Some(Issue(state, why)) => (state, Some(why)),
        None => (StepState::Well, None),
    };
    StepReport { step, rate_per_minute, lag, age_seconds, state, why }
}

/// Returns the size of the backlog of `step`.
fn lag(step: Step, sample: &Sample) -> Option<f64> {
    match step {
        Step::Hint => Some(figure(sample.sync()?.inbox.unresolved)),
        Step::Capture => Some(figure(sample.sync()?.dirty.count)),
        Step::Publish => {
            let outbox = &sample.sync()?.outbox;
            Some(figure(outbox.fresh) + figure(outbox.refill))
        }
        Step::Project => {
            let from_state = sample.projections().and_then(|state| state.lag).map(figure);
            let name = "almijara_projection_lag_messages";
            from_state
                .or_else(|| sample.max(Role::Projections, |process| process.metrics.sum(name)))
        }
        Step::Index => {
            sample.max(Role::Query, |process| process.metrics.sum("query_index_lag_messages"))
        }
        Step::Purge => None,
        Step::Render => {
            sample.sum(Role::Site, |process| Some(figure(process.state.site()?.renders.waiting)))
        }
    }
}

/// Returns the age of the oldest entry in the backlog of `step`, if the role itself reports it.
fn age(step: Step, sample: &Sample) -> Option<f64> {
    match step {
        // An empty backlog has no oldest entry, and an age of zero.
        Step::Hint => Some(sample.sync()?.inbox.oldest_seconds.unwrap_or_default()),
        Step::Capture => Some(sample.sync()?.dirty.oldest_seconds.unwrap_or_default()),
        Step::Publish => sample.primary(Role::Sync)?.metrics.sum("sync_outbox_oldest_seconds"),
        Step::Purge => {
            sample.max(Role::Site, |process| process.metrics.sum("site_changes_age_seconds"))
        }
        Step::Project | Step::Index | Step::Render => None,
    }
}

/// Returns the issue of `step`, if it has one.
fn issue(step: Step, sample: &Sample) -> Option<Issue> {
    let role = step.role();
    let Some(primary) = sample.primary(role) else {
        return Some(Issue(StepState::Stopped, format!("{role} does not answer")));
    };
    // Without the state, the metrics may still be enough.
    let is_known =
        !primary.state.is_unknown() || lag(step, sample).is_some() || step == Step::Purge;
    let unknown = || {
        let why = format!("{role} does not report its state");
        (!is_known).then_some(Issue(StepState::Unknown, why))
    };
    let paused = |is_paused: bool| {
        is_paused.then(|| Issue(StepState::Paused, "an operator has paused it".to_owned()))
    };
    let (sync, projections) = (primary.state.sync(), primary.state.projections());
    let failing = |check: &str| {
        let reason = primary.failing.get(check)?;
        Some(Issue(StepState::Stopped, format!("{check}: {reason}")))
    };
    let issue = match step {
        Step::Hint => failing(checks::DATABASE),
        Step::Capture => paused(sync.is_some_and(|state| state.paused.capture))
            .or_else(|| breaker(&sync?.breaker))
            .or_else(|| failing(checks::CONTENT_SERVICE))
            .or_else(|| failing(checks::DATABASE)),
        Step::Publish => {
            paused(sync.is_some_and(|state| state.paused.relay)).or_else(|| failing(checks::LOG))
        }
        Step::Project => paused(projections.is_some_and(|state| state.paused))
            .or_else(|| failing(checks::READ_MODELS)),
        Step::Index => failing(checks::INDEX).or_else(|| failing(checks::READ_MODELS)),
        Step::Purge => {
            let silent = age(step, sample).filter(|age| *age > SILENT_SECONDS);
            let disconnected = sample
                .processes(role)
                .iter()
                .find(|process| process.state.site().is_some_and(|site| !site.feed.connected));
            silent
                .map(|age| format!("the change stream has been silent for {age:.0} s"))
                .or_else(|| {
                    Some(format!(
                        "{} is not connected to the change stream",
                        disconnected?.instance
                    ))
                })
                .map(|why| Issue(StepState::Stopped, why))
        }
        Step::Render => failing(checks::DOOR),
    };
    issue.or_else(unknown)
}

/// Returns an issue if the circuit breaker for the content service is open.
fn breaker(breaker: &BreakerState) -> Option<Issue> {
    let reason = breaker.reason.as_deref().unwrap_or("the content service failed too often");
    breaker.open.then(|| Issue(StepState::Stopped, reason.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use admin_answers::{
        projections::ProjectionsState,
        site::SiteState,
        sync::{DirtyState, PausedSteps, SyncState},
    };
    use chrono::Utc;

    use super::{
        super::{role_state::RoleState, sample::ProcessSample},
        *,
    };

    fn process(state: RoleState) -> ProcessSample {
        ProcessSample { reachable: true, ready: true, state, ..ProcessSample::default() }
    }

    fn states(sample: &Sample) -> Vec<(Step, StepState)> {
        let mut rates = Rates::default();
        flow(sample, &mut rates).into_iter().map(|report| (report.step, report.state)).collect()
    }

    #[test]
    fn the_state_of_each_step_is_reported() {
        let sync = |paused: bool, open: bool, oldest: f64| {
            process(RoleState::Sync(Box::new(SyncState {
                dirty: DirtyState { count: 1, oldest_seconds: Some(oldest) },
                breaker: BreakerState { open, reason: Some("refused".to_owned()) },
                paused: PausedSteps { capture: paused, relay: false },
                ..SyncState::default()
            })))
        };
        let projections = ProjectionsState { lag: Some(0), ..ProjectionsState::default() };
        let projections = process(RoleState::Projections(projections));
        let site = process(RoleState::Site(SiteState::default()));
        let sample = |sync: ProcessSample| Sample {
            at: Utc::now(),
            processes: BTreeMap::from([
                (Role::Sync, vec![sync]),
                (Role::Projections, vec![projections.clone()]),
                (Role::Site, vec![site.clone()]),
            ]),
        };
        let states = |sync: ProcessSample| states(&sample(sync));
        let well = states(sync(false, false, 1.0));
        for expected in [
            (Step::Hint, StepState::Well),
            (Step::Capture, StepState::Well),
            (Step::Publish, StepState::Well),
            (Step::Project, StepState::Well),
            (Step::Index, StepState::Stopped),
            (Step::Purge, StepState::Stopped),
        ] {
            assert!(well.contains(&expected), "{expected:?}: {well:?}");
        }
        assert!(states(sync(false, false, 60.0)).contains(&(Step::Capture, StepState::Slow)));
        assert!(states(sync(true, true, 60.0)).contains(&(Step::Capture, StepState::Paused)));
        assert!(states(sync(false, true, 60.0)).contains(&(Step::Capture, StepState::Stopped)));
        let without_state = ProcessSample { reachable: true, ..ProcessSample::default() };
        assert!(states(without_state).contains(&(Step::Hint, StepState::Unknown)));
    }
}
