//! A sample of all roles: the readiness, metrics and state of each process.

use std::{collections::BTreeMap, time::Duration};

use admin_answers::{projections::ProjectionsState, sync::SyncState};
use chrono::{DateTime, Utc};
use http::Method;
use runtime::error_text;
use serde::Deserialize;
use serde_json::Value;
use tokio::task::JoinSet;

use super::{prometheus::Metrics, role_state::RoleState};
use crate::calls::{Instance, Role, RoleResponse, Roles};

/// The timeout for each of these three requests to a process.
const LIMIT: Duration = Duration::from_millis(1_500);

/// The sample of one process.
#[derive(Clone, Debug, Default)]
pub struct ProcessSample {
    /// Its host and port.
    pub instance: String,
    /// Whether it responds.
    pub reachable: bool,
    /// Whether it reports to be ready.
    pub ready: bool,
    /// The failing checks, with the reason.
    pub failing: BTreeMap<String, String>,
    /// The details next to its readiness.
    pub details: BTreeMap<String, Value>,
    /// Its metrics.
    pub metrics: Metrics,
    /// Its state.
    pub state: RoleState,
}

/// The sample of all processes.
#[derive(Clone, Debug)]
pub struct Sample {
    pub at: DateTime<Utc>,
    pub processes: BTreeMap<Role, Vec<ProcessSample>>,
}

#[derive(Deserialize)]
struct Readiness {
    ready: bool,
    #[serde(default)]
    failing: BTreeMap<String, String>,
    #[serde(default)]
    details: BTreeMap<String, Value>,
}

impl Sample {
    /// Samples every process of `roles` concurrently, and stores the leader of each role in `roles`.
    pub async fn take(roles: &Roles) -> Self {
        let at = Utc::now();
        let mut samples = JoinSet::new();
        let mut lookups = JoinSet::new();
        for &role in Role::ALL {
            let roles = roles.clone();
            lookups.spawn(async move { (role, roles.instances(role).await) });
        }
        let mut instances: BTreeMap<Role, Vec<Instance>> = BTreeMap::new();
        while let Some(Ok((role, found))) = lookups.join_next().await {
            for (index, instance) in found.iter().cloned().enumerate() {
                let roles = roles.clone();
                samples.spawn(async move {
                    (role, index, sample_process(&roles, role, &instance).await)
                });
            }
            instances.insert(role, found);
        }
        let mut processes: BTreeMap<Role, BTreeMap<usize, ProcessSample>> = BTreeMap::new();
        while let Some(Ok((role, index, process))) = samples.join_next().await {
            processes.entry(role).or_default().insert(index, process);
        }
        for (role, found) in &instances {
            let (previous, of_role) = (roles.leader(*role), processes.get(role));
            let leader = of_role.and_then(|processes| find_leader(processes, previous.as_deref()));
            roles.set_leader(*role, leader.and_then(|index| found.get(index)));
        }
        let processes = processes
            .into_iter()
            .map(|(role, processes)| (role, processes.into_values().collect()));
        Self { at, processes: processes.collect() }
    }

    /// Returns the processes of `role`.
    pub fn processes(&self, role: Role) -> &[ProcessSample] {
        self.processes.get(&role).map_or(&[], Vec::as_slice)
    }

    /// Returns the process that represents `role`: the one that runs a long task, else the leader, else
    /// the first that responds.
    pub fn primary(&self, role: Role) -> Option<&ProcessSample> {
        let reachable = self.processes(role).iter().filter(|process| process.reachable);
        // Reversed, so that the first of equal rank wins.
        reachable.rev().max_by_key(|process| process.state.rank())
    }

    /// Returns the state of sync's [`Sample::primary`], if it is known.
    pub fn sync(&self) -> Option<&SyncState> {
        self.primary(Role::Sync)?.state.sync()
    }

    /// Returns the state of projections' [`Sample::primary`], if it is known.
    pub fn projections(&self) -> Option<&ProjectionsState> {
        self.primary(Role::Projections)?.state.projections()
    }

    /// Returns the sum of `value` over the processes of `role`; `None` if no process has one.
    pub fn sum(&self, role: Role, value: impl Fn(&ProcessSample) -> Option<f64>) -> Option<f64> {
        let values = self.processes(role).iter().filter_map(value);
        values.fold(None, |sum, value| Some(sum.unwrap_or_default() + value))
    }

