//! Liveness, readiness and metrics, on an address of each role's own.

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

use crate::metrics;

/// For how long it counts that a server was found to answer: every check of one that is asked again
/// and again is a [renewed](Health::renewed_check) one, with this limit.
pub const RENEWAL: Duration = Duration::from_secs(8);

/// The state of each thing that a process needs to serve.
#[derive(Clone, Debug, Default)]
pub struct Health {
    checks: Arc<RwLock<BTreeMap<String, Said>>>,
    details: Arc<RwLock<BTreeMap<String, Value>>>,
}

/// Something that an operator should know of, and that does not make the process not ready.
#[derive(Clone, Debug)]
pub struct Details {
    health: Health,
    name: String,
}

impl Details {
    /// Tells `details` with the readiness, or nothing any more.
    pub fn set(&self, details: Option<Value>) {
        let mut told = self.health.details.write().unwrap_or_else(PoisonError::into_inner);
        match details {
            Some(details) => told.insert(self.name.clone(), details),
            None => told.remove(&self.name),
        };
    }
}

/// What was last said of a thing.
#[derive(Clone, Debug)]
struct Said {
    /// Why it is not right; none where it is.
    reason: Option<String>,
    at: Instant,
    /// How long a word counts.
    limit: Option<Duration>,
}

impl Said {
    fn failing(&self) -> Option<String> {
        let silence = self.at.elapsed();
        let is_silent = self.limit.is_some_and(|limit| silence > limit);
        let silent = || is_silent.then(|| format!("no word of it for {} s", silence.as_secs()));
        self.reason.clone().or_else(silent)
    }
}

/// One thing that must be right before the process is ready. Starts as not ready.
#[derive(Clone, Debug)]
pub struct Check {
    health: Health,
    name: String,
    limit: Option<Duration>,
}

impl Health {
    /// A new thing to wait for, `name`d for the operator. It stays as it is said to be.
    pub fn check(&self, name: &str) -> Check {
        self.add(name, None)
    }

    /// A new thing to wait for whose being right must be said again within [`RENEWAL`]: whoever
    /// watches over it may hang as well.
    pub fn renewed_check(&self, name: &str) -> Check {
        self.add(name, Some(RENEWAL))
    }

    fn add(&self, name: &str, limit: Option<Duration>) -> Check {
        let check = Check { health: self.clone(), name: name.to_owned(), limit };
        check.set(Some("starting".to_owned()));
        check
    }

    /// A place for what operators should know of `name`.
    pub fn details(&self, name: &str) -> Details {
        Details { health: self.clone(), name: name.to_owned() }
    }

    /// What operators should know, by name.
    pub fn told(&self) -> BTreeMap<String, Value> {
        self.details.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What is not ready, by name, with the reason.
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

    /// The routes `/healthz`, `/readyz` and `/metrics`.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/healthz", get(|| async { "alive\n" }))
            .route("/readyz", get(readyz))
            .route("/metrics", get(metrics_text))
            .with_state(self.clone())
    }
}

impl Check {
    /// It is right.
    pub fn ready(&self) {
        self.set(None);
    }

    /// It is not, because of `reason`.
    pub fn not_ready(&self, reason: impl Into<String>) {
        self.set(Some(reason.into()));
    }

    fn set(&self, reason: Option<String>) {
        let state = Said { reason: reason.clone(), at: Instant::now(), limit: self.limit };
        let mut checks = self.health.checks.write().unwrap_or_else(PoisonError::into_inner);
        let before = checks.insert(self.name.clone(), state).map(|before| before.reason);
        drop(checks);
        if before.as_ref() == Some(&reason) {
            return;
        }
        match reason {
            None => tracing::info!(check = %self.name, "ready"),
            Some(reason) if before == Some(None) => {
                tracing::warn!(check = %self.name, %reason, "not ready any more");
            }
            // A start waits for this and that, and a reason may be another one with each try.
            Some(reason) => tracing::debug!(check = %self.name, %reason, "not ready"),
        }
    }
}

async fn readyz(State(health): State<Health>) -> impl IntoResponse {
    let failing = health.failing();
    let status = if failing.is_empty() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let mut answer = json!({ "ready": failing.is_empty(), "failing": failing });
    let details = health.told();
    if !details.is_empty() {
        answer["details"] = json!(details);
    }
    (status, Json(answer))
}

async fn metrics_text(State(health): State<Health>) -> impl IntoResponse {
    health.report();
    let rendered = metrics::rendered().map_err(|error| {
        tracing::error!(%error, "what was measured can't be written");
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
    fn that_something_fails_and_that_it_is_right_again_is_one_line_each() {
        let lines = Lines::default();
        let writer = lines.clone();
        let log = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone());
        // Of one alone, whichever thread meets a call first says for all whether it is listened to.
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
        let said: Vec<&str> =
            text.lines().filter_map(|line| line.split_once(": ")).map(|(_, said)| said).collect();
        let failing = "not ready any more check=database reason=connection refused";
        assert_eq!(said, ["ready check=database", failing, "ready check=database"], "{text}");
        assert_eq!(text.matches("WARN").count(), 1, "{text}");
    }

    #[test]
    fn a_word_that_must_be_renewed_counts_for_a_while() {
        let health = Health::default();
        health.renewed_check("log").ready();
        assert!(health.failing().is_empty());
        let silent = health.add("database", Some(Duration::ZERO));
        silent.ready();
        assert_eq!(health.failing()["database"], "no word of it for 0 s");
        silent.not_ready("connection refused");
        assert_eq!(health.failing()["database"], "connection refused");
    }

    #[test]
    fn details_are_told_and_make_nothing_unready() {
        let health = Health::default();
        let parked = health.details("parked");
        parked.set(Some(json!({ "team": 1 })));
        assert_eq!(health.told()["parked"]["team"], 1);
        assert!(health.failing().is_empty());
        parked.set(None);
        assert!(health.told().is_empty());
    }
}
