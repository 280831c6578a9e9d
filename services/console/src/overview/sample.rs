//! One look at everything: each process's readiness, figures and state.

use std::{collections::BTreeMap, time::Duration};

use chrono::{DateTime, Utc};
use http::Method;
use serde::Deserialize;
use serde_json::Value;
use tokio::task::JoinSet;

use super::prometheus::Figures;
use crate::calls::{Asked, Instance, Role, Roles};

/// The longest that one process may take for one of the three.
const LIMIT: Duration = Duration::from_millis(1_500);

/// What was seen of one process.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Its host and port.
    pub instance: String,
    /// Whether it answers.
    pub reachable: bool,
    /// Whether it says that it is ready.
    pub ready: bool,
    /// What is not ready, with the reason.
    pub failing: BTreeMap<String, String>,
    /// What it tells beside that.
    pub details: BTreeMap<String, Value>,
    /// What it measures.
    pub figures: Figures,
    /// What it answers to `/admin/state`; null where it answers nothing there.
    pub state: Value,
}

/// What was seen of all.
#[derive(Clone, Debug)]
pub struct Sample {
    pub at: DateTime<Utc>,
    pub seen: BTreeMap<Role, Vec<Seen>>,
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
    /// Looks at every process of `roles`, all at once, and notes which of several leads.
    pub async fn take(roles: &Roles) -> Self {
        let at = Utc::now();
        let mut looking = JoinSet::new();
        let mut names = JoinSet::new();
        for role in Role::ALL {
            let roles = roles.clone();
            names.spawn(async move { (role, roles.instances(role).await) });
        }
        let mut instances: BTreeMap<Role, Vec<Instance>> = BTreeMap::new();
        while let Some(Ok((role, found))) = names.join_next().await {
            for (place, instance) in found.iter().cloned().enumerate() {
                let roles = roles.clone();
                looking.spawn(async move { (role, place, look(&roles, role, &instance).await) });
            }
            instances.insert(role, found);
        }
        let mut seen: BTreeMap<Role, BTreeMap<usize, Seen>> = BTreeMap::new();
        while let Some(Ok((role, place, one))) = looking.join_next().await {
            seen.entry(role).or_default().insert(place, one);
        }
        for (role, found) in &instances {
            let (noted, of_role) = (roles.leader(*role), seen.get(role));
            let leading = of_role.and_then(|seen| leading(*role, seen, noted.as_deref()));
            roles.leads(*role, leading.and_then(|at| found.get(at)));
        }
        let seen = seen.into_iter().map(|(role, seen)| (role, seen.into_values().collect()));
        Self { at, seen: seen.collect() }
    }

    /// What was seen of `role`.
    pub fn of(&self, role: Role) -> &[Seen] {
        self.seen.get(&role).map_or(&[], Vec::as_slice)
    }

    /// The process of `role` whose word counts: that which is at work or leads, or the first that answers.
    pub fn first(&self, role: Role) -> Option<&Seen> {
        let reachable = self.of(role).iter().filter(|one| one.reachable);
        // Of several alike the first.
        reachable.rev().max_by_key(|one| rank(role, &one.state))
    }

    /// The state of [`Sample::first`]; null where there is none.
    pub fn state(&self, role: Role) -> &Value {
        self.first(role).map_or(&Value::Null, |one| &one.state)
    }

    /// Adds up what every process of `role` tells as `of`; none where none does.
    pub fn sum(&self, role: Role, of: impl Fn(&Seen) -> Option<f64>) -> Option<f64> {
        let told = self.of(role).iter().filter_map(of);
        told.fold(None, |sum, value| Some(sum.unwrap_or_default() + value))
    }

    /// The most that a process of `role` tells as `of`.
    pub fn most(&self, role: Role, of: impl Fn(&Seen) -> Option<f64>) -> Option<f64> {
        self.of(role).iter().filter_map(of).reduce(f64::max)
    }
}

