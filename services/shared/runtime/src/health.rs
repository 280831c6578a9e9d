//! Liveness, readiness and metrics, served on each role's own health address.

use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, Instant},
};

use axum::{
    Json, Router,
    extract::State,
    http::{StatusCode, header},
    response::IntoResponse,
    routing::get,
};
use serde_json::{Value, json};

use crate::{error_text, metrics};

/// How long the state of a [renewed check](Health::renewed_check) is valid. Every check that is polled
/// repeatedly is a renewed one.
pub const RENEWAL: Duration = Duration::from_secs(8);

/// The readiness checks of a process, and details for operators.
#[derive(Clone, Debug, Default)]
pub struct Health {
    checks: Arc<RwLock<BTreeMap<String, CheckState>>>,
    details: Arc<RwLock<BTreeMap<String, Value>>>,
}

/// Information for operators, shown with the readiness but without effect on it.
#[derive(Clone, Debug)]
pub struct Details {
    health: Health,
    name: String,
}

impl Details {
    /// Shows `details` with the readiness; `None` removes them.
    pub fn set(&self, details: Option<Value>) {
        let mut all = self.health.details.write().unwrap_or_else(PoisonError::into_inner);
        match details {
            Some(details) => all.insert(self.name.clone(), details),
            None => all.remove(&self.name),
        };
    }
}

/// The state that was last set for a check.
#[derive(Clone, Debug)]
struct CheckState {
    /// Why it is not ready; `None` if it is ready.
    reason: Option<String>,
    set_at: Instant,
    /// How long this state is valid.
    limit: Option<Duration>,
}

impl CheckState {
    /// Returns why the check fails, if it does: the reason that was set, or that the state has expired.
    fn failing(&self) -> Option<String> {
        let age = self.set_at.elapsed();
        let is_expired = self.limit.is_some_and(|limit| age > limit);
        let expired = || is_expired.then(|| format!("no update for {} s", age.as_secs()));
        self.reason.clone().or_else(expired)
    }
}

/// One condition that must hold before the process is ready. Starts as not ready.
#[derive(Clone, Debug)]
pub struct Check {
    health: Health,
    name: String,
    limit: Option<Duration>,
}

impl Health {
    /// Adds a check, shown to operators as `name`. It keeps the state that was last set.
    pub fn check(&self, name: &str) -> Check {
        self.add(name, None)
    }

    /// Adds a check that has to be set to ready again within [`RENEWAL`], or it fails: the task that
    /// sets it may hang.
    pub fn renewed_check(&self, name: &str) -> Check {
        self.add(name, Some(RENEWAL))
    }

    fn add(&self, name: &str, limit: Option<Duration>) -> Check {
        let check = Check { health: self.clone(), name: name.to_owned(), limit };
        check.set(Some("starting".to_owned()));
        check
    }

    /// Adds an entry `name` to the details shown to operators.
    pub fn detail(&self, name: &str) -> Details {
        Details { health: self.clone(), name: name.to_owned() }
    }

    /// Returns the details for operators, by name.
    pub fn details(&self) -> BTreeMap<String, Value> {
        self.details.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the failing checks, by name, with the reason.
    pub fn failing(&self) -> BTreeMap<String, String> {
        let checks = self.checks.read().unwrap_or_else(PoisonError::into_inner);
        let failing =
            checks.iter().filter_map(|(name, state)| Some((name.clone(), state.failing()?)));
        failing.collect()
    }

    /// Sets the gauge `almijara_ready` of each check.
    fn report(&self) {
        let checks = self.checks.read().unwrap_or_else(PoisonError::into_inner);
        for (name, state) in checks.iter() {
            let ready = if state.failing().is_none() { 1.0 } else { 0.0 };
            ::metrics::gauge!("almijara_ready", "check" => name.clone()).set(ready);
        }
    }

    /// Returns the routes `/healthz`, `/readyz` and `/metrics`.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/healthz", get(|| async { "alive\n" }))
            .route("/readyz", get(readyz))
            .route("/metrics", get(metrics_text))
            .with_state(self.clone())
    }
}