    /// Returns the maximum of `value` over the processes of `role`.
    pub fn max(&self, role: Role, value: impl Fn(&ProcessSample) -> Option<f64>) -> Option<f64> {
        self.processes(role).iter().filter_map(value).reduce(f64::max)
    }
}

/// Returns which process runs a long task, or leads. If none reports that, the `previous` leader
/// remains, for as long as it is reachable and reports no state: its state may have been late once.
fn find_leader(
    processes: &BTreeMap<usize, ProcessSample>,
    previous: Option<&str>,
) -> Option<usize> {
    let ranked = processes.iter().map(|(index, process)| (process.state.rank(), *index));
    let reported = ranked.filter(|(rank, _)| *rank > 0).max().map(|(_, index)| index);
    reported.or_else(|| {
        let remains = |process: &ProcessSample| {
            previous == Some(process.instance.as_str())
                && process.reachable
                && process.state.is_unknown()
        };
        processes.iter().find(|(_, process)| remains(process)).map(|(index, _)| *index)
    })
}

async fn sample_process(roles: &Roles, role: Role, instance: &Instance) -> ProcessSample {
    let state = async {
        if !role.has_state_call() {
            return Err(String::new());
        }
        get(roles, role, instance, "/admin/state").await
    };
    let (readiness, metrics, state) = tokio::join!(
        get(roles, role, instance, "/readyz"),
        get(roles, role, instance, "/metrics"),
        state,
    );
    let mut process = ProcessSample { instance: instance.name.clone(), ..ProcessSample::default() };
    match readiness {
        Ok(response) => match serde_json::from_slice::<Readiness>(&response.body) {
            Ok(readiness) => {
                process.reachable = true;
                process.ready = readiness.ready;
                process.failing = readiness.failing;
                process.details = readiness.details;
            }
            Err(error) => {
                let reason = format!("its answer can't be read: {}", error_text(&error));
                process.failing.insert("health".to_owned(), reason);
            }
        },
        Err(reason) => {
            process.failing.insert("health".to_owned(), reason);
        }
    }
    if let Ok(text) = metrics.as_ref().map(|response| String::from_utf8_lossy(&response.body)) {
        process.metrics = Metrics::parse(&text);
    }
    match state {
        Ok(response) if response.status.is_success() => {
            match RoleState::parse(role, &response.body) {
                Ok(state) => process.state = state,
                Err(error) => {
                    let why = format!("/admin/state can't be read: {error}");
                    process.details.insert("console".to_owned(), why.into());
                }
            }
        }
        Ok(response) if process.reachable => {
            let why = format!("/admin/state answers {}", response.status);
            process.details.insert("console".to_owned(), why.into());
        }
        _ => {}
    }
    process
}

/// Returns the response of `instance` at `path`, or why there is none.
async fn get(
    roles: &Roles,
    role: Role,
    instance: &Instance,
    path: &str,
) -> Result<RoleResponse, String> {
    let result = roles.request(role, instance, Method::GET, path, None, LIMIT).await;
    result.map_err(|failure| error_text(&failure))
}

#[cfg(test)]
mod tests {
    use admin_answers::projections::FillStatus;

    use super::*;

    #[test]
    fn a_leader_without_state_remains_until_it_reports_otherwise_or_is_unreachable() {
        let process = |instance: &str, running: Option<bool>| ProcessSample {
            instance: instance.to_owned(),
            reachable: true,
            state: running.map_or(RoleState::Unknown, |running| {
                let rebuild = FillStatus { running, ..FillStatus::default() };
                RoleState::Projections(ProjectionsState { rebuild, ..ProjectionsState::default() })
            }),
            ..ProcessSample::default()
        };
        let leader = |second: ProcessSample, previous| {
            let processes = BTreeMap::from([(0, process("a", Some(false))), (1, second)]);
            find_leader(&processes, previous)
        };
        assert_eq!(leader(process("b", Some(true)), None), Some(1));
        assert_eq!(leader(process("b", None), Some("b")), Some(1), "its state was late");
        assert_eq!(leader(process("b", None), None), None);
        assert_eq!(leader(process("b", Some(false)), Some("b")), None, "it has ended");
        let unreachable = ProcessSample { reachable: false, ..process("b", None) };
        assert_eq!(leader(unreachable, Some("b")), None, "another may take over");
        assert_eq!(leader(process("c", None), Some("b")), None);
    }
}