/// Which of several processes is at work, or leads. Where none says so, it is the one that was `noted`
/// for as long as that answers and does not say otherwise: one whose state was late once goes on.
fn leading(role: Role, seen: &BTreeMap<usize, Seen>, noted: Option<&str>) -> Option<usize> {
    let ranked = seen.iter().map(|(place, one)| (rank(role, &one.state), *place));
    let says_so = ranked.filter(|(rank, _)| *rank > 0).max().map(|(_, place)| place);
    says_so.or_else(|| {
        let goes_on = |one: &Seen| {
            noted == Some(one.instance.as_str()) && one.reachable && one.state.is_null()
        };
        seen.iter().find(|(_, one)| goes_on(one)).map(|(place, _)| *place)
    })
}

/// How much a process of that `state` is the one to ask: it is in the middle of what it was told, it
/// leads, or it is one of several alike.
fn rank(role: Role, state: &Value) -> u8 {
    let running = match role {
        Role::Sync => &state["reconcile"]["running"],
        Role::Projections => &state["rebuild"]["running"],
        _ => &Value::Null,
    };
    match (running == true, state["leads"] == true) {
        (true, _) => 2,
        (false, true) => 1,
        (false, false) => 0,
    }
}

async fn look(roles: &Roles, role: Role, instance: &Instance) -> Seen {
    let state = async {
        if !role.tells_its_state() {
            return Err(String::new());
        }
        get(roles, role, instance, "/admin/state").await
    };
    let (readiness, metrics, state) = tokio::join!(
        get(roles, role, instance, "/readyz"),
        get(roles, role, instance, "/metrics"),
        state,
    );
    let mut seen = Seen { instance: instance.name.clone(), ..Seen::default() };
    match readiness {
        Ok(answer) => match serde_json::from_slice::<Readiness>(&answer.body) {
            Ok(readiness) => {
                seen.reachable = true;
                seen.ready = readiness.ready;
                seen.failing = readiness.failing;
                seen.details = readiness.details;
            }
            Err(error) => {
                seen.failing.insert("health".to_owned(), format!("its answer is none: {error}"));
            }
        },
        Err(reason) => {
            seen.failing.insert("health".to_owned(), reason);
        }
    }
    if let Ok(answer) = metrics.as_ref().map(|answer| String::from_utf8_lossy(&answer.body)) {
        seen.figures = Figures::read(&answer);
    }
    match state {
        Ok(answer) if answer.status.is_success() => {
            seen.state = serde_json::from_slice(&answer.body).unwrap_or_default();
        }
        Ok(answer) if seen.reachable => {
            let why = format!("/admin/state answers {}", answer.status);
            seen.details.insert("console".to_owned(), why.into());
        }
        _ => {}
    }
    seen
}

/// What `instance` answers at `path`, or why it does not.
async fn get(roles: &Roles, role: Role, instance: &Instance, path: &str) -> Result<Asked, String> {
    let asked = roles.ask(role, instance, Method::GET, path, None, LIMIT).await;
    asked.map_err(|failure| runtime::error_text(&failure))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn who_is_at_work_is_forgotten_on_its_own_word_alone() {
        let seen = |instance: &str, running: Option<bool>| Seen {
            instance: instance.to_owned(),
            reachable: true,
            state: running.map_or(Value::Null, |it| json!({ "rebuild": { "running": it } })),
            ..Seen::default()
        };
        let leading = |second: Seen, noted| {
            let seen = BTreeMap::from([(0, seen("a", Some(false))), (1, second)]);
            leading(Role::Projections, &seen, noted)
        };
        assert_eq!(leading(seen("b", Some(true)), None), Some(1));
        assert_eq!(leading(seen("b", None), Some("b")), Some(1), "its state was late");
        assert_eq!(leading(seen("b", None), None), None);
        assert_eq!(leading(seen("b", Some(false)), Some("b")), None, "it has ended");
        let away = Seen { reachable: false, ..seen("b", None) };
        assert_eq!(leading(away, Some("b")), None, "another may begin");
        assert_eq!(leading(seen("c", None), Some("b")), None);
    }
}