impl Check {
    /// Sets the check to ready.
    pub fn ready(&self) {
        self.set(None);
    }

    /// Sets the check to not ready, because of `reason`.
    pub fn not_ready(&self, reason: impl Into<String>) {
        self.set(Some(reason.into()));
    }

    fn set(&self, reason: Option<String>) {
        let state =
            CheckState { reason: reason.clone(), set_at: Instant::now(), limit: self.limit };
        let mut checks = self.health.checks.write().unwrap_or_else(PoisonError::into_inner);
        let before = checks.insert(self.name.clone(), state).map(|before| before.reason);
        drop(checks);
        if before.as_ref() == Some(&reason) {
            return;
        }
        match reason {
            None => tracing::info!(check = %self.name, "ready"),
            Some(reason) if before == Some(None) => {
                tracing::warn!(check = %self.name, %reason, "no longer ready");
            }
            // During startup a role waits for several things, and each attempt may fail for another
            // reason.
            Some(reason) => tracing::debug!(check = %self.name, %reason, "not ready"),
        }
    }
}

async fn readyz(State(health): State<Health>) -> impl IntoResponse {
    let failing = health.failing();
    let status = if failing.is_empty() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let mut answer = json!({ "ready": failing.is_empty(), "failing": failing });
    let details = health.details();
    if !details.is_empty() {
        answer["details"] = json!(details);
    }
    (status, Json(answer))
}

async fn metrics_text(State(health): State<Health>) -> impl IntoResponse {
    health.report();
    let rendered = metrics::rendered().map_err(|error| {
        tracing::error!(error = error_text(&error), "the metrics could not be rendered");
        StatusCode::INTERNAL_SERVER_ERROR
    });
    rendered.map(|text| ([(header::CONTENT_TYPE, metrics::CONTENT_TYPE)], text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::tests::Lines;

    #[test]
    fn ready_only_when_every_check_is() {
        let health = Health::default();
        let (database, log) = (health.check("database"), health.check("log"));
        database.ready();
        assert_eq!(health.failing().keys().collect::<Vec<_>>(), ["log"]);
        log.ready();
        assert!(health.failing().is_empty());
        database.not_ready("connection refused");
        assert_eq!(health.failing()["database"], "connection refused");
    }

    #[test]
    fn a_failure_and_its_recovery_are_logged_once_each() {
        let lines = Lines::default();
        let writer = lines.clone();
        let log = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone());
        // With a single dispatcher, tracing caches the interest of a call site for all threads, as
        // decided by the thread that reaches it first. A second one prevents that.
        let _another = tracing::Dispatch::new(tracing::subscriber::NoSubscriber::default());
        tracing::subscriber::with_default(log.finish(), || {
            let check = Health::default().check("database");
            check.not_ready("it is not there yet");
            check.ready();
            check.ready();
            for reason in ["connection refused", "connection refused", "starting up"] {
                check.not_ready(reason);
            }
            check.ready();
        });
        let text = lines.text();
        let messages: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split_once(": "))
            .map(|(_, message)| message)
            .collect();
        let failing = "no longer ready check=database reason=connection refused";
        assert_eq!(messages, ["ready check=database", failing, "ready check=database"], "{text}");
        assert_eq!(text.matches("WARN").count(), 1, "{text}");
    }

    #[test]
    fn a_renewed_check_fails_when_its_state_expires() {
        let health = Health::default();
        health.renewed_check("log").ready();
        assert!(health.failing().is_empty());
        let expired = health.add("database", Some(Duration::ZERO));
        expired.ready();
        assert_eq!(health.failing()["database"], "no update for 0 s");
        expired.not_ready("connection refused");
        assert_eq!(health.failing()["database"], "connection refused");
    }

    #[test]
    fn details_are_listed_and_do_not_affect_readiness() {
        let health = Health::default();
        let parked = health.detail("parked");
        parked.set(Some(json!({ "team": 1 })));
        assert_eq!(health.details()["parked"]["team"], 1);
        assert!(health.failing().is_empty());
        parked.set(None);
        assert!(health.details().is_empty());
    }
}
