//! Liveness, readiness and metrics, on an address of each role's own.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock, PoisonError, RwLock},
};

use axum::{Json, Router, extract::State, http::StatusCode, response::IntoResponse, routing::get};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use serde_json::json;

/// The state of each thing that a process needs to serve.
#[derive(Clone, Debug, Default)]
pub struct Health {
    checks: Arc<RwLock<BTreeMap<String, Option<String>>>>,
}

/// One thing that must be right before the process is ready. Starts as not ready.
#[derive(Clone, Debug)]
pub struct Check {
    health: Health,
    name: String,
}

impl Health {
    /// A new thing to wait for, `name`d for the operator.
    pub fn check(&self, name: &str) -> Check {
        let check = Check { health: self.clone(), name: name.to_owned() };
        check.set(Some("starting".to_owned()));
        check
    }

    /// What is not ready, by name, with the reason.
    pub fn failing(&self) -> BTreeMap<String, String> {
        self.checks
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .filter_map(|(name, reason)| Some((name.clone(), reason.clone()?)))
            .collect()
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

    fn set(&self, state: Option<String>) {
        let mut checks = self.health.checks.write().unwrap_or_else(PoisonError::into_inner);
        let before = checks.insert(self.name.clone(), state.clone());
        drop(checks);
        if before.as_ref() != Some(&state) {
            match state {
                None => tracing::info!(check = %self.name, "ready"),
                Some(reason) => tracing::debug!(check = %self.name, %reason, "not ready"),
            }
        }
    }
}

async fn readyz(State(health): State<Health>) -> impl IntoResponse {
    let failing = health.failing();
    let status = if failing.is_empty() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(json!({ "ready": failing.is_empty(), "failing": failing })))
}

/// The recorder of this process, installed on first use.
///
/// None where another recorder was installed before, which only a test does.
pub(crate) fn recorder() -> Option<&'static PrometheusHandle> {
    static RECORDER: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    RECORDER.get_or_init(|| PrometheusBuilder::new().install_recorder().ok()).as_ref()
}

async fn metrics_text() -> impl IntoResponse {
    let text = recorder().map(|handle| {
        handle.run_upkeep();
        handle.render()
    });
    ([("content-type", "text/plain; version=0.0.4")], text.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
